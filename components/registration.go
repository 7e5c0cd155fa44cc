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
	State KnotState // KnotDone, KnotNow or KnotAhead
	When  string
	What  string
	Text  string // may be empty
	Turn  TurnProps
}

// box is the viewBox of the line, which is a braid turned upright.
func (p TrailProps) box() string {
	return "-20 -20 40 " + decimal(braidTile*float64(len(p)))
}

// drawn is how many half loops of the line are strong.
func (p TrailProps) drawn() (halves int) {
	for _, point := range p {
		switch point.State {
		case KnotDone:
			halves += 2
		case KnotNow:
			return halves + 1
		}
	}
	return halves
}

func (p TrailProps) paths() (paths []knotPath) {
	if rest := braidRun(len(p), p.drawn(), 2*len(p), braidTile); rest != "" {
		paths = append(paths, knotPath{Class: "to-come", D: rest})
	}
	if drawn := braidRun(len(p), 0, p.drawn(), braidTile); drawn != "" {
		paths = append(paths, knotPath{Class: "earned", D: drawn})
	}
	return paths
}
