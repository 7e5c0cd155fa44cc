package components

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// palette maps a token to its colours.
type palette map[string][3]float64 // sRGB, 0…1

var (
	hexToken   = regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6});`)
	oklchToken = regexp.MustCompile(`--([a-z0-9-]+): (?:light-dark\()?oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)(?:, oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)\))?;`)
)

// tokens reads the hex colours of both themes and the oklch ones of both.
func tokens(t *testing.T) (light, dark, lightOK, darkOK palette) {
	t.Helper()
	css, err := os.ReadFile("../static/css/_tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	first, rest, found := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark colours in _tokens.css")
	}
	second, third, found := strings.Cut(rest, "@supports")
	if !found {
		t.Fatal("no oklch colours in _tokens.css")
	}
	light, dark, lightOK, darkOK = palette{}, palette{}, palette{}, palette{}
	for _, m := range hexToken.FindAllStringSubmatch(first, -1) {
		light[m[1]], dark[m[1]] = fromHex(t, m[2]), fromHex(t, m[2])
	}
	for _, m := range hexToken.FindAllStringSubmatch(second, -1) {
		dark[m[1]] = fromHex(t, m[2])
	}
	for _, m := range oklchToken.FindAllStringSubmatch(third, -1) {
		lightOK[m[1]] = fromOklch(t, m[2], m[3], m[4])
		darkOK[m[1]] = lightOK[m[1]]
		if m[5] != "" {
			darkOK[m[1]] = fromOklch(t, m[5], m[6], m[7])
		}
	}
	return light, dark, lightOK, darkOK
}

func fromHex(t *testing.T, hex string) (rgb [3]float64) {
	t.Helper()
	for i := range rgb {
		v, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		rgb[i] = float64(v) / 255
	}
	return rgb
}

// fromOklch converts as in CSS Color 4.
func fromOklch(t *testing.T, lightness, chroma, hue string) [3]float64 {
	t.Helper()
	var v [3]float64
	for i, s := range []string{lightness, chroma, hue} {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		v[i] = f
	}
	L, C, h := v[0]/100, v[1], v[2]*math.Pi/180
	a, b := C*math.Cos(h), C*math.Sin(h)
	l := math.Pow(L+0.3963377774*a+0.2158037573*b, 3)
	m := math.Pow(L-0.1055613458*a-0.0638541728*b, 3)
	s := math.Pow(L-0.0894841775*a-1.2914855480*b, 3)
	linear := [3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s,
	}
	for i, c := range linear {
		if c <= 0.0031308 {
			linear[i] = 12.92 * max(c, 0)
		} else {
			linear[i] = min(1.055*math.Pow(c, 1/2.4)-0.055, 1)
		}
	}
	return linear
}

// contrast returns WCAG's ratio.
func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) float64 {
		var y float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := c[i]
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			y += weight * v
		}
		return y
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestColoursAreReadableInBothThemes(t *testing.T) {
	const text, graphic = 4.5, 3.0
	pairs := []struct {
		ink, grounds string
		least        float64
	}{
		{"ink", "paper surface raised sunk chip", 7},
		{"ink-2", "paper surface raised chip", text},
		{"ink-3", "paper surface raised sunk", text},
		{"link", "paper surface raised", text},
		{"on-field", "field", 7},
		{"on-field-2", "field", text},
		{"gold", "field", text},
		{"action", "paper surface raised", text},
		{"on-action", "action action-hover", text},
		{"on-gold", "gold gold-deep", text},
		{"gold-ink", "gold-soft paper", text},
		{"done", "done-soft surface raised", text},
		{"danger", "surface raised danger-soft paper", text},
		{"info-ink", "info-soft", text},
		{"edge", "surface raised", graphic},
		{"focus", "paper surface raised", graphic},
		{"paper", "ink", text}, // toast
	}
	light, dark, lightOK, darkOK := tokens(t)
	themes := map[string]palette{"light": light, "dark": dark, "light oklch": lightOK, "dark oklch": darkOK}
	for name, colours := range themes {
		for _, pair := range pairs {
			for ground := range strings.FieldsSeq(pair.grounds) {
				got := contrast(colours[pair.ink], colours[ground])
				if got < pair.least {
					t.Errorf("%s: %s on %s is %.2f, want at least %.1f", name, pair.ink, ground, got, pair.least)
				}
			}
		}
	}
}

func TestHexAndOklchAreTheSameColour(t *testing.T) {
	light, dark, lightOK, darkOK := tokens(t)
	compare := func(theme string, hex, oklch palette) {
		for name, colour := range oklch {
			if got, want := toHex(hex[name]), toHex(colour); !near(hex[name], colour) {
				t.Errorf("%s --%s: hex %s, oklch gives %s", theme, name, got, want)
			}
		}
	}
	if len(lightOK) < 30 {
		t.Fatalf("only %d oklch tokens read", len(lightOK))
	}
	compare("light", light, lightOK)
	compare("dark", dark, darkOK)
}

func near(a, b [3]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i])*255 > 2.5 { // two colours are at the edge of sRGB
			return false
		}
	}
	return true
}

func toHex(c [3]float64) string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0]*255)), int(math.Round(c[1]*255)), int(math.Round(c[2]*255)))
}
