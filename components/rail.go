package components

import (
	"strconv"
	"strings"
)

// RailProps is the progress of an application, next to its page on wide screens, otherwise above.
type RailProps struct {
	Home        string // target of the logo
	Phone       string // "+91 80 0000 0101"
	Saved       SavedProps
	Steps       StepperProps // names without texts
	Now         int          // index of the open step
	Titled      bool         // the page's heading names the step
	Wrong       string       // count of faults: "3 answers missing"; "" for none
	TabConflict bool         // two tabs differ: one strand of the step is this tab's
}

// SavedProps is when a page was saved.
type SavedProps struct {
	Text string // "Saved 12:04"
	Sign SavedSign
}

// SavedSign is its icon.
type SavedSign string

// Icons of SavedProps.
const (
	SignSaved  SavedSign = "tick"
	SignHeld   SavedSign = "lock" // until the guardian agrees
	SignUnsent SavedSign = "ring"
)

// StepsOf returns named steps; those before now are done.
func StepsOf(names []string, now int) (steps StepperProps) {
	for i, name := range names {
		state := StepAhead
		switch {
		case i < now:
			state = StepDone
		case i == now:
			state = StepCurrent
		}
		steps = append(steps, Step{Name: name, State: state})
	}
	return steps
}

// Place returns the open step: "Step 2 of 6".
func (p RailProps) Place() string {
	return "Step " + strconv.Itoa(p.Now+1) + " of " + strconv.Itoa(len(p.Steps))
}

// upright returns the viewBox of the vertical line.
func (p RailProps) upright() string {
	return "-20 -20 40 " + decimal(braidTile*float64(len(p.Steps)))
}

// note returns the note next to a step's name in the vertical list; "" for none.
func (p RailProps) note(i int) string {
	switch {
	case i != p.Now:
		return ""
	case p.Wrong != "":
		return strings.NewReplacer(" answers", "", " answer", "").Replace(p.Wrong)
	}
	return "Now"
}

// strand returns this tab's half of the open step's loop.
func (p RailProps) strand() string {
	n, at := len(p.Steps), 2*p.Now
	return strandBelow(n, at, at+2)
}
