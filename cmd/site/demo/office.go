package demo

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/staff"
)

// colleague works in the office.
type colleague struct{ staff.Account }

// invited are three of the people whom a developer may become at /admin/sign-in.
var invited = []staff.NewAccount{
	{Email: "meera.nambiar@hiresure.example", Name: "Meera Nambiar", Roles: []string{"support"}},
	{Email: "arvind.kulkarni@hiresure.example", Name: "Arvind Kulkarni", Roles: []string{"finance"}},
	{Email: "kavya.hegde@hiresure.example", Name: "Kavya Hegde", Roles: []string{"admin"}},
}

// invite adds the colleagues that are missing.
func (d *demo) invite() error {
	for _, n := range invited {
		if _, err := d.Business.Staff.Add(d.ctx, n, staff.Operator("development")); err != nil && admission.AsProblem(err) == nil {
			return err
		}
		a, err := d.Business.Staff.ByEmail(d.ctx, n.Email)
		if err != nil {
			return err
		}
		d.colleagues = append(d.colleagues, colleague{*a})
	}
	return nil
}

func (c colleague) actor() staff.Actor {
	return staff.Actor{Name: c.Name, From: "203.0.113.9", Account: c.ID}
}

// notes are what colleagues write about calls.
var notes = []string{
	"Called at 11: the bank app says paid, our page says waiting. I asked her to wait until tomorrow.",
	"Wants to know whether the mock test counts. It does not; told him.",
	"The name on the ID has no family name. Fine, the marksheet has the same.",
	"Asked for the invoice in the college's name. Not possible, explained why.",
	"Will upload the marksheet after Monday: the college reprints it.",
}

// note plans a note on a registration.
func (p *person) note(at time.Time) {
	words, by := notes[p.people%len(notes)], p.colleagues[p.people%2]
	p.at(at, "note", func() error {
		if p.registration == "" {
			return nil
		}
		return p.Office.AddNote(p.ctx, p.registration, words, &staff.Person{Account: by.Account}, by.actor())
	})
}

// takeCases gives some of what waits to colleagues.
func (d *demo) takeCases() error {
	for i, c := range d.colleagues[:2] {
		cases, err := d.Office.Cases(d.ctx, c.Roles)
		if err != nil {
			return err
		}
		for j, waits := range cases {
			if j%5 == i && waits.Kind != office.WorkFailed {
				if err := d.Office.Take(d.ctx, waits.Kind, waits.Ref, &staff.Person{Account: c.Account}, c.actor()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// complaints and questions, as people write them.
var complaints = []struct{ category, message string }{
	{"payment", "I paid twice for one enrolment. The bank has taken 1,499 rupees two times."},
	{"payment", "The refund was promised within seven days. Ten days are over."},
	{"enrolment", "My name is spelled wrong on the ticket, and I cannot change it."},
	{"programme", "The mock test is on the day of my university exam. Please move it."},
	{"privacy", "I get calls from somebody who knows my course. Did you give my number away?"},
	{"accessibility", "The screen reader does not read the seats of the ticket to me."},
	{"other", "Nobody has answered my mail of last week."},
	{"payment", "The coupon of my college was refused although it is valid until March."},
}

var questions = []string{
	"Is the exam in Hindi too?", "Can I change the course after the exam?", "I am in the last semester. Am I too late?", "Do the classes work on a phone?",
	"Is there a discount for two sisters?", "How many seats are left for Data Analytics?", "", "Do I need a webcam?", "Please call me after six in the evening.",
}

// planLetters plans complaints and enquiries.
func (d *demo) planLetters() {
	for i, c := range complaints {
		p := d.newPerson()
		p.at(d.moment(later(d.start, d.end.AddDate(0, 0, -3*i-2)), d.end), "complaint", func() error {
			_, err := d.Business.Contact.SendGrievance(d.ctx, p.visitor, map[string]string{"name": p.name, "email": p.email, "phone": p.phone, "category": c.category, "message": c.message})
			return err
		})
	}
	for i := range 24 {
		p := d.newPerson()
		d.unknown[p.email] = i%6 == 4
		p.at(d.moment(later(d.start, d.end.AddDate(0, 0, -2*i-1)), d.end), "enquiry", func() error {
			_, err := d.Business.Contact.SendEnquiry(d.ctx, p.visitor, map[string]string{"fullname": p.name, "email": p.email, "countryCode": "in", "phone": p.phone, "description": questions[i%len(questions)]})
			return err
		})
	}
}
