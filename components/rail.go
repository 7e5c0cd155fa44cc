package components

import "strconv"

// RailProps is the head of a page of the application: how far it has come, and what of it is kept. Beside the page where
// there is room, above it elsewhere.
type RailProps struct {
	Home  string // where the logo leads
	Phone string // "+91 80 0000 0101"
	Saved SavedProps
	Steps KnotsProps // by name, without texts
	Now   int        // which of them is open
	Wrong string     // what is wrong with it: "3 open"; "" for nothing
	Torn  bool       // two tabs differ: one strand of the step is this tab's
}

// SavedProps says what is kept of a page.
type SavedProps struct {
	Text string // "Saved 12:04"
	Sign SavedSign
}

// SavedSign is the drawing beside it.
type SavedSign string

// The signs of what is kept.
const (
	SignSaved  SavedSign = "tick"
	SignHeld   SavedSign = "lock" // until somebody agrees
	SignUnsent SavedSign = "ring"
)

// StepsOf are steps by name, as far as one of them.
func StepsOf(names []string, now int) (steps KnotsProps) {
	for i, name := range names {
		state := KnotAhead
		switch {
		case i < now:
			state = KnotDone
		case i == now:
			state = KnotNow
		}
		steps = append(steps, Knot{Name: name, State: state})
	}
	return steps
}

func (p RailProps) place() string {
	return "Step " + strconv.Itoa(p.Now+1) + " of " + strconv.Itoa(len(p.Steps))
}

// upright is the viewBox of the line from above.
func (p RailProps) upright() string {
	return "-20 -20 40 " + decimal(braidTile*float64(len(p.Steps)))
}

// said is what stands beside the name of a step from above; "" for nothing.
func (p RailProps) said(i int) string {
	switch {
	case i != p.Now:
		return ""
	case p.Wrong != "":
		return p.Wrong
	}
	return "Now"
}

// strand is the half of the open step's loop that is this tab's.
func (p RailProps) strand() string {
	n, at := len(p.Steps), 2*p.Now
	return strandBelow(n, at, at+2)
}
