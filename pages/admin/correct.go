package admin

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/correct"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/pages"
	"hiresure/web"
)

func emailPath(id string) string      { return web.StaffRegistrationPath(id) + "/email" }
func phonePath(id string) string      { return web.StaffRegistrationPath(id) + "/phone" }
func namePath(id string) string       { return web.StaffRegistrationPath(id) + "/name" }
func correctionPath(id string) string { return web.StaffRegistrationPath(id) + "/correction" }

// correctActions are the corrections in the menu of a registration.
var correctActions = []action{
	{"Correct phone", "pencil", phonePath, staff.Correct, always},
	{"Correct e-mail", "pencil", emailPath, staff.Correct, always},
	{"Correct name", "pencil", namePath, staff.Correct, always},
	{"Reopen a step", "back", reopenPath, staff.Correct, canReopen},
}

// correctDialog has the words of the dialog that corrects a field.
type correctDialog struct {
	Path                            func(id string) string
	Head                            string // before the name
	Label, Hint, Kind, Autocomplete string
	Note, NoteIcon, Remark, Button  string
	Confirm                         string // what somebody confirms to be about to do; "" needs no confirmation
	Said                            string
	Fact                            string // name of the fact on the person's page
}

var correctDialogs = map[correct.Field]correctDialog{
	correct.Email: {
		Path: emailPath, Head: "Correct the e-mail of ", Label: "New e-mail", Kind: "email", Autocomplete: "off", NoteIcon: "mail", Button: "Send the link", Fact: "Email Address",
		Note:    "We send a link to the new address and notify the old one. Until the owner confirms, mails go only to the old address. After that, links to papers in earlier mails stop working.",
		Confirm: "You are about to send a link that can change a person’s e-mail.", Said: "link-sent",
	},
	correct.Phone: {
		Path: phonePath, Head: "Correct the phone of ", Label: "New phone", Hint: "10 digits, Indian mobile", Kind: "tel", Autocomplete: "off", NoteIcon: "phone", Button: "Send the code", Fact: "Mobile Number",
		Note:   "We send a code to the new phone and an SMS to the old one. Until the code is entered, sign-in and messages stay with the old phone. The code works for 10 minutes, the request for 24 hours.",
		Remark: "Both numbers stay in the timeline.", Confirm: "You are about to send a code that can change a person’s phone.", Said: "code-sent",
	},
	correct.Name: {
		Path: namePath, Head: "Correct the name of ", Label: "New name", Hint: "As on their ID", Kind: "text", Autocomplete: "off", NoteIcon: "pencil", Button: "Save the name", Fact: "Full Name",
		Note:   "The ticket, lists and search get the new name at once. Invoices and receipts keep the name that they were issued with.",
		Remark: "Both names stay in the timeline.", Said: "renamed",
	},
}

// correctView is a dialog that corrects a field, with what was typed.
type correctView struct {
	dialogView
	correctDialog
	Action, Field       string
	Now                 fact
	Waits               string // what waits already and is replaced; "" for nothing
	Was, Waiting        string // of the form: see correct.Change
	Value, How, Why     string
	Receipt, MayReceipt bool
	Ways                []correct.Way
	Warned              string // number that the colleague has been warned about
	Shared              []sharedRow
	Faults              faults
}

// hintID returns the id of the hint; "" for none.
func (p correctView) hintID() string {
	if p.Hint == "" {
		return ""
	}
	return p.Field + "-hint"
}

// sharedRow is another registration of a new phone.
type sharedRow struct{ Number, Name, Href string }

// correction returns the handler that opens the dialog of a field.
func (h handlers) correction(f correct.Field) echo.HandlerFunc {
	return func(c *echo.Context) error {
		return h.showCorrection(c, http.StatusOK, f, url.Values{"receipt": {"yes"}}, nil, nil)
	}
}

