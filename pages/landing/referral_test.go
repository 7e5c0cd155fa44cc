package landing

import (
	"bytes"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/store"
)

var ogImage = regexp.MustCompile(`<meta property="og:image" content="([^"]+)">`)

// sharer returns a visitor who has paid, with a referral code.
func sharer(t *testing.T) (v *visitor, code string) {
	t.Helper()
	const phone = "9876543210"
	v, txn := unpaidVisitor(t, phone)
	v.pay(phone, txn)
	v.view(func(tx store.Tx) error {
		r, err := tx.RegistrationOf("KS_Mgrow", "+91"+phone)
		if err == nil {
			code = r.OwnReferral
		}
		return err
	})
	return v, code
}

func TestReferralCodeHasAPicture(t *testing.T) {
	v, code := sharer(t)
	answer := v.ask(http.MethodGet, "/r/"+code+".png")
	picture, err := png.DecodeConfig(bytes.NewReader(answer.Body.Bytes()))
	if err != nil || picture.Width != 1200 || picture.Height != 630 || answer.Header().Get("Content-Type") != "image/png" {
		t.Errorf("%v, %+v, %v", err, picture, answer.Header())
	}
	if got := answer.Header().Get("Cache-Control"); got != "public, max-age=86400" || answer.Header().Get("X-Robots-Tag") != "noindex" || answer.Header().Get("Set-Cookie") != "" {
		t.Errorf("%v", answer.Header())
	}
	if again := v.ask(http.MethodGet, "/r/"+code+".png", "If-None-Match", answer.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("again: %d with %d bytes", again.Code, again.Body.Len())
	}
	v.get("/scholarship/hiresure-mgrow-2025")
	v.answers(http.StatusOK).says(`data-picture="/r/`+code+`.png"`, `data-share="`+origin+"/scholarship/hiresure-mgrow-2025?referralCode="+code+`"`)
	if scanned := v.ask(http.MethodGet, "/r/"+code); scanned.Code != http.StatusFound || scanned.Header().Get("Location") != "/scholarship/hiresure-mgrow-2025?referralCode="+code {
		t.Errorf("the code in the picture leads to %d %q", scanned.Code, scanned.Header().Get("Location"))
	}
}

func TestUnknownReferralCodeHasNoPicture(t *testing.T) {
	v, code := sharer(t)
	unknown := v.ask(http.MethodGet, "/r/00000000.png")
	if unknown.Code != http.StatusNotFound {
		t.Fatalf("unknown: %d", unknown.Code)
	}
	v.change("9876543210", func(_ store.Tx, r *enrol.Registration) error { r.Refunded = true; return nil })
	for sentence, address := range map[string]string{
		"whose payer was refunded": "/r/" + code + ".png", "the same, to the invitation": "/r/" + code, "in small letters": "/r/" + strings.ToLower(code) + ".png",
		"too long": "/r/" + code + "A.png", "too short": "/r/A.png", "empty": "/r/.png", "of the content": "/r/SETU2025.png", "twice a picture": "/r/" + code + ".png.png",
		"no text": "/r/%00.png", "another kind of file": "/r/" + code + ".svg",
	} {
		answer := v.ask(http.MethodGet, address)
		if answer.Code != unknown.Code || !bytes.Equal(answer.Body.Bytes(), unknown.Body.Bytes()) || strings.Join(answer.Header()["Cache-Control"], "") != strings.Join(unknown.Header()["Cache-Control"], "") {
			t.Errorf("%s: %d, %v; an unknown one %v", sentence, answer.Code, answer.Header(), unknown.Header())
		}
	}
}

