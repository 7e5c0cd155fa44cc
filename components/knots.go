package components

import (
	"slices"
	"strconv"
	"strings"
)

// KnotState is the state of a step.
type KnotState string

// States of a step, and their lines.
const (
	KnotDone    KnotState = "done"    // the line is strong, the dot gold
	KnotCurrent KnotState = "current" // drawn halfway, around a ring
	KnotWaiting KnotState = "waiting" // waits for somebody else: three quarters
	KnotFailed  KnotState = "failed"  // the line ends before it
	KnotAhead   KnotState = "ahead"   // thin
	KnotOpen    KnotState = "open"    // has a fault: the line is broken
)

// knotLooks are the classes of the two halves of a step's line, and the words for screen readers. A step without halves has
// a loop.
var knotLooks = map[KnotState]struct {
	halves []string
	words  string
}{
	KnotDone:    {[]string{"done", "done"}, ", done"},
	KnotCurrent: {[]string{"done", "ahead"}, ", now"},
	KnotWaiting: {nil, ", waiting for the bank"},
	KnotFailed:  {nil, ", missing"},
	KnotAhead:   {[]string{"ahead", "ahead"}, ", to come"},
	KnotOpen:    {[]string{"broken", "loose"}, ", still open"},
}

// Knot is a named step.
type Knot struct {
	Name  string
	State KnotState
	Text  string // below the name on wide screens, and for screen readers; "" for the state's words
}

func (k Knot) class() string { return "is-" + string(k.State) }

func (k Knot) words() string { return knotLooks[k.State].words }

// KnotsProps is a line of steps. islands/forms/Knots.tsx renders the same markup.
type KnotsProps []Knot

// PaidKnots returns the steps of an enrolment. text is the state of its payment, texts are those of the steps before.
func PaidKnots(paid KnotState, text string, texts ...string) KnotsProps {
	return append(doneKnots(texts...), PaidKnot(paid, text))
}

// doneKnots returns the steps before the payment, all done.
func doneKnots(texts ...string) (knots KnotsProps) {
	for i, name := range []string{"You", "Phone", "Course", "Consent"} {
		knot := Knot{Name: name, State: KnotDone}
		if i < len(texts) {
			knot.Text = texts[i]
		}
		knots = append(knots, knot)
	}
	return knots
}

// PaidKnot returns the payment's step, named after its state.
func PaidKnot(state KnotState, text string) Knot {
	name := "Pay"
	switch state {
	case KnotDone:
		name = "Paid"
	case KnotFailed, KnotWaiting:
		name = "Payment"
	}
	return Knot{Name: name, State: state, Text: text}
}

// ApplicationStages are the full names of the application's steps.
var ApplicationStages = []string{"Personal Info", "Academic Info", "Scholarship", "Review", "Payment", "Documents"}

// applicationSteps are their short names.
var applicationSteps = []string{"Personal", "Academic", "Scholarship", "Review", "Payment", "Documents"}

// Indexes of the application's payment and documents.
const (
	PaymentStep = 4
	UploadStep  = 5
)

// ApplicationKnots returns the steps of an application: those before at are done, and at has state and text.
func ApplicationKnots(at int, state KnotState, text string) (knots KnotsProps) {
	for i, name := range applicationSteps {
		knot := Knot{Name: name, State: KnotAhead}
		switch {
		case i < at:
			knot.State = KnotDone
		case i == at:
			knot.State, knot.Text = state, text
		}
		knots = append(knots, knot)
	}
	return knots
}

// Current returns the index of the first incomplete step; their number if all are done.
func (p KnotsProps) Current() int {
	if i := slices.IndexFunc(p, func(k Knot) bool { return k.State != KnotDone }); i >= 0 {
		return i
	}
	return len(p)
}

func (p KnotsProps) label() string {
	done := 0
	for _, knot := range p {
		if knot.State == KnotDone {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(p)) + " steps done"
}

// knotPath is a part of the line. A loop's length is 100.
type knotPath struct {
	Class, D string
	Loop     bool
}

// paths returns the parts of the line from the left, joining equal neighbours.
func (p KnotsProps) paths() (paths []knotPath) {
	var looks []string // per half; "" in a loop
	for i, knot := range p {
		halves := knotLooks[knot.State].halves
		if halves == nil {
			halves = []string{"", ""}
			paths = append(paths, loopPaths(len(p), i, knot.State)...)
		}
		looks = append(looks, halves...)
	}
	for from := 0; from < len(looks); {
		to := from + 1
		for to < len(looks) && looks[to] == looks[from] {
			to++
		}
		if looks[from] != "" {
			paths = append(paths, knotPath{Class: looks[from], D: braidRun(len(p), from, to)})
		}
		from = to
	}
	slices.SortStableFunc(paths, func(a, b knotPath) int { return thin(b) - thin(a) }) // done parts on top
	return paths
}

// knotAt returns the i-th step's part of a line of n.
func knotAt(n, i int, state KnotState) (paths []knotPath) {
	halves := knotLooks[state].halves
	switch {
	case halves == nil:
		return loopPaths(n, i, state)
	case halves[0] == halves[1]:
		return []knotPath{{Class: halves[0], D: braidRun(n, 2*i, 2*i+2)}}
	}
	for half := 1; half >= 0; half-- { // done parts on top
		paths = append(paths, knotPath{Class: halves[half], D: braidRun(n, 2*i+half, 2*i+half+1)})
	}
	return paths
}

// loopPaths returns the two parts of a loop, the thin one first.
func loopPaths(n, i int, state KnotState) (paths []knotPath) {
	for _, look := range []string{"ahead", "done"} {
		paths = append(paths, knotPath{look + " " + string(state), braidLoop(n, i), true})
	}
	return paths
}

func thin(p knotPath) int {
	if strings.HasPrefix(p.Class, "ahead") {
		return 1
	}
	return 0
}

// knotDot is the position of a step's dot.
type knotDot struct {
	X     string
	State KnotState
}

func (p KnotsProps) dots() []knotDot {
	var dots []knotDot
	for i, knot := range p {
		dots = append(dots, knotDot{decimal(braidTile * float64(i)), knot.State})
	}
	return dots
}

// codeDigits is the length of a code.
const codeDigits = 6

// digitPaths returns the six loops behind a code: typed up to half of the next one, and the rest; all broken for a wrong
// code.
func digitPaths(typed int, wrong bool) []knotPath {
	if wrong {
		return []knotPath{{Class: "broken", D: braidRun(codeDigits, 0, 2*codeDigits)}}
	}
	var paths []knotPath
	half := min(2*typed+1, 2*codeDigits)
	if half < 2*codeDigits {
		paths = append(paths, knotPath{Class: "ahead", D: braidRun(codeDigits, half, 2*codeDigits)})
	}
	return append(paths, knotPath{Class: "done", D: braidRun(codeDigits, 0, half)})
}

// digitsToCome returns the positions without a digit; none for a wrong code.
func digitsToCome(typed int, wrong bool) []string {
	var places []string
	for i := typed; i < codeDigits && !wrong; i++ {
		places = append(places, decimal(braidTile*float64(i)))
	}
	return places
}
