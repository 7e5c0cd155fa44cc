package components

import (
	"strings"
	"testing"

	"hiresure/forms"

	"github.com/a-h/templ"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFieldMarkupEqualsReacts(t *testing.T) {
	cases := []struct {
		name  string
		props FieldProps
		want  string
	}{
		{
			"a text field says when it is optional",
			FieldProps{Name: "company_name", Kind: "text", Label: "College or organization", Optional: true, Autocomplete: "organization"},
			`<div class="field" data-field="company_name"><label class="label" for="f-company_name">College or organization<span class="optional"> (optional)</span></label><div class="control"><input class="input" id="f-company_name" name="company_name" type="text" value="" autocomplete="organization" enterkeyhint="next"></div></div>`,
		},
		{
			"error and hint stand between label and control and are heard in that order",
			FieldProps{Name: "email", Kind: "email", Label: "E-mail", Hint: "For the receipt.", Error: "Enter a valid email address.", Value: `"a"@b`, InputMode: "email"},
			`<div class="field" data-field="email"><label class="label" for="f-email">E-mail</label><p class="hint" id="h-email">For the receipt.</p><p class="error" id="e-email"><span>Enter a valid email address.</span></p><div class="control"><input class="input" id="f-email" name="email" type="email" value="&#34;a&#34;@b" aria-describedby="e-email h-email" aria-invalid="true" enterkeyhint="next" inputmode="email"></div></div>`,
		},
		{
			"a verified number has its prefix before and the word after",
			FieldProps{Name: "phone_number", Kind: "tel", Label: "Mobile number", Prefix: "+91", Value: "9820041567", Verified: "Verified", InputMode: "numeric"},
			`<div class="field" data-field="phone_number"><label class="label" for="f-phone_number">Mobile number</label><div class="control"><span class="prefix">+91</span><input class="input" id="f-phone_number" name="phone_number" type="tel" value="9820041567" aria-describedby="v-phone_number" enterkeyhint="next" inputmode="numeric"><span class="verified" id="v-phone_number">Verified</span></div></div>`,
		},
		{
			"a coupon is applied by a button of its form",
			FieldProps{Name: "coupon_code", Kind: "code", Label: "Coupon code", Action: &SubmitAction{Name: "do", Value: "apply-coupon", Label: "Apply", Busy: true}},
			`<div class="field" data-field="coupon_code"><label class="label" for="f-coupon_code">Coupon code</label><div class="control"><input class="input input-code" id="f-coupon_code" name="coupon_code" type="text" value="" autocapitalize="characters" enterkeyhint="go" spellcheck="false"><button class="button button-outline" name="do" value="apply-coupon" aria-busy="true">Apply</button></div></div>`,
		},
		{
			"a select offers nothing first",
			FieldProps{Name: "state", Kind: "select", Label: "State", Half: true, Empty: "Choose a State", Value: "Goa", Options: []forms.Option{{Value: "Goa", Label: "Goa"}, {Value: "Delhi", Label: "Delhi"}}},
			`<div class="field half" data-field="state"><label class="label" for="f-state">State</label><div class="control"><select class="input" id="f-state" name="state"><option value="">Choose a State</option><option value="Goa" selected>Goa</option><option value="Delhi">Delhi</option></select></div></div>`,
		},
		{
			"a code has one wide field",
			FieldProps{Name: "otp", Kind: "otp", Label: "OTP", MaxLength: 16, Autocomplete: "one-time-code", Hidden: true},
			`<div class="field" data-field="otp" hidden><label class="label" for="f-otp">OTP</label><div class="code">` + render(t, Digits(0, false)) + `<input class="input input-otp" id="f-otp" name="otp" type="text" value="" autocomplete="one-time-code" enterkeyhint="go" maxlength="16" spellcheck="false"></div></div>`,
		},
		{
			"two answers are a group, and the first stands for it",
			FieldProps{Name: "adult", Kind: "yesno", Label: "Your age", Value: "false", Error: "Please tell us.", Options: []forms.Option{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}},
			`<div class="field" data-field="adult" role="radiogroup" aria-labelledby="l-adult" aria-describedby="e-adult" aria-invalid="true"><span class="label" id="l-adult">Your age</span><p class="error" id="e-adult"><span>Please tell us.</span></p><div class="answers"><label class="answer"><input type="radio" id="f-adult" name="adult" value="true"><span>Yes</span></label><label class="answer"><input type="radio" id="f-adult-false" name="adult" value="false" checked><span>No</span></label></div></div>`,
		},
		{
			"a message has room",
			FieldProps{Name: "description", Scope: "enquiry-", Kind: "textarea", Label: "Message", Value: "<b>"},
			`<div class="field" data-field="description"><label class="label" for="f-enquiry-description">Message</label><div class="control"><textarea class="input" id="f-enquiry-description" name="description" rows="4">&lt;b&gt;</textarea></div></div>`,
		},
		{
			"a checkbox links the documents that it names",
			FieldProps{Name: "terms", Kind: "checkbox", Label: "I agree to the Terms & conditions and Refund Policy", Checked: true, Links: []Link{{Text: "Terms & conditions", Href: "/terms"}, {Text: "Refund Policy", Href: "/refunds"}}},
			`<div class="field field-check" data-field="terms"><div class="control"><input class="check" id="f-terms" name="terms" type="checkbox" value="true" checked><label class="label" for="f-terms">I agree to the <a href="/terms" target="_blank" rel="noopener">Terms &amp; conditions</a> and <a href="/refunds" target="_blank" rel="noopener">Refund Policy</a></label></div></div>`,
		},
		{
			"checkboxes are a group",
			FieldProps{Name: "consents", Kind: "checkboxes", Label: "Your choices", Values: []string{"reminders"}, Options: []forms.Option{{Value: "marketing", Label: "News"}, {Value: "reminders", Label: "Remind me"}}},
			`<fieldset class="field field-check" data-field="consents"><legend class="label">Your choices</legend><div class="control"><input class="check" id="f-consents-marketing" name="consents" type="checkbox" value="marketing"><label class="label" for="f-consents-marketing">News</label></div><div class="control"><input class="check" id="f-consents-reminders" name="consents" type="checkbox" value="reminders" checked><label class="label" for="f-consents-reminders">Remind me</label></div></fieldset>`,
		},
		{
			"what a person may not change is read-only",
			FieldProps{Name: "fullname", Kind: "text", Label: "Full name", Value: "Asha Rao", ReadOnly: true},
			`<div class="field" data-field="fullname"><label class="label" for="f-fullname">Full name</label><div class="control"><input class="input" id="f-fullname" name="fullname" type="text" value="Asha Rao" enterkeyhint="next" readonly></div></div>`,
		},
		{
			"a hidden field is an input and nothing else",
			FieldProps{Name: "dialLog", Kind: "hidden", Value: "91"},
			`<input type="hidden" id="f-dialLog" name="dialLog" value="91">`,
		},
	}
	for _, c := range cases {
		if got := render(t, Field(c.props)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestErrorSummaryLinksToEachField(t *testing.T) {
	got := render(t, ErrorSummary(ErrorSummaryProps{
		Title: "There is a problem",
		Scope: "enquiry-",
		Errors: []FieldError{
			{Field: "email", Message: "Email is required!"},
			{Message: "Something went wrong."},
		},
	}))
	want := `<div class="error-summary" role="group" aria-labelledby="enquiry-problem" tabindex="-1" autofocus><h2 id="enquiry-problem">There is a problem</h2><ul><li><a href="#f-enquiry-email">Email is required!</a></li><li>Something went wrong.</li></ul></div>`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestIslandPropsCannotEndTheirScript(t *testing.T) {
	got := render(t, Island("enrolment", map[string]string{"name": "</script><script>alert(1)</script>"}))
	if strings.Count(got, "</script>") != 1 {
		t.Errorf("the props end their script element: %s", got)
	}
}

func TestStructuredDataCannotEndItsScript(t *testing.T) {
	got := dataBlock([]byte(`{"name":"</script><b>"}`))
	want := `<script type="application/ld+json">{"name":"\u003c/script\u003e\u003cb\u003e"}</script>`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestPriceKernsTheRupeeOnly(t *testing.T) {
	cases := map[string]string{
		"₹1,499": `<p class="price"><span class="fee"><span class="rupee">₹</span>1,499</span></p>`,
		"$20.00": `<p class="price"><span class="fee">$20.00</span></p>`,
	}
	for amount, want := range cases {
		if got := render(t, Price(PriceProps{Amount: amount})); got != want {
			t.Errorf("%s\n got %s\nwant %s", amount, got, want)
		}
	}
}

func TestTitles(t *testing.T) {
	cases := []struct {
		page Page
		want string
	}{
		{Page{Title: "Refund Policy"}, "Refund Policy | HireSure"},
		{Page{Title: "HireSure Scholarship"}, "HireSure Scholarship"},
		{Page{Title: "Pay", Refused: true}, "Error: Pay | HireSure"},
	}
	for _, c := range cases {
		if got := c.page.title(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
