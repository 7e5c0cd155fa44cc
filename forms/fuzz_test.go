//go:build long

package forms_test

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/evanw/esbuild/pkg/api"

	"hiresure/forms"
)

type question struct {
	Form  string            `json:"form"`
	Step  string            `json:"step"` // checked by itself; "" for the whole form
	Only  []string          `json:"only"`
	Input map[string]string `json:"input"`
	Env   struct {
		Options map[string][]forms.Option `json:"options"`
		Proven  map[string]string         `json:"proven"`
		Today   string                    `json:"today"`
		Facts   map[string]string         `json:"facts"`
	} `json:"env"`
}

type answer struct {
	Clean  map[string]string `json:"clean"`
	Faults []forms.Fault     `json:"faults"`

	Warnings []forms.Fault `json:"warnings"`
}

// FUZZ_SECONDS sets how long it compares (60), FUZZ_SEED repeats a run.
func TestGoAndTypeScriptAgree(t *testing.T) {
	seconds, seed := number(t, "FUZZ_SECONDS", 60), number(t, "FUZZ_SEED", int(time.Now().UnixNano()))
	t.Logf("FUZZ_SEED=%d", seed)
	ask := startNode(t)
	dice := newDice(t, uint64(seed))

	compared, all, disagreed, refused := map[string]int{}, 0, 0, 0
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end) && disagreed < 5; {
		batch := make([]question, 1000)
		for i := range batch {
			batch[i] = dice.question()
		}
		for i, browser := range ask(batch) {
			q, server := batch[i], answer{}
			env := forms.Env{Options: q.Env.Options, Proven: q.Env.Proven, Today: q.Env.Today, Facts: q.Env.Facts}
			server.Warnings = forms.Get(q.Form).Warnings(q.Input, env)
			switch {
			case q.Only != nil:
				server.Clean, server.Faults = forms.Get(q.Form).CheckOnly(q.Input, env, q.Only...)
			case q.Step != "":
				server.Clean, server.Faults = forms.Get(q.Form).CheckStep(q.Step, q.Input, env)
			default:
				server.Clean, server.Faults = forms.Get(q.Form).Check(q.Input, env)
			}
			compared[q.Form]++
			all++
			if len(server.Faults) > 0 {
				refused++
			}
			if !reflect.DeepEqual(server, browser) {
				disagreed++
				t.Errorf("%+q\nGo         %+q\nTypeScript %+q", q, server, browser)
			}
		}
	}
	t.Logf("%d inputs compared (%v), %d of them refused, %d disagreements", all, compared, refused, disagreed)
	if refused == 0 || refused == all {
		t.Error("the inputs should be partly good and partly bad")
	}
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// startNode bundles the TypeScript half and returns a function that puts questions to it.
func startNode(t *testing.T) func([]question) []answer {
	t.Helper()
	script := filepath.Join(t.TempDir(), "agree.mjs")
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{"../islands/forms/agree.ts"}, Outfile: script, Bundle: true, Write: true,
		Platform: api.PlatformNode, Format: api.FormatESModule,
	})
	if len(built.Errors) > 0 {
		t.Fatalf("%+v", built.Errors)
	}
	node := exec.CommandContext(t.Context(), "node", script)
	node.Stderr = os.Stderr
	in, err := node.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	answers := json.NewDecoder(bufio.NewReader(out))
	return func(batch []question) []answer {
		sent := make(chan error, 1)
		go func() { sent <- send(in, batch) }()
		got := make([]answer, len(batch))
		for i := range got {
			if err := answers.Decode(&got[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		return got
	}
}

func send(to io.Writer, batch []question) error {
	lines := bufio.NewWriter(to)
	encoder := json.NewEncoder(lines)
	for _, q := range batch {
		if err := encoder.Encode(q); err != nil {
			return err
		}
	}
	return lines.Flush()
}

// dice makes questions: good forms with a few fields made strange.
type dice struct {
	*rand.Rand
	table  table
	names  []string // of forms
	values []string // that a case somewhere holds
}

func newDice(t *testing.T, seed uint64) dice {
	t.Helper()
	d := dice{Rand: rand.New(rand.NewPCG(seed, 0)), table: readTable(t)}
	d.names = slices.Sorted(maps.Keys(d.table.Good))
	for _, c := range d.table.Cases {
		for _, name := range slices.Sorted(maps.Keys(c.Input)) {
			if len(c.Input[name]) < 300 {
				d.values = append(d.values, c.Input[name])
			}
		}
	}
	return d
}

func (d dice) question() (q question) {
	q.Form = pick(d, d.names)
	fields := forms.Get(q.Form).Fields
	q.Input = maps.Clone(d.table.Good[q.Form])
	for range d.IntN(4) {
		field := pick(d, fields)
		q.Input[field.Name] = d.value(q.Input[field.Name], field)
	}
	q.Env.Options = d.table.Env.Options
	q.Env.Proven = maps.Clone(d.table.Env.Proven)
	q.Env.Today = pick(d, []string{d.table.Env.Today, "2028-02-29", "2026-08-14", ""})
	q.Env.Facts = map[string]string{"phone_number": pick(d, []string{d.table.Env.Facts["phone_number"], q.Input["guardian_phone"]})}
	if d.IntN(4) == 0 {
		proven := pick(d, []string{"phone_number", "guardian_phone", "coupon_code"})
		q.Env.Proven[proven] = pick(d, []string{q.Input[proven], strings.ToUpper(q.Input[proven]), ""})
	}
	if d.IntN(3) == 0 {
		for range 1 + d.IntN(3) {
			q.Only = append(q.Only, pick(d, fields).Name)
		}
	} else if d.IntN(2) == 0 {
		q.Step = pick(d, forms.Get(q.Form).Steps).Name
	}
	return q
}

func (d dice) value(good string, field forms.Field) string {
	switch d.IntN(6) {
	case 0:
		return pick(d, d.values)
	case 1:
		return d.text(d.IntN(12))
	case 2: // as long as a limit, give or take
		length := pick(d, []int{1, 2, 3, 5, 10, 15, 20, 50, 100, 254})
		return strings.Repeat(d.character(), max(0, length-1+d.IntN(3)))
	case 3:
		if choices := field.Choices(forms.Env{Options: d.table.Env.Options, Today: d.table.Env.Today}); len(choices) > 0 {
			return pick(d, choices).Value + pick(d, []string{"", ",", " ", "," + pick(d, choices).Value})
		}
		return pick(d, d.values) + d.text(1)
	default:
		return d.mutate(good)
	}
}

func (d dice) mutate(text string) string {
	runes := []rune(text)
	for range 1 + d.IntN(3) {
		at := d.IntN(len(runes) + 1)
		switch {
		case d.IntN(3) == 0 && at < len(runes):
			runes = slices.Delete(runes, at, at+1)
		default:
			runes = slices.Insert(runes, at, []rune(d.character())...)
		}
	}
	return string(runes)
}

func (d dice) text(length int) string {
	var text strings.Builder
	for range length {
		text.WriteString(d.character())
	}
	return text.String()
}

// Characters over which two languages may differ: white space, digits and letters beyond ASCII, marks, joiners, line ends, case.
var strange = []string{
	" ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\x00", "\x08", "\x1c", "\x1f", "\x7f", "\u0085", "\u00a0", "\u1680", "\u2003",
	"\u2028", "\u2029", "\u202f", "\u3000", "\ufeff",
	"\u200b", "\u200c", "\u200d", "\u200e", "\u2060", "\u00ad", "\u0301", "\u0308", "\u093f", "\u094d", "\u20e3", "\ufe0f", "\u1ab0",
	"０", "９", "１", "९", "०", "٣", "²", "½", "Ⅷ", "𝟗", "ß", "ẞ", "İ", "ı", "ſ", "K", "Å", "ǆ", "ŉ", "ﬁ", "Ａ", "ａ", "é", "e\u0301",
	"क", "क्ष", "ಶ್ರೀ", "മ", "漢", "한", "ك", "\U00010330", "\U0001d400", "😀", "👩‍🚀",
	"'", "’", "‘", "`", "´", "-", "‐", "–", "−", ".", "。", "．", ",", "&", "(", ")", "@", "＠", "+", "＋", "/", "\\", "\"", "<",
	">", "{", "}", "[", "]", "^", "$", "|", "*", "?", "=", ";ext=5", "__proto__", "toString",
	"Rs. ", "INR", " lakh", "/-", "%", " CGPA", "/10", "௪", "᱙", "꯹",
	"\ufffd", "\uffff", "\U0010ffff", "\ue000", "91", "+91", "+", "00", "true",
}

func (d dice) character() string {
	switch d.IntN(4) {
	case 0:
		return pick(d, strange)
	case 1:
		return string(rune('0' + d.IntN(10)))
	case 2:
		return string(rune(' ' + d.IntN(95)))
	default:
		return string(d.assigned())
	}
}

// assigned returns a random character assigned in Go's Unicode version. Newer characters may differ between the two sides, and
// the server decides.
func (d dice) assigned() rune {
	limits := []rune{0x250, 0x3000, 0x10000, 0x20000, 0x110000}
	for {
		r := d.Int32N(pick(d, limits))
		if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) {
			return r
		}
	}
}

func pick[T any](d dice, from []T) T { return from[d.IntN(len(from))] }
