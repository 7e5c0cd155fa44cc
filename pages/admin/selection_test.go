package admin_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/web"
)

const listPage = web.StaffRegistrationsPath + "/page"

// crowd adds n more people, each a minute older than the one before.
func (s *site) crowd(n int) {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		for i := range n {
			r := enrol.Registration{ID: personID(100 + i), FullName: fmt.Sprintf("Person %03d", i), Phone: fmt.Sprintf("+9170000%05d", i), EventCode: "KS_Campus", Step: enrol.StepVerified}
			r.CreatedAt = s.clock.Now().Add(-time.Duration(i+600) * time.Minute)
			r.ModifiedAt = r.CreatedAt
			if err := tx.AddRegistration(&r); err != nil {
				return err
			}
		}
		return nil
	}))
}

// chosen returns the ids that the page sends of a selection: checked boxes and hidden fields.
func (b *browser) chosen() (checked, hidden []string) {
	for _, input := range regexp.MustCompile(`<input [^>]*name="id"[^>]*>`).FindAllString(b.page, -1) {
		id := regexp.MustCompile(`value="([^"]*)"`).FindStringSubmatch(input)[1]
		switch {
		case strings.Contains(input, "hidden"):
			hidden = append(hidden, id)
		case strings.Contains(input, " checked"):
			checked = append(checked, id)
		}
	}
	return checked, hidden
}

// exported returns the names of a CSV file.
func (b *browser) exported() (names []string) {
	b.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.page, "\ufeff"))).ReadAll()
	check(b.t, err)
	for _, row := range rows[1:] {
		names = append(names, row[0])
	}
	return names
}

func TestASelectionTravelsAcrossPages(t *testing.T) {
	s := newSite(t)
	s.register()
	s.crowd(20)
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(web.StaffRegistrationsPath).is(http.StatusOK, "selected on this page. Select all 24 that match", "24 registrations.")
	older := regexp.MustCompile(`name="older" value="([^"]+)"`).FindStringSubmatch(b.page)[1]
	first, last := personID(0), personID(119)
	b.post(listPage, "selection", "yes", "id", first, "id", personID(2), "id", personID(2), "id", "<b>", "older", older).is(http.StatusOK, "selected on this page and 2 on other pages.", "Person 006")
	if checked, hidden := b.chosen(); checked != nil || !slices.Equal(hidden, []string{first, personID(2)}) {
		t.Errorf("the second page has %v checked and %v hidden", checked, hidden)
	}
	b.lacks("<b>\"")
	if !strings.Contains(b.page, `href="`+web.StaffRegistrationsPath+`?older=`) {
		t.Error("Clear leads to another page")
	}
	newer := regexp.MustCompile(`name="newer" value="([^"]+)"`).FindStringSubmatch(b.page)[1]
	b.post(listPage, "selection", "yes", "id", first, "id", personID(2), "id", last, "newer", newer)
	if checked, hidden := b.chosen(); !slices.Equal(checked, []string{first, personID(2)}) || !slices.Equal(hidden, []string{last}) {
		t.Errorf("back on the first page %v are checked and %v hidden", checked, hidden)
	}

	export := []string{"selection", "yes", "id", first, "id", last, "id", personID(999), "event", "KS_Mgrow", "q", "asha"}
	b.post(web.StaffRegistrationsPath, export...).is(http.StatusOK, "Export 2 registrations", "What is the file for?", "Download CSV")
	b.post(web.StaffRegistrationsPath, append(export, "format", "csv", "reason", " ")...).is(http.StatusUnprocessableEntity, "Export 2 registrations", "Write what the file is for")
	if _, hidden := b.chosen(); !slices.Equal(hidden, []string{first, last, personID(999)}) || !strings.Contains(b.page, `name="selection" value="yes"`) {
		t.Errorf("a refused export keeps %v", hidden)
	}
	b.post(web.StaffRegistrationsPath, append(export, "format", "pdf", "reason", "x")...).is(http.StatusBadRequest)
	b.clock.Pass(11 * time.Minute) // since the sign-in
	b.post(web.StaffRegistrationsPath, append(export, "format", "csv", "reason", "calls")...).is(http.StatusOK, "Confirm that it is you")
	if _, hidden := b.chosen(); !slices.Equal(hidden, []string{first, last, personID(999)}) {
		t.Errorf("the confirmation keeps %v", hidden)
	}
	b.post(web.StaffRegistrationsPath, append(export, "format", "csv", "reason", "calls", "confirm_code", b.code())...)
	if names := b.exported(); !slices.Equal(names, []string{"Asha <Verma>", "Person 019"}) {
		t.Errorf("the file has %q", names)
	}

	b.post(web.StaffRegistrationsPath, "selection", "yes").is(http.StatusUnprocessableEntity, "Select at least one person first.", "Asha <Verma>")
	b.post(web.StaffRegistrationsPath, "selection", "yes", "format", "csv", "reason", "x").is(http.StatusUnprocessableEntity, "Select at least one person first.")
	many := []string{"selection", "yes"}
	for i := range 502 {
		many = append(many, "id", personID(i))
	}
	b.post(web.StaffRegistrationsPath, append(many, "format", "csv", "reason", "x")...).is(http.StatusUnprocessableEntity, "Select at most 500 people, or all that match. 2 were left out.")
	b.post(listPage, many...).is(http.StatusUnprocessableEntity, "2 were left out.")
	if checked, hidden := b.chosen(); len(checked)+len(hidden) != 500 {
		t.Errorf("%d and %d are selected", len(checked), len(hidden))
	}
	s.logged("exported registrations", "registrations: selected one by one; CSV, 2 rows; calls")
}

func TestAllThatMatchAreSelectedByTheFilter(t *testing.T) {
	s := newSite(t)
	s.register()
	s.crowd(11)
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(web.StaffRegistrationsPath + "?event=KS_Mgrow").is(http.StatusOK)
	b.lacks("Select all 3") // the page shows them
	all := []string{"selection", "yes", "all", "yes", "event", "KS_Campus"}
	b.post(listPage, append(all, "id", personID(0))...).is(http.StatusOK, "All 11 that match are selected.", "Event HireSure Campus")
	if checked, hidden := b.chosen(); len(checked) != 10 || hidden != nil || strings.Count(b.page, ` checked disabled>`) < 10 {
		t.Errorf("%v are checked and %v hidden", checked, hidden)
	}
	b.lacks("asked for", "on other pages")
	b.post(web.StaffRegistrationsPath, all...).is(http.StatusOK, "Export 11 registrations")
	if !strings.Contains(b.page, `name="all" value="yes"`) || !strings.Contains(b.page, `name="event" value="KS_Campus"`) {
		t.Error("the export forgets the filter")
	}
	b.post(web.StaffRegistrationsPath, append(all, "format", "csv", "reason", "mails")...)
	if names := b.exported(); len(names) != 11 || names[0] != "Person 000" {
		t.Errorf("the file has %q", names)
	}
	s.logged("exported registrations", "registrations: event=KS_Campus; CSV, 11 rows; mails")

	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	farida.get(web.StaffRegistrationsPath).is(http.StatusOK, "Older")
	farida.lacks("selected on", "Select all", `class="bulk"`)
	if checked, hidden := farida.chosen(); checked != nil || hidden != nil || strings.Contains(farida.page, `type="checkbox"`) {
		t.Error("somebody selects who can do nothing with it")
	}
	farida.post(web.StaffRegistrationsPath, all...).is(http.StatusForbidden)
}
