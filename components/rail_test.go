package components

import (
	"strings"
	"testing"
)

func TestRailShowsTheCurrentStep(t *testing.T) {
	props := RailProps{Home: "/hiresure", Phone: "+91 80 0000 0101", Saved: SavedProps{"Saved 12:04", SignSaved}, Steps: StepsOf([]string{"One", "Two", "Three"}, 1), Now: 1}
	for _, c := range []struct {
		name   string
		change func(*RailProps)
		has    []string
		lacks  []string
	}{
		{
			"a step in the middle", func(*RailProps) {},
			[]string{
				`<header class="rail on-field">`, `<b>Two</b><span>Step 2 of 3</span>`, `<ol aria-label="Steps: 1 of 3 done">`, `<li class="is-done"><span>One</span></li>`,
				`<li class="is-current" aria-current="step"><span>Two</span><small>Now</small></li>`, `<li class="is-ahead"><span>Three</span></li>`,
				`<span class="icon icon-tick" aria-hidden="true"></span><span>Saved 12:04</span>`, "You can stop and continue later.",
			},
			[]string{`class="this-tab"`, "saved-ring"},
		},
		{
			"one with something wrong", func(p *RailProps) { p.Wrong, p.Saved = "3 answers missing", SavedProps{"Not saved yet", SignUnsent} },
			[]string{`<header class="rail on-field is-faulty">`, `Step 2 of 3, <b>3 answers missing</b>`, `<span>Two</span><small>3 missing</small>`, `class="saved-ring"`},
			[]string{"<small>Now</small>", "icon-tick"},
		},
		{
			"a step that the page's heading names", func(p *RailProps) { p.Titled, p.Wrong = true, "3 answers missing" },
			[]string{`<span><b>3 answers missing</b></span>`, `<span>Two</span><small>3 missing</small>`},
			[]string{"<b>Two</b>", "Step 2 of 3"},
		},
		{
			"two tabs that differ", func(p *RailProps) { p.TabConflict, p.Saved.Sign = true, SignHeld },
			[]string{`<path class="this-tab" d="M20 0C`, string(SignLock)},
			[]string{"icon-tick", "You can stop and continue later."},
		},
	} {
		p := props
		c.change(&p)
		got := strings.ReplaceAll(render(t, Rail(p)), " <", "<") // templ's spaces
		for _, piece := range c.has {
			if !strings.Contains(got, piece) {
				t.Errorf("%s: %s is not in\n%s", c.name, piece, got)
			}
		}
		for _, piece := range c.lacks {
			if strings.Contains(got, piece) {
				t.Errorf("%s: %s is in\n%s", c.name, piece, got)
			}
		}
	}
}
