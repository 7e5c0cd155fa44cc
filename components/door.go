package components

import "strconv"

// DoorProps is a page that asks one question on indigo, and takes the answer on paper: signing in and up, a code.
type DoorProps struct {
	Drawn    int // twelfths of the emblem
	Question string
	Promise  string // below the question, where there is room
	Scripted string // follows Promise where scripts run
}

// emblemTwelfths is into how many parts the emblem's line is cut.
const emblemTwelfths = 12

// emblemDash is the dash of a line of which so many twelfths are drawn.
func emblemDash(drawn int) string {
	return strconv.Itoa(drawn) + " " + strconv.Itoa(emblemTwelfths)
}

// emblemDots are the emblem's dots; one is earned once the line goes half around it.
func emblemDots(drawn int) (dots []emblemDot) {
	around := map[dot]int{}
	line := emblemGrid.trace(dot{0, -2}, north)
	for _, q := range line[:len(line)*drawn/emblemTwelfths] {
		around[q.dot]++
	}
	for i, d := range dotsOf(emblemGrid, emblemTile) {
		dots = append(dots, emblemDot{d, around[emblemGrid.dots[i]] >= 2})
	}
	return dots
}

type emblemDot struct {
	placedDot
	Earned bool
}
