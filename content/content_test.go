package content

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hiresure/calendar"
)

var november = time.Date(2026, 11, 21, 12, 0, 0, 0, calendar.IST)

// library returns a library for one test.
func library(t *testing.T) *Library {
	t.Helper()
	l, err := load(files, "")
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

func TestEmbeddedEventsAreOpen(t *testing.T) {
	l := library(t)
	for _, event := range l.Events() {
		if state := event.Enrolment(november); state != EnrolmentOpen {
			t.Errorf("%s is %s", event.Slug, state)
		}
		page := landing(t, l, event.Slug, november)
		if len(page.FAQ) != 10 || len(page.Testimonials) != 4 || len(page.Badges) != 3 || len(page.Stats) != 3 || len(page.Words.Steps) != 3 || len(page.Press.Rows) != 2 {
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
	return textOf(page.Headline, page.Lede, page.Stats, page.Badges, page.Inclusions, page.Words, page.Programmes, page.FAQ, page.Press)
}

// textOf is every text below the values, a line each.
func textOf(values ...any) string {
	var all strings.Builder
	var collect func(v reflect.Value)
	collect = func(v reflect.Value) {
		if v.Kind() == reflect.String {
			all.WriteString(v.String() + "\n")
		}
		eachPart(v, "", func(part reflect.Value, _ string, _ reflect.StructTag) { collect(part) })
	}
	for _, value := range values {
		collect(reflect.ValueOf(value))
	}
	return strings.NewReplacer("<b>", "", "</b>", "").Replace(all.String())
}

func TestSpecifiedClaimsAreOnThePage(t *testing.T) {
	l := library(t)
	both := []string{
		"Blockchain", "Artificial Intelligence", "Data Analytics", // spec §1
		"50K+", "learners", "50+", "workshops and hackathons", "100+", "hiring partners",
		"6 industry meetups", "100% job guarantee", "More than 20 guest interactions", "Quarterly industry veteran meet-ups",
		"A certification from a large technology company",
		"100% Job Guaranteed", "Top Industry Mentors", "Technology-company certification", // §2
		"₹1,499, all taxes included", "₹4,50,000", "₹10,000 per month", "₹10,000 of studio credits", // §9
		"2-week cohort", "2-month paid internship", "Referral bonus as cashback", "8-month programme",
		"Scholarship Program", "What People Have Been Saying", "Have Questions?", "Let's Get You Enrolled", "Program Inclusion", "8 Months Program",
	}
	variants := map[string][]string{
		"hiresure-mgrow-2025":  {"The top 250 study on a full scholarship."},
		"hiresure-campus-2026": {"Cyber Security", "The top 200 get a 100% scholarship, the next 100 get 50%."},
	}
	for slug, own := range variants {
		pageText := saidOn(landing(t, l, slug, november))
		for _, text := range append(own, both...) {
			if !strings.Contains(pageText, text) {
				t.Errorf("%s does not say %q", slug, text)
			}
		}
		if strings.Contains(pageText, "{{") || strings.Contains(pageText, "<no value>") {
			t.Errorf("%s shows a placeholder", slug)
		}
	}
}

func TestAnswersAreConsistent(t *testing.T) {
	l := library(t)
	for slug, texts := range map[string][]string{
		"hiresure-mgrow-2025": {
			"if you clear the exam with a rank up to 250, attend", "A rank up to 250 clears it.", "Ranks 1 to 250 pay no tuition.", "Then, by rank, ₹0 or ₹4,50,000 tuition", "last free seat",
			"up to rank 250 you pay no tuition. From rank 251 the tuition is ₹4,50,000, all taxes included.", "₹4,50,000 tuition covered up to rank 250", "Blockchain, AI or Data Analytics, live in English",
			"Until 7 Mar 2027: the full fee. E-mail support@hiresure.example. The money is back within 7 business days.\nFrom 8 Mar 2027: no refund,",
		},
		"hiresure-campus-2026": {
			"if you clear the exam with a rank up to 300, attend", "A rank up to 300 clears it.", "Ranks 1 to 200 pay no tuition, ranks 201 to 300 pay ₹2,25,000.", "Then, by rank, ₹0, ₹2,25,000 or ₹4,50,000 tuition", "last scholarship",
			"up to rank 200 you pay no tuition, up to rank 300 you pay ₹2,25,000. From rank 301 the tuition is ₹4,50,000, all taxes included.",
			"Until 21 Mar 2027: the full fee. E-mail support@hiresure.example. The money is back within 7 business days.\nFrom 22 Mar 2027: no refund,",
		},
	} {
		pageText := saidOn(landing(t, l, slug, november))
		for _, text := range append(texts,
			"You get ₹10,000 per month or more, up to ₹30,000. The amount depends", "₹10,000 stipend per month or more, up to ₹30,000",
			"A job offer if you clear the exam, attend at least 80% of the classes and complete every project and the internship. No offer? We refund everything",
		) {
			if !strings.Contains(pageText, text) {
				t.Errorf("%s does not say %q", slug, text)
			}
		}
		if last := landing(t, l, slug, november).Event.Schedule[2]; last.Text != "Until 23:59" { // midnight is ambiguous
			t.Errorf("%s: %s: %q", slug, last.Title, last.Text)
		}
	}
	terms, _ := l.Page("terms")
	policy, _ := l.Page("refund-policy")
	if !strings.Contains(terms.Text(), "attend at least 80% of the classes and complete every project and the internship") ||
		!strings.Contains(policy.Text(), "You cancel seven days or more before the exam") {
		t.Error("the terms or the refund policy have other conditions")
	}
}

func TestClaimEndsOnItsLastDay(t *testing.T) {
	l := library(t)
	later := landing(t, l, "hiresure-mgrow-2025", time.Date(2028, 1, 1, 0, 0, 0, 0, calendar.IST))
	for _, gone := range []string{"100% job guarantee", "100% Job Guaranteed", "50K+"} {
		if strings.Contains(saidOn(later), gone) {
			t.Errorf("%q is still said after its last day", gone)
		}
	}
	if pageText := saidOn(later); !strings.Contains(pageText, "job guarantee under published conditions") || !strings.Contains(pageText, "Job guarantee, conditions apply") {
		t.Error("the qualified texts are not said")
	}
	if last := landing(t, l, "hiresure-mgrow-2025", time.Date(2027, 12, 31, 23, 59, 0, 0, calendar.IST)); !strings.Contains(saidOn(last), "100% Job Guaranteed") {
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

func TestEnrolmentState(t *testing.T) {
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
	if over.Notice.Title != "Enrolment is closed" || over.Notice.Text != "The last day was Wednesday, 10 Mar 2027. Send us an enquiry and we tell you about the next exam." {
		t.Errorf("notice %q: %q", over.Notice.Title, over.Notice.Text)
	}
}

func TestBold(t *testing.T) {
	table := []struct {
		text string
		want []Span
	}{
		{"", nil},
		{"plain", []Span{{"plain", false}}},
		{"<b>8</b> months", []Span{{"8", true}, {" months", false}}},
		{"a <strong>paid</strong> one", []Span{{"a ", false}, {"paid", true}, {" one", false}}},
		{"<b>a</b><strong>b</strong>", []Span{{"ab", true}}},
		{"<b>open", []Span{{"open", true}}},
		{"</b>closed", []Span{{"closed", false}}},
		{"<i>no</i>", []Span{{"<i>no</i>", false}}},
		{"<B>no</B>", []Span{{"<B>no</B>", false}}},
		{"<b onclick=x>no", []Span{{"<b onclick=x>no", false}}},
		{"<img src=x onerror=alert(1)>", []Span{{"<img src=x onerror=alert(1)>", false}}},
		{"<b><script>x</script></b>", []Span{{"<script>x</script>", true}}},
		{"<<b>b>", []Span{{"<", false}, {"b>", true}}},
		{"&lt;b&gt; ₹", []Span{{"&lt;b&gt; ₹", false}}},
	}
	for _, row := range table {
		if got := Bold(row.text); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%q: %v, want %v", row.text, got, row.want)
		}
	}
}

// changed is the shipped content with one text of one file replaced.
func TestRupees(t *testing.T) {
	for minor, want := range map[int64]string{0: "₹0", 100: "₹1", 99900: "₹999", 149900: "₹1,499", 149950: "₹1,499.50", 1000000: "₹10,000", 10000000: "₹1,00,000", 45000000: "₹4,50,000", 1000000000: "₹1,00,00,000"} {
		if got := rupees(minor); got != want {
			t.Errorf("%d: %s, want %s", minor, got, want)
		}
	}
}

func TestCaptionsEqualTranscript(t *testing.T) {
	video := Video{Seconds: 65, Cues: []Cue{{0, "First."}, {61, "Second."}}}
	if got, want := video.WebVTT(), "WEBVTT\n\n00:00.000 --> 01:01.000\nFirst.\n\n01:01.000 --> 01:05.000\nSecond.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLandingAtFee(t *testing.T) {
	l := library(t)
	page, _ := l.LandingAtFee("hiresure-mgrow-2025", november, 99900)
	if pageText := saidOn(page); strings.Contains(pageText, "₹1,499") || !strings.Contains(pageText, "₹999 for the exam.") {
		t.Error("the page says the fee of others")
	}
	if page.Ranks[0].InAllMinor != 99900 || page.Ranks[1].InAllMinor != 45099900 {
		t.Errorf("the ranks pay %v", page.Ranks)
	}
	if pageText := saidOn(landing(t, l, "hiresure-mgrow-2025", november)); strings.Contains(pageText, "₹999") {
		t.Error("one person's fee stands on everybody's page")
	}
	if _, known := l.LandingAtFee("no-event", november, 99900); known {
		t.Error("an event that nobody knows has a page")
	}
}

func TestContentIsSampleWhileOnePartIsUnconfirmed(t *testing.T) {
	confirm := strings.NewReplacer("sample: true", "sample: false", "Sample: ", "", "samples: [", "# [")
	confirmed := changed(t, "site.yaml", "sample: true", "sample: false").(fstest.MapFS)
	for name, file := range confirmed {
		if strings.HasSuffix(name, ".yaml") {
			file.Data = []byte(confirm.Replace(string(file.Data)))
		}
	}
	sample := func() bool {
		l, err := LoadFrom(confirmed, "")
		if err != nil {
			t.Fatal(err)
		}
		return l.Sample()
	}
	if !library(t).Sample() {
		t.Error("the built-in content is no sample")
	}
	if sample() {
		t.Error("confirmed content is a sample")
	}
	for _, change := range []struct{ file, from, to string }{
		{"testimonials.yaml", "sample: false", "sample: true"},
		{"events/hiresure-mgrow-2025.yaml", "sample: false", "sample: true"},
		{"events/hiresure-mgrow-2025.yaml", "# [time", "samples: [time"},
		{"events/hiresure-campus-2026.yaml", `evidence: "`, `evidence: "Sample: `},
		{"application.yaml", "# [", "samples: ["},
		{"site.yaml", "sample: false", "sample: true"},
	} {
		file := confirmed[change.file]
		changed := fstest.MapFile{Data: []byte(strings.Replace(string(file.Data), change.from, change.to, 1))}
		confirmed[change.file] = &changed
		if string(changed.Data) == string(file.Data) || !sample() {
			t.Errorf("%s with %q is no sample", change.file, change.to)
		}
		confirmed[change.file] = file
	}
}

func TestQuestionParagraphsAndPlain(t *testing.T) {
	l := library(t)
	fee, found := landing(t, l, "hiresure-campus-2026", november).Question("fee")
	if !found || fee.Plain() == fee.Answer || fee.Paragraphs()[0][0] != (Span{"The exam:", true}) {
		t.Errorf("the fee is %v", fee.Paragraphs())
	}
	refund, _ := landing(t, l, "hiresure-campus-2026", november).Question("refund")
	if lines := refund.Paragraphs(); len(lines) != 6 || lines[1][0] != (Span{"From 22 Mar 2027:", true}) || !strings.Contains(refund.Plain(), "7 business days. From 22") {
		t.Errorf("the refund is %v, plain %q", lines, refund.Plain())
	}
	if _, found := landing(t, l, "hiresure-mgrow-2025", november).Question("moon"); found {
		t.Error("an unknown question is answered")
	}
}
