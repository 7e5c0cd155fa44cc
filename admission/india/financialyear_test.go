package india_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
)

func TestFinancialYear(t *testing.T) {
	for moment, want := range map[string]string{
		"2027-03-31T18:29:59Z":      "26-27",
		"2027-03-31T18:30:00Z":      "27-28",
		"2027-03-31T23:59:59+05:30": "26-27",
		"2027-04-01T00:00:00+05:30": "27-28",
		"2027-01-01T00:00:00Z":      "26-27",
		"2026-12-31T23:59:59Z":      "26-27",
		"2099-12-31T00:00:00Z":      "99-00",
		"2100-03-31T00:00:00Z":      "99-00",
		"2100-04-01T00:00:00Z":      "00-01",
		"2028-02-29T12:00:00Z":      "27-28",
	} {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			t.Fatal(err)
		}
		// The result must not depend on the time zone of the value.
		for _, hours := range []int{-12, 0, 14} {
			if got := india.FinancialYear(at.In(time.FixedZone("", hours*60*60))); got != want {
				t.Errorf("%s, told at UTC%+d: got %s, want %s", moment, hours, got, want)
			}
		}
	}
}

func TestCreditNoteDeadline(t *testing.T) {
	for moment, want := range map[string]string{
		"2026-11-21T12:00:00+05:30": "2027-12-01",
		"2027-03-31T23:59:59+05:30": "2027-12-01",
		"2027-04-01T00:00:00+05:30": "2028-12-01",
		"2027-03-31T18:30:00Z":      "2028-12-01",
		"2026-12-31T18:30:00Z":      "2027-12-01",
	} {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			t.Fatal(err)
		}
		midnight, err := time.ParseInLocation(time.DateOnly, want, admission.IST)
		if got := india.CreditNoteDeadline(at); err != nil || !got.Equal(midnight) {
			t.Errorf("invoice of %s: got %s, want %s", moment, got, want)
		}
	}
}

func TestFinancialYearEdge(t *testing.T) {
	edge := time.Date(2027, time.April, 1, 0, 0, 0, 0, admission.IST)
	for _, row := range []struct {
		sentence string
		at       time.Time
		want     string
	}{
		{"six minutes before, jumped ahead", edge.Add(-6 * time.Minute).Add(5 * time.Minute), "26-27"},
		{"a leap second before", edge.Add(-time.Second), "26-27"},
		{"a nanosecond before", edge.Add(-1), "26-27"},
		{"at the edge", edge, "27-28"},
		{"six minutes after, jumped back", edge.Add(6 * time.Minute).Add(-5 * time.Minute), "27-28"},
	} {
		if got := india.FinancialYear(row.at); got != row.want {
			t.Errorf("%s: got %s, want %s", row.sentence, got, row.want)
		}
	}
}

func TestISTHasNoDaylightSaving(t *testing.T) {
	for month := time.January; month <= time.December; month++ {
		if _, ahead := time.Date(2026, month, 1, 0, 0, 0, 0, admission.IST).Zone(); ahead != 19800 {
			t.Errorf("%s: %d seconds ahead", month, ahead)
		}
	}
}

func TestInvoiceNumber(t *testing.T) {
	for _, row := range []struct {
		prefix, fy string
		serial     int64
		want       string
		refusal    string
	}{
		{"KS", "26-27", 1, "KS/26-27/000001", ""},
		{"KSC", "26-27", 1, "KSC/26-27/000001", ""},
		{"KS", "99-00", 999999, "KS/99-00/999999", ""},
		{"KS", "26-27", 1000000, "KS/26-27/1000000", ""},
		{"KS", "26-27", 9999999, "KS/26-27/9999999", ""},
		{"KS", "26-27", 10000000, "", `number invoice: "KS/26-27/10000000" is not 1 to 16 letters, digits, - and / after a prefix`},
		{"KSC", "26-27", 1000000, "", `number invoice: "KSC/26-27/1000000" is not 1 to 16 letters, digits, - and / after a prefix`},
		{"KS", "26-27", 0, "", "number invoice: serial 0 of KS/26-27 is below 1"},
		{"KS", "26-27", -1, "", "number invoice: serial -1 of KS/26-27 is below 1"},
		{"KSCN", "26-27", 1, "", `number invoice: "KSCN/26-27/000001" is not 1 to 16 letters, digits, - and / after a prefix`},
		{"K_S", "26-27", 1, "", `number invoice: "K_S/26-27/000001" is not 1 to 16 letters, digits, - and / after a prefix`},
		{"", "26-27", 1, "", `number invoice: "/26-27/000001" is not 1 to 16 letters, digits, - and / after a prefix`},
		{"KS", "2026", 1, "", `number invoice: "2026" is not a financial year such as 26-27`},
	} {
		got, err := india.InvoiceNumber(row.prefix, row.fy, row.serial)
		if got != row.want || refusal(err) != row.refusal {
			t.Errorf("%s, %s, %d: got %q, %q", row.prefix, row.fy, row.serial, got, refusal(err))
		}
	}
}

func TestValidInvoiceNumber(t *testing.T) {
	for number, want := range map[string]bool{
		"KS/26-27/000001":    true,
		"KS/26-27/0000001":   true,
		"KS/26-27/00000001":  false,
		"KSC/26-27/000001":   true,
		"KSP_TXN_8F2A91":     false,
		"KSPTXN8F2A919C20FE": false,
		"":                   false,
		"KS/26-27/00001\n":   false,
		"KS/26-27/०००००१":    false,
	} {
		if got := india.ValidInvoiceNumber(number); got != want {
			t.Errorf("%q: got %v", number, got)
		}
	}
}

// refusal returns the text of an error; "" for none.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
