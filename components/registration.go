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
func (p KnotsProps) stepsLabel() string {
	at := p.Current()
	if at == len(p) || p[at].Text == "" {
		return p.label()
	}
	return p.label() + ". " + p[at].Name + ": " + p[at].Text
}

// TrailProps is a vertical timeline.
type TrailProps []TrailPoint

// TrailPoint is a point of it.
type TrailPoint struct {
	State    KnotState // KnotDone, KnotFailed, KnotCurrent or KnotAhead
	When     string
	What     string
	Text     string // may be empty
	Assignee AssigneeProps
}

// loop returns the part of the line around a point: of a vertical braid in pieces, as high as their texts.
func (p TrailProps) loop(i int) trailLoop {
	return trailLoop{Box: "-20 " + decimal(braidTile*float64(i)-20) + " 40 40", Paths: knotAt(len(p), i, p[i].State)}
}

type trailLoop struct {
	Box   string
	Paths []knotPath
}
