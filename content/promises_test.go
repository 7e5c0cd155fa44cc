package content

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/calendar"
	"hiresure/prose"
)

// dated matches a date in a sentence.
const dated = `((?:[A-Z][a-z]+day, )?\d{1,2} [A-Z][a-z]+(?: \d{4})?)`

// bound are words after which a figure has one meaning.
var bound = []struct {
	what    string
	pattern *regexp.Regexp
	record  func(*Landing) []string
}{
	{"the day of the exam", regexp.MustCompile(`[Ee]xam (?:is )?on ` + dated), dayOf(func(e Event) Date { return e.Exam })},
	{"the day of the exam", regexp.MustCompile(`[Oo]n ` + dated + `, online`), dayOf(func(e Event) Date { return e.Exam })},
	{"the day of the results", regexp.MustCompile(`[Rr]esults (?:come )?on ` + dated), dayOf(func(e Event) Date { return e.Results })},
	{"the first day of classes", regexp.MustCompile(`[Cc]lasses begin on ` + dated), dayOf(func(e Event) Date { return e.ClassesBegin })},
	{"the day of the mock test", regexp.MustCompile(`[Mm]ock test on ` + dated), dayOf(mockTest)},
	{"the last day to enrol", regexp.MustCompile(`(?:[Ee]nrolment closes (?:at the end of|on)|[Tt]he last day was) ` + dated), dayOf(func(e Event) Date { return Date{e.EnrolmentCloses.In(calendar.IST).Add(-1)} })},
	{"the first day of enrolment", regexp.MustCompile(`[Ee]nrolment opens on ` + dated), dayOf(func(e Event) Date { return Date{e.EnrolmentOpens.In(calendar.IST)} })},
	{"the last day of a refund", regexp.MustCompile(`[Uu]ntil ` + dated), dayOf(Event.RefundUntil)},
	{"how long before the exam the fee is returned", regexp.MustCompile(`([\w-]+) days (?:or more )?before the exam`), number(func(*Landing) int { return refundDays })},
	{"how many days lie between mock test and exam", regexp.MustCompile(`([\w-]+) days left`), number(func(p *Landing) int { return daysBetween(mockTest(p.Event), p.Event.Exam) })},
	{"how many days after the exam the results come", regexp.MustCompile(`([\w-]+) days later`), number(func(p *Landing) int { return daysBetween(p.Event.Exam, p.Event.Results) })},
	{"the months of training", regexp.MustCompile(`([\w-]+) months of (?:training|live)`), number(func(p *Landing) int { return p.Event.TrainingMonths })},
	{"the months of the internship", regexp.MustCompile(`([A-Za-z0-9]+)-month (?:paid )?internship`), number(func(p *Landing) int { return p.Event.InternshipMonths })},
	{"the months of the programme", regexp.MustCompile(`([A-Za-z0-9]+)[- ][Mm]onths? [Pp]rogram`), number(func(p *Landing) int { return p.Event.Months })},
	{"the months that the exam pays", regexp.MustCompile(`(?:next|and) (\w+) months`), number(func(p *Landing) int { return p.Event.Months })},
	{"the last rank with a scholarship", regexp.MustCompile(`a rank up to (\d+)`), number(func(p *Landing) int { return facts{event: p.Event}.LastRank() })},
	{"the first rank without one", regexp.MustCompile(`[Ff]rom rank (\d+)`), number(func(p *Landing) int { return facts{event: p.Event}.NextRank() })},
}

func dayOf(day func(Event) Date) func(*Landing) []string {
	return func(p *Landing) []string {
		on := day(p.Event)
		return []string{on.Long(), on.Short(), on.DayAndMonth(), on.DayMonthAndWeekday()}
	}
}

func number(of func(*Landing) int) func(*Landing) []string {
	return func(p *Landing) []string { return []string{fmt.Sprint(of(p)), prose.Number(of(p))} }
}

// misbound returns figures with another meaning than their words. Texts of all events are compared with each event.
func misbound(l *Library, texts []reading) (faults []string) {
	for _, r := range texts {
		pages := []*Landing{r.page}
		if r.page == nil {
			pages = nil
			for _, slug := range l.slugs {
				page, _ := l.Landing(slug, november)
				pages = append(pages, page)
			}
		}
		for _, row := range bound {
			for _, match := range row.pattern.FindAllStringSubmatch(r.text, -1) {
				for _, page := range pages {
					if want := row.record(page); !slices.Contains(want, strings.ToLower(match[1])) && !slices.Contains(want, match[1]) {
						faults = append(faults, fmt.Sprintf("%s: %s is %s, not %s: %s", r.where, row.what, want[0], match[1], r.text))
					}
				}
			}
		}
	}
	return faults
}

