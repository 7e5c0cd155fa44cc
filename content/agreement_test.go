package content

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"hiresure/calendar"
	"hiresure/prose"
)

// reading is a text of the content in its context.
type reading struct {
	where, text string
	page        *Landing // its page; nil: of all events
}

// named are fields without prose: identifiers and practice questions.
var named = regexp.MustCompile(`(^|\.)(\w*slug|\w*code|\w*logo|href|source|poster|captions|\w*version|consent_id|id|partners\[\d+\]\.number|svg|answer|courses\[\d+\]|questions\[\d+\]\.(question|options\[\d+\]|why))$`)

// readings returns every text of a library: of each event before and after its claims expire, of the legal pages, and of the
// messages, with … for params.
func readings(l *Library) (all []reading) {
	var collect func(v reflect.Value, where string, page *Landing)
	collect = func(v reflect.Value, where string, page *Landing) {
		if v.Kind() == reflect.String {
			if !named.MatchString(where) {
				all = append(all, reading{where, v.String(), page})
			}
			return
		}
		eachPart(v, where, func(part reflect.Value, where string, _ reflect.StructTag) { collect(part, where, page) })
	}
	for _, slug := range l.slugs {
		for _, at := range []time.Time{november, november.AddDate(10, 0, 0)} {
			page, _ := l.Landing(slug, at)
			fields := reflect.ValueOf(*page)
			for i := range fields.NumField() {
				if name := fields.Type().Field(i).Name; fields.Type().Field(i).IsExported() && name != "FAQ" {
					collect(fields.Field(i), slug+": "+name, page)
				}
			}
			for _, item := range page.FAQ { // an answer here is a text
				all = append(all, reading{slug + ": FAQ " + item.ID, item.Question + "\n" + strings.NewReplacer("<b>", "", "</b>", "").Replace(item.Answer), page})
			}
			all = append(all, reading{slug + ": Headline", page.Headline.Before + page.Headline.Braid + page.Headline.After, page})
		}
	}
	for slug, page := range l.pages {
		for i, line := range strings.Split(page.Text(), "\n")[1:] {
			all = append(all, reading{fmt.Sprintf("legal/%s line %d", slug, i+2), line, nil})
		}
	}
	placeholder := regexp.MustCompile(`\{\{.*?\}\}`)
	for id, message := range l.messages {
		all = append(all, reading{"messages: " + id, placeholder.ReplaceAllString(textOf(message.Subject, message.Text, message.Mail), "…"), nil})
	}
	slices.SortStableFunc(all, func(a, b reading) int {
		return cmp.Or(strings.Compare(a.where, b.where), strings.Compare(a.text, b.text))
	})
	return slices.CompactFunc(all, func(a, b reading) bool { return a.where == b.where && a.text == b.text })
}

// counted returns a pattern for a number of something: 8 months, eight months, 8-month.
func counted(n int, unit string) string {
	return fmt.Sprintf(`\b(?:%d|%s)[- ]%ss?\b`, n, prose.Number(n), unit)
}

// literally returns a pattern for a text that begins and ends with a whole figure.
func literally(text string) string {
	pattern := regexp.QuoteMeta(text)
	if text != "" && strings.ContainsAny(text[:1], "0123456789") {
		pattern = `\b` + pattern
	}
	if text != "" && strings.ContainsAny(text[len(text)-1:], "0123456789") {
		pattern += `\b`
	}
	return pattern
}

