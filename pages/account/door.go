package account

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// door is a page that asks one question, in one state: signing in and up, a code, a new address.
type door struct {
	components.DoorProps
	Title    string         // of the page
	Here     string         // where the page can be had again that is the answer to a post; "" for nowhere
	Enrolled *enrolledStrip // for what one has enrolled already; nil for nothing
	Lead     string         // why one is here; "" where the question says it
	Action   string         // what the form posts to
	Form     components.FormProps
	Place    string // of the form's groups that are asked for
	Hidden   []pages.HiddenField
	Button   string
	Do       string // what the button does, where a page has several; "" for none
	Small    small
	Code     *sentCode           // what is known of a code that was sent; nil before
	Other    []way               // what else one may want
	Held     []pages.HiddenField // a form that waits until one is signed in
	Sends    bool                // it is sent
}

// small is what stands below the button, with one link.
type small struct {
	Before string
	Link   components.Link // Text is "" for none
	After  string
}

// way is a line below the form: words, and where they lead.
type way struct {
	Words string
	Bold  string
	Link  components.Link
}

// show writes a door: refused says what is wrong with what was typed, nil for nothing.
func (h handlers) show(c *echo.Context, d door, refused *admission.Problem) error {
	d.holding(c)
	if c.Request().Method != http.MethodPost {
		d.Here = ""
	}
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	if v.AccountID != "" && !d.Sends {
		d.Hidden = append(d.Hidden, pages.HiddenField{Name: pages.OwnerField, Value: pages.Owner(v.AccountID)})
	}
	status := http.StatusOK
	if refused != nil {
		status = refusedWith(c, refused)
		d.Form.Faults = faultsOf(d.Form.Form, refused)
	}
	if len(d.Form.Faults) > 0 {
		d.Form.Focus = ""
		if !d.Form.Summarised() {
			d.Form.Focus = d.Form.Faults[0].Field
		}
	}
	return h.Show(c, status, doorPage(h.Frame(), d))
}

// faultsOf are the faults of a refusal by the form's fields, the code's too.
func faultsOf(form *forms.Form, refused *admission.Problem) []forms.Fault {
	faults := slices.Clone(refused.Faults)
	if len(faults) == 0 {
		faults = []forms.Fault{{Field: refused.Field, Message: refused.Message}}
	}
	for i := range faults {
		if faults[i].Field == wireOTP {
			faults[i].Field = otpField
		}
	}
	return pages.FaultsOf(form, &admission.Problem{Faults: faults})
}

// The names of the code's field: in the form, and on the wire.
const (
	otpField = "otp"
	wireOTP  = "phone_otp"
)

func (d door) page() components.Page {
	return components.Page{
		Title: d.Title, Main: "threshold", NoIndex: true, Refused: len(d.Form.Faults) > 0,
		Styles: []string{"account.css"}, Scripts: []string{"signin.js"},
	}
}

// asksHuman reports whether the form's post needs the human check: a code that was sent is proof of it.
func (d door) asksHuman() bool { return d.Code == nil && d.Do == "" && !d.Sends }

// withNext is an address that leads on to next afterwards.
func withNext(address, next string) string {
	return web.WithQuery(address, url.Values{web.NextQuery: {next}})
}

// look is the button's: outlined beside an enrolment, which is what one came for.
func (d door) look() string {
	if d.Enrolled != nil {
		return "outline"
	}
	return ""
}

// doName is the name of the button's field; "" where it has none.
func (d door) doName() string {
	if d.Do == "" {
		return ""
	}
	return doField
}

// support is the way to a person, with the words before it.
func (h handlers) support(words string) way {
	phone := h.Content.Current().Site().Support.Phone
	return way{Words: words, Link: components.Link{Text: phone, Href: string(components.Tel(phone))}}
}

// posted is a form that was sent, by whom.
type posted struct {
	url.Values
	visitor admission.Visitor
	next    string
}

// read reads a posted form. One of a page that was opened in another account is refused: it would change this one.
func (h handlers) read(c *echo.Context) (p posted, err error) {
	if p.Values, err = pages.PostForm(c); err != nil {
		return p, err
	}
	p.next = h.next(p.Get(web.NextQuery))
	if p.visitor, err = h.Visitor(c, p.Values); err == nil && p.visitor.AccountID != "" && isAnothers(p.Get(pages.OwnerField), p.visitor.AccountID) {
		err = admission.ConflictProblem("", pages.OtherAccount)
	}
	return p, err
}

// isAnothers reports whether a page says that it is another account's than the one that is signed in.
func isAnothers(owner, accountID string) bool { return owner != "" && owner != pages.Owner(accountID) }

// asksForHuman reports whether a post without scripts must pass the human check first.
func (p posted) asksForHuman(err error) bool {
	return pages.NeedsHuman(err) && p.Get(pages.CaptchaName) == "" || pages.PressedTooFast(err)
}

// values are what was typed, for the form to show again.
func (p posted) values() map[string]string { return forms.Values(p.Values) }

// landed answers a post that has done what it was for.
func landed(c *echo.Context, address string) error {
	return c.Redirect(http.StatusSeeOther, cmp.Or(address, web.HomePath))
}

// enrolledStrip is an enrolment in one line.
type enrolledStrip struct {
	Name, Course        string
	Paid                bool
	Payment             string // how it stands: "Not paid yet"
	Day, Month, Weekday string // of the exam; "" where the content no longer has the event
	See                 components.Link
}
