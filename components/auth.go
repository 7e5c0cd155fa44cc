package components

import "strconv"

// AuthPageProps is a page with one question: sign-in, sign-up, a code.
type AuthPageProps struct {
	Drawn    int // twelfths of the emblem
	Question string
	Promise  string // below the question on wide screens
}

// emblemTwelfths is the number of parts of the emblem's line.
const emblemTwelfths = 12

// emblemDash returns the dash array of a line drawn to a number of twelfths.
func emblemDash(drawn int) string {
	return strconv.Itoa(drawn) + " " + strconv.Itoa(emblemTwelfths)
}

// emblemDots returns the emblem's dots; one is done once the line surrounds half of it.
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
	Done bool
}
