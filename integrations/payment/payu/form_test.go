package payu_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
)

// initiated is the stored form of details.initiateTransaction in the specification.
func initiated(t *testing.T, session method.ChargeSession) map[string]string {
	t.Helper()
	kept, err := json.Marshal(session.Checkout)
	if err != nil {
		t.Fatal(err)
	}
	var checkout struct {
		Details struct {
			InitiateTransaction map[string]string `json:"initiateTransaction"`
		} `json:"details"`
	}
	if err := json.Unmarshal(kept, &checkout); err != nil {
		t.Fatal(err)
	}
	return checkout.Details.InitiateTransaction
}

func TestFormHasFieldsOfSpecification(t *testing.T) {
	d := newDesk(t)
	session, err := d.Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	fields := initiated(t, session)
	for name, want := range map[string]string{
		"key": key, "txnid": ref, "productinfo": "Enrolment fee", "amount": "1499.00", "email": "asha@example.com", "firstname": "Asha Rao", "phone": "9876543210",
		"surl": "https://example.com/return", "furl": "https://example.com/return", "enforce_paymethod": "", "payUUrl": d.url + "/_payment", "udf1": txn,
	} {
		if got, there := fields[name]; got != want || !there {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(fields) != 13 || len(fields["hash"]) != 128 {
		t.Errorf("%d fields, hash %q", len(fields), fields["hash"])
	}
	for _, secret := range []string{salt, "older"} {
		if kept, _ := json.Marshal(session.Checkout); strings.Contains(string(kept), secret) { // text always marshals
			t.Error("a salt is among them")
		}
	}
	again, err := d.Start(t.Context(), intent())
	if err != nil || initiated(t, again)["hash"] != fields["hash"] {
		t.Error("the second Start signs something else")
	}
}

func TestFormOmitsUnsupportedText(t *testing.T) {
	long := strings.Repeat("ä", 120)
	for _, c := range []struct {
		sentence string
		change   func(in *method.Intent)
		field    string
		want     string
	}{
		{"a name with a bar", func(in *method.Intent) { in.Name = "Asha|Rao" }, "firstname", "Asha Rao"},
		{"a name of bars and spaces", func(in *method.Intent) { in.Name = " Asha | | Rao|" }, "firstname", "Asha Rao"},
		{"a long name", func(in *method.Intent) { in.Name = long }, "firstname", long[:2*60]},
		{"a description with a bar", func(in *method.Intent) { in.Description = "Fee|1.00" }, "productinfo", "Fee 1.00"},
		{"a long description", func(in *method.Intent) { in.Description = long }, "productinfo", long[:2*100]},
		{"an e-mail with a bar", func(in *method.Intent) { in.Email = "asha|rao@example.com" }, "email", "payer@example.com"},
		{"an e-mail of 50 letters", func(in *method.Intent) { in.Email = strings.Repeat("a", 38) + "@example.com" }, "email", strings.Repeat("a", 38) + "@example.com"},
		{"an e-mail of 51 letters", func(in *method.Intent) { in.Email = strings.Repeat("a", 39) + "@example.com" }, "email", "payer@example.com"},
		{"one rupee", func(in *method.Intent) { in.Amount.Minor = 100 }, "amount", "1.00"},
		{"a rupee and five paise", func(in *method.Intent) { in.Amount.Minor = 105 }, "amount", "1.05"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			in := intent()
			c.change(&in)
			form := d.formOf(t, in)
			if got := fieldsOf(form).Get(c.field); got != c.want {
				t.Errorf("%s is %q, want %q", c.field, got, c.want)
			}
			if status, page := d.arrive(t, in); status != http.StatusOK { // PayU reads the hash as we do
				t.Errorf("%d %s", status, page)
			}
			for _, field := range form.Fields {
				if strings.Contains(field.Value, "|") {
					t.Errorf("%s has a bar", field.Name)
				}
			}
		})
	}
}
