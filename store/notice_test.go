package store

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/mydata"
	"hiresure/content"
	"hiresure/forms"
)

// noticeRows lists the rows of the privacy notice by their beginning: the table whose retention the row states, "" if the row states no
// period of its own, and the purpose that forms give the row's fields.
var noticeRows = []struct{ data, table, purpose string }{
	{"Enquiry:", "enquiries", "answer"},
	{"Complaint:", "grievances", "complaint"},
	{"Enrolment: name", "registrations", "seat"},
	{"Enrolment: State", "", "invoice"},
	{"Enrolment: college", "registrations", "group"},
	{"Application: date of birth", "registrations", "selection"},
	{"Application documents:", "registrations", ""},
	{"Application: what you have typed", "drafts", ""},
	{"Referral code, coupon code", "", "price"},
	{"Where your visit came from:", "", ""},
	{"Your first name and course", "", ""},
	{"One-time codes", "code_requests", ""},
	{"Whether you are 18;", "registrations", "guardian"},
	{"Payment:", "invoices", ""},
	{"Consents:", "", "consent"},
	{"Messages that we sent you:", "messages", ""},
	{"The file with all your data", "export_parts", ""},
	{"Addresses that your account had before", "", ""},
	{"Server records:", "logs", ""},
	{"A half-finished enrolment", "leads", ""},
}

// noticeWords are the words by which the notice names a stored field, in the row of the field's purpose.
var noticeWords = map[string]string{
	"enquiry.fullname":    "name",
	"enquiry.email":       "e-mail",
	"enquiry.countryCode": "phone",
	"enquiry.phone":       "phone",
	"enquiry.description": "your question",
	"enquiry.consents":    "purpose",

	"enrolment.fullname":                "name",
	"enrolment.email":                   "e-mail",
	"enrolment.phone_number":            "mobile number",
	"enrolment.selected_course":         "course",
	"enrolment.state":                   "State",
	"enrolment.company_name":            "college or organisation",
	"enrolment.referral_code":           "Referral code",
	"enrolment.adult":                   "Whether you are 18",
	"enrolment.guardian_name":           "guardian's name",
	"enrolment.guardian_phone":          "guardian's name and phone",
	"enrolment.guardian_shares_phone":   "whether you share the phone",
	"enrolment.guardian_relation":       "relation to you",
	"enrolment.guardian_birth_year":     "year of birth",
	"enrolment.agreed_terms_conditions": "purpose",
	"enrolment.consents":                "purpose",
	"enrolment.coupon_code":             "coupon code",

	"grievance.name":     "name",
	"grievance.email":    "e-mail",
	"grievance.phone":    "phone",
	"grievance.category": "what you write",
	"grievance.message":  "what you write",

	"hiresure.dob":                        "date of birth",
	"hiresure.gender":                     "gender",
	"hiresure.fatherName":                 "father's or guardian's name",
	"hiresure.address":                    "address",
	"hiresure.state":                      "address",
	"hiresure.zip":                        "address",
	"hiresure.guardian_name":              "guardian's name",
	"hiresure.guardian_phone":             "guardian's name and phone",
	"hiresure.guardian_shares_phone":      "whether you share the phone",
	"hiresure.guardian_relation":          "relation to you",
	"hiresure.guardian_birth_year":        "year of birth",
	"hiresure.institution":                "studies",
	"hiresure.course":                     "studies",
	"hiresure.yearSemester":               "studies",
	"hiresure.enrollmentNumber":           "studies",
	"hiresure.examName":                   "exam result",
	"hiresure.examYear":                   "exam result",
	"hiresure.percentage":                 "exam result",
	"hiresure.received_other_scholarship": "other scholarships",
	"hiresure.details":                    "other scholarships",
	"hiresure.annualIncome":               "family income",
	"hiresure.reason":                     "your reason",
	"hiresure.agreed_terms_conditions":    "purpose",
	"hiresure.consents":                   "purpose",
}