func TestInvitationShowsThePayersPicture(t *testing.T) {
	const page = "/scholarship/hiresure-mgrow-2025"
	v, code := sharer(t)
	own := v.ask(http.MethodGet, page)
	usual := ogImage.FindStringSubmatch(own.Body.String())[1]
	for _, row := range []struct{ sentence, address, image string }{
		{"the code of a payer", page + "?referralCode=" + code, origin + "/r/" + code + ".png"},
		{"in the other layout", "/apply/hiresure-mgrow-2025?referralCode=" + code, origin + "/r/" + code + ".png"},
		{"a code of the content", page + "?referralCode=SETU2025", usual},
		{"an unknown code", page + "?referralCode=00000000", usual},
		{"what is no code", page + "?referralCode=%22%3E%3Cb%3E", usual},
		{"no code", page, usual},
	} {
		answer := v.ask(http.MethodGet, row.address)
		if got := ogImage.FindStringSubmatch(answer.Body.String()); answer.Code != http.StatusOK || len(got) != 2 || got[1] != row.image {
			t.Errorf("%s: %d, %q, want %q", row.sentence, answer.Code, got, row.image)
		}
		if says := strings.Contains(answer.Body.String(), "Asha is enrolled"); says != (row.image != usual) || strings.Contains(answer.Body.String(), "Verma") {
			t.Errorf("%s: says who invites: %v", row.sentence, says)
		}
	}
	other := ogImage.FindStringSubmatch(v.ask(http.MethodGet, "/scholarship/hiresure-campus-2026?referralCode="+code).Body.String())[1]
	if !strings.Contains(other, "hiresure-campus-2026") {
		t.Errorf("another event shows %s", other)
	}
	if kept := v.ask(http.MethodGet, page); strings.Contains(kept.Body.String(), code) {
		t.Error("the kept page has the code of a payer")
	}
}

func TestReferralCodeOutlivesItsEvent(t *testing.T) {
	v, code := sharer(t)
	v.change("9876543210", func(_ store.Tx, r *enrol.Registration) error { r.EventSlug = "hiresure-of-another-year"; return nil })
	for _, step := range []struct{ address, leadsTo string }{
		{"/r/" + code, "/scholarship/hiresure-of-another-year?referralCode=" + code},
		{"/scholarship/hiresure-of-another-year?referralCode=" + code, "/scholarship?referralCode=" + code},
	} {
		if answer := v.ask(http.MethodGet, step.address); answer.Code != http.StatusFound || answer.Header().Get("Location") != step.leadsTo {
			t.Errorf("%s leads to %d %q, want %q", step.address, answer.Code, answer.Header().Get("Location"), step.leadsTo)
		}
	}
	if end := v.ask(http.MethodGet, "/scholarship?referralCode="+code); end.Code != http.StatusOK || !strings.Contains(end.Body.String(), `value="`+code+`"`) {
		t.Errorf("the way ends at %d, or without the code", end.Code)
	}
	if picture := v.ask(http.MethodGet, "/r/"+code+".png"); picture.Code != http.StatusNotFound {
		t.Errorf("the picture of an event that is gone: %d", picture.Code)
	}
}

func TestConcurrentRequestsGetThePicture(t *testing.T) {
	v, code := sharer(t)
	bodies := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() { bodies[i] = v.ask(http.MethodGet, "/r/"+code+".png").Body.Bytes() })
	}
	all.Wait()
	for i, body := range bodies {
		if len(body) == 0 || !bytes.Equal(body, bodies[0]) {
			t.Errorf("the %dth has another picture", i)
		}
	}
}

func TestWrongReferralCodesAreCounted(t *testing.T) {
	v, code := sharer(t)
	page := "/scholarship/hiresure-mgrow-2025?referralCode="
	from := func(address, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, origin+path, nil)
		r.RemoteAddr = address
		answer := httptest.NewRecorder()
		v.echo.ServeHTTP(answer, r)
		return answer
	}
	finds := func(address string) bool {
		t.Helper()
		invited := from(address, "/r/"+code).Code == http.StatusFound
		if pictured := ogImage.FindStringSubmatch(from(address, page+code).Body.String())[1] == origin+"/r/"+code+".png"; pictured != invited {
			t.Errorf("from %s the code leads on: %t, and has a picture: %t", address, invited, pictured)
		}
		return invited
	}
	for _, c := range []struct{ guesser, neighbour, other string }{
		{"198.51.100.1:1", "198.51.100.1:2", "198.51.100.2:1"}, {"[2001:db8::1]:1", "[2001:db8:0:ff::1]:1", "[2001:db8:0:100::1]:1"},
	} {
		for n := range 50 {
			if !finds(c.guesser) {
				t.Fatalf("after %d wrong ones from %s", n, c.guesser)
			}
			from(c.guesser, []string{"/r/00000000", "/r/0000000000.png", page + "0000000000"}[n%3])
			from(c.guesser, "/r/SETU2025") // no payer's
		}
		if finds(c.guesser) || finds(c.neighbour) || !finds(c.other) {
			t.Errorf("after 50 wrong ones: %s finds %t, %s %t, %s %t", c.guesser, finds(c.guesser), c.neighbour, finds(c.neighbour), c.other, finds(c.other))
		}
	}
	v.clock.Pass(time.Hour)
	if !finds("198.51.100.1:1") {
		t.Error("an hour later")
	}
}
