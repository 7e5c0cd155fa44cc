package enrol_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// stored are registrations by id.
type stored map[string]*enrol.Registration

func (s stored) Registration(id string) (*enrol.Registration, error) { return s[id], nil }

func TestFindPerson(t *testing.T) {
	kept, deleted := admission.NewID(), admission.NewID()
	all := stored{
		kept: {ID: kept}, deleted: {ID: deleted, ErasedAt: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)},
		"x": {ID: "x"}, // no id, so it is not even read
	}
	if r, err := enrol.FindPerson(all, kept); err != nil || r.ID != kept {
		t.Errorf("a registration: %v, %v", r, err)
	}
	for name, id := range map[string]string{"a deleted person": deleted, "an unknown id": admission.NewID(), "no id": "x", "an empty id": ""} {
		if _, err := enrol.FindPerson(all, id); !admission.HasKind(err, admission.NotFound) || err.Error() != "not found: Registration not found." {
			t.Errorf("%s: %v", name, err)
		}
	}
}
