package landing

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/content"
	"hiresure/web"
)

const analyticsPage = mgrowPage + "/courses/data-analytics"

func TestCoursePage(t *testing.T) {
	o := testSite(t)
	text := visible(o.page(analyticsPage))
	for _, sentence := range []string{
		"All courses Course Data Analytics, on a scholarship Turn company data into a report that a manager can use the same day.",
		"live classes, 15 hours a week 24 weeks paid internship 2 months Live online, in English, Monday to Friday, 18:30 to 21:30. Each class is recorded.",
		"What you learn, week by week 1 Month 1: Spreadsheets and SQL Week 1 Sort, filter, formulas Week 2 Clean a messy table", "You build a sales report in SQL 2 Month 2: Numbers you can trust Week 5 Average, spread, odd values",
		"Week 24 Present the report You build a report for a real company 7 Months 7 and 8: paid internship Full-time, at the partner or from home.",
		"Tools Spreadsheets SQL Python Dashboards Git You need a laptop or PC and about 1 GB of data an hour. We give you ₹10,000 of studio credits for your projects.",
		"Your mentor Arvind Kulkarni, Head of Data, Tesmark Logistics. He reviews each project with you.",
		"A graduate’s project: which lorries will be late? 6 8 10 12 14 16 Late lorries by hour of loading. One dot is one lorry.", "The warehouse now starts two hours earlier. Nandini Rao Data Analyst, Tesmark Logistics",
		"Internship ₹10,000 per month or more, up to ₹30,000 First job ₹3,20,000 to ₹5,60,000 a year. Half of the 2025 graduates got ₹4,10,000 or more. Jobs Data Analyst, Business Analyst Employers Tesmark Logistics, Pandara Retail, Suvira Health Cities Bengaluru, Pune, Chennai, or from home",
		"It does not fix a salary or a city. Conditions", "You can explain things simply to others. You want to build apps? See Artificial Intelligence or Blockchain.",
		"Do I need mathematics? Class 10 mathematics is enough: per cent, averages, ratios. We teach the statistics.", "Can I change the course later? Yes, until the exam results come. Call or e-mail us.",
		"A certification by Kestrel Cloud and your reports. It is not a university degree. All other questions",
		"Scholarship exam, online 14 March 2027, Sunday", "Exam fee, all taxes included", "Apply Now Ranks 1 to 250 pay no tuition. From rank 251: ₹4,50,000.",
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("does not say %q", sentence)
		}
	}
	for address, parts := range map[string]map[string]int{
		analyticsPage: {
			"<h1>": 1, `<li class="course-month">`: 6, `<li class="course-month is-paid">`: 1, ` r="7">`: 38, `class="is-marked"`: 21, `<details name="course-faq"`: 5, `<details name="course-faq" open>`: 1,
			`<a class="button button-gold" href="` + mgrowPage + `?course=Data_Analytics#enrol">Apply Now</a>`: 1, ">Apply Now<": 1,
			`<p class="exam-breadcrumb"><a href="` + mgrowPage + `/courses">`: 1, `<a href="` + mgrowPage + `#guarantee">Conditions</a>`: 1, `<a href="` + mgrowPage + `/questions">`: 1,
			`<a href="` + mgrowPage + `/courses/blockchain">Blockchain</a>.`: 1, "data-price-before hidden": 2, " style=": 0, "<form": 0,
			`<link rel="canonical" href="` + origin + analyticsPage + `">`: 1, "<title>Data Analytics course: scholarship exam 14 March | HireSure</title>": 1,
		},
		mgrowPage + "/courses": {
			"<h1>": 1, "<h2>": 3, `class="course-apply" href="` + mgrowPage + `/courses/`: 3, `<span class="course-week">`: 9, "<dt>First job</dt>": 3, ">Apply Now<": 1, `href="` + mgrowPage + `#enrol">Apply Now</a>`: 1,
			`<link rel="canonical" href="` + origin + mgrowPage + `/courses">`: 1, "<title>Three courses, one scholarship exam: 14 March | HireSure</title>": 1, " style=": 0,
		},
		campusPage + "/courses": {"<h2>": 4, `class="course-apply" href="` + campusPage + `/courses/cyber-security"`: 1, " Four courses, one scholarship exam</h1>": 1},
		campusPage + "/courses/cyber-security": {
			`href="` + campusPage + `?course=Cyber_Security#enrol">Apply Now</a>`: 1, `<a href="` + campusPage + `/courses/artificial-intelligence">`: 1, "Ranks 1 to 200 pay no tuition, ranks 201 to 300 pay": 1,
		},
	} {
		page := o.page(address)
		for part, count := range parts {
			if n := strings.Count(page, part); n != count {
				t.Errorf("%s: %d times %s, want %d", address, n, part, count)
			}
		}
	}
}

