package landing

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/static"
	"hiresure/web"
)

// thing is a schema.org entity.
type thing map[string]any

// structuredData returns the structured data of an event's page: one block per entity, because some readers ignore @graph.
func (l *Landing) structuredData(page *content.Landing) []json.RawMessage {
	event := page.Event
	address := l.Absolute(web.ScholarshipPath(event.Slug))
	provider, home := l.provider(page), l.Absolute(web.HomePath)
	organization := home + "#organization"
	begins := page.Exam.Begins(event.Exam)
	exam := thing{
		"@type": "EducationEvent", "@id": address + "#exam", "name": event.Title + ": scholarship exam",
		"startDate": zoned(begins), "endDate": zoned(begins.Add(time.Duration(page.Exam.Minutes) * time.Minute)), "image": l.Absolute(pages.PreviewOf(page).Path()),
		"eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode", "eventStatus": "https://schema.org/EventScheduled",
		"location": thing{"@type": "VirtualLocation", "url": address}, "organizer": provider, "url": l.Absolute(web.ExamPath(event.Slug)),
		"offers": thing{
			"@type": "Offer", "url": address, "category": "Exam fee", "price": decimal(event.FeeMinor), "priceCurrency": event.Currency,
			"availability": availability[page.Enrolment],
			"validFrom":    admission.ISODate(event.EnrolmentOpens), "validThrough": admission.ISODate(event.EnrolmentCloses.Add(-1)),
		},
	}
	var courses []thing
	var roles []string
	for _, programme := range page.Programmes {
		courses = append(courses, l.courseData(page, programme))
		roles = append(roles, programme.Roles...)
	}
	program := thing{
		"@type": "EducationalOccupationalProgram", "name": event.Title, "description": page.Description, "url": address, "provider": provider,
		"timeToComplete": "P" + strconv.Itoa(event.Months) + "M", "educationalProgramMode": "online",
		"applicationDeadline": admission.ISODate(event.EnrolmentCloses.Add(-1)), "startDate": admission.ISODate(event.ClassesBegin.Time),
		"programPrerequisites": page.Words.Prerequisites, "occupationalCategory": roles, "hasCourse": ids(courses),
	}
	if certification, shown := page.Claim("certification"); shown {
		program["educationalCredentialAwarded"] = certification.Text
	}
	film := page.Words.Video
	var transcript []string
	for _, cue := range film.Cues {
		transcript = append(transcript, cue.Text)
	}
	all := []thing{program, exam, l.courseList(page)}
	all = append(all, courses...)
	all = append(all,
		thing{"@type": "WebSite", "name": page.Site.Name, "url": home, "publisher": thing{"@id": organization}},
		thing{
			"@type": "Organization", "@id": organization, "name": page.Site.Name, "legalName": page.Site.LegalName, "url": home,
			"logo":         l.Absolute(static.Path("images/apple-touch-icon.png")),
			"address":      strings.Join(page.Site.Address, ", "),
			"contactPoint": thing{"@type": "ContactPoint", "contactType": "customer support", "email": page.Site.Support.Email, "telephone": page.Site.Support.Phone, "areaServed": "IN"},
		},
		l.breadcrumb(components.Link{Text: "All programmes", Href: web.HomePath}, components.Link{Text: event.Title, Href: web.ScholarshipPath(event.Slug)}),
		thing{
			"@type": "VideoObject", "name": film.Title, "description": strings.Join(transcript, " "), "transcript": strings.Join(transcript, " "),
			"thumbnailUrl": l.Absolute(static.Path(film.Poster)), "contentUrl": l.Absolute(static.Path(film.Source)),
			"duration": "PT" + strconv.Itoa(film.Seconds) + "S", "uploadDate": zoned(event.EnrolmentOpens), "url": address + "#how-it-works",
		},
	)
	blocks := make([]json.RawMessage, len(all))
	for i, entity := range all {
		blocks[i] = block(entity)
	}
	return blocks
}

