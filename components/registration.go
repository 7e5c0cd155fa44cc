package components

// BadgeProps is a status with a look: open, wait, info, failed, done, back.
type BadgeProps struct{ Text, Look string }

// Assignees, as AssigneeProps names them.
const (
	AssigneeYou = "you"
	AssigneeUs  = "us"
)

// AssigneeProps is the assignee of the next step.
type AssigneeProps struct {
	Who  string // AssigneeYou or AssigneeUs; others show nothing
	Text string // "" for "Your turn" or "Our turn"
}

func (p AssigneeProps) text() string {
	switch {
	case p.Text != "":
		return p.Text
	case p.Who == AssigneeYou:
		return "Your turn"
	}
	return "Our turn"
}

// stepsLabel describes a line without names for screen readers.
func (p StepperProps) stepsLabel() string {
	at := p.Current()
	if at == len(p) || p[at].Text == "" {
		return p.label()
	}
	return p.label() + ". " + p[at].Name + ": " + p[at].Text
}

// TimelineProps is a vertical timeline.
type TimelineProps []TimelinePoint

// TimelinePoint is a point of it.
type TimelinePoint struct {
	State    StepState // StepDone, StepFailed, StepCurrent or StepAhead
	When     string
	What     string
	Text     string // may be empty
	Assignee AssigneeProps
}

// loop returns the part of the line around a point: of a vertical braid in pieces, as high as their texts.
func (p TimelineProps) loop(i int) timelineLoop {
	return timelineLoop{Box: "-20 " + decimal(braidTile*float64(i)-20) + " 40 40", Paths: stepAt(len(p), i, p[i].State)}
}

type timelineLoop struct {
	Box   string
	Paths []stepPath
}
