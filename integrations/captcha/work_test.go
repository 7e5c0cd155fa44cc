package captcha

import (
	"errors"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

func TestWorkIsForOneSubject(t *testing.T) {
	w := &watch{noon}
	p := newPoW(t, w, 4)
	solve := func(made any) string {
		t.Helper()
		token, err := Solve(made.(ForBrowser).Challenge)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	usual, work := solve(ForBrowser{Challenge: p.Challenge()}), solve(p.Work("code +919876543210", 3))
	for _, c := range []struct {
		sentence, token, subject string
		steps                    int
		after                    time.Duration
		proven                   bool
	}{
		{"work counts for its subject", work, "code +919876543210", 3, 0, true},
		{"also where less is needed", work, "code +919876543210", 1, 0, true},
		{"in the last second", work, "code +919876543210", 3, workLife - time.Second, true},
		{"it has expired after ten minutes", work, "code +919876543210", 3, workLife, false},
		{"not where more is needed", work, "code +919876543210", 4, 0, false},
		{"not for another subject", work, "code +919876543211", 3, 0, false},
		{"the usual check is no work", usual, "code +919876543210", 1, 0, false},
		{"words are none", "hello", "code +919876543210", 1, 0, false},
	} {
		w.now = noon.Add(c.after)
		once, proven := p.Worked(c.token, c.subject, c.steps)
		if proven != c.proven || proven && once == "" {
			t.Errorf("%s: %v, %q", c.sentence, proven, once)
		}
	}
	w.now = noon
	if bits := p.Work("x", 30).(ForBrowser).Difficulty; bits != hardBits {
		t.Errorf("the hardest work is of %d bits, want %d", bits, hardBits)
	}

	// It is a pass too, also where a company checks; the harder work of that does not begin at a higher difficulty.
	s, asked := wary(t, w)
	own := solve(s.Work("x", 1))
	if pass, err := s.Check(t.Context(), own, admission.Visitor{}); err != nil || pass.Once == "" || asked.Load() != 0 {
		t.Errorf("answered %v, %v, with %d calls", pass, err, asked.Load())
	}
	if _, err := p.Check(t.Context(), own[1:], admission.Visitor{}); !errors.Is(err, access.ErrNotHuman) {
		t.Errorf("a broken token answers %v", err)
	}
	s.Own = nil
	if _, proven := s.Worked(own, "x", 1); proven || s.Work("x", 1) != nil {
		t.Error("a service without work of ours has some")
	}
}
