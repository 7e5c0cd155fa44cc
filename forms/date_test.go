package forms

import (
	"maps"
	"testing"
)

func TestDatesAndAmountsAreStoredSortable(t *testing.T) {
	form := Get("hiresure")
	for _, row := range []struct{ field, clean, kept, back, said string }{
		{"dob", "14-08-2005", "2005-08-14", "14-08-2005", "14/08/2005"},
		{"dob", "", "", "", ""},
		{"annualIncome", "320000", "32000000", "320000", "3,20,000"},
		{"annualIncome", "320000.5", "32000050", "320000.50", "3,20,000.5"},
		{"annualIncome", "1.25", "125", "1.25", "1.25"},
		{"annualIncome", "999", "99900", "999", "999"},
		{"annualIncome", "1000", "100000", "1000", "1,000"},
		{"annualIncome", "10000000.10", "1000000010", "10000000.10", "1,00,00,000.10"},
		{"annualIncome", "half typed", "half typed", "half typed", "half typed"},
		{"gender", "O", "O", "O", "Other"},
		{"received_other_scholarship", "false", "false", "false", "No"},
	} {
		_, answers := form.Kept(map[string]string{row.field: row.clean})
		if answers[row.field] != row.kept {
			t.Errorf("%s %q is kept as %q, want %q", row.field, row.clean, answers[row.field], row.kept)
		}
		if got := form.Typed(nil, answers)[row.field]; got != row.back {
			t.Errorf("%s comes back as %q, want %q", row.field, got, row.back)
		}
		if got := form.Display(row.field, row.clean); got != row.said {
			t.Errorf("%s %q is said as %q, want %q", row.field, row.clean, got, row.said)
		}
	}
	if _, answers := form.Kept(map[string]string{"dob": "14-8-05"}); !maps.Equal(answers, map[string]string{"dob": "14-8-05"}) {
		t.Errorf("what is no date is kept as %q", answers)
	}
}

func TestUnder18(t *testing.T) {
	for _, row := range []struct {
		born, today string
		want        bool
	}{
		{"21-11-2008", "2026-11-20", true},
		{"21-11-2008", "2026-11-21", false},
		{"29-02-2008", "2026-02-28", true},
		{"29-02-2008", "2026-03-01", false},
		{"31-12-2008", "2026-12-30", true},
		{"21-11-2008", "2008-11-21", false}, // born today: no date of birth
		{"", "2026-11-21", false},
		{"tomorrow", "2026-11-21", false},
		{"20-11-2026", "2026-11-21", true},
	} {
		if got := Under(18, row.born, row.today); got != row.want {
			t.Errorf("born %s, on %s: %v", row.born, row.today, got)
		}
	}
}

func TestExamYearsBeginWithToday(t *testing.T) {
	years := Get("hiresure").Field("examYear").Choices(Env{Today: "2027-01-01"})
	if len(years) != 77 || years[0].Value != "2027" || years[76].Label != "1951" {
		t.Errorf("%v", years)
	}
	if years := Get("hiresure").Field("examYear").Choices(Env{}); years != nil {
		t.Errorf("without a day: %v", years)
	}
}

func TestDateParts(t *testing.T) {
	for value, want := range map[string][3]string{
		"":               {},
		"14,08,2005":     {"14", "08", "2005"},
		"4,8,2005":       {"4", "8", "2005"},
		"14,,2005":       {"14", "", "2005"},
		",,":             {},
		"1,2,20,05":      {"1", "2", "20,05"},
		"14-08-2005":     {"14", "08", "2005"},
		"2005-08-14":     {"14", "08", "2005"},
		"14/8/2005":      {"14", "08", "2005"},
		"14/8/2005,,":    {"14/8/2005", "", ""},
		"99-99-9999":     {"99", "99", "9999"},
		"14,08":          {"14,08"},
		"last May":       {"last May"},
		"the day before": {"the day before"},
	} {
		if got := DateParts(value); got != want {
			t.Errorf("%q becomes %q, want %q", value, got, want)
		}
	}
}