// showCorrection shows the dialog with what was typed, the registrations that share a new phone, and messages at its fields.
func (h handlers) showCorrection(c *echo.Context, code int, f correct.Field, typed url.Values, shared []enrol.Registration, faulty faults) error {
	person, waiting, err := h.openCorrected(c)
	if err != nil {
		return err
	}
	r, d := person.Registration, correctDialogs[f]
	name := cmp.Or(r.FullName, "No name yet")
	p := correctView{
		dialogView: dialogView{ID: r.ID, Name: name, Title: d.Head + name}, correctDialog: d, Action: d.Path(r.ID), Field: string(f),
		Now: nowOf(person, f), Was: correct.Value(&r, f), Value: typed.Get("value"), How: typed.Get("how"), Why: typed.Get("why"), Receipt: typed.Get("receipt") != "",
		MayReceipt: f == correct.Email && status.FeeOf(person.Product, person.Phase) == status.FeePaid, Ways: correct.Ways(f, &r), Faults: faulty,
	}
	if typed.Has("was") { // the form is still the one that was opened
		p.Was, p.Waiting = typed.Get("was"), typed.Get("waiting")
	} else if i := slices.IndexFunc(waiting, func(w correct.Request) bool { return w.Field == f && !w.Expired(h.Clock()) }); i >= 0 {
		p.Waiting = waiting[i].ID
		p.Waits = pages.Mobile(waiting[i].Value) + " waits for its owner since " + h.moment(waiting[i].CreatedAt) + ". A new request replaces it."
	}
	for _, other := range shared {
		p.Shared = append(p.Shared, sharedRow{cmp.Or(other.Ticket, other.ID[:8]), cmp.Or(other.FullName, "no name yet"), web.StaffRegistrationPath(other.ID)})
		p.Warned = other.Phone
	}
	return h.Show(c, code, correctPage(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

// openCorrected returns the registration of a dialog, and its requests that wait.
func (h handlers) openCorrected(c *echo.Context) (person office.Person, waiting []correct.Request, err error) {
	ctx := c.Request().Context()
	if person, err = h.office.Open(ctx, c.Param("id"), h.Session.StaffActor(c)); err != nil {
		return person, nil, err
	}
	waiting, err = h.Correct.Waiting(ctx, person.Registration.ID)
	return person, waiting, err
}

// nowOf returns the value of a field, with how it was verified.
func nowOf(person office.Person, f correct.Field) (now fact) {
	r := person.Registration
	now.Value = cmp.Or(pages.Mobile(correct.Value(&r, f)), "None yet")
	for _, e := range person.Entries {
		_, is, _ := e.OldNew()
		switch {
		case f == correct.Email && e.Kind == enrol.EntryEmailCorrected && is == r.Email:
			now.Mark = "Verified by link, " + admission.Date(e.At)
		case f == correct.Phone && (e.Kind == enrol.EntryEnrolled || e.Kind == enrol.EntryPhoneVerified || e.Kind == enrol.EntryPhoneCorrected && is == r.Phone):
			now.Mark = "Verified by code, " + admission.Date(e.At)
		}
	}
	if now.Mark != "" {
		now.Look = "ok"
	}
	return now
}

// correct returns the handler that carries out a correction.
func (h handlers) correct(f correct.Field) echo.HandlerFunc {
	return func(c *echo.Context) error {
		typed, err := pages.PostForm(c)
		if err != nil {
			return err
		}
		ctx, id, d := c.Request().Context(), c.Param("id"), correctDialogs[f]
		if typed.Get(keepField) == keepTheirs {
			return h.tellOn(c, id, "kept")
		}
		change := correct.Change{
			RegistrationID: id, Field: f, Was: typed.Get("was"), Waiting: typed.Get("waiting"), Value: typed.Get("value"), How: typed.Get("how"), Why: strings.TrimSpace(typed.Get("why")), Receipt: typed.Get("receipt") != "",
		}
		shared, err := h.Correct.Check(ctx, change)
		if err != nil {
			return h.refuseCorrection(c, f, typed, err)
		}
		if len(shared) > 0 && typed.Get("warned") != shared[0].Phone {
			return h.showCorrection(c, http.StatusOK, f, typed, shared, nil)
		}
		if d.Confirm != "" {
			if done, err := h.confirmed(c, typed, d.Confirm); !done {
				return err
			}
		}
		act := h.Correct.Ask
		if f == correct.Name {
			act = h.Correct.Rename
		}
		if err := act(ctx, change, h.Session.StaffActor(c)); err != nil {
			return h.refuseCorrection(c, f, typed, err)
		}
		return h.tellOn(c, id, d.Said)
	}
}

// refuseCorrection shows why a correction was refused: at its field, next to the value of somebody faster, or on the person's page.
func (h handlers) refuseCorrection(c *echo.Context, f correct.Field, typed url.Values, err error) error {
	if stale, is := errors.AsType[*correct.Stale](err); is {
		return h.showVersus(c, f, typed, stale)
	}
	problem := h.ProblemOf(c, err)
	switch {
	case problem.Kind == admission.Conflict:
		return h.tellOn(c, c.Param("id"), "done-already")
	case problem.Field == "":
		return err
	}
	return h.showCorrection(c, pages.StatusOf(c, problem), f, typed, nil, faultsOf(problem))
}

// The radio buttons of a stale form.
const (
	keepField  = "keep"
	keepTheirs = "theirs"
	keepMine   = "mine"
)

// versusView is the page of a stale form: both values, to choose one.
type versusView struct {
	dialogView
	Action, Who, Theirs string
	Rows                []versusRow
	Fields              []pages.HiddenField // of the form, as if it was made now
}

// Back returns the person's page.
func (p versusView) Back() string { return web.StaffRegistrationPath(p.ID) }

// versusRow is a field that two people changed.
type versusRow struct{ Label, Was, Theirs, Mine string }

func (h handlers) showVersus(c *echo.Context, f correct.Field, typed url.Values, stale *correct.Stale) error {
	person, waiting, err := h.openCorrected(c)
	if err != nil {
		return err
	}
	r, d := person.Registration, correctDialogs[f]
	at := h.moment(stale.At)
	p := versusView{
		dialogView: dialogView{ID: r.ID, Name: cmp.Or(r.FullName, "No name yet"), Title: "Two people changed these details", Size: "mid"}, Action: d.Path(r.ID),
		Who: cmp.Or(stale.Who, "The applicant") + " saved this at " + at + ", while you were editing.", Theirs: cmp.Or(firstWord(stale.Who), "Applicant") + ", " + at,
		Rows: []versusRow{{d.Fact, cmp.Or(pages.Mobile(stale.Was), "empty"), cmp.Or(pages.Mobile(stale.Theirs), "empty"), pages.Mobile(stale.Mine)}},
	}
	if stale.Waits {
		p.Who = stale.Who + " asked for another value at " + at + ", while you were editing. It waits for its owner."
	}
	renewed := url.Values{"was": {correct.Value(&r, f)}}
	for _, w := range waiting {
		if w.Field == f {
			renewed.Set("waiting", w.ID)
		}
	}
	for _, name := range []string{"value", "how", "why", "receipt", "warned"} {
		if typed.Get(name) != "" {
			renewed.Set(name, typed.Get(name))
		}
	}
	for _, name := range []string{"was", "waiting", "value", "how", "why", "receipt", "warned"} {
		if renewed.Has(name) {
			p.Fields = append(p.Fields, pages.HiddenField{Name: name, Value: renewed.Get(name)})
		}
	}
	return h.Show(c, http.StatusConflict, versusPage(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

// waitingRow is a request that waits for the owner of an address.
type waitingRow struct{ ID, Text, By, Action string }

// addCorrections adds to the facts of a person how they were verified, what waits, and the links that correct them.
func (h handlers) addCorrections(c *echo.Context, facts []fact, person office.Person) error {
	r, me := person.Registration, web.StaffPerson(c)
	waiting, err := h.Correct.Waiting(c.Request().Context(), r.ID)
	if err != nil {
		return err
	}
	for i := range facts {
		for f, d := range correctDialogs {
			if facts[i].Name != d.Fact {
				continue
			}
			if now := nowOf(person, f); now.Mark != "" {
				facts[i].Mark, facts[i].Look = now.Mark, now.Look
			}
			if !me.Can(staff.Correct) {
				continue
			}
			facts[i].Correct = d.Path(r.ID)
			for _, w := range waiting {
				if w.Field == f {
					facts[i].Waits = h.waitingRowOf(w)
				}
			}
		}
	}
	return nil
}

func (h handlers) waitingRowOf(w correct.Request) *waitingRow {
	row := waitingRow{ID: w.ID, Action: correctionPath(w.RegistrationID), By: "Asked by " + w.Who + ". " + w.How + "."}
	row.Text = "Waits for " + pages.Mobile(w.Value) + " since " + h.moment(w.CreatedAt)
	if w.Expired(h.Clock()) {
		row.Text = pages.Mobile(w.Value) + " was not confirmed within 24 hours"
	}
	return &row
}

// changeCorrection withdraws a request that waits, or sends it again.
func (h handlers) changeCorrection(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	do, what := h.Correct.Withdraw, "withdrawn"
	switch typed.Get("do") {
	case "again":
		do, what = h.Correct.SendAgain, "sent-again"
	case "withdraw":
	default:
		return echo.ErrBadRequest
	}
	id := c.Param("id")
	if !admission.IsID(typed.Get("request")) {
		return echo.ErrBadRequest
	}
	err = do(c.Request().Context(), id, typed.Get("request"), h.Session.StaffActor(c))
	switch {
	case admission.HasKind(err, admission.TooMany):
		return h.tellOn(c, id, "too-soon")
	case admission.HasKind(err, admission.Conflict):
		return h.tellOn(c, id, "done-already")
	case err != nil:
		return err
	}
	return h.tellOn(c, id, what)
}

// oldNewOf returns the old and new value of an entry about a correction, as a timeline shows them.
func oldNewOf(e enrol.Entry) (was, is string) {
	was, is, _ = e.OldNew()
	if is != "" {
		was = cmp.Or(was, "none")
	}
	return pages.Mobile(was), pages.Mobile(is)
}
