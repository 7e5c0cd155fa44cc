package api

import (
	"hiresure/admission"
	"hiresure/forms"
)

func fault(field, message string) forms.Fault { return forms.Fault{Field: field, Message: message} }

// onWire replaces the fields of a problem by their names in a call: pairs of inner and wire name.
func onWire(err error, names ...string) error {
	return renameFields(err, func(field string) string {
		for i := 0; i < len(names); i += 2 {
			if names[i] == field {
				return names[i+1]
			}
		}
		return field
	})
}

// renameFields renames the fields of a problem.
func renameFields(err error, rename func(field string) string) error {
	problem := admission.AsProblem(err)
	if problem == nil {
		return err
	}
	copied := *problem
	copied.Field, copied.Faults = rename(problem.Field), nil
	for _, f := range problem.Faults {
		copied.Faults = append(copied.Faults, fault(rename(f.Field), f.Message))
	}
	return &copied
}
