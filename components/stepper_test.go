package components

import (
	"regexp"
	"strings"
	"testing"
)

func TestStepsOfEachPaymentState(t *testing.T) {
	const done, ahead = `<path class="done" d=`, `<path class="ahead" d=`
	for state, want := range map[StepState]struct {
		text           string
		says           string
		shows, silent  []string
		ofTheWholeLine string
	}{
		StepDone:    {"", `<li class="is-done">Paid<span class="visually-hidden">, done</span></li>`, []string{done}, []string{`class="ahead"`, `class="current"`}, "5 of 5 steps done"},
		StepCurrent: {"", `<li class="is-current">Pay<span class="visually-hidden">, now</span></li>`, []string{done, ahead, `class="current"`}, []string{"pathLength"}, "4 of 5 steps done"},
		StepWaiting: {"", `<li class="is-waiting">Payment<span class="visually-hidden">, waiting for the bank</span></li>`, []string{`class="ahead waiting"`, `class="done waiting"`, `class="current"`}, []string{ahead}, "4 of 5 steps done"},
		StepFailed:  {"went back", `<li class="is-failed">Payment<small class="visually-hidden"> went back</small></li>`, []string{`class="ahead failed"`, `class="done failed"`, `class="current"`}, []string{ahead, ", missing"}, "4 of 5 steps done"},
	} {
		html := regexp.MustCompile(`\s+`).ReplaceAllString(render(t, Stepper(EnrolmentSteps(state, want.text, "Asha Pillai"))), " ")
		for _, text := range append(want.shows, want.says, want.ofTheWholeLine, `<li class="is-done">You<small class="visually-hidden"> Asha Pillai</small></li>`, `<li class="is-done">Phone<span class="visually-hidden">, done</span></li>`) {
			if !strings.Contains(html, text) {
				t.Errorf("%s: %q is missing in %s", state, text, html)
			}
		}
		for _, text := range want.silent {
			if strings.Contains(html, text) {
				t.Errorf("%s: %q stands in %s", state, text, html)
			}
		}
	}
}

func TestALoopBeginsAndEndsWhereTheLineArrives(t *testing.T) {
	loop := braidLoop(5, 4)
	if !strings.HasPrefix(loop, "M140 0C") || !strings.HasSuffix(loop, " 140 0") {
		t.Errorf("the last loop of five is %s", loop)
	}
}
