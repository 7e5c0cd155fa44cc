package store_test

import (
	"testing"

	"hiresure/admission/office"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestViewsOfStaff(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		names := func(account string) (all string) {
			t.Helper()
			update(t, s, func(tx store.Tx) error {
				views, err := tx.SavedViews(account)
				all = ""
				for _, v := range views {
					all += v.ID + v.Name + " "
				}
				return err
			})
			return all
		}
		saved := office.SavedView{ID: "1", AccountID: "a", Name: "beta", Filter: "status=Completed", CreatedAt: noon}
		update(t, s, func(tx store.Tx) error {
			for _, v := range []office.SavedView{saved, {ID: "2", AccountID: "a", Name: "Alpha", Shared: true}, {ID: "3", AccountID: "b", Name: "beta"}} {
				if err := tx.AddSavedView(v); err != nil {
					return err
				}
			}
			return nil
		})
		if a, b, c := names("a"), names("b"), names("c"); a != "2Alpha 1beta " || b != "2Alpha 3beta " || c != "2Alpha " {
			t.Errorf("views: a %q, b %q, c %q", a, b, c)
		}
		update(t, s, func(tx store.Tx) error {
			is, err := tx.SavedView("1")
			if err != nil || is == nil || !is.CreatedAt.Equal(saved.CreatedAt) || is.Filter != saved.Filter || is.Shared {
				t.Errorf("view %+v, %v", is, err)
			}
			missing, err := tx.SavedView("9")
			if err != nil || missing != nil {
				t.Errorf("view %+v, %v", missing, err)
			}
			return tx.RenameSavedView("2", "Zeta")
		})
		update(t, s, func(tx store.Tx) error { return tx.DeleteOwnSavedViews("a") })
		if a, b := names("a"), names("b"); a != "2Zeta " || b != "3beta 2Zeta " {
			t.Errorf("after the end of a: a %q, b %q", a, b)
		}
		update(t, s, func(tx store.Tx) error { return tx.DeleteSavedView("2") })
		if a := names("a"); a != "" {
			t.Errorf("a removed view is left: %q", a)
		}
	})
}
