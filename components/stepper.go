package components

import (
	"slices"
	"strconv"
	"strings"
)

// StepState is the state of a step.
type StepState string

// States of a step, and their lines.
const (
	StepDone    StepState = "done"    // the line is strong, the dot gold
	StepCurrent StepState = "current" // drawn halfway, around a ring
	StepWaiting StepState = "waiting" // waits for somebody else: three quarters
	StepFailed  StepState = "failed"  // the line ends before it
	StepAhead   StepState = "ahead"   // thin
	StepFaulty  StepState = "faulty"  // has a fault: the line is broken
)

// stepLooks are the classes of the two halves of a step's line, and the words for screen readers. A step without halves has
// a loop.
var stepLooks = map[StepState]struct {
	halves []string
	words  string
}{
	StepDone:    {[]string{"done", "done"}, ", done"},
	StepCurrent: {[]string{"done", "ahead"}, ", now"},
	StepWaiting: {nil, ", waiting for the bank"},
	StepFailed:  {nil, ", missing"},
	StepAhead:   {[]string{"ahead", "ahead"}, ", to come"},
	StepFaulty:  {[]string{"broken", "loose"}, ", still open"},
}

// Step is a named step.
type Step struct {
	Name  string
	State StepState
	Text  string // below the name on wide screens, and for screen readers; "" for the state's words
}

func (k Step) class() string { return "is-" + string(k.State) }

func (k Step) words() string { return stepLooks[k.State].words }

// StepperProps is a line of steps. islands/forms/Stepper.tsx renders the same markup.
type StepperProps []Step

// EnrolmentSteps returns the steps of an enrolment. text is the state of its payment, texts are those of the steps before.
func EnrolmentSteps(paid StepState, text string, texts ...string) StepperProps {
	return append(doneSteps(texts...), EnrolmentPaymentStep(paid, text))
}

// doneSteps returns the steps before the payment, all done.
func doneSteps(texts ...string) (steps StepperProps) {
	for i, name := range []string{"You", "Phone", "Course", "Consent"} {
		step := Step{Name: name, State: StepDone}
		if i < len(texts) {
			step.Text = texts[i]
		}
		steps = append(steps, step)
	}
	return steps
}

// EnrolmentPaymentStep returns the payment's step, named after its state.
func EnrolmentPaymentStep(state StepState, text string) Step {
	name := "Pay"
	switch state {
	case StepDone:
		name = "Paid"
	case StepFailed, StepWaiting:
		name = "Payment"
	}
	return Step{Name: name, State: state, Text: text}
}

// ApplicationStages are the full names of the application's steps.
var ApplicationStages = []string{"Personal Info", "Academic Info", "Scholarship", "Review", "Payment", "Documents"}

// applicationStepNames are their short names.
var applicationStepNames = []string{"Personal", "Academic", "Scholarship", "Review", "Payment", "Documents"}

// Indexes of the application's payment and documents.
const (
	PaymentStep = 4
	UploadStep  = 5
)

// ApplicationSteps returns the steps of an application: those before at are done, and at has state and text.
func ApplicationSteps(at int, state StepState, text string) (steps StepperProps) {
	for i, name := range applicationStepNames {
		step := Step{Name: name, State: StepAhead}
		switch {
		case i < at:
			step.State = StepDone
		case i == at:
			step.State, step.Text = state, text
		}
		steps = append(steps, step)
	}
	return steps
}

// Current returns the index of the first incomplete step; their number if all are done.
func (p StepperProps) Current() int {
	if i := slices.IndexFunc(p, func(k Step) bool { return k.State != StepDone }); i >= 0 {
		return i
	}
	return len(p)
}

func (p StepperProps) label() string {
	done := 0
	for _, step := range p {
		if step.State == StepDone {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(p)) + " steps done"
}

// stepPath is a part of the line. A loop's length is 100.
type stepPath struct {
	Class, D string
	Loop     bool
}

// paths returns the parts of the line from the left, joining equal neighbours.
func (p StepperProps) paths() (paths []stepPath) {
	var looks []string // per half; "" in a loop
	for i, step := range p {
		halves := stepLooks[step.State].halves
		if halves == nil {
			halves = []string{"", ""}
			paths = append(paths, loopPaths(len(p), i, step.State)...)
		}
		looks = append(looks, halves...)
	}
	for from := 0; from < len(looks); {
		to := from + 1
		for to < len(looks) && looks[to] == looks[from] {
			to++
		}
		if looks[from] != "" {
			paths = append(paths, stepPath{Class: looks[from], D: braidRun(len(p), from, to)})
		}
		from = to
	}
	slices.SortStableFunc(paths, func(a, b stepPath) int { return thin(b) - thin(a) }) // done parts on top
	return paths
}

// stepAt returns the i-th step's part of a line of n.
func stepAt(n, i int, state StepState) (paths []stepPath) {
	halves := stepLooks[state].halves
	switch {
	case halves == nil:
		return loopPaths(n, i, state)
	case halves[0] == halves[1]:
		return []stepPath{{Class: halves[0], D: braidRun(n, 2*i, 2*i+2)}}
	}
	for half := 1; half >= 0; half-- { // done parts on top
		paths = append(paths, stepPath{Class: halves[half], D: braidRun(n, 2*i+half, 2*i+half+1)})
	}
	return paths
}

// loopPaths returns the two parts of a loop, the thin one first.
func loopPaths(n, i int, state StepState) (paths []stepPath) {
	for _, look := range []string{"ahead", "done"} {
		paths = append(paths, stepPath{look + " " + string(state), braidLoop(n, i), true})
	}
	return paths
}

func thin(p stepPath) int {
	if strings.HasPrefix(p.Class, "ahead") {
		return 1
	}
	return 0
}

// stepDot is the position of a step's dot.
type stepDot struct {
	X     string
	State StepState
}

func (p StepperProps) dots() []stepDot {
	var dots []stepDot
	for i, step := range p {
		dots = append(dots, stepDot{decimal(braidTile * float64(i)), step.State})
	}
	return dots
}

// codeDigits is the length of a code.
const codeDigits = 6

// digitPaths returns the six loops behind a code: typed up to half of the next one, and the rest; all broken for a wrong
// code.
func digitPaths(typed int, wrong bool) []stepPath {
	if wrong {
		return []stepPath{{Class: "broken", D: braidRun(codeDigits, 0, 2*codeDigits)}}
	}
	var paths []stepPath
	half := min(2*typed+1, 2*codeDigits)
	if half < 2*codeDigits {
		paths = append(paths, stepPath{Class: "ahead", D: braidRun(codeDigits, half, 2*codeDigits)})
	}
	return append(paths, stepPath{Class: "done", D: braidRun(codeDigits, 0, half)})
}

// digitsToCome returns the positions without a digit; none for a wrong code.
func digitsToCome(typed int, wrong bool) []string {
	var places []string
	for i := typed; i < codeDigits && !wrong; i++ {
		places = append(places, decimal(braidTile*float64(i)))
	}
	return places
}