// tie, failing, clearing and answering match sentences that must be the same everywhere.
const (
	tie     = "Equal marks? Reasoning marks decide, then Numbers."
	failing = "we refund everything you have paid us, the exam fee too, and"
)

var (
	clearing  = regexp.MustCompile(`[Cc]lear(?:s|ing)? the exam`)
	attending = regexp.MustCompile(`at least (\d+)%`)
	answering = regexp.MustCompile(`within (\w+) working days`)
	parts     = regexp.MustCompile(`in whole or in part`)
	applying  = regexp.MustCompile(`[Aa]pplication[^.₹]* fee [^.₹]*(₹[\d,]*\d)|separate from the exams[^.₹]*(₹[\d,]*\d)`)
	needless  = regexp.MustCompile(`[Ii]f you enrol for (?:this|a scholarship) exam, you do not need the application, at any rank`)
)

// broken returns each promise that another text or the record contradicts.
func broken(l *Library, texts []reading) (faults []string) {
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	inLegal := func(slug, text string) bool { return strings.Contains(l.pages[slug].Text(), text) }
	var courses []string
	for _, programme := range l.shared.programmes {
		courses = append(courses, regexp.QuoteMeta(programme.Name))
	}
	applications := map[string]bool{} // places with its fee
	oneCourse := regexp.MustCompile(`(?i)guarantee[ds]? in (` + strings.Join(courses, "|") + `)`)
	for _, r := range texts {
		refuse(oneCourse.MatchString(r.text), "%s: a job guarantee for one course, beside the one for all: %s", r.where, r.text)
		if match := attending.FindStringSubmatch(r.text); match != nil {
			refuse(match[1] != "80", "%s: the guarantee asks for 80%% of the classes, not %s%%: %s", r.where, match[1], r.text)
			for _, condition := range []*regexp.Regexp{clearing, regexp.MustCompile("project"), regexp.MustCompile("internship")} {
				refuse(!condition.MatchString(r.text), "%s: the guarantee's conditions without %s: %s", r.where, condition, r.text)
			}
		}
		refuse(strings.Contains(r.text, "If we fail") && !strings.Contains(r.text, failing), "%s: where the guarantee fails another sum goes back: %s", r.where, r.text)
		if match := answering.FindStringSubmatch(r.text); match != nil {
			refuse(match[1] != "two", "%s: an enquiry is answered within two working days, not %s: %s", r.where, match[1], r.text)
		}
		if match := applying.FindStringSubmatch(r.text); match != nil {
			amount, fee := match[1]+match[2], rupees(l.application.FeeMinor)
			refuse(amount != fee, "%s: the application costs %s, not %s: %s", r.where, fee, amount, r.text)
			refuse(!needless.MatchString(r.text), "%s: the application's fee, and not that no exam asks for it: %s", r.where, r.text)
			applications[strings.Split(r.where, " line ")[0]] = true
		}
		if r.page == nil {
			continue
		}
		whole := !slices.ContainsFunc(r.page.Event.Seats, func(band SeatBand) bool { return band.Percent < 100 })
		refuse(whole && parts.MatchString(r.text), "%s: no seat of the event is free of a part of the tuition: %s", r.where, r.text)
		for _, slug := range l.slugs {
			other, own := l.events[slug].Event, r.page.Event
			refuse(other.CompanyName != own.CompanyName && strings.Contains(r.text, other.CompanyName), "%s: %s stands behind another event: %s", r.where, other.CompanyName, r.text)
			refuse(own.PartnerCollege == nil && other.PartnerCollege != nil && strings.Contains(r.text, other.PartnerCollege.Name), "%s: a college of another event: %s", r.where, r.text)
		}
	}
	for _, where := range []string{"legal/terms", "legal/refund-policy"} {
		refuse(!applications[where], "%s does not say what the application costs", where)
	}
	refuse(!inLegal("terms", "You clear the exam with a rank that has a scholarship."), "legal/terms does not say what it is to clear the exam: the rank alone decides")
	refuse(!inLegal("terms", tie) || !inLegal("terms", "The exam scholarship depends on rank alone."), "legal/terms does not say who comes first")
	refuse(!inLegal("refund-policy", "Your rank has no scholarship | Nothing, and you owe nothing more"), "legal/refund-policy does not say what a rank without a scholarship leaves to pay")
	for _, slug := range []string{"terms", "refund-policy"} {
		both := "The HireSure scholarship " + l.site.Scholarships.HireSure + " " + l.site.Scholarships.Both
		refuse(!inLegal(slug, both), "legal/%s explains the second scholarship in other words", slug)
	}
	refuse(!strings.Contains(l.site.Scholarships.HireSure, fmt.Sprintf("It has %d seats a year,", l.application.Seats)), "site.yaml: the application has %d seats", l.application.Seats)
	refuse(!strings.Contains(l.site.Scholarships.HireSure, "You get an answer "+l.application.AnswerBy()+"."), "site.yaml: an applicant gets an answer %s", l.application.AnswerBy())
	refuse(!strings.Contains(l.site.Scholarships.HireSure, "pay "+rupees(l.application.FeeMinor)+"."), "site.yaml: the application costs %s", rupees(l.application.FeeMinor))
	refuse(!inLegal("terms", failing), "legal/terms does not say what goes back where the guarantee fails")
	refuse(!regexp.MustCompile(`(?i)tuition`).MatchString(l.pages["refund-policy"].Text()), "legal/refund-policy is silent on tuition")
	refuse(!inLegal("legal-disclosure", "section 6 of the terms") || !inLegal("terms", "6. The job guarantee"), "the guarantee's conditions do not stand in section 6 of the terms")
	refuse(!inLegal("refund-policy", "Nothing, but one free move to the next exam: you do not pay again"), "legal/refund-policy has another offer to somebody who comes too late")
	for _, row := range []struct{ page, text string }{
		{"privacy", "your photo, student ID and last academic marksheet, and the family income certificate"},
		{"refund-policy", "We have read your documents | Nothing"},
		{"refund-policy", l.application.FeeFor},
		{"terms", "A HireSure application has its own fee"},
	} {
		refuse(!inLegal(row.page, row.text), "legal/%s does not say of the application: %s", row.page, row.text)
	}
	for _, slug := range l.slugs {
		page, _ := l.Landing(slug, november)
		faults = append(faults, ofExam(slug, page, l.pages["terms"].Text())...)
	}
	return faults
}

