package content

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"hiresure/calendar"
)

func TestLedgerByDay(t *testing.T) {
	l := library(t)
	type row struct{ figure, text string }
	rows := func(page *Landing) (all []row) {
		for _, proof := range page.Proofs {
			all = append(all, row{proof.Figure, proof.Text})
		}
		return all
	}
	later := time.Date(2028, 1, 1, 0, 0, 0, 0, calendar.IST)
	for _, test := range []struct {
		slug string
		at   time.Time
		want []row
	}{
		{"hiresure-mgrow-2025", november, []row{
			{"100%", "job guarantee"}, {"231", "of 231 who met the conditions were offered work"}, {"250", "full scholarships"}, {"₹10,000", "stipend a month, up to ₹30,000"},
			{"100+", "hiring partners"}, {"50K+", "learners"}, {"50+", "workshops and hackathons"},
		}},
		{"hiresure-campus-2026", november, []row{
			{"100%", "job guarantee"}, {"231", "of 231 who met the conditions were offered work"}, {"200", "full scholarships"}, {"100", "half scholarships"}, {"₹10,000", "stipend a month, up to ₹30,000"},
			{"100+", "hiring partners"}, {"50K+", "learners"}, {"50+", "workshops and hackathons"},
		}},
		{"hiresure-campus-2026", later, []row{
			{"", "job guarantee under published conditions"}, {"", "The best candidates get a scholarship by rank."},
			{"", "the amount in your internship letter"}, {"100+", "hiring partners so far"},
		}},
	} {
		page := landing(t, l, test.slug, test.at)
		if got := rows(page); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s on %s: %v, want %v", test.slug, test.at.Format(time.DateOnly), got, test.want)
		}
	}
	first := landing(t, l, "hiresure-mgrow-2025", november).Proofs
	if first[2].Date != "Exam of 14 Mar 2027" || first[3].Date != "Months 7 and 8" {
		t.Errorf("dates %q and %q", first[2].Date, first[3].Date)
	}
}

func TestQuestionParagraphsAndPlain(t *testing.T) {
	l := library(t)
	fee, found := landing(t, l, "hiresure-campus-2026", november).Question("fee")
	if !found || fee.Plain() == fee.Answer || fee.Paragraphs()[0][1] != (Span{"₹1,499", true}) {
		t.Errorf("the fee is %v", fee.Paragraphs())
	}
	refund, _ := landing(t, l, "hiresure-campus-2026", november).Question("refund")
	if lines := refund.Paragraphs(); len(lines) != 6 || lines[1][0] != (Span{"After that", true}) || !strings.Contains(refund.Plain(), "7 business days. After that it") {
		t.Errorf("the refund is %v, plain %q", lines, refund.Plain())
	}
	if _, found := landing(t, l, "hiresure-mgrow-2025", november).Question("moon"); found {
		t.Error("an unknown question is answered")
	}
}

func TestLedgerLinks(t *testing.T) {
	const mgrow = "events/hiresure-mgrow-2025.yaml"
	proof := landing(t, library(t), "hiresure-mgrow-2025", november).Proofs[0]
	if want := (Link{"Terms, section 6", "/legal/terms#guarantee"}); proof.Link != want || proof.Source != "placement register" {
		t.Errorf("%v, %q", proof.Link, proof.Source)
	}
	for _, href := range []string{"/legal/terms#guarantees", "/legal/term#guarantee", "/legal/terms", "/terms#guarantee"} {
		_, err := load(changed(t, mgrow, "href: /legal/terms#guarantee", "href: "+href), "")
		if want := "content/" + mgrow + ": ledger[0].link.href: no legal page section at " + href; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", href, err, want)
		}
	}
}
