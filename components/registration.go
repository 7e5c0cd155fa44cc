package components

// BadgeProps is a status, coloured by a look: open, wait, info, failed, done, back.
type BadgeProps struct{ Text, Look string }

// Turns, as TurnProps name them.
const (
	TurnYours = "you"
	TurnOurs  = "us"
)

// TurnProps says who has to do something next.
type TurnProps struct {
	Whose string // TurnYours or TurnOurs; of nobody's nothing is shown
	Text  string // empty: "Your turn", "Our turn"
}

func (p TurnProps) text() string {
	switch {
	case p.Text != "":
		return p.Text
	case p.Whose == TurnYours:
		return "Your turn"
	}
	return "Our turn"
}

// stepsLabel is what a line without names says to who does not see it.
func (p KnotsProps) stepsLabel() string {
	at := p.Current()
	if at == len(p) || p[at].Text == "" {
		return p.label()
	}
	return p.label() + ". " + p[at].Name + ": " + p[at].Text
}

// TrailProps is the line of what has happened to something and what follows, from above.
type TrailProps []TrailPoint

// TrailPoint is a loop of it.
type TrailPoint struct {
	State KnotState // KnotDone, KnotFailed, KnotNow or KnotAhead
	When  string
	What  string
	Text  string // may be empty
	Turn  TurnProps
}

// loop is the part of the line around one point: of a braid turned upright, so that each can be as high as its words.
func (p TrailProps) loop(i int) trailLoop {
	return trailLoop{Box: "-20 " + decimal(braidTile*float64(i)-20) + " 40 40", Paths: knotAt(len(p), i, p[i].State)}
}

type trailLoop struct {
	Box   string
	Paths []knotPath
}