// recorded returns patterns for all figures of an event's record.
func recorded(page *Landing) (patterns []string) {
	e, x := page.Event, page.Exam
	add := func(texts ...string) {
		for _, text := range texts {
			patterns = append(patterns, literally(text))
		}
	}
	for _, claim := range page.claims { // claims are records too
		add(claim.Text, claim.Figure)
	}
	opens, lastDay := Date{e.EnrolmentOpens.In(calendar.IST)}, Date{e.EnrolmentCloses.In(calendar.IST).Add(-time.Minute)}
	days := []Date{e.Exam, e.Results, e.ClassesBegin, opens, lastDay, e.RefundUntil()}
	for _, day := range e.Schedule {
		days = append(days, day.Date)
	}
	for _, day := range days {
		add(day.Long(), day.DayMonthAndWeekday(), day.Short(), day.DayAndMonth())
	}
	add(facts{event: e}.ExamInFull(), facts{event: e}.NoRefundFrom())
	add("exam "+e.Exam.Format("2006"), lastDay.Format(clockLayout), x.Hours(), x.Starts)
	add(rupees(e.FeeMinor), rupees(e.TuitionMinor), rupees(e.StipendFromMinor), rupees(e.StipendToMinor), rupees(e.StudioCreditsMinor))
	patterns = append(patterns, counted(e.Months, "month"), counted(e.TrainingMonths, "month"), counted(e.InternshipMonths, "month"),
		counted(e.HoursPerWeek, "hour")+" a week", counted(e.CohortWeeks, "week"), counted(weeksInMonth*e.TrainingMonths, "week"), counted(refundDays, "day")+"(?: or more)? before the exam",
		counted(daysBetween(e.Exam, e.Results), "day")+" later", counted(x.Minutes, "minute"), counted(x.Marks(), "mark"),
		counted(daysBetween(mockTest(e), e.Exam), "day")+" left", fmt.Sprintf(`\bmonths? %d and %d\b`, e.Months-1, e.Months))
	const instalments = 6 // instalments of the tuition
	rank := 0
	for _, band := range e.Seats {
		add(fmt.Sprintf("anks %d to %d pay", rank+1, rank+band.Count))
		rank += band.Count
		left := e.TuitionMinor * int64(100-band.Percent) / 100
		add(fmt.Sprint(band.Count), fmt.Sprintf("%d%%", band.Percent), rupees(left), rupees(left/instalments), rupees(e.FeeMinor+left))
	}
	add(fmt.Sprintf("rank %d", rank), fmt.Sprintf("rank %d", rank+1), fmt.Sprintf("rank is %d or more", rank+1), fmt.Sprintf("a rank up to %d", rank), rupees(e.FeeMinor+e.TuitionMinor), rupees(e.TuitionMinor/instalments))
	return patterns
}

func daysBetween(from, to Date) int { return int(to.Sub(from.Time) / (24 * time.Hour)) }

func mockTest(e Event) Date {
	return e.Schedule[slices.IndexFunc(e.Schedule, func(day Milestone) bool { return day.ID == "mock-test" })].Date
}

// settled are the figures outside of event records, by allowed place (a prefix; "" means anywhere).
var settled = []struct {
	place   string
	pattern *regexp.Regexp
	why     string
}{
	{"", regexp.MustCompile(`(?i)\bunder 18\b|\bare 18\b`), "the age from which one consents alone, DPDP Act"},
	{"", regexp.MustCompile(`(?i)\bat least 80%( of the classes)?`), "what the job guarantee asks for"},
	{"", regexp.MustCompile(`(?i)\bsection 6\b`), "of the terms: the job guarantee"},
	{"", regexp.MustCompile(`(?i)\bsix months after\b`), "the guarantee's time"},
	{"", regexp.MustCompile(`(?i)\b3-4 business days\b`), "spec §2: failed and double payments"},
	{"", regexp.MustCompile(`(?i)\b7 business days\b`), "a cancelled enrolment, a refund"},
	{"", regexp.MustCompile(`(?i)\bwithin two working days\b`), "the answer to an enquiry"},
	{"", regexp.MustCompile(`\bby e-mail within two days\b`), "the study material, a sample"},
	{"", regexp.MustCompile(`\bthat you name, within 30 days\b`), "the referral bonus, a sample"},
	{"", regexp.MustCompile(`(?i)\bone hour\b|\bone minute\b`), "of the mock test, of the film"},
	{"", regexp.MustCompile(`(?i)\bin the fourth month\b`), "of the training"},
	{"", regexp.MustCompile(`\bin week \d+\b`), "of the training, compared in course_test.go"},
	{"", regexp.MustCompile(`\bbetween \d+ and \d+\b|\b4 to 6 days\b`), "what a project found, compared in course_test.go"},
	{"", regexp.MustCompile(`\btwo hours earlier\b`), "what a project changed, a sample"},
	{"", regexp.MustCompile(`\bClass 10\b`), "of school"},
	{"", regexp.MustCompile(`(?i)\bfor 30 days\b|\bafter 30 days\b`), "an unfinished enrolment"},
	{"", regexp.MustCompile(`(?i)\bat most four a month\b`), "news"},
	{"", regexp.MustCompile(`(?i)\bMonday to (?:Satur|Fri)day, 10:00 to 18:00`), "office hours"},
	{"", regexp.MustCompile(`\bMonday to Friday, 18:30 to 21:30\b`), "the classes' hours, a sample: three on each of five days"},
	{"", regexp.MustCompile(`\babout 1 GB of data an hour\b`), "what the classes take, a sample"},
	{"", regexp.MustCompile(`\bmoved reviews to Sunday\b|\bIn month four\b`), "what a person said"},
	{"", regexp.MustCompile(`\b(?:up to 5|20 more) minutes\b|\b5 days to reply\b`), "rules of the exam"},
	{"", regexp.MustCompile(`\b40 seats a year\b|\bwithin 30 days of your last document\b`), "the second scholarship, a sample"},
	{"", regexp.MustCompile(`\bin 30 seconds\b|\bnine more answers\b`), "headings"},
	{"", regexp.MustCompile(`\bOf (?:the )?250 scholars (?:who began in|of) 2025\b|\b250 scholars started\b|\bIn 2025\b|\bAll 231\b|\b231 (?:of 231 )?(?:met|offered|were offered)\b|\bother 19 left\b|\bBy March 2026\b|\bPlacement register, 2025\b`), "the last batch, a sample"},
	{"", regexp.MustCompile(`(?i)\b(since|to December|\d{4} to) 20\d\d\b|\bresolutions? 1[12]( and 12)?\b|\b2025 graduates\b`), "sources of claims"},
	{"messages: ", regexp.MustCompile(`(?i)\bfor 90 days\b|\b10 minutes\b|\b24 hours\b`), "how long links and codes work"},
	{"messages: ", regexp.MustCompile(`\bfirst 8 characters\b`), "the part of a payment's ID that staff search for"},
	{"", regexp.MustCompile(`\bwithout names, for 1 year\b`), "how long server records are kept"},
	{"legal/legal-disclosure", regexp.MustCompile(`\bCDT/2026/041\b`), "the number of the accreditation, a sample"},
	{"legal/legal-disclosure", regexp.MustCompile(`\bfive (?:working )?days\b`), "how soon a source is shown, a sample"},
	{"legal/grievance", regexp.MustCompile(`(?i)\b48 hours\b|\bAct, 2019\b|\b1915\b`), "E-Commerce Rules, and the helpline"},
	{"legal/privacy", regexp.MustCompile(`(?i)\| [13] (?:year|day)s?\b.*$|\band 1 year$|\| 30 days$|\| 90 days after you last typed\b|\b7 days after it is ready\b|\bafter seven days, in which\b|\b72 months\b|\btwo hours at most\b`), "how long data is kept"},
	{"legal/", regexp.MustCompile(`(?i)^ \| \d{1,2}\. |\| 2026-11-\d\d.*$`), "numbers of sections, versions"},
}

