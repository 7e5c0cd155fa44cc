package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// row is one line of the result. Only a comparison has bare and ratios.
type row struct {
	what, unit string
	site, bare float64
	digits     int       // after the point
	ratios     []float64 // site to bare, sorted
	target     string
	met        bool
}

type table struct {
	rows  []row
	notes []string
}

func (t *table) add(r row) { t.rows = append(t.rows, r) }

func (t *table) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// target is a bound of the median ratio.
type target struct {
	text string
	met  func(ratio float64) bool
}

var unjudged = target{met: func(float64) bool { return true }}

func atLeast(least float64) target {
	return target{fmt.Sprintf("≥ %.2f", least), func(ratio float64) bool { return ratio >= least }}
}

func atMost(most float64) target {
	return target{fmt.Sprintf("≤ %.2f", most), func(ratio float64) bool { return ratio <= most }}
}

// compare adds a line with the medians of all rounds and their ratios.
func (t *table) compare(what, unit string, c comparison, goal target) {
	r := row{what: what, unit: unit, site: median(c.site), bare: median(c.bare), target: goal.text}
	if r.site < 1000 {
		r.digits = 1
	}
	for i := range c.site {
		r.ratios = append(r.ratios, c.site[i]/c.bare[i])
	}
	slices.Sort(r.ratios)
	r.met = goal.met(median(r.ratios))
	t.add(r)
}

func median(of []float64) float64 { return percentile(of, 50) }

// percentile returns the nearest rank.
func percentile(of []float64, p int) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[(len(sorted)-1)*p/100]
}

func (t *table) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nmedians of %d rounds\tunit\tsite\tbare\tratio\tmin–max\ttarget\t\n", rounds)
	for _, r := range t.rows {
		bare, ratio, spread, verdict := "", "", "", "NOT MET"
		if len(r.ratios) > 0 {
			bare, ratio = fmt.Sprintf("%.*f", r.digits, r.bare), fmt.Sprintf("%.2f", median(r.ratios))
		}
		if len(r.ratios) > 1 {
			spread = fmt.Sprintf("%.2f–%.2f", r.ratios[0], r.ratios[len(r.ratios)-1])
		}
		switch {
		case r.target == "":
			verdict = ""
		case r.met:
			verdict = "met"
		}
		fmt.Fprintf(w, "%s\t%s\t%.*f\t%s\t%s\t%s\t%s\t%s\n", r.what, r.unit, r.digits, r.site, bare, ratio, spread, r.target, verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, note := range t.notes {
		if _, err := fmt.Fprintln(out, note); err != nil {
			return err
		}
	}
	return nil
}