// courseData returns a course with its training at an event, named by the address of its page.
func (l *Landing) courseData(page *content.Landing, programme content.Programme) thing {
	event := page.Event
	address := l.Absolute(web.CoursePath(event.Slug, programme.Slug()))
	return thing{
		"@type": "Course", "@id": address, "url": address, "name": programme.Name, "description": programme.Summary, "provider": l.provider(page),
		"hasCourseInstance": thing{
			"@type": "CourseInstance", "courseMode": "Online", "startDate": admission.ISODate(event.ClassesBegin.Time),
			"courseSchedule": thing{"@type": "Schedule", "repeatFrequency": "Weekly", "repeatCount": programme.Weeks(), "duration": "PT" + strconv.Itoa(event.HoursPerWeek) + "H"},
		},
	}
}

// courseList returns the list of an event's courses by the addresses of their pages.
func (l *Landing) courseList(page *content.Landing) thing {
	var list []thing
	for i, programme := range page.Programmes {
		list = append(list, thing{"@type": "ListItem", "position": i + 1, "url": l.Absolute(web.CoursePath(page.Event.Slug, programme.Slug()))})
	}
	return thing{"@type": "ItemList", "itemListElement": list}
}

// breadcrumb returns the way to a page, which is the last step.
func (l *Landing) breadcrumb(steps ...components.Link) thing {
	var list []thing
	for i, step := range steps {
		list = append(list, thing{"@type": "ListItem", "position": i + 1, "name": step.Text, "item": l.Absolute(step.Href)})
	}
	return thing{"@type": "BreadcrumbList", "itemListElement": list}
}

// provider returns the academy. / redirects, so the address is the home page.
func (l *Landing) provider(page *content.Landing) thing {
	return thing{"@type": "EducationalOrganization", "name": page.Site.Academy, "url": l.Absolute(web.HomePath)}
}

// zoned formats a time with India's zone: 2027-03-14T10:00:00+05:30.
func zoned(at time.Time) string { return at.In(admission.IST).Format(time.RFC3339) }

// answersData returns the structured data of the page of all questions. The event's page, which repeats some, has none.
func answersData(all []content.Question) json.RawMessage {
	var questions []thing
	for _, item := range all {
		questions = append(questions, thing{"@type": "Question", "name": item.Question, "acceptedAnswer": thing{"@type": "Answer", "text": item.Plain()}})
	}
	return block(thing{"@type": "FAQPage", "mainEntity": questions})
}

// block returns an entity with its context.
func block(entity thing) json.RawMessage {
	alone := maps.Clone(entity)
	alone["@context"] = "https://schema.org"
	return encode(alone)
}

// ids returns references to entities in other blocks.
func ids(all []thing) (references []thing) {
	for _, entity := range all {
		references = append(references, thing{"@id": entity["@id"]})
	}
	return references
}

// encode never fails: a thing holds texts, numbers, lists and things.
func encode(entity thing) json.RawMessage {
	block, err := json.Marshal(entity)
	if err != nil {
		panic(err)
	}
	return block
}

// decimal formats an amount for schema.org: 1499.00.
func decimal(minor int64) string {
	cents := strconv.FormatInt(minor%100+100, 10)
	return strconv.FormatInt(minor/100, 10) + "." + cents[1:]
}

var availability = map[content.EnrolmentState]string{
	content.EnrolmentOpen:        "https://schema.org/InStock",
	content.EnrolmentNotYetOpen:  "https://schema.org/PreOrder",
	content.EnrolmentSoldOut:     "https://schema.org/SoldOut",
	content.EnrolmentOver:        "https://schema.org/Discontinued",
	content.EnrolmentUnpublished: "https://schema.org/OutOfStock",
}

func feeOf(event content.Event) admission.Money {
	return admission.Money{Minor: event.FeeMinor, Currency: event.Currency}
}
