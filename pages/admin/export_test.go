package admin_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"hiresure/web"
)

func TestRegistrationsAsAFile(t *testing.T) {
	s := newSite(t)
	s.register()
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(web.StaffRegistrationsPath+"?event=KS_Mgrow").is(http.StatusOK, "Export", "What is the file for?")
	b.get(web.StaffRegistrationsPath + "?q=nobody").lacks("Export")
	b.post(web.StaffRegistrationsPath, "event", "KS_Mgrow", "format", "csv", "reason", " ").is(http.StatusUnprocessableEntity, "Write what the file is for", "3 registrations match.")
	b.post(web.StaffRegistrationsPath, "format", "csv", "reason", strings.Repeat("ந", 201)).is(http.StatusUnprocessableEntity, "Use at most 200 characters")
	b.clock.Pass(11 * time.Minute) // since the sign-in
	filter := []string{"event", "KS_Mgrow", "payment", "bogus", "format", "csv", "reason", "calls on Monday"}
	b.post(web.StaffRegistrationsPath, filter...).is(http.StatusOK, "You are about to download names, phone numbers and e-mail addresses.", "Confirm that it is you")
	b.post(web.StaffRegistrationsPath, append(filter, "confirm_code", "000000")...).is(http.StatusUnprocessableEntity, "This code is wrong")
	s.logged("exported registrations")
	b.post(web.StaffRegistrationsPath, append(filter, "confirm_code", b.code())...)
	for name, want := range map[string]string{"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="registrations-2026-11-21.csv"`, "Cache-Control": "private, no-store"} {
		if is := b.header.Get(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.page, "\ufeff"))).ReadAll()
	check(t, err)
	want := [][]string{
		{"Name", "Phone", "E-mail", "Event", "Course", "College", "State", "Status", "Fee", "Currency", "Invoice number", "Registered", "Last change", "Coupon", "Source"},
		{"Asha <Verma>", "'+919820041567", "asha@example.com", "HireSure mGrow Scholarship", "Data Analytics", "", "Maharashtra", "Completed", "1499.00", "INR", "KS/26-27/000842", "2026-11-21", "2026-11-21", "", ""},
		{"Lakshmi Venkataraman", "'+919444918306", "lakshmi@example.com", "HireSure mGrow Scholarship", "Data Analytics", "", "Maharashtra", "Payment Initiated", "1499.00", "INR", "", "2026-11-21", "2026-11-21", "", ""},
		{"Gurpreet Kaur", "'+919814055231", "gurpreet@example.com", "HireSure mGrow Scholarship", "Blockchain", "", "Maharashtra", "Payment Initiated", "1499.00", "INR", "", "2026-11-21", "2026-11-21", "MGROW500", ""},
	}
	if fmt.Sprintf("%q", rows) != fmt.Sprintf("%q", want) {
		t.Errorf("the file has\n%q\nwant\n%q", rows, want)
	}
	b.post(web.StaffRegistrationsPath, "q", "thangjam", "format", "xlsx", "reason", "a call")
	book, err := excelize.OpenReader(strings.NewReader(b.page))
	check(t, err)
	defer func() { check(t, book.Close()) }()
	found, err := book.GetRows("Registrations")
	check(t, err)
	if len(found) != 2 || found[1][1] != "+918787031194" || found[1][8] != "" {
		t.Errorf("the workbook has %q", found)
	}
	b.post(web.StaffRegistrationsPath, "status", "look", "format", "csv", "reason", "to ask")
	if strings.Contains(b.page, "Asha") || !strings.Contains(b.page, "Lakshmi") {
		t.Errorf("who needs a look: %s", b.page)
	}
	b.post(web.StaffRegistrationsPath, "format", "pdf", "reason", "x").is(http.StatusBadRequest)
	s.logged("exported registrations", "registrations: event=KS_Mgrow; CSV, 3 rows; calls on Monday", "registrations: search; XLSX, 1 row; a call", "registrations: status=look; CSV, 1 row; to ask")

	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	farida.get(web.StaffRegistrationsPath).lacks("Export")
	farida.post(web.StaffRegistrationsPath, "format", "csv", "reason", "x").is(http.StatusForbidden)
	farida.lacks("Asha", "lakshmi@example.com")
	s.setUp("tenzin@academy.example", "Tenzin Dolma", "content").post(web.StaffRegistrationsPath, "format", "csv", "reason", "x").is(http.StatusForbidden)
}