// Apply Now of a course selects it in the form, without scripts too.
func TestApplyNowSelectsTheCourse(t *testing.T) {
	o := testSite(t)
	for _, course := range []string{"data-analytics", "blockchain"} {
		link := regexp.MustCompile(`href="([^"]*)#enrol">Apply Now`).FindStringSubmatch(o.page(mgrowPage + "/courses/" + course))
		code := strings.ReplaceAll(course, "-", "_")
		if form := o.page(html.UnescapeString(link[1])); !regexp.MustCompile(`(?i)<option value="` + code + `" selected`).MatchString(form) {
			t.Errorf("%s: %s does not select it", course, link[1])
		}
	}
}

func TestCoursePagesAreTheSameBytesForEverybody(t *testing.T) {
	o := testSite(t)
	for _, address := range []string{analyticsPage, mgrowPage + "/courses"} {
		first, second := o.ask(http.MethodGet, address), o.ask(http.MethodGet, address, "Cookie", "hiresure=someone")
		if !bytes.Equal(first.Body.Bytes(), second.Body.Bytes()) || first.Header().Get("Set-Cookie")+second.Header().Get("Set-Cookie") != "" || first.Header().Get("ETag") == "" {
			t.Errorf("%s: two visitors got two pages, or a cookie", address)
		}
		if got := first.Header().Get("Cache-Control"); got != "public, max-age=0, must-revalidate" {
			t.Errorf("%s: Cache-Control %q", address, got)
		}
	}
}

func TestCoursePagesNameAnAmountThatIsBeingChecked(t *testing.T) {
	const phone = "9876543210"
	v, txn := unpaidVisitor(t, phone)
	v.changeAttempt(phone, txn, func(t *payment.Transaction) {
		t.State, t.Arrived, t.SettledAt = payment.Review, admission.INR(998_00), v.clock.Now()
	})
	v.get(analyticsPage)
	v.answers(http.StatusOK).says(`<p class="apply-fee"><span>Received on ` + admission.Date(v.clock.Now()) + `, being checked</span>`)
}

func TestCoursePagesKnowTheVisitorsEnrolment(t *testing.T) {
	const phone = "9876543210"
	v, txn := unpaidVisitor(t, phone)
	courses := []string{analyticsPage, mgrowPage + "/courses"}
	for _, address := range courses {
		v.get(address)
		v.answers(http.StatusOK).says(`<a class="button button-outline" href="/success?kspay_id=`+txn+`">See the payment</a>`, `<span class="meta">Payment open</span>`, `₹</span>999`, `href="/account/sign-in"`).
			silentOn("Apply Now", "1,499", "My ticket")
		v.get(address + "?couponCode=MGROW500")
		v.answers(http.StatusOK).says("Apply Now").silentOn("See the payment")
	}
	v.pay(phone, txn)
	for _, address := range append(courses, analyticsPage+"?couponCode=MGROW500") {
		v.get(address)
		v.answers(http.StatusOK).says(`<a class="door" href="`+mgrowPage+`#enrol">`, `<p class="apply-stands"><b>You are enrolled</b></p><a class="button button-outline" href="`+mgrowPage+`#enrol">My ticket</a>`).
			silentOn("Apply Now", "Continue to pay", "apply-fee", ">Sign in<")
		if got := v.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q", address, got)
		}
		stranger := v.visitor()
		stranger.get(address)
		stranger.says("Apply Now").silentOn("My ticket", "You are enrolled")
	}
}

