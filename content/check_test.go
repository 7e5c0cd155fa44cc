package content

import (
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hiresure/calendar"
)

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

func TestInvalidContentIsRejected(t *testing.T) {
	const mgrow = "events/hiresure-mgrow-2025.yaml"
	coupon := func(fields string) string { // placed before the sample coupons
		return "  - {code: FIRST500, " + fields + ", valid_from: 2026-10-01T00:00:00+05:30, valid_until: 2027-03-11T00:00:00+05:30}\n"
	}
	table := []struct{ name, file, old, replacement, want string }{
		{"a missing field", mgrow, "  fee_minor: 149900\n", "", "content/events/hiresure-mgrow-2025.yaml: event.fee_minor: missing"},
		{"a fee that needs an address", mgrow, "fee_minor: 149900\n", "fee_minor: 5000000\n", "event.fee_minor: 5000000: from ₹50,000 on an invoice names the buyer's address, for which the enrolment does not ask"},
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
		{"ranks in no order", "events/hiresure-campus-2026.yaml", "{count: 100, percent: 50}", "{count: 100, percent: 100}", "content/events/hiresure-campus-2026.yaml: event.seats[1]: free of no smaller part than the better ranks"},
		{"a tuition in uneven parts", "faq.yaml", "MonthlyParts 6", "MonthlyParts 7", "₹4,50,000 is not 7 parts of whole rupees"},
		{"fewer seats than none", mgrow, "{count: 250,", "{count: -250,", "content/events/hiresure-mgrow-2025.yaml: event.seats[0]: -250 seats"},
		{"conditions of a claim in no answer", mgrow, "answer: job, qualified_text", "answer: moon, qualified_text", `content/events/hiresure-mgrow-2025.yaml: claims[4].answer: no question "moon"`},
		{"conditions of an inclusion in no answer", mgrow, "answer: job}", "answer: moon}", `content/events/hiresure-mgrow-2025.yaml: words.inclusions[4].answer: no question "moon"`},
		{"other terms", mgrow, "terms_version: 2026-11-30", "terms_version: 2025-01-01", "content/events/hiresure-mgrow-2025.yaml: event.terms_version: 2025-01-01, but legal/terms.yaml is 2026-11-30"},
		{"an unknown placeholder", "faq.yaml", "{{.Fee}}", "{{.Price}}", "content/faq.yaml, for hiresure-campus-2026: [0].answer: "},
		{"an unknown claim", "press.yaml", "job-guarantee", "moon", `no claim "moon" that could be shown on this day`},
		{"open bold markup", mgrow, "<b>{{.TrainingMonths}} months</b>", "<b>{{.TrainingMonths}} months", "content/events/hiresure-mgrow-2025.yaml, for hiresure-mgrow-2025: words.inclusions[0].text: bold markup does not open and close in turn"},
		{"other markup", mgrow, "<b>{{.TrainingMonths}} months</b>", "<i>{{.TrainingMonths}} months</i>", "words.inclusions[0].text: only <b> and <strong> are allowed"},
		{"markup where none belongs", "faq.yaml", "Can I get my money", "Can I get <b>my</b> money", "[2].question: markup is not allowed here"},
		{"a question first that nobody answers", "landing.yaml", "asked_first: [genuine", "asked_first: [moon", `content/landing.yaml: asked_first[0]: no question "moon"`},
		{"a word without its question", "landing.yaml", "question: refund}", "question: moon}", `content/landing.yaml: most_asked[1].question: no question "moon"`},
		{"sources that no page shows", "landing.yaml", "legal-disclosure#sources", "legal-disclosure#source", "content/landing.yaml: sources.href: no legal page section at /legal/legal-disclosure#source"},
		{"a course twice", "programmes.yaml", "code: Cyber_Security", "code: Data_Analytics", `content/programmes.yaml: [3].code: "Data_Analytics" appears twice`},
		{"a course without tools", "programmes.yaml", "  tools: [Python, Solidity, Test networks, Wallets, Git]\n", "", "content/programmes.yaml: [0].tools: missing"},
		{"a month of three weeks", "programmes.yaml", "Clean a messy table, ", "", "content/programmes.yaml: [2].months[0].weeks: 3, not 4"},
		{"a training that ends without a project", "programmes.yaml", ", builds: a report for a real company", "", "content/programmes.yaml: [2].months[5].builds: missing at the end of the training"},
		{"a training of five months", "programmes.yaml", "    - {title: Forecasts, weeks: [Trends and seasons, Forecast next month, Check your forecast, A weekly report that runs itself]}\n", "", "content/events/hiresure-mgrow-2025.yaml: event.training_months: 6, but Data_Analytics has 5 months"},
		{"a mentor whom nobody knows", "programmes.yaml", "mentor: {name: Arvind Kulkarni", "mentor: {name: Arvind Kapoor", `content/programmes.yaml: [2].mentor.name: no mentor "Arvind Kapoor"`},
		{"an employer that does not hire", "programmes.yaml", "[Tesmark Logistics, Pandara", "[Tesmark Motors, Pandara", `content/programmes.yaml: [2].graduates.employers[0]: no hiring partner "Tesmark Motors"`},
		{"pay without evidence", "programmes.yaml", `or from home", evidence: "Sample: placement register, 2025 graduates", `, `or from home", `, "content/programmes.yaml: [0].graduates.evidence: missing"},
		{"pay without a last day", "programmes.yaml", `graduates", valid_until: 2027-12-31}`, `graduates"}`, "content/programmes.yaml: [0].graduates.valid_until: missing"},
		{"half of the graduates above the best", "programmes.yaml", "half_minor: 41000000", "half_minor: 61000000", "content/programmes.yaml: [2].graduates.half_minor: 61000000 is not between from_minor and to_minor"},
		{"a project without consent", "programmes.yaml", "    consent_id: SAMPLE-1\n", "", "content/programmes.yaml: [2].project.consent_id: missing"},
		{"a project without evidence", "programmes.yaml", "    evidence: \"Sample: project file of the student, with the company's consent\"\n", "", "content/programmes.yaml: [0].project.evidence: missing"},
		{"a column that is not drawn", "programmes.yaml", "marked: [10, 11, 12]", "marked: [10, 11, 18]", "content/programmes.yaml: [2].project.chart.marked[2]: no column 18"},
		{"a question without an answer", "programmes.yaml", "    - {id: maths, text: \"Class 10 mathematics is enough: powers, remainders", "    - {id: moon, text: \"Class 10 mathematics is enough: powers, remainders", `content/programmes.yaml: [0].answers: none to "maths"`},
		{"an answer without a question", "programmes.yaml", "    - {id: maths, text: \"Class 10 mathematics is enough: powers, remainders", "    - {id: moon, text: \"Class 10 mathematics is enough: powers, remainders", `content/programmes.yaml: [0].answers[0].id: no course answers "moon"`},
		{"a course that sends to no other", "programmes.yaml", "see: [Artificial_Intelligence, ", "see: [Astrology, ", `content/programmes.yaml: [2].suits_not.see[0]: no programme "Astrology"`},
		{"a course's title that is cut", "courses.yaml", "course: scholarship exam", "course: exam for a scholarship on", `content/courses.yaml, for hiresure-campus-2026: page.page_title: 68 characters with " | HireSure", and 59 are shown: "Data Analytics course: exam for a scholarship on 28 March"`},
		{"a list's title that is cut", "courses.yaml", "courses, one scholarship exam: {{.Exam", "courses of a year, one scholarship exam: {{.Exam", `content/courses.yaml, for hiresure-campus-2026: list.page_title: 65 characters`},
		{"a refund until another day", mgrow, "refund-ends, date: 2027-03-07", "refund-ends, date: 2027-03-08", "content/events/hiresure-mgrow-2025.yaml: event.schedule[1].date: the fee is returned until 2027-03-07"},
		{"a mentor of no company", "mentors.yaml", "company: Noriva Cloud, ", "", "content/mentors.yaml: [0].company: missing"},
		{"a logo that is not there", mgrow, "company_logo: meruvia.svg", "company_logo: moon.svg", "content/events/hiresure-mgrow-2025.yaml: event.company_logo: no file logos/moon.svg"},
		{"a scripted logo", "logos/meruvia.svg", "<path", "<script>x</script><path", "content/logos/meruvia.svg: not a plain SVG in currentColor"},
		{"a coupon of no event", "coupons.yaml", "coupons:\n", "coupons:\n" + coupon("event: moon, percent: 5"), `content/coupons.yaml: coupons[0].event: "moon" is unknown`},
		{"a coupon with two values", "coupons.yaml", "coupons:\n", "coupons:\n" + coupon("event: hiresure-mgrow-2025, percent: 5, amount_minor: 50000"), "content/coupons.yaml: coupons[0].percent: give either percent or amount_minor"},
		{"a referral that is too long", "referrals.yaml", "SETU2025", "SETU2025SETU", `content/referrals.yaml: referrals[0].code: "SETU2025SETU" is not 1 to 10 letters and digits`},
		{"an application that is neither open nor closed", "application.yaml", "state: open", "state: ajar", `content/application.yaml: state: "ajar" is not open or closed`},
		{"an application under other terms", "application.yaml", "terms_version: 2026-11-30", "terms_version: 2025-01-01", "content/application.yaml: terms_version: 2025-01-01, but legal/terms.yaml is 2026-11-30"},
		{"an application for yen", "application.yaml", "currency: INR", "currency: JPY", `content/application.yaml: currency: "JPY" is not a currency that is known to have two decimals`},
		{"an application whose fee nobody names", "application.yaml", "fee_for: the check of your application and documents, and the selection\n", "", "content/application.yaml: fee_for: missing"},
		{"an application with a sample of nothing", "application.yaml", "samples: [fee_for", "samples: [moon", `content/application.yaml: samples: "moon" cannot be a sample`},
		{"no GSTIN", "supplier.yaml", "29ABCDE1234F1ZW", "29ABCDE1234F1XW", `content/supplier.yaml: suppliers[0].gstin: "29ABCDE1234F1XW" is not a GSTIN`},
		{"another company on the invoice", "supplier.yaml", "name: Aksharam", "name: Moon", `suppliers[0].name: "Moon Skill Academy Private Limited" is not legal_name of site.yaml`},
		{"a series of four letters", "supplier.yaml", "series: KSC", "series: KSCN", `content/supplier.yaml: suppliers[0].credit_note_series: "KSCN" is not one to three capital letters`},
		{"no series of credit notes", "supplier.yaml", "    credit_note_series: KSC\n", "", "content/supplier.yaml: suppliers[0].credit_note_series: missing"},
		{"a rate of no currency", "rates.yaml", "currency: USD", "currency: INR", `content/rates.yaml: rates[0].currency: "INR" is not a foreign currency that is known to have two decimals`},
		{"a rate without its decimals", "rates.yaml", `"88.7200"`, `"88.72"`, `content/rates.yaml: rates[0].rupees: "88.72" is not a rate with four decimals`},
		{"a rate that ends before it begins", "rates.yaml", "until: 2028-12-31", "until: 2025-12-31", "content/rates.yaml: rates[0].until: before from"},
		{"two rates of one day", "rates.yaml", "currency: EUR", "currency: USD", "content/rates.yaml: rates[1].from: USD has a rate for that day already"},
		{"a torn table", "legal/refund-policy.yaml", `, "Within 7 business days"]`, "]", "content/legal/refund-policy.yaml: sections[0].table.rows[0]: 2 cells under 3 columns"},
		{"an unknown value in a mail", "messages.yaml", "Dear {{.Name}}", "Dear {{.Nmae}}", `map has no entry for key "Nmae"`},
		{"a param that nobody reads", "messages.yaml", "{name: Reference, sample: ENQ-7K2M-9QTX}", "{name: Reference, sample: ENQ-7K2M9Q}, {name: Moon, sample: x}", "content/messages.yaml: messages, enquiry: params: Moon is not used"},
		{"an SMS that is too long", "messages.yaml", "We never call to ask for it.", strings.Repeat("Nobody asks. ", 12), "message otp does not fit into one SMS"},
		{"an SMS outside of the alphabet", "messages.yaml", "We never", "We – never", "message otp does not fit into one SMS"},
		{"a third variable in an SMS", "messages.yaml", "We never", "{{.Code}} never", "messages, otp: text: 3 variables"},
		{"no CIN", "site.yaml", "U80302KA2019PTC120001", "X80302KA2019PTC120001", `content/site.yaml: cin: "X80302KA2019PTC120001" is not a CIN`},
		{"a legal link to nowhere", "site.yaml", "/legal/privacy", "/legal/moon", "content/site.yaml: footer.legal: no page at /legal/moon"},
		{"a legal link to another folder", "site.yaml", "/legal/privacy", "/other/privacy", "content/site.yaml: footer.legal: no page at /other/privacy"},
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

func TestFeesAreOnlyInEvents(t *testing.T) {
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
	if supplier, known := l.SupplierAt(november); !known || supplier.GSTIN != "29ABCDE1234F1ZW" || supplier.StateCode() != "29" || supplier.RateBP != 1800 || supplier.SAC != "999293" || supplier.ApplicationSAC != "999299" || supplier.Series != "KS" || supplier.CreditNoteSeries != "KSC" {
		t.Errorf("supplier %+v", supplier)
	}
	if _, known := l.SupplierAt(time.Date(2025, 3, 31, 23, 59, 59, 0, calendar.IST)); known {
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

func TestSupplierSeriesAreUnique(t *testing.T) {
	const one, other = "29ABCDE1234F1ZW", "27ABCDE1234F1ZY"
	supplier := func(from, gstin, series, creditNotes string) string {
		return `
  - {from: ` + from + `, name: Aksharam Skill Academy Private Limited, address: [Bengaluru], gstin: ` + gstin + `, sac: "999293", application_sac: "999299", rate_bp: 1800,
     place_of_supply: recipient_state, series: ` + series + `, credit_note_series: ` + creditNotes + `,
     debit_note_series: ` + series[:2] + `D, financial_note_series: ` + series[:2] + `F}`
	}
	for _, test := range []struct{ sentence, records, want string }{
		{"two suppliers with series of their own", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", other, "MH", "MHC"), ""},
		{"a new rate of the same supplier", supplier("2025-04-01", one, "KS", "KSC") + supplier("2026-04-01", one, "KS", "KSC"), ""},
		{"an application's fee without its own code", strings.Replace(supplier("2025-04-01", one, "KS", "KSC"), ` application_sac: "999299",`, "", 1),
			`content/supplier.yaml: suppliers[0].application_sac: "" is not six digits`},
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
	for _, must := range []string{"Aksharam Skill Academy Private Limited", "GSTIN: 29ABCDE1234F1ZW", "CIN: U80302KA2019PTC120001", "support@hiresure.example", "Revathi Menon"} {
		if !strings.Contains(disclosure.Text(), must) {
			t.Errorf("the disclosure does not name %s", must)
		}
	}
	grievance, _ := l.Page("grievance")
	if !strings.Contains(grievance.Text(), "within 48 hours and decide it within one month") {
		t.Error("the grievance page does not say how long it takes")
	}
}