// ofExam compares an event's texts about its exam.
func ofExam(slug string, page *Landing, terms string) (faults []string) {
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, slug+": "+fmt.Sprintf(format, args...))
		}
	}
	answers := map[string]string{}
	for _, item := range page.FAQ {
		answers[item.Question] = strings.NewReplacer("<b>", "", "</b>", "").Replace(item.Answer)
	}
	job := answers["What is the job guarantee?"]
	refuse(!regexp.MustCompile(`if you clear the exam with a rank up to \d+, attend`).MatchString(job), "the answer on the job guarantee does not say what it is to clear the exam: %s", job)
	refuse(page.ExamWords.Fair[0].Question+" "+page.ExamWords.Fair[0].Answer != tie, "equal marks are ranked in two ways")
	_, scribe, _ := strings.Cut(page.Exam.Bring[3].Text, "no second screen. ")
	for _, rule := range []string{page.Exam.Bring[0].Text, page.Exam.Bring[1].Text, scribe, "Cheating? " + page.ExamWords.Judged[1].Answer} {
		refuse(rule == "" || !strings.Contains(terms, rule), "legal/terms has another rule of the exam than: %s", rule)
	}
	refuse(!strings.Contains(answers["Who gets a scholarship?"], "The HireSure scholarship "+page.Site.Scholarships.HireSure+"\n"+page.Site.Scholarships.Both), "the answer on scholarships explains the second one in other words")
	refuse(!strings.Contains(answers["Can I get my money back?"], fmt.Sprintf("If your rank is %d or more: no refund of the fee, and you owe nothing more.", facts{event: page.Event}.NextRank())), "the answer on refunds does not say what a rank without a scholarship leaves to pay")
	asks := answers["How do I prepare?"]
	refuse(!strings.Contains(asks, facts{exam: page.Exam}.ExamSections()), "the answer on how to prepare names other sections than %s: %s", facts{exam: page.Exam}.ExamSections(), asks)
	refuse(!strings.HasPrefix(page.Exam.Mode, page.Event.Ticket.Where), "exam.mode says %q, the ticket %q", page.Exam.Mode, page.Event.Ticket.Where)
	for _, day := range page.Event.Schedule {
		refuse(day.ID == "exam" && !strings.HasPrefix(day.Text, page.Event.Ticket.Where), "the schedule says %q of the exam, the ticket %q", day.Text, page.Event.Ticket.Where)
		refuse(day.ID == "exam" && !day.Date.Equal(page.Event.Exam.Time), "the schedule has the exam on %s", day.Date.Short())
	}
	bring := strings.ToLower(textOf(page.Exam.Bring))
	for _, thing := range []string{"camera", "reliable internet"} {
		refuse(!strings.Contains(bring, thing) || !strings.Contains(page.Event.Ticket.Bring, thing) || !strings.Contains(answers["When and where is the exam?"], thing), "exam, ticket and answer do not all ask for %s", thing)
	}
	if strings.Contains(page.ExamWords.Questions.Title, "a minute each") {
		for _, section := range page.Exam.Sections {
			refuse(section.Minutes != section.Marks, "%s gives %d minutes for %d marks, and a question takes a minute", section.Name, section.Minutes, section.Marks)
		}
	}
	for _, question := range page.Exam.Questions {
		if strings.Contains(question.Question, "The fee is returned in full") {
			refuse(!strings.Contains(question.Question, RefundTerm()+" before the exam") || !strings.Contains(question.Question, fmt.Sprintf("on the %dth", page.Event.Exam.Day())) ||
				!strings.HasPrefix(question.Answer, fmt.Sprintf("The %d", page.Event.RefundUntil().Day())), "the question about the refund is not the event's own: %s", question.Question)
		}
	}
	return faults
}

