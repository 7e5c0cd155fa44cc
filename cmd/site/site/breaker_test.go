package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"hiresure/cmd/site/site"
)

var idField = regexp.MustCompile(`name="scholarship_requested_id" value="([^"]+)"`)

// A payer who cannot reach a provider sees an error; later payers are offered others until it responds again.
func TestUnreachableProviderIsNotOffered(t *testing.T) {
	eachDrill(t, func(d *drill) {
		const nobody = "http://127.0.0.1:1" // refuses connections
		site := func(provider string) *site.Site {
			return d.site("GATEWAYS", "cashfree,sandbox", "CASHFREE_APP_ID", "TEST_drill", "CASHFREE_SECRET_KEY", "cf_test_drill", "CASHFREE_BASE_URL", provider)
		}
		s := site(nobody)
		p, other := d.enrolled(s, "9876543210"), d.enrolled(s, "9876543211")
		id := idField.FindStringSubmatch(p.get("/pay").answers(http.StatusOK).page)[1]
		started, _ := p.post("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": id, "gateway": "cashfree"})["transactionResponse"].(map[string]any)
		other.send(http.MethodPost, "/pay", "application/x-www-form-urlencoded", url.Values{"gateway": {"cashfree"}}.Encode())
		if p.get(fmt.Sprint(started["checkout_url"])); p.status != http.StatusSeeOther || p.answer.Get("Location") != "/pay" {
			t.Errorf("a checkout that has not opened: %d %s", p.status, p.answer.Get("Location"))
		}
		if len(d.alerts) > 0 {
			t.Errorf("after two: alerts %q", d.alerts)
		}
		other.get("/pay").answers(http.StatusOK).hides("Does not answer at the moment.")
		p.send(http.MethodPost, "/pay", "application/x-www-form-urlencoded", url.Values{"gateway": {"cashfree"}}.Encode()).answers(http.StatusServiceUnavailable).
			shows("This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		if want := []string{"a gateway does not answer and is hidden from payers: cashfree"}; !slices.Equal(d.alerts, want) {
			t.Errorf("after three: alerts %q, want %q", d.alerts, want)
		}
		const open = `alerts_open\{what="a gateway does not answer and is hidden from payers: cashfree"\} 1`
		mustMatch(t, scrape(s.Metrics), open, `gateway_call_seconds_count\{call="start",gateway="cashfree",result="unknown"\} 3`)
		later := d.enrolled(s, "9876543212")
		later.get("/pay").answers(http.StatusOK).shows("Does not answer at the moment.", "<b>Test payment</b>")
		d.now = d.now.Add(time.Minute)
		later.get("/pay").answers(http.StatusOK).hides("Does not answer at the moment.")

		refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
		defer refuses.Close()
		s = site(refuses.URL)
		mustMatch(t, scrape(s.Metrics), open) // after a restart
		p = d.enrolled(s, "9876543213")
		p.send(http.MethodPost, "/pay", "application/x-www-form-urlencoded", url.Values{"gateway": {"cashfree"}}.Encode())
		if scraped := scrape(s.Metrics); regexp.MustCompile(open).MatchString(scraped) {
			t.Errorf("it answers, and the alert is open:\n%s", scraped)
		}
	})
}