func TestPrivacyNoticeNamesAllFormFields(t *testing.T) {
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	notice, _ := words.Page("privacy")
	data := map[string]string{} // by purpose
	for i, row := range notice.Sections[0].Table.Rows {
		data[noticeRows[i].purpose] = row[0]
	}
	unused := maps.Clone(noticeWords)
	purposes := map[string]bool{"": true}
	for _, name := range []string{"enquiry", "enrolment", "grievance", "hiresure"} {
		for _, field := range forms.Get(name).Fields {
			key := name + "." + field.Name
			if field.Keep == forms.KeepNone {
				continue
			}
			if named := noticeWords[key]; named == "" || !strings.Contains(data[field.Purpose], named) {
				t.Errorf("%s is stored, and the privacy notice's row %q does not name it by %q: name it there (content/legal/privacy.yaml), and the words in noticeWords", key, data[field.Purpose], named)
			}
			delete(unused, key)
			purposes[field.Purpose] = true
		}
	}
	for key := range unused {
		t.Errorf("no form stores %s", key)
	}
	for purpose := range data {
		if !purposes[purpose] {
			t.Errorf("no field has the purpose %q", purpose)
		}
	}
}

// unlistedTables are tables with a period that the notice omits.
var unlistedTables = map[string]string{
	"exports":     "when an export was requested",
	"deletions":   "when a deletion was requested; the account is removed",
	"inbox":       "events of a payment, which is stored longer",
	"corrections": "a new e-mail or phone that waits for its owner, for as long as a code",

	"staff_sessions": "of people who work here",
	"staff_links":    "of people who work here",
	"staff_cases":    "of people who work here",
	"print_batches":  "of people who work here; ids and numbers of papers",
}

var periodPattern = regexp.MustCompile(`(\d+) (day|month|year)s?\b`)

// parsePeriod parses the first period of a text, 0 if there is none. Months are returned as months.
func parsePeriod(text string) (kept time.Duration, months int) {
	found := periodPattern.FindStringSubmatch(text)
	if found == nil {
		return 0, 0
	}
	n, _ := strconv.Atoi(found[1])
	switch found[2] {
	case "day":
		return time.Duration(n) * day, 0
	case "year":
		return time.Duration(n) * year, 0
	}
	return 0, n
}

func TestPeriodsMatchThePrivacyNotice(t *testing.T) {
	times := map[string]time.Duration{
		"export_parts": mydata.ExportLife,
		"logs":         year, // deleted by the operator of the site
	}
	for _, p := range purges {
		if p.kept > 0 {
			times[p.table] = p.kept
		}
	}
	for _, o := range retentions {
		times[o.holding] = o.period
	}
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	notice, _ := words.Page("privacy")
	rows := notice.Sections[0].Table.Rows
	if len(rows) != len(noticeRows) {
		t.Fatalf("the notice has %d rows, and noticeRows %d: each row of the notice is in noticeRows, in the same order", len(rows), len(noticeRows))
	}
	used := map[string]bool{"invoices": true}
	for i, row := range rows {
		declared := noticeRows[i]
		if !strings.HasPrefix(row[0], declared.data) {
			t.Errorf("row %d of the notice is %q, not %q", i, row[0], declared.data)
		}
		kept, months := parsePeriod(row[2])
		used[declared.table] = true
		if declared.table == "invoices" {
			// The annual return of the year 26-27 is due on 31 December 2027.
			last := time.Date(2027, time.December, 31, 12, 0, 0, 0, admission.IST).AddDate(0, months, 0)
			first := time.Date(2026, time.April, 1, 0, 0, 0, 0, admission.IST)
			if !papersRetainedFrom(last).Equal(first) || papersRetainedFrom(last.AddDate(0, 0, 1)).Equal(first) {
				t.Errorf("%s: the notice says %q, and on %s papers are kept from %s", row[0], row[2], last.Format(time.DateOnly), papersRetainedFrom(last))
			}
		} else if kept != times[declared.table] || months != 0 {
			t.Errorf("%s: the notice says %q, and %s stay for %v", row[0], row[2], declared.table, times[declared.table])
		}
	}
	for table := range times {
		if !used[table] && unlistedTables[table] == "" {
			t.Errorf("%s stay for %v, of which the notice says nothing", table, times[table])
		}
	}
}
