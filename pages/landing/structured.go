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

// structuredData is what a search engine reads of an event's page: one block an entity, because some readers see nothing
// in an @graph (domain.md §5). Its words and figures are the page's own.
func (l *Landing) structuredData(page *content.Landing) []json.RawMessage {
	event := page.Event
	address := l.Absolute(web.ScholarshipPath(event.Slug))
	provider := thing{"@type": "EducationalOrganization", "name": page.Site.Academy, "url": l.BaseURL + "/"}
	offer := thing{
		"@type": "Offer", "url": address, "category": "Registration fee", "price": decimal(event.FeeMinor), "priceCurrency": event.Currency,
		"availability":      availability[page.Enrolment],
		"availabilityStart": admission.ISODate(event.EnrolmentOpens), "availabilityEnds": admission.ISODate(event.EnrolmentCloses),
		"validFrom": admission.ISODate(event.EnrolmentOpens),
	}
	var courses, instances []thing
	var roles []string
	for _, programme := range page.Programmes {
		course := thing{
			"@type": "Course", "@id": address + "#" + anchor(programme.Code), "name": programme.Name, "description": programme.Summary,
			"provider": provider, "url": address + "#courses", "about": programme.Topics, "offers": offer,
			"hasCourseInstance": thing{
				"@type": "CourseInstance", "courseMode": "Online", "name": programme.Name, "description": programme.Summary,
				"startDate":      admission.ISODate(event.ClassesBegin.Time),
				"endDate":        admission.ISODate(event.ClassesBegin.AddDate(0, event.Months, 0)),
				"courseWorkload": "PT" + strconv.Itoa(event.HoursPerWeek) + "H",
				"courseSchedule": thing{"@type": "Schedule", "repeatFrequency": "Weekly", "repeatCount": event.TrainingMonths * 52 / 12, "duration": "PT" + strconv.Itoa(event.HoursPerWeek) + "H"},
			},
		}
		courses = append(courses, course)
		instances = append(instances, thing{"@id": address + "#" + anchor(programme.Code)})
		roles = append(roles, programme.Roles...)
	}
	var questions []thing
	for _, item := range page.FAQ {
		questions = append(questions, thing{"@type": "Question", "name": item.Question, "acceptedAnswer": thing{"@type": "Answer", "text": item.Answer}})
	}
	program := thing{
		"@type": "EducationalOccupationalProgram", "name": event.Title, "description": page.Description, "url": address, "provider": provider,
		"timeToComplete": "P" + strconv.Itoa(event.Months) + "M", "educationalProgramMode": "online", "programType": "Professional",
		"applicationStartDate": admission.ISODate(event.EnrolmentOpens), "applicationDeadline": admission.ISODate(event.EnrolmentCloses.Add(-1)),
		"startDate": admission.ISODate(event.ClassesBegin.Time), "endDate": admission.ISODate(event.ClassesBegin.AddDate(0, event.Months, 0)),
		"programPrerequisites": page.Words.Prerequisites, "occupationalCategory": roles, "offers": offer, "hasCourse": instances,
		"trainingSalary": thing{
			"@type": "MonetaryAmountDistribution", "currency": event.Currency, "duration": "P1M",
			"percentile10": event.StipendFromMinor / 100, "percentile90": event.StipendToMinor / 100,
		},
	}
	if certification, shown := page.Claim("certification"); shown {
		program["educationalCredentialAwarded"] = certification.Text
	}
	film := page.Words.Video
	var transcript []string
	for _, cue := range film.Cues {
		transcript = append(transcript, cue.Text)
	}
	all := []thing{program}
	all = append(all, courses...)
	all = append(all,
		offer,
		thing{"@type": "FAQPage", "mainEntity": questions},
		thing{
			"@type": "Organization", "name": page.Site.Name, "legalName": page.Site.LegalName, "url": l.BaseURL + "/",
			"logo":         l.Absolute(static.Path("images/favicon.svg")),
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
		block := maps.Clone(entity) // an offer stands inside of others too, where it needs no context
		block["@context"] = "https://schema.org"
		blocks[i] = encode(block)
	}
	return blocks
}

// encode cannot fail: a thing holds texts, numbers, lists and things.
func encode(entity thing) json.RawMessage {
	block, err := json.Marshal(entity)
	if err != nil {
		panic(err)
	}
	return block
}

// decimal writes an amount as schema.org wants it: 1499.00.
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