// figures match what must come from a record: a figure, a number of something, a weekday.
var figures = regexp.MustCompile(`(?i)₹?[0-9][0-9,.:]*[+%k]?(?: [a-z]+)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)(?:-[a-z]+)?[ -](?:[a-z]+ )?(?:months?|weeks?|days?|hours?|minutes?|years?|marks?|seats?|candidates|scholarships)\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b`)

// anyOf joins patterns, longest first: 14 Mar 2027 before 14 March.
func anyOf(patterns []string) *regexp.Regexp {
	patterns = slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool { return pattern == "" })
	slices.SortFunc(patterns, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	patterns = slices.Compact(patterns)
	return regexp.MustCompile(`(?i)` + strings.Join(patterns, `|`))
}

// unexplained returns each figure that is neither in a record nor settled.
func unexplained(l *Library, texts []reading) (faults []string) {
	shared := []string{literally(rupees(l.application.FeeMinor))} // of the site, in pages and messages
	for _, text := range append(strings.Split(textOf(l.site), "\n"), strings.Split(textOf(l.suppliers), "\n")...) {
		if strings.ContainsAny(text, "0123456789") && len(text) > 3 {
			shared = append(shared, literally(text))
		}
	}
	all := slices.Clone(shared)
	of := map[string]*regexp.Regexp{}
	for _, slug := range l.slugs {
		var own []string
		for _, at := range []time.Time{november, november.AddDate(10, 0, 0)} {
			page, _ := l.Landing(slug, at)
			own = append(own, recorded(page)...)
		}
		of[slug], all = anyOf(append(own, shared...)), append(all, own...)
	}
	of[""] = anyOf(all)
	for _, r := range texts {
		record := of[""]
		if r.page != nil {
			record = of[r.page.Event.Slug]
		}
		for _, figure := range remaining(r, record) {
			faults = append(faults, fmt.Sprintf("%s: %q is of no record: %s", r.where, figure, r.text))
		}
	}
	return faults
}

type remainder struct{ place, text, record string }

// remainders caches results, because most texts of revisions are equal.
var remainders sync.Map // of remainder to []string

// remaining returns the figures of a text that are neither in a record nor settled.
func remaining(r reading, record *regexp.Regexp) []string {
	if !figures.MatchString(r.text) {
		return nil
	}
	key := remainder{r.where, r.text, record.String()}
	if kept, known := remainders.Load(key); known {
		return kept.([]string)
	}
	rest := r.text
	for _, row := range settled {
		if strings.HasPrefix(r.where, row.place) {
			rest = row.pattern.ReplaceAllString(rest, "…")
		}
	}
	found := figures.FindAllString(record.ReplaceAllString(rest, "…"), -1)
	remainders.Store(key, found)
	return found
}
