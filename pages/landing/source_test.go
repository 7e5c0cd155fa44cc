package landing

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

const (
	campaign = "?utm_source=Poster&utm_medium=print&gclid=Cj0"
	fromIt   = "landing=hiresure-mgrow-2025&referrer=news.example&utm_medium=print&utm_source=poster"
)

func TestPageKnowsItsCampaign(t *testing.T) {
	o := testSite(t)
	for _, row := range []struct{ sentence, address, referer, source string }{
		{"a campaign, and the site that led here", mgrowPage + campaign, "https://news.example/story?reader=asha", fromIt},
		{"a campaign alone", mgrowPage + campaign, "", "landing=hiresure-mgrow-2025&utm_medium=print&utm_source=poster"},
		{"a campaign within our own pages", mgrowPage + campaign, origin + "/hiresure", "landing=hiresure-mgrow-2025&utm_medium=print&utm_source=poster"},
		{"in the other layout", "/apply/hiresure-campus-2026?utm_source=a", "", "landing=hiresure-campus-2026&utm_source=a"},
		{"with a coupon", mgrowPage + "?couponCode=MGROW500&utm_source=a", "", "landing=hiresure-mgrow-2025&utm_source=a"},
		{"a campaign that names a person", mgrowPage + "?utm_source=asha@example.com", "https://news.example/", ""},
		{"no campaign", mgrowPage, "https://news.example/", ""},
	} {
		answer := o.ask(http.MethodGet, row.address, "Referer", row.referer)
		want := `<input type="hidden" name="source" value="` + strings.ReplaceAll(row.source, "&", "&amp;") + `">`
		if got := strings.Count(answer.Body.String(), want); answer.Code != http.StatusOK || got != 2 {
			t.Errorf("%s: %d, stands %d times in the forms", row.sentence, answer.Code, got)
		}
		kept := answer.Header().Get("Cache-Control") != "no-store"
		if wanted := row.source == ""; kept != wanted {
			t.Errorf("%s: the page is kept: %v", row.sentence, kept)
		}
	}
	if kept := o.page(mgrowPage); strings.Contains(kept, "news.example") || strings.Contains(kept, "poster") {
		t.Error("the kept page has the source of a visitor")
	}
}

func TestSourceIsStoredWithTheRegistration(t *testing.T) {
	const phone = "9876543210"
	v := newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor()
	v.get(mgrowPage + campaign)
	v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").answers(http.StatusOK)
	v.press("pay").leadsTo("/checkout/")
	const source = "landing=hiresure-mgrow-2025&utm_medium=print&utm_source=poster"
	if got := v.registration(phone).Source; got != source {
		t.Errorf("the registration comes from %q, want %q", got, source)
	}
	v.press("pay", "source", "utm_source=another").leadsTo("/")
	if got := v.registration(phone).Source; got != source {
		t.Errorf("a change makes it come from %q", got)
	}
	v.visitor().get("/scholarship/hiresure-mgrow-2025")
	if stranger := v.visitor(); strings.Contains(stranger.body, "poster") {
		t.Error("a stranger sees where another came from")
	}
}

func TestInvalidSourceIsDropped(t *testing.T) {
	const phone = "9876543210"
	v := newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor()
	v.proven(phone).press("pay", "source", `utm_source=asha@example.com&referrer=https://a.example/x&name=Asha&utm_medium="><b>`).leadsTo("/checkout/")
	if got := v.registration(phone).Source; got != "" {
		t.Errorf("kept %q", got)
	}
}

func TestSourceIsStoredWithTheEnquiry(t *testing.T) {
	o := testSite(t)
	post := func(form url.Values) *visitor {
		v := &visitor{site: o.site, path: "/enquiry", fields: url.Values{}, cookies: map[string]*http.Cookie{}}
		return v.post(form)
	}
	form := url.Values{"fullname": {"Asha Verma"}, "email": {"not an e-mail"}, "countryCode": {"in"}, "phone": {"9876543210"}, "source": {fromIt + "&name=Asha"}}
	post(form).answers(http.StatusUnprocessableEntity).says(`name="source" value="` + fromIt + `"`)
	form.Set("email", "asha@example.com")
	post(form).answers(http.StatusOK)
	var source string
	if err := storetest.SQL(t, "sqlite://"+o.file).QueryRowContext(t.Context(), "SELECT source FROM enquiries").Scan(&source); err != nil || source != fromIt {
		t.Errorf("the enquiry comes from %q, %v", source, err)
	}
}
