package content

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestAnswersNameTheWeekInWhichASubjectStarts compares "SQL starts in week 3" with the weeks.
func TestAnswersNameTheWeekInWhichASubjectStarts(t *testing.T) {
	starts := regexp.MustCompile(`(\w+)(?: starts)? in week (\d+)`)
	for _, p := range library(t).shared.programmes {
		found := starts.FindAllStringSubmatch(p.answer("coding"), -1)
		if len(found) == 0 {
			t.Errorf("%s: no week is named", p.Code)
		}
		for _, match := range found {
			first := slices.IndexFunc(p.Lessons(), func(week string) bool { return strings.HasPrefix(week, match[1]) }) + 1
			if want, _ := strconv.Atoi(match[2]); first != want {
				t.Errorf("%s: %s starts in week %d, not %d", p.Code, match[1], first, want)
			}
		}
	}
}

// TestProjectsNameTheMarkedColumns compares "between 10 and 12" with the columns that the chart marks.
func TestProjectsNameTheMarkedColumns(t *testing.T) {
	named := regexp.MustCompile(`(\d+) (?:and|to) (\d+)`)
	for _, p := range library(t).shared.programmes {
		marked := p.Project.Chart.Marked
		want := []string{fmt.Sprint(marked[0]), fmt.Sprint(marked[len(marked)-1])}
		for _, text := range []string{p.Project.Text, p.Project.Chart.Spoken} {
			if match := named.FindStringSubmatch(text); match == nil || !slices.Equal(match[1:], want) {
				t.Errorf("%s: %q does not name columns %v", p.Code, text, want)
			}
		}
	}
}

func TestCourse(t *testing.T) {
	l := library(t)
	page := landing(t, l, "hiresure-mgrow-2025", november)
	course, known := page.Programme("data-analytics")
	if !known || course.Weeks() != 24 || page.MentorOf(course).Company != "Tesmark Logistics" {
		t.Fatalf("%v, %d weeks, mentor %+v", known, course.Weeks(), page.MentorOf(course))
	}
	if want := []Stage{{4, "Spreadsheets and SQL"}, {12, "Dashboards"}, {24, "A report for a real company"}}; !reflect.DeepEqual(course.Stages(), want) {
		t.Errorf("stages %v", course.Stages())
	}
	if pay := course.Graduates.Pay() + ", " + course.Graduates.Half(); pay != "₹3,20,000 to ₹5,60,000, ₹4,10,000" {
		t.Errorf("pay %s", pay)
	}
	for got, want := range map[string]string{
		course.Page.PageTitle: "Data Analytics course: scholarship exam 14 March", course.Page.Top.Title: "Data Analytics, on a scholarship",
		course.Page.Time:                         "Live online, in English, Monday to Friday, 18:30 to 21:30. Each class is recorded.",
		course.Page.Stipend:                      "<b>₹10,000</b> per month or more, up to ₹30,000",
		course.Page.Tools.Text:                   "You need a laptop or PC and about 1 GB of data an hour. We give you ₹10,000 of studio credits for your projects.",
		course.Page.Working.Title:                "Months 7 and 8: paid internship",
		page.CourseApply.Then:                    "Ranks 1 to 250 pay no tuition. From rank 251: ₹4,50,000.",
		page.CourseList.PageTitle:                "Three courses, one scholarship exam: 14 March",
		page.CourseList.Top.Text:                 "Each course: 24 weeks of live evening classes, then a 2-month paid internship. You choose when you enrol.",
		course.Page.Asked[0].Text:                "Class 10 mathematics is enough: per cent, averages, ratios. We teach the statistics.",
		course.Page.Asked[2].Text:                "Yes, during the six months of training: classes are in the evening. The internship is full-time.",
		course.Page.Asked[4].Text:                "A certification by Kestrel Cloud and your reports. It is not a university degree.",
		page.Course("Blockchain").Page.Top.Title: "Blockchain, on a scholarship",
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if _, known := page.Programme("cyber-security"); known {
		t.Error("another event's course is known")
	}
	campus := landing(t, l, "hiresure-campus-2026", november)
	if want := "Ranks 1 to 200 pay no tuition, ranks 201 to 300 pay ₹2,25,000. From rank 301: ₹4,50,000."; campus.CourseApply.Then != want {
		t.Errorf("ranks: %s", campus.CourseApply.Then)
	}
}

func TestCoursesNameOnlyCoursesOfTheEvent(t *testing.T) {
	l, err := load(changed(t, "events/hiresure-mgrow-2025.yaml", "courses: [Blockchain, Artificial_Intelligence, Data_Analytics]", "courses: [Blockchain, Data_Analytics]"), "")
	if err != nil {
		t.Fatal(err)
	}
	course, _ := landing(t, l, "hiresure-mgrow-2025", november).Programme("data-analytics")
	if !slices.Equal(course.SuitsNot.See, []string{"Blockchain"}) {
		t.Errorf("it refers to %v", course.SuitsNot.See)
	}
}

// After its last day neither a project nor a figure about graduates is shown; the stipend and the tuition lose theirs.
func TestCoursesLoseExpiredFigures(t *testing.T) {
	l := library(t)
	last, _ := landing(t, l, "hiresure-mgrow-2025", november).Programme("data-analytics")
	for day, want := range map[int]bool{0: true, 1: false} {
		page := landing(t, l, "hiresure-mgrow-2025", last.Graduates.ValidUntil.AddDate(0, 0, day))
		course, _ := page.Programme("data-analytics")
		if (course.Graduates != nil) != want || (course.Project != nil) != want || strings.Contains(textOf(course.Page, page.CourseApply), "₹") != want {
			t.Errorf("%d days later: graduates %v, project %v, %s", day, course.Graduates, course.Project, textOf(course.Page, page.CourseApply))
		}
	}
}