func contradictions(l *Library) []string {
	texts := readings(l)
	return slices.Concat(unexplained(l, texts), misbound(l, texts), broken(l, texts))
}

func TestContentIsConsistentWithRecords(t *testing.T) {
	for _, fault := range contradictions(library(t)) {
		t.Error(fault)
	}
}

func TestContradictionIsDetected(t *testing.T) {
	const mgrow = "events/hiresure-mgrow-2025.yaml"
	policy, err := fs.ReadFile(files, "legal/refund-policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tuition := regexp.MustCompile(`(?s)  - id: tuition\n.*?\n(  - id)`).FindString(string(policy))
	tuition = strings.TrimSuffix(tuition, "  - id")
	for _, row := range []struct{ sentence, file, old, replacement, want string }{
		{"another fee", "faq.yaml", "{{.Fee}}", "₹1,999", `"₹1,999, all" is of no record`},
		{"another fee by a figure", "faq.yaml", "{{.Fee}}", "{{.Fee}}0", `"₹1,4990, all" is of no record`},
		{"another tuition", mgrow, `id: tuition, text: "{{.Claim \"tuition\"}}`, `id: tuition, text: "₹4,00,000`, `"₹4,00,000" is of no record`},
		{"a day of no record", "faq.yaml", "Results come on {{.Results}}", "Results come on 23 Mar 2027", `"23 Mar" is of no record`},
		{"a day of the week that is another", "faq.yaml", "Results come on {{.Results}}", "Results come on Sunday, 22 Mar 2027", `"Sunday" is of no record`},
		{"the exam on the day of the results", "landing.yaml", "Exam on {{.Exam}}", "Exam on {{.Results}}", "the day of the exam is Sunday, 14 Mar 2027, not Monday, 22 Mar 2027"},
		{"a year that is over", "faq.yaml", "classes begin on {{.Classes}}", "classes begin on 5 Apr 2026", `"2026, or" is of no record`},
		{"a refund until another day", "faq.yaml", "Until {{.RefundUntil}}", "Until {{.EnrolmentLastDay}}", "the last day of a refund is Sunday, 7 Mar 2027, not Wednesday, 10 Mar 2027"},
		{"a policy of other days", "legal/refund-policy.yaml", "You cancel seven days or more", "You cancel ten days or more", "how long before the exam the fee is returned is 7, not ten"},
		{"a mock test of other days", "testimonials.yaml", "I had fourteen days left", "I had ten days left", "how many days lie between mock test and exam is 14, not ten"},
		{"a headline of other months", mgrow, "next eight months\n  braid: eight months", "next nine months\n  braid: nine months", `"nine months" is of no record`},
		{"a programme as long as its training", "faq.yaml", "{{.Months}}-month programme", "{{.TrainingMonths}}-month programme", "the months of the programme is 8, not 6"},
		{"a training as long as the programme", mgrow, "Six months of training", "Eight months of training", "the months of training is 6, not Eight"},
		{"an internship of no record", mgrow, "two-month paid internship", "three-month paid internship", "the months of the internship is 2, not three"},
		{"ranks of no record", "faq.yaml", "a rank up to {{.LastRank}}", "a rank up to 100", "the last rank with a scholarship is 250, not 100"},
		{"a part of the tuition where there is none", "faq.yaml", "decides who pays the tuition", "covers in whole or in part the tuition", "hiresure-mgrow-2025: FAQ what: no seat of the event is free of a part of the tuition"},
		{"a guarantee for one course", mgrow, "text: \"{{.Claim \\\"job-guarantee\\\"}}", "text: \"Job guarantee in Data Analytics", "a job guarantee for one course, beside the one for all"},
		{"fewer classes", "legal/terms.yaml", "at least 80%", "at least 75%", "the guarantee asks for 80% of the classes, not 75%"},
		{"a condition left out", "landing.yaml", "and complete every project and the internship", "and complete the internship", "the guarantee's conditions without project"},
		{"a guarantee that returns what nobody paid", "legal/terms.yaml", "we refund everything you have paid us, the exam fee too", "we refund what you paid for the programme", "where the guarantee fails another sum goes back"},
		{"an exam that is cleared somehow", "legal/terms.yaml", " You clear the exam with a rank that has a scholarship.", "", "legal/terms does not say what it is to clear the exam"},
		{"an answer that leaves it open", "faq.yaml", " with a rank up to {{.LastRank}}, attend", ", attend", "the answer on the job guarantee does not say what it is to clear the exam"},
		{"a policy silent on tuition", "legal/refund-policy.yaml", tuition, "", "legal/refund-policy is silent on tuition"},
		{"a policy silent on the application", "legal/refund-policy.yaml", "We have read your documents", "We have your documents", "legal/refund-policy does not say of the application"},
		{"another fee of the application", "legal/terms.yaml", "own fee of {{.ApplicationFee}}", "own fee of ₹1,499", "legal/terms line 9: the application costs ₹2,500, not ₹1,499"},
		{"an application whose fee nobody learns", "legal/refund-policy.yaml", "own fee: {{.ApplicationFee}}", "own fee", "legal/refund-policy does not say what the application costs"},
		{"an application that an exam asks for", "legal/terms.yaml", "do not need the application, at any rank", "need the application, at any rank", "and not that no exam asks for it"},
		{"an application that pays for something else", "application.yaml", "fee_for: the check of", "fee_for: the reading of", "legal/refund-policy does not say of the application: the reading of"},
		{"an answer in three days", "messages.yaml", "We answer within two working days.", "We answer within three working days.", "an enquiry is answered within two working days, not three"},
		{"another event's partner", mgrow, "Six months of training", "With Veltara Systems: six months of training", "Veltara Systems stands behind another event"},
		{"another way to take the exam", mgrow, "mode: Online, with a proctor", "mode: On paper, with a proctor", `exam.mode says "On paper, with a proctor, from home or from college", the ticket "Online, with a proctor"`},
		{"other sections", "faq.yaml", "asks for {{.ExamSections}}", "asks for reasoning and reading", "the answer on how to prepare names other sections than reasoning, numbers and reading"},
		{"a code that lives longer in a message", "messages.yaml", "valid for 10 minutes", "valid for 15 minutes", `"15 minutes" is of no record`},
		{"another time in the privacy notice", "legal/privacy.yaml", "72 months", "75 months", `"75 months" is of no record`},
		{"equal marks ranked by age", "exam.yaml", "{{.TieBreak}}", "Age decides.", "equal marks are ranked in two ways"},
		{"terms that take a result without a hearing", "legal/terms.yaml", " First we show you the reason, and you have 5 days to reply.", "", "legal/terms has another rule of the exam than: Cheating?"},
		{"terms that keep lost time", "legal/terms.yaml", ", and we add back up to 5 minutes", "", "legal/terms has another rule of the exam than: Connection lost?"},
		{"other seats of the second scholarship", "application.yaml", "seats: 40", "seats: 41", "site.yaml: the application has 41 seats"},
		{"another time until its answer", "application.yaml", "answer_days: 30", "answer_days: 31", "site.yaml: an applicant gets an answer within 31 days of your last document"},
		{"other words on the second scholarship", "legal/terms.yaml", " {{.Site.Scholarships.Both}}", "", "legal/terms explains the second scholarship in other words"},
		{"an answer in other words", "faq.yaml", "{{.Site.Scholarships.HireSure}}", "depends on income.", "the answer on scholarships explains the second one in other words"},
		{"another fee of the second scholarship", "site.yaml", "pay ₹2,500", "pay ₹1,499", "site.yaml: the application costs ₹2,500"},
		{"less time for a question", mgrow, "minutes: 20, marks: 20", "minutes: 20, marks: 10", "Numbers gives 20 minutes for 10 marks, and a question takes a minute"},
		{"nothing that matters", "faq.yaml", "You choose {{", "Choose {{", ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			t.Parallel()
			l, err := load(changed(t, row.file, row.old, row.replacement), "")
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(contradictions(l), "\n"); !strings.Contains(found, row.want) || (row.want == "") != (found == "") {
				t.Errorf("found %s\nwant  %s", found, row.want)
			}
		})
	}
}
