package content

import (
	"fmt"
	"slices"
)

// Programme is a course of study. Code is the course code.
type Programme struct {
	Code    string   `yaml:"code"`
	Name    string   `yaml:"name"`
	Short   string   `yaml:"short" words:"optional"` // of the name
	Summary string   `yaml:"summary"`                // one line
	Builds  []Build  `yaml:"builds"`                 // in order of week
	Roles   []string `yaml:"roles"`                  // occupations of its graduates
	Sample  bool     `yaml:"sample"`                 // its weeks are fictitious; the strip above public pages then says so
}

// Build is a student's project in a week of the training.
type Build struct {
	Week int    `yaml:"week"`
	What string `yaml:"what"`
}

// programmes returns the programmes of codes, in order.
func (l *Library) programmes(codes []string) (all []Programme) {
	for _, code := range codes {
		all = append(all, l.programme(code))
	}
	return all
}

func (l *Library) programme(code string) Programme {
	for _, programme := range l.shared.programmes {
		if programme.Code == code {
			return clone(programme)
		}
	}
	return Programme{}
}

func checkBuilds(programmes []Programme) (faults []error) {
	for i, programme := range programmes {
		if !slices.IsSortedFunc(programme.Builds, func(a, b Build) int { return a.Week - b.Week }) {
			faults = append(faults, fmt.Errorf("[%d].builds: not in order of week", i))
		}
	}
	return faults
}
