package content

import (
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var november = time.Date(2026, 11, 21, 12, 0, 0, 0, ist)

func library(t *testing.T) *Library {
	t.Helper()
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func landing(t *testing.T, l *Library, slug string, at time.Time) *Landing {
	t.Helper()
	page, known := l.Landing(slug, at)
	if !known {
		t.Fatalf("no event %s", slug)
	}
	return page
}

func TestTheShippedEventsAreOpen(t *testing.T) {
	l := library(t)
	for _, event := range l.Events() {
		if state := event.Enrolment(november); state != EnrolmentOpen {
			t.Errorf("%s is %s", event.Slug, state)
		}
		page := landing(t, l, event.Slug, november)
		if len(page.FAQ) != 9 || len(page.Testimonials) != 4 || len(page.Badges) != 3 || len(page.Stats) != 3 || len(page.Words.Steps) != 3 || len(page.Press.Rows) != 2 {
			t.Errorf("%s: %d questions, %d testimonials, %d badges, %d stats, %d steps, %d rows of media", event.Slug,
				len(page.FAQ), len(page.Testimonials), len(page.Badges), len(page.Stats), len(page.Words.Steps), len(page.Press.Rows))
		}
		if len(page.Description) > 160 || page.Notice != (Notice{}) {
			t.Errorf("%s: %d characters of description, notice %q", event.Slug, len(page.Description), page.Notice.Title)
		}
		if event.FeeMinor != 149900 || event.FeeBeforeDiscountMinor != event.FeeMinor {
			t.Errorf("%s costs %d, before %d", event.Slug, event.FeeMinor, event.FeeBeforeDiscountMinor)
		}
		for purpose := range strings.FieldsSeq("marketing partner_college hiring_partners reminders") {
			if !slices.ContainsFunc(page.Words.Consents, func(c Consent) bool { return c.Purpose == purpose }) {
				t.Errorf("no words for the purpose %s", purpose)
			}
		}
	}
	if event, known := l.EventByCode("KS_Mgrow"); !known || event.Slug != "hiresure-mgrow-2025" {
		t.Errorf("KS_Mgrow is %q", event.Slug)
	}
	if _, known := l.Event("no-such-event"); known {
		t.Error("an unknown slug was found")
	}
	mgrow, campus := landing(t, l, "hiresure-mgrow-2025", november), landing(t, l, "hiresure-campus-2026", november)
	if len(mgrow.Programmes) != 3 || len(campus.Programmes) != 4 {
		t.Errorf("%d and %d programmes", len(mgrow.Programmes), len(campus.Programmes))
	}
	if mgrow.Event.PartnerCollege != nil || campus.Event.PartnerCollege == nil {
		t.Error("the second variant, and only it, has a partner college")
	}
	if want := (Headline{"One exam can pay for the next ", "eight months", ""}); mgrow.Headline != want {
		t.Errorf("headline %q", mgrow.Headline)
	}
}

// said is all words of an event's page in one string.
func saidOn(page *Landing) string {
	var all strings.Builder
	var collect func(v reflect.Value)
	collect = func(v reflect.Value) {
		if v.Kind() == reflect.String {
			all.WriteString(v.String() + "\n")
		}
		eachPart(v, "", func(part reflect.Value, _ string, _ reflect.StructTag) { collect(part) })
	}
	for _, words := range []any{page.Headline, page.Lede, page.Stats, page.Badges, page.Highlights, page.Inclusions, page.Words, page.Programmes, page.FAQ, page.Press} {
		collect(reflect.ValueOf(words))
	}
	return all.String()
}

func TestEveryClaimOfTheSpecificationIsOnThePage(t *testing.T) {
	l := library(t)
	both := []string{
		"Blockchain", "Artificial Intelligence", "Data Analytics", // spec §1
		"50K+", "learners", "50+", "workshops and hackathons", "100+", "hiring partners",
		"6 industry meetups", "100% job guarantee", "More than 20 guest interactions", "Quarterly industry veteran meet-ups",
		"Job guarantee in Data Analytics", "A certification from a large technology company",
		"100% Job Guaranteed", "Top Industry Mentors", "Technology-company certification", // §2
		"₹1,499, all taxes included", "₹4,50,000", "₹10,000 per month", "10-30k per month", "₹10,000 of studio credits", // §9
		"2-week cohort", "2-month paid internship", "referral bonus as cashback", "8-month programme",
		"Scholarship Program", "What People Have Been Saying", "Have Questions?", "Let's Get You Enrolled", "Program Inclusion", "8 Months Program",
	}
	variants := map[string][]string{
		"hiresure-mgrow-2025":  {"full scholarship for the top 250 candidates", "The top 250 candidates study on a full scholarship."},
		"hiresure-campus-2026": {"Cyber Security", "100% scholarship for the top 200, 50% for the next 100"},
	}
	for slug, own := range variants {
		said := saidOn(landing(t, l, slug, november))
		for _, text := range append(own, both...) {
			if !strings.Contains(said, text) {
				t.Errorf("%s does not say %q", slug, text)
			}
		}
		if strings.Contains(said, "{{") || strings.Contains(said, "<no value>") {
			t.Errorf("%s shows a placeholder", slug)
		}
	}
}

func TestTheAnswersAgreeWithEachOther(t *testing.T) {
	l := library(t)
	for slug, texts := range map[string][]string{
		"hiresure-mgrow-2025": {
			"The first 250 pay no tuition. From rank 251 on there is no scholarship: the programme then costs the whole tuition of ₹4,50,000.",
			"The fee is returned in full until 7 March 2027, seven days before the exam. After that it is not returned, also where you enrol later;",
		},
		"hiresure-campus-2026": {
			"The first 200 pay no tuition, the next 100 pay ₹2,25,000. From rank 301 on there is no scholarship: the programme then costs the whole tuition of ₹4,50,000.",
			"The fee is returned in full until 21 March 2027, seven days before the exam. After that it is not returned, also where you enrol later;",
		},
	} {
		said := saidOn(landing(t, l, slug, november))
		for _, text := range append(texts,
			"The stipend is ₹10,000 per month or more, up to ₹30,000, depending", "Stipend during the internship: ₹10,000 per month or more, up to ₹30,000", "Stipend of 10-30k per month",
			"for whoever clears the exam, attends at least 80% of the classes and completes the programme",
			"whoever clears the exam, attends at least 80% of the classes and completes the programme, with every project and the internship, gets an offer of employment from a hiring partner.",
		) {
			if !strings.Contains(said, text) {
				t.Errorf("%s does not say %q", slug, text)
			}
		}
		if last := landing(t, l, slug, november).Event.Schedule[1]; last.Text != "Enrolment closes on this day at 23:59." { // a midnight is at either end of a day
			t.Errorf("%s: %s: %q", slug, last.Title, last.Text)
		}
	}
	terms, _ := l.Page("terms")
	policy, _ := l.Page("refund-policy")
	if !strings.Contains(terms.Text(), "attend at least 80% of the classes, hand in every project and complete the internship") ||
		!strings.Contains(policy.Text(), "You cancel seven days or more before the exam") {
		t.Error("the terms or the refund policy have other conditions")
	}
}

func TestAClaimGoesWithItsSwitchAndItsLastDay(t *testing.T) {
	l := library(t)
	later := landing(t, l, "hiresure-mgrow-2025", time.Date(2028, 1, 1, 0, 0, 0, 0, ist))
	for _, gone := range []string{"100% job guarantee", "100% Job Guaranteed", "50K+"} {
		if strings.Contains(saidOn(later), gone) {
			t.Errorf("%q is still said after its last day", gone)
		}
	}
	if said := saidOn(later); !strings.Contains(said, "job guarantee under published conditions") || !strings.Contains(said, "Job guarantee, conditions apply") {
		t.Error("the qualified texts are not said")
	}
	if last := landing(t, l, "hiresure-mgrow-2025", time.Date(2027, 12, 31, 23, 59, 0, 0, ist)); !strings.Contains(saidOn(last), "100% Job Guaranteed") {
		t.Error("the claim ended before its last day was over")
	}

	switched := changed(t, "events/hiresure-mgrow-2025.yaml", `conditions apply", qualified: false, evidence: "Sample: guarantee terms, section 6 of the terms; placement`, `conditions apply", qualified: true, evidence: "Sample: guarantee terms, section 6 of the terms; placement`)
	qualified, err := load(switched, "")
	if err != nil {
		t.Fatal(err)
	}
	if badge, shown := landing(t, qualified, "hiresure-mgrow-2025", november).Claim("job-badge"); !shown || badge.Text != "Job guarantee, conditions apply" {
		t.Errorf("the switched badge says %q", badge.Text)
	}
	if qualified.Version() == l.Version() {
		t.Error("other content has the same version")
	}
}

func TestEnrolmentSaysWhyItIsNotOpen(t *testing.T) {
	l := library(t)
	event, _ := l.Event("hiresure-mgrow-2025")
	table := []struct {
		name   string
		change func(*Event)
		at     time.Time
		want   EnrolmentState
	}{
		{"before the first day", func(*Event) {}, event.EnrolmentOpens.Add(-time.Second), EnrolmentNotYetOpen},
		{"at the first moment", func(*Event) {}, event.EnrolmentOpens, EnrolmentOpen},
		{"in the last second", func(*Event) {}, event.EnrolmentCloses.Add(-time.Second), EnrolmentOpen},
		{"at the end", func(*Event) {}, event.EnrolmentCloses, EnrolmentOver},
		{"closed by hand", func(e *Event) { e.State = Closed }, november, EnrolmentOver},
		{"a draft", func(e *Event) { e.State = Draft }, november, EnrolmentUnpublished},
		{"sold out", func(e *Event) { e.SoldOut = true }, november, EnrolmentSoldOut},
	}
	for _, row := range table {
		changed := event
		row.change(&changed)
		if got := changed.Enrolment(row.at); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
	over := landing(t, l, event.Slug, event.EnrolmentCloses)
	if over.Notice.Title != "Enrolment is closed" || over.Notice.Text != "The last day was Wednesday, 10 March 2027. Send us an enquiry and we tell you about the next exam." {
		t.Errorf("notice %q: %q", over.Notice.Title, over.Notice.Text)
	}
}

func TestBoldIsAnAllowList(t *testing.T) {
	table := []struct {
		text string
		want []Run
	}{
		{"", nil},
		{"plain", []Run{{"plain", false}}},
		{"<b>8</b> months", []Run{{"8", true}, {" months", false}}},
		{"a <strong>paid</strong> one", []Run{{"a ", false}, {"paid", true}, {" one", false}}},
		{"<b>a</b><strong>b</strong>", []Run{{"ab", true}}},
		{"<b>open", []Run{{"open", true}}},
		{"</b>closed", []Run{{"closed", false}}},
		{"<i>no</i>", []Run{{"<i>no</i>", false}}},
		{"<B>no</B>", []Run{{"<B>no</B>", false}}},
		{"<b onclick=x>no", []Run{{"<b onclick=x>no", false}}},
		{"<img src=x onerror=alert(1)>", []Run{{"<img src=x onerror=alert(1)>", false}}},
		{"<b><script>x</script></b>", []Run{{"<script>x</script>", true}}},
		{"<<b>b>", []Run{{"<", false}, {"b>", true}}},
		{"&lt;b&gt; ₹", []Run{{"&lt;b&gt; ₹", false}}},
	}
	for _, row := range table {
		if got := Bold(row.text); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%q: %v, want %v", row.text, got, row.want)
		}
	}
}

// changed is the shipped content with one text of one file replaced.
func changed(t *testing.T, file, old, replacement string) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := fs.ReadFile(files, name)
		all[name] = &fstest.MapFile{Data: source}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before := string(all[file].Data)
	after := strings.Replace(before, old, replacement, 1)
	if before == after {
		t.Fatalf("%s does not hold %q", file, old)
	}
	all[file] = &fstest.MapFile{Data: []byte(after)}
	return all
}

func TestFaultyContentIsRefusedByFileAndField(t *testing.T) {
	const mgrow = "events/hiresure-mgrow-2025.yaml"
	table := []struct{ name, file, old, replacement, want string }{
		{"a missing field", mgrow, "  fee_minor: 149900\n", "", "content/events/hiresure-mgrow-2025.yaml: event.fee_minor: missing"},
		{"a missing date", mgrow, "  exam: 2027-03-14\n", "", "content/events/hiresure-mgrow-2025.yaml: event.exam: missing"},
		{"a claim without evidence", mgrow, `figure: 50K+, text: learners, evidence: "Sample: enrolment ledger of the academy, all programmes since 2019"`, `figure: 50K+, text: learners`, "content/events/hiresure-mgrow-2025.yaml: claims[0].evidence: missing"},
		{"an unknown key", mgrow, "fee_minor: 149900\n", "fee_minor: 149900\n  fees: 1\n", "field fees not found in type content.Event"},
		{"no date", mgrow, "exam: 2027-03-14", "exam: soon", `"soon" is not a date like 2027-03-14`},
		{"a course without programme", mgrow, "courses: [Blockchain", "courses: [Astrology", `content/events/hiresure-mgrow-2025.yaml: event.courses: no programme "Astrology"`},
		{"months that do not add up", mgrow, "training_months: 6", "training_months: 5", "event.months: 8 is not 5 of training and 2 of internship"},
		{"a code that another event has", mgrow, "scholarship_code: KS_Mgrow", "scholarship_code: KS_Campus", "event.scholarship_code: hiresure-campus-2026 has it already"},
		{"a fee without decimals", mgrow, "currency: INR", "currency: JPY", `content/events/hiresure-mgrow-2025.yaml: event.currency: "JPY" is not a currency that is known to have two decimals`},
		{"a price without decimals", mgrow, "{USD: 1900", "{JPY: 1900", "content/events/hiresure-mgrow-2025.yaml: event.currency_prices.JPY: not a currency that is known to have two decimals"},
		{"a price with three decimals", mgrow, "EUR: 1800", "KWD: 1800", "content/events/hiresure-mgrow-2025.yaml: event.currency_prices.KWD: not a currency that is known to have two decimals"},
		{"a price in no currency", mgrow, "EUR: 1800", "Euro: 1800", "event.currency_prices.Euro: not a currency that is known to have two decimals"},
		{"a price of nothing", mgrow, "EUR: 1800", "EUR: 0", "content/events/hiresure-mgrow-2025.yaml: event.currency_prices.EUR: 0 is not a price"},
		{"other terms", mgrow, "terms_version: 2026-11-01", "terms_version: 2025-01-01", "content/events/hiresure-mgrow-2025.yaml: event.terms_version: 2025-01-01, but legal/terms.yaml is 2026-11-01"},
		{"an unknown placeholder", "faq.yaml", "{{.Fee}}", "{{.Price}}", "content/faq.yaml, for hiresure-campus-2026: [2].answer: "},
		{"an unknown claim", "press.yaml", "job-guarantee", "moon", `no claim "moon" that could be shown on this day`},
		{"open bold markup", mgrow, "<b>{{.TrainingMonths}} months</b>", "<b>{{.TrainingMonths}} months", "content/events/hiresure-mgrow-2025.yaml, for hiresure-mgrow-2025: words.inclusions[0].text: bold markup does not open and close in turn"},
		{"other markup", mgrow, "<b>{{.TrainingMonths}} months</b>", "<i>{{.TrainingMonths}} months</i>", "words.inclusions[0].text: only <b> and <strong> are allowed"},
		{"markup where none belongs", "faq.yaml", "The fee is returned", "<b>The fee</b> is returned", "[8].answer: markup is not allowed here"},
		{"a logo that is not there", mgrow, "company_logo: meruvia.svg", "company_logo: moon.svg", "content/events/hiresure-mgrow-2025.yaml: event.company_logo: no file logos/moon.svg"},
		{"a scripted logo", "logos/meruvia.svg", "<path", "<script>x</script><path", "content/logos/meruvia.svg: not a plain SVG in currentColor"},
		{"a coupon of no event", "coupons.yaml", "code: MGROW500, event: hiresure-mgrow-2025", "code: MGROW500, event: moon", `content/coupons.yaml: coupons[0].event: "moon" is unknown`},
		{"a coupon with two values", "coupons.yaml", "amount_minor: 50000", "amount_minor: 50000, percent: 5", "content/coupons.yaml: coupons[0].percent: give either percent or amount_minor"},
		{"a referral that is too long", "referrals.yaml", "SETU2025", "SETU2025SETU", `content/referrals.yaml: referrals[0].code: "SETU2025SETU" is not 1 to 10 letters and digits`},
		{"no GSTIN", "supplier.yaml", "29ABCDE1234F1ZW", "29ABCDE1234F1XW", `content/supplier.yaml: suppliers[0].gstin: "29ABCDE1234F1XW" is not a GSTIN`},
		{"another company on the invoice", "supplier.yaml", "name: Aksharam", "name: Moon", `suppliers[0].name: "Moon Skill Academy Private Limited" is not legal_name of site.yaml`},
		{"a series of four letters", "supplier.yaml", "series: KSC", "series: KSCN", `content/supplier.yaml: suppliers[0].credit_note_series: "KSCN" is not one to three capital letters`},
		{"no series of credit notes", "supplier.yaml", "    credit_note_series: KSC\n", "", "content/supplier.yaml: suppliers[0].credit_note_series: missing"},
		{"a torn table", "legal/refund-policy.yaml", `, "Within 7 business days"]`, "]", "content/legal/refund-policy.yaml: sections[0].table.rows[0]: 2 cells under 3 columns"},
		{"an unknown value in a mail", "messages.yaml", "Dear {{.Name}}", "Dear {{.Nmae}}", `map has no entry for key "Nmae"`},
		{"a param that nobody reads", "messages.yaml", "{name: Reference, sample: ENQ-7K2M9Q}", "{name: Reference, sample: ENQ-7K2M9Q}, {name: Moon, sample: x}", "content/messages.yaml: messages, enquiry: params: Moon is not used"},
		{"an SMS that is too long", "messages.yaml", "Nobody from HireSure asks for it.", strings.Repeat("Nobody asks. ", 12), "message otp does not fit into one SMS"},
		{"an SMS outside of the alphabet", "messages.yaml", "Nobody from", "Nobody – from", "message otp does not fit into one SMS"},
		{"a third variable in an SMS", "messages.yaml", "Nobody from", "{{.Code}} from", "messages, otp: text: 3 variables"},
		{"a legal link to nowhere", "site.yaml", "/legal/privacy", "/legal/moon", "content/site.yaml: footer.legal: no page behind /legal/moon"},
		{"a legal link to another folder", "site.yaml", "/legal/privacy", "/other/privacy", "content/site.yaml: footer.legal: no page behind /other/privacy"},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			_, err := load(changed(t, row.file, row.old, row.replacement), "")
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}

func TestNoFeeStandsOutsideOfTheEvents(t *testing.T) {
	fee := regexp.MustCompile(`1,?499|149900`)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "events/") || name == "coupons.yaml" {
			return err
		}
		source, err := fs.ReadFile(files, name)
		if fee.Match(source) {
			t.Errorf("%s names a fee", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSupplierByDate(t *testing.T) {
	l := library(t)
	if supplier, known := l.SupplierAt(november); !known || supplier.GSTIN != "29ABCDE1234F1ZW" || supplier.StateCode() != "29" || supplier.RateBP != 1800 || supplier.SAC != "999293" || supplier.Series != "KS" || supplier.CreditNoteSeries != "KSC" {
		t.Errorf("supplier %+v", supplier)
	}
	if _, known := l.SupplierAt(time.Date(2025, 3, 31, 23, 59, 59, 0, ist)); known {
		t.Error("there was a supplier before the first record")
	}

	records := "suppliers:"
	source, err := fs.ReadFile(files, "supplier.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), records)
	without, err := load(changed(t, "supplier.yaml", records+list, "suppliers: []\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, known := without.SupplierAt(november); known {
		t.Error("an empty list has a supplier")
	}
	disclosure, _ := without.Page("legal-disclosure")
	if strings.Contains(disclosure.Text(), "GSTIN") {
		t.Error("a GSTIN without a supplier")
	}
}

func TestASeriesCountsOneKindOfDocumentOfOneGSTIN(t *testing.T) {
	const one, other = "29ABCDE1234F1ZW", "27ABCDE1234F1ZY"
	supplier := func(from, gstin, series, creditNotes string) string {
		return `
  - {from: ` + from + `, name: Aksharam Skill Academy Private Limited, address: [Bengaluru], gstin: ` + gstin + `, sac: "999293", rate_bp: 1800,
     place_of_supply: recipient_state, series: ` + series + `, credit_note_series: ` + creditNotes + `}`
	}
	for _, test := range []struct{ sentence, records, want string }{
		{"two suppliers with series of their own", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "MH", "MHC"), ""},
		{"a new rate of the same supplier", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", one, "KS", "KSC"), ""},
		{"two GSTINs that share an invoice series", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "KS", "MHC"),
			`content/supplier.yaml: suppliers[1].series: "KS" counts the invoices of 29ABCDE1234F1ZW already`},
		{"two GSTINs that share a credit note series", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "MH", "KSC"),
			`content/supplier.yaml: suppliers[1].credit_note_series: "KSC" counts the credit notes of 29ABCDE1234F1ZW already`},
		{"one series for both kinds", supplier("2025-04-01", one, "KS", "KS"),
			`content/supplier.yaml: suppliers[0].credit_note_series: "KS" counts the invoices of 29ABCDE1234F1ZW already`},
		{"invoices in another's credit note series", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "KSC", "MHC"),
			`content/supplier.yaml: suppliers[1].series: "KSC" counts the credit notes of 29ABCDE1234F1ZW already`},
		{"two kinds that change places", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", one, "KSC", "KS"),
			`content/supplier.yaml: suppliers[1].credit_note_series: "KS" counts the invoices of 29ABCDE1234F1ZW already`},
		{"a series that comes back after another's", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "MH", "MHC") + supplier("2027-04-01", one, "MH", "KSC"),
			`content/supplier.yaml: suppliers[2].series: "MH" counts the invoices of 27ABCDE1234F1ZY already`},
	} {
		source, err := fs.ReadFile(files, "supplier.yaml")
		if err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(string(source), "suppliers:")
		_, err = load(changed(t, "supplier.yaml", list, test.records+"\n"), "")
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", test.sentence, err, test.want)
		}
	}
}

func TestLegalPages(t *testing.T) {
	l := library(t)
	var titles []string
	for _, page := range l.Pages() {
		titles = append(titles, page.Title)
		if len(page.Hash()) != 64 || strings.Contains(page.Text(), "{{") {
			t.Errorf("%s: hash %q", page.Slug, page.Hash())
		}
	}
	if want := []string{"Privacy notice", "Terms & conditions", "Refund Policy", "Legal Disclosure", "Grievance contact"}; !reflect.DeepEqual(titles, want) {
		t.Errorf("titles %q", titles)
	}
	disclosure, _ := l.Page("legal-disclosure")
	for _, must := range []string{"Aksharam Skill Academy Private Limited", "GSTIN: 29ABCDE1234F1ZW", "support@hiresure.example", "Revathi Menon"} {
		if !strings.Contains(disclosure.Text(), must) {
			t.Errorf("the disclosure does not name %s", must)
		}
	}
	grievance, _ := l.Page("grievance")
	if !strings.Contains(grievance.Text(), "within 48 hours and decide it within one month") {
		t.Error("the grievance page does not say how long it takes")
	}
}

func TestMessages(t *testing.T) {
	l := library(t)
	for _, id := range []string{"otp", "guardian-otp", "enquiry", "grievance", "grievance-officer", "receipt", "receipt-free", "receipt-late", "refund-started", "enrolment-reminder"} {
		message, known := l.Message(id)
		if !known {
			t.Errorf("no message %s", id)
			continue
		}
		sent, err := message.Preview()
		if err != nil {
			t.Error(err)
		}
		if message.Channel == SMS {
			lines := strings.Split(sent.Text, "\n")
			if length, plain := gsmLength(sent.Text); !plain || length > 160 || !regexp.MustCompile(`^@[a-z.]+ #123456$`).MatchString(lines[len(lines)-1]) {
				t.Errorf("%s, %d characters: %q", id, length, sent.Text)
			}
			continue
		}
		for _, contact := range []string{"support@hiresure.example", "privacy@hiresure.example", "grievance@hiresure.example"} {
			if !strings.Contains(sent.Text, contact) || !strings.Contains(sent.HTML, contact) {
				t.Errorf("%s does not name %s", id, contact)
			}
		}
		if !regexp.MustCompile(`^Dear (Asha Verma|Revathi Menon),\n\n[A-Z]`).MatchString(sent.Text) {
			t.Errorf("%s does not begin with a capital: %q", id, sent.Text)
		}
	}

	guardian, _ := l.Message("guardian-otp")
	consent, err := guardian.Render("127.0.0.1", map[string]string{"Code": "004217"})
	if want := "004217 is your HireSure code to agree that your child enrols for our exam. Valid 10 minutes. Tell only your child.\n\n@127.0.0.1 #004217"; err != nil || consent.Text != want {
		t.Errorf("%q, %v", consent.Text, err)
	}

	otp, _ := l.Message("otp")
	sms, err := otp.Render("127.0.0.1", map[string]string{"Code": "004217"})
	if want := "004217 is your HireSure code, valid for 10 minutes. Nobody from HireSure asks for it.\n\n@127.0.0.1 #004217"; err != nil || sms.Text != want {
		t.Errorf("%q, %v", sms.Text, err)
	}
	if _, err := otp.Render("127.0.0.1", nil); err == nil || err.Error() != "message otp: the param Code is missing" {
		t.Errorf("a missing param: %v", err)
	}
	if _, err := otp.Render("127.0.0.1", map[string]string{"Code": "004217", "Name": "Asha"}); err == nil || err.Error() != "message otp does not take all of the params [Code Name]" {
		t.Errorf("an unknown param: %v", err)
	}
	if _, err := otp.Render(strings.Repeat("a", 90), map[string]string{"Code": "004217"}); err == nil || err.Error() != "message otp does not fit into one SMS: 186 characters" {
		t.Errorf("a host that is too long: %v", err)
	}

	receipt, _ := l.Message("receipt")
	paid, err := receipt.Render("127.0.0.1", map[string]string{
		"Name": "<img src=x>", "Programme": "A\r\nBcc: x@example.com", "Amount": "₹999.00", "Transaction": "KS1",
		"ReceiptURL": "https://www.hiresure.example/receipt/1?a=1&b=2",
	})
	if err != nil {
		t.Fatal(err)
	}
	if paid.Subject != "Paid: A Bcc: x@example.com" {
		t.Errorf("subject %q", paid.Subject)
	}
	if strings.Contains(paid.HTML, "<img") || !strings.Contains(paid.HTML, `<a href="https://www.hiresure.example/receipt/1?a=1&amp;b=2">`) {
		t.Errorf("HTML %s", paid.HTML)
	}
	if strings.Contains(paid.Text, "tax invoice") || strings.Contains(paid.Text, "Your dates") || !strings.Contains(paid.Text, "₹999.00") {
		t.Errorf("text %s", paid.Text)
	}
	for _, id := range []string{"receipt", "receipt-late", "receipt-free"} {
		message, _ := l.Message(id)
		sent, err := message.Preview()
		if want := "\n\nYour dates:\nMock test: Sunday, 7 March 2027\nScholarship exam: Sunday, 14 March 2027\nResults: Monday, 22 March 2027\n\nYou need not do anything until then."; err != nil || !strings.Contains(sent.Text, want) {
			t.Errorf("%s: %s, %v", id, sent.Text, err)
		}
	}
}

func TestTheOfficerReadsAComplaintAsItWasTyped(t *testing.T) {
	message, _ := library(t).Message("grievance-officer")
	for _, c := range []struct{ sentence, phone, typed, text, html string }{
		{
			"paragraphs and lines", "+919812345670", "I paid twice.\nNobody answers.\n\nPlease help.",
			"Phone: +919812345670\nCategory: Payment or refund\n|I paid twice.\nNobody answers.\n\nPlease help.",
			"<br>Phone: &#43;919812345670<br>Category: Payment or refund</p>|<p>I paid twice.<br>Nobody answers.</p>\n<p>Please help.</p>",
		},
		{
			"no phone, and what would be a header, a placeholder or markup elsewhere", "", "Subject: Settled\nBcc: x@example.com\n{{.Site.Name}} <img src=x>",
			"Phone: not given\nCategory: Payment or refund\n|Subject: Settled\nBcc: x@example.com\n{{.Site.Name}} <img src=x>",
			"<br>Phone: not given<br>Category: Payment or refund</p>|<p>Subject: Settled<br>Bcc: x@example.com<br>{{.Site.Name}} &lt;img src=x&gt;</p>",
		},
	} {
		sent, err := message.Render("127.0.0.1", map[string]string{
			"Ticket": "GRV-4T8X-NPQR", "Name": "Asha Verma", "Email": "asha@example.com", "Phone": c.phone, "Category": "Payment or refund",
			"Message": c.typed, "RedressBy": "21 December 2026",
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := "Complaint GRV-4T8X-NPQR: decide by 21 December 2026"; sent.Subject != want {
			t.Errorf("%s: subject %q, want %q", c.sentence, sent.Subject, want)
		}
		facts, words, _ := strings.Cut(c.text, "|")
		want := "Dear Revathi Menon,\n\nA complaint has arrived, and its writer has been told that it has reached you. It must be redressed by 21 December 2026 at the latest.\n\n" +
			"Ticket: GRV-4T8X-NPQR\nName: Asha Verma\nE-mail: asha@example.com\n" + facts +
			"\nPlease write to asha@example.com, with the ticket number in the subject: an answer to this mail does not reach the writer.\n\n" +
			"In the writer's words:\n\n" + words
		if text, _, _ := strings.Cut(sent.Text, "\n\n-- \n"); text != want {
			t.Errorf("%s: text\n%q, want\n%q", c.sentence, text, want)
		}
		for part := range strings.SplitSeq(c.html, "|") {
			if !strings.Contains(sent.HTML, part) {
				t.Errorf("%s: no %q in %s", c.sentence, part, sent.HTML)
			}
		}
	}
}

func TestRupees(t *testing.T) {
	for minor, want := range map[int64]string{0: "₹0", 100: "₹1", 99900: "₹999", 149900: "₹1,499", 149950: "₹1,499.50", 1000000: "₹10,000", 10000000: "₹1,00,000", 45000000: "₹4,50,000", 1000000000: "₹1,00,00,000"} {
		if got := rupees(minor); got != want {
			t.Errorf("%d: %s, want %s", minor, got, want)
		}
	}
}

func TestCaptionsAreTheTranscript(t *testing.T) {
	video := Video{Seconds: 65, Cues: []Cue{{0, "First."}, {61, "Second."}}}
	if got, want := video.WebVTT(), "WEBVTT\n\n00:00.000 --> 01:01.000\nFirst.\n\n01:01.000 --> 01:05.000\nSecond.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
