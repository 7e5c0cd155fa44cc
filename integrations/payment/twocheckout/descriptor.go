package twocheckout

import (
	"errors"
	"strings"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	defaultBase   = "https://api.2checkout.com/rest/6.0"
	defaultScript = "https://2pay-js.2checkout.com/v1/2pay.js"

	sellerProvider, sellerUs = "provider", "us"
)

func checkSeller(value string) error {
	if value != sellerProvider && value != sellerUs {
		return errors.New("must be provider or us")
	}
	return nil
}

// Descriptor returns 2Checkout's entry for the catalogue. The origins are those of its hosted card fields, and of its 3-D Secure
// redirects.
func Descriptor() method.Descriptor {
	fields := []string{strings.TrimSuffix(defaultScript, "/v1/2pay.js")}
	return method.Descriptor{
		Name: "twocheckout", Label: "Card", Provider: "2Checkout", Icon: method.IconCard, Note: "Cards of any country, in fields on this page. Your bank may ask you to confirm.", Currencies: []string{"INR", "USD", "EUR"},
		Settings: []method.Setting{
			{Name: "TWOCHECKOUT_MERCHANT_CODE", Meaning: "names the account, to its API and to its card fields"},
			{Name: "TWOCHECKOUT_SECRET_KEY", Meaning: "signs API calls and instant payment notifications; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets},
			{Name: "TWOCHECKOUT_PUBLISHABLE_KEY", Meaning: "names the account to scripts in browsers"},
			{Name: "TWOCHECKOUT_BASE_URL", Meaning: "where its API is; orders at any other than the default are test orders", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "TWOCHECKOUT_SCRIPT_URL", Meaning: "where the script of its card fields is", Default: defaultScript, Script: true, Check: call.CheckURL(defaultScript)},
			{Name: "TWOCHECKOUT_SELLER", Meaning: "who sells by the contract: provider, as merchant of record, so that payers get our receipt and its invoice; or us, so that they get our tax invoice", Default: sellerProvider, Check: checkSeller},
		},
		SoldByProvider:  func(with method.Settings) bool { return with["TWOCHECKOUT_SELLER"] != sellerUs },
		Checkout:        method.Origins{Scripts: fields, Frames: fields, Forms: []string{strings.TrimSuffix(defaultBase, "/rest/6.0")}},
		Payload:         []string{"script", "sellerId", "publishableKey", "name"},
		Carries:         method.CarriesTxID,
		DisputesByEvent: true,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings, clock func() time.Time) (*Gateway, error) {
	return New(Config{
		MerchantCode: with["TWOCHECKOUT_MERCHANT_CODE"], Secrets: call.Secrets(with["TWOCHECKOUT_SECRET_KEY"]), PublishableKey: with["TWOCHECKOUT_PUBLISHABLE_KEY"],
		BaseURL: with["TWOCHECKOUT_BASE_URL"], ScriptURL: with["TWOCHECKOUT_SCRIPT_URL"], Clock: clock,
	})
}

// checkout returns the data of the checkout page.
func (g *Gateway) checkout(in method.Intent) map[string]any {
	return map[string]any{"script": g.ScriptURL, "sellerId": g.MerchantCode, "publishableKey": g.PublishableKey, "name": in.Name}
}