func TestCoursePageShowsThePriceWithACoupon(t *testing.T) {
	o := testSite(t)
	for _, test := range []struct{ query, price, href string }{
		{"?couponCode=mgrow500", "₹1,499</s> <span data-price><span class=\"rupee\">₹</span>999</span>", "?couponCode=MGROW500&amp;course=Data_Analytics#enrol"},
		{"?referralCode=SETU2025", `data-price-before hidden`, "?course=Data_Analytics&amp;referralCode=SETU2025#enrol"},
		{"?couponCode=NOSUCH", `data-price-before hidden`, "?couponCode=NOSUCH&amp;course=Data_Analytics#enrol"},
	} {
		answer := o.ask(http.MethodGet, analyticsPage+test.query)
		page := answer.Body.String()
		if answer.Header().Get("Cache-Control") != "no-store" || strings.Count(page, test.price) != 2 || !strings.Contains(page, `href="`+mgrowPage+test.href+`">Apply Now`) {
			t.Errorf("%s: %s, %d times %s, or Apply Now leads elsewhere", test.query, answer.Header().Get("Cache-Control"), strings.Count(page, test.price), test.price)
		}
	}
	list := o.page(mgrowPage + "/courses?couponCode=mgrow500")
	if !strings.Contains(list, `href="`+analyticsPage+`?couponCode=MGROW500"`) {
		t.Error("the list's link to a course drops the coupon")
	}
	if !strings.Contains(o.page(analyticsPage+"?couponCode=mgrow500"), `href="`+mgrowPage+`/courses?couponCode=MGROW500"`) {
		t.Error("a course's link to the list drops the coupon")
	}
	if strings.Contains(o.page(mgrowPage+"/courses"), "couponCode=") {
		t.Error("everybody's list has a coupon in its links")
	}
	if o.page(analyticsPage+"?couponCode=mgrow500") == o.page(analyticsPage) {
		t.Error("the page with a coupon is everybody's")
	}
}

func TestUnknownCoursesLeadToTheList(t *testing.T) {
	o := testSite(t)
	for _, test := range []struct {
		address, to string
		status      int
	}{
		{mgrowPage + "/courses/astrology", mgrowPage + "/courses", http.StatusFound},
		{mgrowPage + "/courses/cyber-security?utm_source=x", mgrowPage + "/courses?utm_source=x", http.StatusFound},
		{mgrowPage + "/courses/Data-Analytics?couponCode=A", analyticsPage + "?couponCode=A", http.StatusMovedPermanently},
		{mgrowPage + "/courses/Data_Analytics", mgrowPage + "/courses", http.StatusFound},
		{"/scholarship/HireSure-mGrow-2025/courses/data-analytics", analyticsPage, http.StatusMovedPermanently},
		{"/scholarship/no-such-event/courses", "/scholarship", http.StatusFound},
		{"/scholarship/no-such-event/courses/data-analytics", "/scholarship", http.StatusFound},
	} {
		answer := o.ask(http.MethodGet, test.address)
		noindex := answer.Header().Get("X-Robots-Tag") == "noindex"
		if answer.Code != test.status || answer.Header().Get("Location") != test.to || noindex != (test.status == http.StatusFound) {
			t.Errorf("%s: %d %s, noindex %v", test.address, answer.Code, answer.Header().Get("Location"), noindex)
		}
	}
}

