package forms

import (
	"fmt"
	"slices"
)

// Step is a page of a form. Most forms have one.
type Step struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"` // heading, in a form with several steps
	Groups []Group `json:"groups"`
}

// Group is a group of fields, rendered by components.Groups and islands/forms/Groups.tsx according to its kind.
type Group struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`    // plain: fields as they are; details: folded; choices: folded, without a grid
	Place   string `json:"place"`   // position on the page
	Summary string `json:"summary"` // the line that unfolds a folded group
	When    []When `json:"when"`    // conditions on values for the group to be shown
}

var groupKinds = []string{"plain", "details", "choices"}

// Folds reports whether the group is folded.
func (g *Group) Folds() bool { return g.Kind != "plain" }

// Step returns a step by name, the first for ""; nil for an unknown name.
func (f *Form) Step(name string) *Step {
	for i := range f.Steps {
		if name == "" || f.Steps[i].Name == name {
			return &f.Steps[i]
		}
	}
	return nil
}

// Groups returns the groups of a step in a place.
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

// FieldsOf returns the fields of a group.
func (f *Form) FieldsOf(group string) []*Field {
	var fields []*Field
	for i := range f.Fields {
		if f.Fields[i].Group == group {
			fields = append(fields, &f.Fields[i])
		}
	}
	return fields
}

// CheckStep validates the fields of one step like Check; their rules and conditions may use earlier steps. An unknown step has no fields.
func (f *Form) CheckStep(step string, in map[string]string, env Env) (clean map[string]string, faults []Fault) {
	of := f.OfStep(step)
	return f.check(in, env, true, func(name string) bool {
		return slices.ContainsFunc(of, func(field *Field) bool { return field.Name == name })
	})
}

// OfStep returns the fields of a step; none for an unknown step.
func (f *Form) OfStep(step string) []*Field {
	var fields []*Field
	if s := f.Step(step); s != nil {
		for _, group := range s.Groups {
			fields = append(fields, f.FieldsOf(group.Name)...)
		}
	}
	return fields
}

// OpenGroups returns the names of folded groups that contain a typed value or a fault.
func (f *Form) OpenGroups(typed map[string]string, faults []Fault) []string {
	open := []string{}
	for _, step := range f.Steps {
		for _, group := range step.Groups {
			if group.Folds() && slices.ContainsFunc(f.FieldsOf(group.Name), func(field *Field) bool {
				return typed[field.Name] != "" || slices.ContainsFunc(faults, func(fault Fault) bool { return fault.Field == field.Name })
			}) {
				open = append(open, group.Name)
			}
		}
	}
	return open
}

// HidesGroup reports whether the typed values hide a group.
func (f *Form) HidesGroup(group *Group, in map[string]string, env Env) bool {
	return !f.holds(group.When, in, env)
}

// HidesField reports whether the typed values hide a field of a shown group. Conditions on verification don't hide it: the page decides.
func (f *Form) HidesField(field *Field, group *Group, in map[string]string, env Env) bool {
	own := slices.DeleteFunc(slices.Clone(field.When), func(c When) bool { return slices.Contains(group.When, c) })
	return !f.holds(own, in, env)
}

// holds evaluates conditions on the clean values of the fields that apply, as if nothing were verified.
func (f *Form) holds(conditions []When, in map[string]string, env Env) bool {
	env.Proven = nil
	return f.view(in, env, false).all(conditions)
}

// validateLayout checks steps and groups, and that fields are in the order of their groups, so that faults are in display order.
func (f *Form) validateLayout() error {
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
			if err := f.validateGroup(group, groups); err != nil {
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
			return fmt.Errorf("field %q: is after fields of a later group", field.Name)
		}
		last = at
	}
	return nil
}

func (f *Form) validateGroup(group *Group, before []*Group) error {
	first := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Group == group.Name })
	switch {
	case group.Name == "" || group.Place == "":
		return fmt.Errorf("needs a name and a place")
	case slices.ContainsFunc(before, func(b *Group) bool { return b.Name == group.Name }):
		return fmt.Errorf("duplicate name")
	case !slices.Contains(groupKinds, group.Kind):
		return fmt.Errorf("unknown kind %q", group.Kind)
	case group.Folds() != (group.Summary != ""):
		return fmt.Errorf("a folded group has a summary, and no other has")
	case len(group.When) > 0 && !group.Folds():
		return fmt.Errorf("only a folded group has conditions: of a plain one its fields have them")
	case first < 0:
		return fmt.Errorf("has no fields")
	case slices.ContainsFunc(group.When, func(c When) bool { return c.Unproven != "" }):
		return fmt.Errorf("a group's conditions are on values")
	}
	return validateConditions(group.When, func(name string) bool {
		return slices.ContainsFunc(f.Fields[:first], func(field Field) bool { return field.Name == name })
	})
}
