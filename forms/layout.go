package forms

import (
	"fmt"
	"slices"
)

// Step is one page of a form. Most forms have one.
type Step struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"` // its heading, where the form has more steps than one
	Groups []Group `json:"groups"`
}

// Group is fields that stand together. Both renderers (components.Groups and islands/forms/Groups.tsx) draw it by its kind.
type Group struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`    // plain: its fields as they are; details: folded; choices: folded, without a grid of fields
	Place   string `json:"place"`   // where on the page: each page draws the places that it has
	Summary string `json:"summary"` // of a folded group: the line that unfolds it
	When    []When `json:"when"`    // the group is shown only while all of these hold; of values only
}

var groupKinds = []string{"plain", "details", "choices"}

// Folds says whether the group can be folded away.
func (g *Group) Folds() bool { return g.Kind != "plain" }

// Step returns the step of that name, and the first one for "". It returns nil for an unknown name.
func (f *Form) Step(name string) *Step {
	for i := range f.Steps {
		if name == "" || f.Steps[i].Name == name {
			return &f.Steps[i]
		}
	}
	return nil
}

// Groups returns the groups of a step that stand in a place, in their order.
func (f *Form) Groups(step, place string) []*Group {
	var groups []*Group
	if s := f.Step(step); s != nil {
		for i := range s.Groups {
			if s.Groups[i].Place == place {
				groups = append(groups, &s.Groups[i])
			}
		}
	}
	return groups
}

// In returns the fields of a group, in their order.
func (f *Form) In(group string) []*Field {
	var fields []*Field
	for i := range f.Fields {
		if f.Fields[i].Group == group {
			fields = append(fields, &f.Fields[i])
		}
	}
	return fields
}

// CheckStep judges the fields of one step as Check judges them all: those of the steps before are looked at where a rule
// or a condition asks for them. An unknown step has no fields.
func (f *Form) CheckStep(step string, in map[string]string, env Env) (clean map[string]string, faults []Fault) {
	of := f.OfStep(step)
	return f.check(in, env, true, func(name string) bool {
		return slices.ContainsFunc(of, func(field *Field) bool { return field.Name == name })
	})
}

// OfStep returns the fields of a step, in their order; none for an unknown step.
func (f *Form) OfStep(step string) []*Field {
	var fields []*Field
	if s := f.Step(step); s != nil {
		for _, group := range s.Groups {
			fields = append(fields, f.In(group.Name)...)
		}
	}
	return fields
}

// Open returns the names of the folded groups that hold something typed or something wrong, in their order.
func (f *Form) Open(typed map[string]string, faults []Fault) []string {
	open := []string{}
	for _, step := range f.Steps {
		for _, group := range step.Groups {
			if group.Folds() && slices.ContainsFunc(f.In(group.Name), func(field *Field) bool {
				return typed[field.Name] != "" || slices.ContainsFunc(faults, func(fault Fault) bool { return fault.Field == field.Name })
			}) {
				open = append(open, group.Name)
			}
		}
	}
	return open
}

// HidesGroup says whether what is typed puts a group out of the question.
func (f *Form) HidesGroup(group *Group, in map[string]string, env Env) bool {
	return !f.holds(group.When, in, env)
}

// HidesField says whether what is typed puts a field out of the question though its group is shown. What a field asks of
// proofs does not hide it: that is the page's to decide.
func (f *Form) HidesField(field *Field, group *Group, in map[string]string, env Env) bool {
	own := slices.DeleteFunc(slices.Clone(field.When), func(c When) bool { return slices.Contains(group.When, c) })
	return !f.holds(own, in, env)
}

// holds judges the conditions on values, by the tidied values of the fields that apply, proofs aside.
func (f *Form) holds(conditions []When, in map[string]string, env Env) bool {
	see := f.view(env, false)
	for i := range f.Fields {
		if field := &f.Fields[i]; see.all(ofValues(field.When)) {
			see.values[field.Name] = field.tidy(in[field.Name], see)
		}
	}
	return see.all(ofValues(conditions))
}

func ofValues(conditions []When) []When {
	return slices.DeleteFunc(slices.Clone(conditions), func(c When) bool { return c.Unproven != "" })
}

// soundLayout checks steps and groups, and that the fields stand in their order: faults are listed in the fields' order,
// and a visitor meets them in that of the groups.
func (f *Form) soundLayout() error {
	var groups []*Group
	steps := map[string]bool{}
	for i := range f.Steps {
		step := &f.Steps[i]
		if step.Name == "" || steps[step.Name] || (step.Title == "") != (len(f.Steps) == 1) {
			return fmt.Errorf("step %q: needs a name of its own, and a title where there are more steps", step.Name)
		}
		steps[step.Name] = true
		for j := range step.Groups {
			group := &step.Groups[j]
			if err := f.soundGroup(group, groups); err != nil {
				return fmt.Errorf("group %q: %w", group.Name, err)
			}
			groups = append(groups, group)
		}
	}
	last := 0
	for i := range f.Fields {
		field := &f.Fields[i]
		at := slices.IndexFunc(groups, func(g *Group) bool { return g.Name == field.Group })
		switch {
		case at < 0:
			return fmt.Errorf("field %q: unknown group %q", field.Name, field.Group)
		case at < last:
			return fmt.Errorf("field %q: stands behind fields of a later group", field.Name)
		}
		last = at
	}
	return nil
}

func (f *Form) soundGroup(group *Group, before []*Group) error {
	first := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Group == group.Name })
	switch {
	case group.Name == "" || group.Place == "":
		return fmt.Errorf("needs a name and a place")
	case slices.ContainsFunc(before, func(b *Group) bool { return b.Name == group.Name }):
		return fmt.Errorf("stands twice")
	case !slices.Contains(groupKinds, group.Kind):
		return fmt.Errorf("unknown kind %q", group.Kind)
	case group.Folds() != (group.Summary != ""):
		return fmt.Errorf("a folded group has a summary, and no other has")
	case len(group.When) > 0 && !group.Folds():
		return fmt.Errorf("only a folded group has conditions: of a plain one its fields have them")
	case first < 0:
		return fmt.Errorf("has no fields")
	case len(ofValues(group.When)) < len(group.When):
		return fmt.Errorf("a group's conditions are on values")
	}
	return soundWhen(group.When, func(name string) bool {
		return slices.ContainsFunc(f.Fields[:first], func(field Field) bool { return field.Name == name })
	})
}
