package landing

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/static"
	"hiresure/web"
)

// thing is a schema.org entity.
type thing map[string]any

// structuredData returns the structured data of an event's page: one block per entity, because some readers ignore @graph.
func (l *Landing) structuredData(page *content.Landing) []json.RawMessage {
	event := page.Event
	address := l.Absolute(web.ScholarshipPath(event.Slug))
	provider, organization := thing{"@type": "EducationalOrganization", "name": page.Site.Academy, "url": l.BaseURL + "/"}, l.BaseURL+"/#organization"
	exam := thing{
		"@type": "EducationEvent", "@id": address + "#exam", "name": event.Title + ": scholarship exam", "startDate": admission.ISODate(event.Exam.Time),
		"eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode", "eventStatus": "https://schema.org/EventScheduled",
		"location": thing{"@type": "VirtualLocation", "url": address}, "organizer": provider, "url": l.Absolute(web.ExamPath(event.Slug)),
		"offers": thing{
			"@type": "Offer", "url": address, "category": "Registration fee", "price": decimal(event.FeeMinor), "priceCurrency": event.Currency,
			"availability": availability[page.Enrolment],
			"validFrom":    admission.ISODate(event.EnrolmentOpens), "validThrough": admission.ISODate(event.EnrolmentCloses.Add(-1)),
		},
	}
	var courses, list []thing
	var roles []string
	for i, programme := range page.Programmes {
		id := address + "#" + anchor(programme.Code)
		courses = append(courses, thing{
			"@type": "Course", "@id": id, "name": programme.Name, "description": programme.Summary,
			"provider": provider, "url": address + "#courses", "about": subjects(programme),
			"hasCourseInstance": thing{
				"@type": "CourseInstance", "courseMode": "Online", "startDate": admission.ISODate(event.ClassesBegin.Time),
				"courseSchedule": thing{"@type": "Schedule", "repeatFrequency": "Weekly", "repeatCount": event.TrainingMonths * 52 / 12, "duration": "PT" + strconv.Itoa(event.HoursPerWeek) + "H"},
			},
		})
		list = append(list, thing{"@type": "ListItem", "position": i + 1, "url": address + "#courses", "item": thing{"@id": id}})
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
	all := []thing{program, exam, {"@type": "ItemList", "itemListElement": list}}
	all = append(all, courses...)
	all = append(all,
		thing{"@type": "WebSite", "name": page.Site.Name, "url": l.BaseURL + "/", "publisher": thing{"@id": organization}},
		thing{
			"@type": "Organization", "@id": organization, "name": page.Site.Name, "legalName": page.Site.LegalName, "url": l.BaseURL + "/",
			"logo":         l.Absolute(static.Path("images/apple-touch-icon.png")),
			"address":      strings.Join(page.Site.Address, ", "),
			"contactPoint": thing{"@type": "ContactPoint", "contactType": "customer support", "email": page.Site.Support.Email, "telephone": page.Site.Support.Phone, "areaServed": "IN"},
		},
		thing{"@type": "BreadcrumbList", "itemListElement": []thing{
			{"@type": "ListItem", "position": 1, "name": "Home", "item": l.Absolute(web.HomePath)},
			{"@type": "ListItem", "position": 2, "name": event.Title, "item": address},
		}},
		thing{
			"@type": "VideoObject", "name": film.Title, "description": strings.Join(transcript, " "), "transcript": strings.Join(transcript, " "),
			"thumbnailUrl": l.Absolute(static.Path(film.Poster)), "contentUrl": l.Absolute(static.Path(film.Source)),
			"duration": "PT" + strconv.Itoa(film.Seconds) + "S", "uploadDate": admission.ISODate(event.EnrolmentOpens),
		},
	)
	blocks := make([]json.RawMessage, len(all))
	for i, entity := range all {
		blocks[i] = block(entity)
	}
	return blocks
}

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

func subjects(programme content.Programme) (all []string) {
	for _, build := range programme.Builds {
		all = append(all, build.What)
	}
	return all
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

func anchor(code string) string { return strings.ToLower(strings.ReplaceAll(code, "_", "-")) }

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
