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

// authView is a page that asks one question: sign-in, sign-up, a code, a new address.
type authView struct {
	components.AuthPageProps
	Title    string         // of the page
	Here     string         // GET address of the page that answers a post; "" for none
	Enrolled *enrolledStrip // nil for none
	ByNumber string         // sign-in page, for an e-mail that opens no account; "" for others
	Lead     string         // why the question is asked; "" when it is obvious
	Action   string         // path that the form posts to
	Form     components.FormProps
	Place    string // group of the form's fields to show
	Hidden   []pages.HiddenField
	Button   string
	Small    small
	Code     *sentCode           // the sent code; nil before
	Other    []authLine          // lines below the form
	Held     []pages.HiddenField // fields of a held form, which is sent after sign-in
	Sends    bool                // the button sends the held form
}

// small is the small print below the button, with one link.
type small struct {
	Before string
	Link   components.Link
	After  string
}

// authLine is a line below the form.
type authLine struct {
	Words string
	Bold  string
	Link  components.Link
}

// show renders a page; refused is the problem with what was typed, nil for none.
func (h handlers) show(c *echo.Context, d authView, refused *admission.Problem) error {
	d.addHeld(c)
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
		status = pages.StatusOf(c, refused)
		d.Form.Faults = faultsOf(d.Form.Form, refused)
	}
	if len(d.Form.Faults) > 0 {
		d.Form.Focus = ""
		if !d.Form.Summarised() {
			d.Form.Focus = d.Form.Faults[0].Field
		}
	}
	return h.Show(c, status, authPage(h.Frame(), d))
}

// faultsOf returns the faults of a problem by the form's fields, with the code's name on the wire replaced.
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

// Names of the code's field in the form and on the wire.
const (
	otpField = "otp"
	wireOTP  = "phone_otp"
)

func (d authView) page() components.Page {
	return components.Page{
		Title: d.Title, Main: "signin-page", NoIndex: true, Refused: len(d.Form.Faults) > 0,
		Styles: []string{"account.css"}, Scripts: []string{"signin.js"},
	}
}

// asksHuman reports whether the post needs the human check. A sent code proves that it was passed.
func (d authView) asksHuman() bool { return d.Code == nil && !d.Sends }

// withNext returns an address that continues at next.
func withNext(address, next string) string {
	return web.WithQuery(address, url.Values{web.NextQuery: {next}})
}

// look returns the button's style: outlined below an enrolment, whose link comes first.
func (d authView) look() string {
	if d.Enrolled != nil || d.ByNumber != "" {
		return "outline"
	}
	return ""
}

// support returns a line with the support's phone number.
func (h handlers) support(words string) authLine {
	phone := h.Content.Current().Site().Support.Phone
	return authLine{Words: words, Link: components.Link{Text: phone, Href: string(components.Tel(phone))}}
}

// posted is a posted form with its visitor.
type posted struct {
	url.Values
	visitor admission.Visitor
	next    string
}

// read parses a posted form. It rejects one from a page of another account, because it would change this one.
func (h handlers) read(c *echo.Context) (p posted, err error) {
	if p.Values, err = pages.PostForm(c); err != nil {
		return p, err
	}
	p.next = h.next(p.Get(web.NextQuery))
	if p.visitor, err = h.Visitor(c, p.Values); err == nil && p.visitor.AccountID != "" && isOtherAccount(p.Get(pages.OwnerField), p.visitor.AccountID) {
		err = admission.ConflictProblem("", pages.OtherAccount)
	}
	return p, err
}

// isOtherAccount reports whether a page belongs to another account.
func isOtherAccount(owner, accountID string) bool {
	return owner != "" && owner != pages.Owner(accountID)
}

// asksForHuman reports whether a post without scripts must pass the human check first.
func (p posted) asksForHuman(err error) bool {
	return pages.AsksForCheck(err, p.Values)
}

// values returns what was typed.
func (p posted) values() map[string]string { return forms.Values(p.Values) }

// redirect redirects after a post, home if address is empty.
func redirect(c *echo.Context, address string) error {
	return c.Redirect(http.StatusSeeOther, cmp.Or(address, web.HomePath))
}

// enrolledStrip is an enrolment in one line.
type enrolledStrip struct {
	Name, Course        string
	Paid                bool
	Payment             string // payment status: "Not paid yet"
	Day, Month, Weekday string // of the exam; "" where the content no longer has the event
	See                 components.Link
}
