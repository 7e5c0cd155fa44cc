package office_test

import (
	"testing"

	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/store"
)

func TestExportIsInTheLogBeforeItIsRead(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		update(t, s, func(tx store.Tx) error {
			for _, id := range []string{"a", "b"} {
				if err := tx.AddRegistration(&enrol.Registration{ID: id, FullName: "Asha Verma", Phone: "+91982004156" + id, EventCode: "E", CreatedAt: noon, ModifiedAt: noon}); err != nil {
					return err
				}
			}
			return nil
		})
		by := staff.Operator("Kavya Hegde")
		if _, err := o.ExportRegistrations(t.Context(), office.Query{}, office.Export{Filter: "all", Format: "CSV", Reason: " "}, by); message(t, err) != "Write what the file is for" {
			t.Errorf("without a reason: %v", err)
		}
		rows, err := o.ExportRegistrations(t.Context(), office.Query{}, office.Export{Filter: "registrations: all", Format: "CSV", Reason: " calls "}, by)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := o.ExportRegister(t.Context(), office.RegisterQuery{}, office.Export{Filter: "invoice register: all", Format: "XLSX"}, by); err != nil {
			t.Fatal(err)
		}
		var logged []staff.Act
		for act, err := range s.Acts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			logged = append(logged, act)
		}
		if len(logged) != 2 || logged[0].What != "exported registrations" || logged[0].Is != "CSV, 2 rows" || logged[0].Reason != "calls" || logged[1].What != "exported the invoice register" || logged[1].Is != "XLSX, 0 rows" {
			t.Errorf("the log has %+v", logged)
		}
		ids := ""
		for item, err := range rows {
			if err != nil {
				t.Fatal(err)
			}
			ids += item.Registration.ID
		}
		if ids != "ab" {
			t.Errorf("the file has %q", ids)
		}
	})
}