func TestClosedEventKeepsItsCourses(t *testing.T) {
	o := testSite(t)
	event, _ := o.words.Event("hiresure-mgrow-2025")
	o.clock.Set(event.EnrolmentCloses)
	for _, address := range []string{analyticsPage, mgrowPage + "/courses"} {
		page := o.page(address)
		if !strings.Contains(page, "Enrolment is closed") || strings.Contains(page, "Apply Now") || strings.Contains(page, "apply-fee") || !strings.Contains(page, `href="`+mgrowPage+`#contact">Ask a question</a>`) {
			t.Errorf("%s offers its exam", address)
		}
	}
}

func TestExpiredFiguresLeaveACoursePage(t *testing.T) {
	o := testSite(t)
	page, _ := o.words.Landing("hiresure-mgrow-2025", openDay)
	course, _ := page.Programme("data-analytics")
	o.clock.Set(course.Graduates.ValidUntil.AddDate(0, 0, 1))
	text := visible(o.page(analyticsPage))
	for _, gone := range []string{"First job", "Employers", "Cities", "graduate’s project", "Nandini", "₹"} {
		if strings.Contains(text, gone) {
			t.Errorf("the page still says %q", gone)
		}
	}
	if !strings.Contains(text, "Internship the amount in your internship letter Jobs Data Analyst") {
		t.Error("the page does not say what is left")
	}
	if list := visible(o.page(mgrowPage + "/courses")); strings.Contains(list, "First job") || !strings.Contains(list, "Leads to Data Analyst, Business Analyst") {
		t.Error("the list shows pay, or no jobs")
	}
}

func TestCoursePageHasItsStructuredData(t *testing.T) {
	o := testSite(t)
	page := o.page(analyticsPage)
	text := visible(page)
	var kinds []string
	for _, found := range dataBlocks.FindAllStringSubmatch(page, -1) {
		var entity map[string]any
		if err := json.Unmarshal([]byte(found[1]), &entity); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, entity["@type"].(string))
		switch entity["@type"] {
		case "Course":
			instance := entity["hasCourseInstance"].(map[string]any)
			schedule := instance["courseSchedule"].(map[string]any)
			if entity["@id"] != origin+analyticsPage || entity["url"] != origin+analyticsPage || instance["startDate"] != "2027-04-05" || schedule["repeatCount"] != 24.0 || schedule["duration"] != "PT15H" {
				t.Errorf("course %v", entity)
			}
			lessons := entity["teaches"].([]any)
			if len(lessons) != 24 {
				t.Errorf("%d lessons", len(lessons))
			}
			for _, lesson := range lessons {
				if !strings.Contains(text, lesson.(string)) {
					t.Errorf("the page does not say that it teaches %q", lesson)
				}
			}
		case "BreadcrumbList":
			if steps := crumbs(entity); !slices.Equal(steps, []string{"All courses " + origin + mgrowPage + "/courses", "Data Analytics " + origin + analyticsPage}) {
				t.Errorf("breadcrumb %q", steps)
			}
		}
	}
	if !slices.Equal(kinds, []string{"Course", "BreadcrumbList"}) {
		t.Errorf("blocks of %v", kinds)
	}
}

// crumbs returns names and addresses of a breadcrumb.
func crumbs(entity map[string]any) (steps []string) {
	for _, item := range entity["itemListElement"].([]any) {
		step := item.(map[string]any)
		steps = append(steps, step["name"].(string)+" "+step["item"].(string))
	}
	return steps
}

func TestCourseAddresses(t *testing.T) {
	if got := web.CoursePath("x", content.CourseSlug("Data_Analytics")); got != "/scholarship/x/courses/data-analytics" {
		t.Errorf("the address is %s", got)
	}
	for count, want := range map[int][]string{1: {"."}, 2: {" or ", "."}, 3: {", ", " or ", "."}} {
		for i, after := range want {
			if got := afterLink(i, count); got != after {
				t.Errorf("after link %d of %d: %q, want %q", i, count, got, after)
			}
		}
	}
}
