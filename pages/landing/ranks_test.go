package landing

import (
	"net/http"
	"strings"
	"testing"

	"hiresure/content"
	"hiresure/store/storetest"
)

func pageOf(t *testing.T, slug string) *content.Landing {
	t.Helper()
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	page, known := words.Landing(slug, openDay)
	if !known {
		t.Fatalf("no event %s", slug)
	}
	return page
}

func TestRanksInTextPictureAndTableAgree(t *testing.T) {
	for _, test := range []struct {
		slug, heading, label, odds string
		rows                       []rankRow
		first, last                int
	}{
		{
			"hiresure-mgrow-2025",
			"Rank 250 pays no tuition. Rank 251 pays ₹4,50,000.",
			"250 seats without tuition inside one line, further ranks outside it",
			"About 2,400 people take this exam. 1 in 10 gets a seat.",
			[]rankRow{
				{1, 0, "whole", "1 to 250", "₹0", "₹1,499", true, "in all: the exam fee now, and no tuition for eight months.", 250},
				{251, 300, "none", "From 251", "₹4,50,000", "₹4,51,499", false, "in all: the exam fee now, then ₹4,50,000 tuition if you join. The internship is included, the job guarantee is not.", 251},
			},
			251, 325,
		},
		{
			"hiresure-campus-2026",
			"Rank 200 pays no tuition. Rank 201 pays ₹2,25,000. Rank 301 pays ₹4,50,000.",
			"200 seats without tuition, and 100 seats at 50% of it, inside one line each, further ranks outside",
			"About 1,800 people take this exam. 1 in 6 gets a seat.",
			[]rankRow{
				{1, 0, "whole", "1 to 200", "₹0", "₹1,499", true, "in all: the exam fee now, and no tuition for eight months.", 200},
				{201, 244, "part", "201 to 300", "₹2,25,000", "₹2,26,499", true, "in all: the exam fee now, then ₹2,25,000 tuition, 50% of it, if you join.", 201},
				{301, 376, "none", "From 301", "₹4,50,000", "₹4,51,499", false, "in all: the exam fee now, then ₹4,50,000 tuition if you join. The internship is included, the job guarantee is not.", 301},
			},
			301, 375,
		},
	} {
		got := newRanks(pageOf(t, test.slug))
		if heading := strings.Join(got.Heading, " "); heading != test.heading || got.Picture.Label != test.label {
			t.Errorf("%s says\n%s\n%s", test.slug, heading, got.Picture.Label)
		}
		if got.Expected != test.odds {
			t.Errorf("%s says %s", test.slug, got.Expected)
		}
		if len(got.Rows) != len(test.rows) || got.First != test.first || got.Last != test.last {
			t.Fatalf("%s: %d rows, from %d to %d", test.slug, len(got.Rows), got.First, got.Last)
		}
		for i, row := range got.Rows {
			if row != test.rows[i] {
				t.Errorf("%s, row %d\n got %v\nwant %v", test.slug, i, row, test.rows[i])
			}
		}
	}
}

func TestUnknownNumberOfCandidatesIsNotShown(t *testing.T) {
	page := pageOf(t, "hiresure-mgrow-2025")
	page.Event.Candidates.Expected = 0
	if got := newRanks(page).Expected; got != "" {
		t.Errorf("it says %q", got)
	}
}

func TestSumsThatACouponLowersAreMarked(t *testing.T) {
	const sign = `<span class="rupee">₹</span>`
	page := pageOf(t, "hiresure-campus-2026")
	if got := pricesOf(page, 50000).html("₹1,499 now, ₹4,51,499 in all"); got != "<span data-price>"+sign+`999</span> now, <span data-price data-tuition="450000">`+sign+"4,50,999</span> in all" {
		t.Errorf("with a coupon that counts: %s", got)
	}
	marked := pricesOf(page, 0)
	for words, want := range map[string]string{
		"₹1,499 now":            "<span data-price>" + sign + "1,499</span> now",
		"₹2,26,499 & ₹4,51,499": `<span data-price data-tuition="225000">` + sign + `2,26,499</span> &amp; <span data-price data-tuition="450000">` + sign + "4,51,499</span>",
		"₹4,50,000 of tuition":  sign + "4,50,000 of tuition",
	} {
		if got := marked.html(words); got != want {
			t.Errorf("%s\n got %s\nwant %s", words, got, want)
		}
	}
	if got, want := pricesOf(page, 50000).struckHTML("₹1,499"), `<s class="was" data-price-before><span class="visually-hidden">Before: </span>₹1,499</s> <span data-price>`+sign+"999</span>"; got != want {
		t.Errorf("the fee before a coupon\n got %s\nwant %s", got, want)
	}
	if got, want := marked.struckHTML("₹1,499"), `<s class="was" data-price-before hidden><span class="visually-hidden">Before: </span>₹1,499</s> <span data-price>`+sign+"1,499</span>"; got != want {
		t.Errorf("the fee without a coupon\n got %s\nwant %s", got, want)
	}
	if got := (prices{}).html("₹1,499"); got != sign+"1,499" {
		t.Errorf("where prices stay: %s", got)
	}
}

func TestAQualifiedPromiseTakesTheRanksAway(t *testing.T) {
	page := pageOf(t, "hiresure-mgrow-2025")
	page.Ranks = nil
	if newRanks(page) != nil {
		t.Error("ranks are shown that the content does not give")
	}
}

func TestACouponThatCountsLowersEverySumOfThePage(t *testing.T) {
	const phone = "9876543210"
	v := newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor()
	v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").answers(http.StatusOK)
	_, facts, _ := strings.Cut(v.body, `id="facts"`)
	for _, want := range []string{"₹</span>999</span></b> for the exam.", "₹</span>4,50,999</span>"} {
		if !strings.Contains(facts, want) {
			t.Errorf("does not say %s", want)
		}
	}
	if strings.Contains(facts, "₹</span>1,499") {
		t.Error("facts and ranks tell another price than the ticket")
	}
}

func TestTheTableEndsWithTheOtherScholarship(t *testing.T) {
	o := testSite(t)
	for slug, from := range map[string]string{"hiresure-mgrow-2025": "From 251", "hiresure-campus-2026": "From 301"} {
		table := from + " No ₹4,50,000 ₹4,51,499 Low family income? The HireSure scholarship looks at income and marks, not rank. 40 seats a year, fee ₹2,500."
		if text := visible(o.page("/scholarship/" + slug)); !strings.Contains(text, table) {
			t.Errorf("%s does not say %q in\n%s", slug, table, text)
		}
	}
}
