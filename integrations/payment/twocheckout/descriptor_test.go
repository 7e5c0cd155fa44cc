package twocheckout_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hiresure/integrations/payment/twocheckout"
)

func TestDescriptorChecksSettings(t *testing.T) {
	keys := func(change map[string]string) map[string]string {
		environ := map[string]string{"TWOCHECKOUT_MERCHANT_CODE": merchant, "TWOCHECKOUT_SECRET_KEY": "new,old", "TWOCHECKOUT_PUBLISHABLE_KEY": "public"}
		for name, value := range change {
			environ[name] = value
		}
		return environ
	}
	for _, c := range []struct {
		sentence string
		environ  map[string]string
		want     string
		plays    string // the settings recognized as test settings
	}{
		{"only the keys", keys(nil), "[]", ""},
		{"nothing", nil, "[gateway twocheckout needs TWOCHECKOUT_MERCHANT_CODE gateway twocheckout needs TWOCHECKOUT_SECRET_KEY gateway twocheckout needs TWOCHECKOUT_PUBLISHABLE_KEY]", ""},
		{"three secrets", keys(map[string]string{"TWOCHECKOUT_SECRET_KEY": "a,b,c"}), "[TWOCHECKOUT_SECRET_KEY must be one secret, or two separated by a comma]", ""},
		{"a base with a trailing slash", keys(map[string]string{"TWOCHECKOUT_BASE_URL": "https://a.example/"}), "[TWOCHECKOUT_BASE_URL must be an address such as https://api.2checkout.com/rest/6.0, without a trailing slash]", "TWOCHECKOUT_BASE_URL"},
		{"a script without an address", keys(map[string]string{"TWOCHECKOUT_SCRIPT_URL": "2pay.js"}), "[TWOCHECKOUT_SCRIPT_URL must be an address such as https://2pay-js.2checkout.com/v1/2pay.js]", ""},
		{"another base", keys(map[string]string{"TWOCHECKOUT_BASE_URL": "https://a.example/rest"}), "[]", "TWOCHECKOUT_BASE_URL"},
		{"the real base", keys(map[string]string{"TWOCHECKOUT_BASE_URL": "https://api.2checkout.com/rest/6.0"}), "[]", ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			settings, given, faults := twocheckout.Descriptor().Configure(c.environ)
			if fmt.Sprint(faults) != c.want || given != (c.environ != nil) {
				t.Errorf("%v, given %t", faults, given)
			}
			plays := ""
			for _, s := range twocheckout.Descriptor().Settings {
				if s.Plays(settings[s.Name]) {
					plays += s.Name
				}
			}
			if plays != c.plays {
				t.Errorf("%q takes no real money, want %q", plays, c.plays)
			}
		})
	}
	settings, _, _ := twocheckout.Descriptor().Configure(keys(nil))
	g, err := twocheckout.Open(settings, time.Now)
	if err != nil || !slices.Equal(g.Secrets, []string{"new", "old"}) || g.MerchantCode != merchant || g.BaseURL != "https://api.2checkout.com/rest/6.0" {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := twocheckout.New(twocheckout.Config{}); err == nil {
		t.Error("a gateway without anything")
	}
}

func TestCheckoutPayloadAndOrigins(t *testing.T) {
	d := twocheckout.Descriptor()
	session, err := newDesk(t).Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.PayloadOf(session.Checkout)); got != "map[name:Asha Rao publishableKey:public script:https://2pay-js.2checkout.com/v1/2pay.js sellerId:250111206876]" {
		t.Error(got)
	}
	if got := fmt.Sprint(d.Checkout); got != "{[https://2pay-js.2checkout.com] [https://2pay-js.2checkout.com] [] [] [https://api.2checkout.com]}" {
		t.Error(got)
	}
	if forms, err := d.FormsOf(session.Checkout); err != nil || forms != nil || d.PlayMoney || d.Carries != "txid" {
		t.Errorf("%v, %v, %+v", forms, err, d)
	}
}
