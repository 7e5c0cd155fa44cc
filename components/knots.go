package components

import (
	"slices"
	"strconv"
	"strings"
)

// KnotState is how far one step of several has come.
type KnotState string

// The states of a step, as the line around its dot shows them.
const (
	KnotDone    KnotState = "done"    // the line is strong, the dot gold
	KnotNow     KnotState = "now"     // drawn to the middle, around a ring
	KnotWaiting KnotState = "waiting" // somebody else has to answer: three quarters
	KnotFailed  KnotState = "failed"  // the line ends before it
	KnotAhead   KnotState = "ahead"   // thin
	KnotOpen    KnotState = "open"    // something of it is wrong: the line is broken
)

// knotLooks are a step's two halves of the line, and what is said to who does not see it. A step without halves has a loop of
// its own, which can close.
var knotLooks = map[KnotState]struct {
	halves []string
	words  string
}{
	KnotDone:    {[]string{"earned", "earned"}, ", done"},
	KnotNow:     {[]string{"earned", "to-come"}, ", now"},
	KnotWaiting: {nil, ", waiting for the bank"},
	KnotFailed:  {nil, ", missing"},
	KnotAhead:   {[]string{"to-come", "to-come"}, ", to come"},
	KnotOpen:    {[]string{"broken", "loose"}, ", still open"},
}

// Knot is one step by name.
type Knot struct {
	Name  string
	State KnotState
	Text  string // stands below the name where there is room, and is said everywhere; empty: the words of the state are
}

func (k Knot) class() string { return "is-" + string(k.State) }

func (k Knot) words() string { return knotLooks[k.State].words }

// KnotsProps are steps on one line. islands/forms/Knots.tsx draws the same.
type KnotsProps []Knot

// PaidKnots are the steps of an enrolment that waits for its payment, or has it: text is how the payment stands, texts are of
// the steps before it.
func PaidKnots(paid KnotState, text string, texts ...string) KnotsProps {
	return append(typedKnots(texts...), PaidKnot(paid, text))
}

// typedKnots are the steps before the payment, all done.
func typedKnots(texts ...string) (knots KnotsProps) {
	for i, name := range []string{"You", "Phone", "Course", "Consent"} {
		knot := Knot{Name: name, State: KnotDone}
		if i < len(texts) {
			knot.Text = texts[i]
		}
		knots = append(knots, knot)
	}
	return knots
}

// PaidKnot is the last of them, whose name says how far it is.
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

// ApplicationStages are the steps of the application by their whole names.
var ApplicationStages = []string{"Personal Info", "Academic Info", "Scholarship", "Review", "Payment", "Documents"}

// applicationSteps are the steps of the application, by their short names.
var applicationSteps = []string{"Personal", "Academic", "Scholarship", "Review", "Payment", "Documents"}

// PaymentStep is the place of the payment among the steps of an application, and UploadStep that of the documents.
const (
	PaymentStep = 4
	UploadStep  = 5
)

// ApplicationKnots are the steps of an application: those before the one at a place are done. text is how that one stands.
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

// Current is the place of the first step that is not done; their number where all are.
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

// knotPath is a stretch of the line in one of its looks. A loop is measured in hundredths.
type knotPath struct {
	Class, D string
	Loop     bool
}

// paths are the stretches of the line from the left, one where neighbours look alike.
func (p KnotsProps) paths() (paths []knotPath) {
	var looks []string // of each half; of a loop ""
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
	slices.SortStableFunc(paths, func(a, b knotPath) int { return thin(b) - thin(a) }) // what is drawn lies on what is not
	return paths
}

// knotAt is the i-th step's part of the line of n.
func knotAt(n, i int, state KnotState) (paths []knotPath) {
	halves := knotLooks[state].halves
	switch {
	case halves == nil:
		return loopPaths(n, i, state)
	case halves[0] == halves[1]:
		return []knotPath{{Class: halves[0], D: braidRun(n, 2*i, 2*i+2)}}
	}
	for half := 1; half >= 0; half-- { // what is drawn lies on what is not
		paths = append(paths, knotPath{Class: halves[half], D: braidRun(n, 2*i+half, 2*i+half+1)})
	}
	return paths
}

// loopPaths are the two looks of a loop of its own, the thin one first.
func loopPaths(n, i int, state KnotState) (paths []knotPath) {
	for _, look := range []string{"to-come", "earned"} {
		paths = append(paths, knotPath{look + " " + string(state), braidLoop(n, i), true})
	}
	return paths
}

func thin(p knotPath) int {
	if strings.HasPrefix(p.Class, "to-come") {
		return 1
	}
	return 0
}

// knotDot is where a step's dot stands.
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

// codeDigits is how many digits a one-time code has.
const codeDigits = 6

// digitPaths are the six loops behind a code: as far as it is typed and to the half of the next one, and the rest; of a
// wrong one all.
func digitPaths(typed int, wrong bool) []knotPath {
	if wrong {
		return []knotPath{{Class: "broken", D: braidRun(codeDigits, 0, 2*codeDigits)}}
	}
	var paths []knotPath
	half := min(2*typed+1, 2*codeDigits)
	if half < 2*codeDigits {
		paths = append(paths, knotPath{Class: "to-come", D: braidRun(codeDigits, half, 2*codeDigits)})
	}
	return append(paths, knotPath{Class: "earned", D: braidRun(codeDigits, 0, half)})
}

// digitsToCome are where no digit stands yet; of a wrong code nowhere.
func digitsToCome(typed int, wrong bool) []string {
	var places []string
	for i := typed; i < codeDigits && !wrong; i++ {
		places = append(places, decimal(braidTile*float64(i)))
	}
	return places
}
