package office_test

import (
	"sync"
	"testing"

	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/store"
)

func TestTwoPressesSaveAndRemoveAViewOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		meera := &staff.Person{Account: staff.Account{ID: "meera", Email: "meera@academy.example"}}
		update(t, s, func(tx store.Tx) error { return tx.AddStaffAccount(&meera.Account) })
		by := staff.Operator("Meera")
		twice := func(what, refused string, press func() error) {
			t.Helper()
			errs := [2]error{}
			var wait sync.WaitGroup
			for i := range errs {
				wait.Go(func() { errs[i] = press() })
			}
			wait.Wait()
			if said := message(t, errs[0]) + message(t, errs[1]); said != refused {
				t.Errorf("%s: refused with %q, want %q", what, said, refused)
			}
		}
		views := func() []office.SavedView {
			t.Helper()
			all, err := o.Views(t.Context(), meera.ID)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		twice("save", "You have a view with this name already", func() error {
			return o.SaveView(t.Context(), meera, "Paid", "payment=paid", false, by)
		})
		saved := views()
		if len(saved) != 1 || saved[0].Filter != "payment=paid" {
			t.Fatalf("views: %+v", saved)
		}
		twice("rename", "This view was renamed to “Paid in May” after you opened this page. Nothing was changed", func() error {
			return o.RenameView(t.Context(), meera, saved[0].ID, "Paid", "Paid in May", by)
		})
		twice("remove", "View not found.", func() error { return o.RemoveView(t.Context(), meera, saved[0].ID, by) })
		if left := views(); len(left) != 0 {
			t.Errorf("views are left: %+v", left)
		}
		logged := 0
		for _, err := range s.Acts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			logged++
		}
		if logged != 3 {
			t.Errorf("%d rows in the log, want 3", logged)
		}
	})
}
