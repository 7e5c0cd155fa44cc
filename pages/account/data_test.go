package account_test

import (
	"archive/zip"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/content"
	"hiresure/forms"
)

var fileAddress = regexp.MustCompile(`/account/data/file/[0-9a-z]+`)

func TestMyDataListsStoredData(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data").is(http.StatusOK, "What we hold, and who has seen it", "Nobody has opened your documents", "We have no documents of yours.", "Your choices: 0 yes, 4 no", "Not given", "Everything in one file", "Signed in on one device", "Chrome on Android", "This device",
		"Delete my account and data", "72 months", "GST law (CGST Act 2017, section 36)", "Ask for deletion").without("Withdraw", "Keep my account", "% collected")
	if b.header.Get("Cache-Control") != "no-store" {
		t.Errorf("others may keep it: %v", b.header)
	}
	b.get("/account").is(http.StatusOK, "My data")
	s.browser().get("/account/data").leadsTo("/account/sign-in?next=%2Faccount%2Fdata")
}

func TestConsentIsGivenAndWithdrawnByOneButton(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data")
	b.post("/account/data", "do", "allow", "purpose", "marketing").leadsTo("/account/data?at=choices#choices")
	b.get(b.location).is(http.StatusOK, "Your choices: 1 yes, 3 no", "21 Nov 2026, 12:00, notice of 2026-11", "Withdraw News", "Allow Reminders")
	s.clock.Pass(time.Minute)
	b.post("/account/data", "do", "take back", "purpose", "marketing").leadsTo("/account/data?at=choices#choices")
	b.get(b.location).is(http.StatusOK, "Your choices: 0 yes, 4 no", "Withdrawn 21 Nov 2026, 12:01", "Allow News").without("Withdraw News")
	b.post("/account/data", "do", "allow", "purpose", "everything").is(http.StatusNotFound)
	b.post("/account/data", "do", "anything").is(http.StatusNotFound)
}

func TestMinorsAreOfferedNoConsent(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data").is(http.StatusOK, "Allow News").without("under 18")
	b.post("/account/data", "do", "allow", "purpose", "reminders").leadsTo("/account/data?at=choices#choices")
	s.change(`INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult,
		guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, account_id)
		SELECT 'r', '', '', '', '', '', '', '', '', '', '', '', FALSE, 'Meera Rao', '+919898989898', 0, '', '', '', 0, FALSE, 0, 0, id FROM accounts`)
	b.get("/account/data").is(http.StatusOK, "You are under 18, so we do not ask you for these.", "Withdraw Reminders", "Not given").without("Allow")
	b.post("/account/data", "do", "allow", "purpose", "marketing").is(http.StatusConflict, "Nobody under 18 is asked for this.")
}

func TestTheFileIsCollectedAndDownloaded(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data")
	b.post("/account/data", "do", "collect").leadsTo("/account/data?at=file#file")
	b.get(b.location).is(http.StatusOK, "Everything in one file: 0% collected", "You , 1 of 5", "Stop")
	if !strings.Contains(b.body, `<noscript><meta http-equiv="refresh" content="3"></noscript>`) || !strings.Contains(b.body, `data-poll="/account/data"`) {
		t.Error("the page does not ask again by itself")
	}
	id := regexp.MustCompile(`name="file" value="([0-9a-z]+)"`).FindStringSubmatch(b.body)[1]
	file := "/account/data/file/" + id
	b.get(file).is(http.StatusNotFound)
	check(t, s.services.MyData.BuildExport(t.Context(), id))
	b.get("/account/data").is(http.StatusOK, "Everything in one file: ready", "Download it until 28 Nov 2026, 12:00; then we delete it.", "Download").without("http-equiv")
	if address := fileAddress.FindString(b.body); address != file {
		t.Fatalf("the download is at %q", address)
	}
	if strings.Contains(b.body, "data-poll") {
		t.Error("the page still asks")
	}
	b.get(file).is(http.StatusOK)
	read, err := zip.NewReader(strings.NewReader(b.body), int64(len(b.body)))
	if err != nil || len(read.File) != 6 {
		t.Errorf("the file is no ZIP of six: %v", err)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/zip", "Content-Disposition": `attachment; filename="hiresure-my-data-2026-11-21.zip"`, "Cache-Control": "no-store",
	} {
		if got := b.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}

	other := s.signedUp("9876500009", "other@example.com")
	other.get(file).is(http.StatusNotFound)
	other.get("/account/data")
	other.post("/account/data", "do", "stop", "file", id).is(http.StatusNotFound)
	s.browser().get(file).leadsTo("/account/sign-in?next=" + strings.ReplaceAll(file, "/", "%2F"))
	if denied := strings.Count(s.log.String(), "access to another visitor's record denied"); denied != 2 {
		t.Errorf("%d tries are logged, want 2:\n%s", denied, s.log.String())
	}

	s.clock.Pass(15 * time.Minute)
	b.get(file).is(http.StatusOK, "Is it still you, Asha?", "Before you download your data, we send you a code.")
	b.post("/account/sign-in").asks("/account/sign-in/code", "Enter the OTP")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account/data?at=file#file")
	b.get(file).is(http.StatusOK)
	b.get("/account/data")
	b.post("/account/data", "do", "stop", "file", id).leadsTo("/account/data?at=file#file")
	b.get(file).is(http.StatusNotFound)
}

func TestAnOldFileIsOver(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data")
	b.post("/account/data", "do", "collect")
	b.get("/account/data")
	id := regexp.MustCompile(`name="file" value="([0-9a-z]+)"`).FindStringSubmatch(b.body)[1]
	check(t, s.services.MyData.BuildExport(t.Context(), id))
	s.clock.Pass(7 * 24 * time.Hour)
	b.get("/account/data").is(http.StatusOK, "Everything in one file: expired", "Your file of 21 Nov 2026 was deleted after seven days.", "Collect my data").without("Download")
}

func TestDeletionIsConfirmedAndCancelled(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data/delete").is(http.StatusOK, "Delete your account?", "In seven days we delete your account, registrations, answers, documents", "72 months", "We send a message to "+spoke+" now, and again when it is done.", "Delete in seven days", "Cancel").without("e-mail")
	s.clock.Pass(15 * time.Minute)
	b.post("/account/data/delete").is(http.StatusConflict, "Is it still you, Asha?", "Before you delete everything, we send you a code.")
	b.get("/account/data/delete").is(http.StatusOK, "Is it still you, Asha?")
	b.post("/account/sign-in").asks("/account/sign-in/code")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account/data/delete")
	b.get(b.location).is(http.StatusOK, "Delete your account?")
	b.post("/account/data/delete").leadsTo("/account/data?at=delete#delete")
	b.get("/account/data").is(http.StatusOK, "Will be deleted on 28 Nov 2026", "Until 28 Nov 2026, 12:15 nothing changes, and you can cancel.", "Keep my account").without("Ask for deletion")
	if last := s.written[len(s.written)-1]; last.Template != "deletion-asked-sms" || last.To != "+91"+phone || last.Params["When"] != "28 Nov 2026, 12:15" {
		t.Errorf("the person is told %+v", last)
	}
	b.get("/account/data/delete").leadsTo("/account/data?at=delete#delete")
	b.get("/account/log-out").is(http.StatusOK, "Your account will be deleted on 28 Nov 2026. Keep my account", "Log out? To sign in again, use a code sent to").without("Your saved work stays")
	b.get("/account/data?at=delete&kept=1").is(http.StatusOK, "Will be deleted on 28 Nov 2026").without("Your account stays")
	const stays = "Your account stays. Nothing is deleted."
	for range 2 { // the second press is on an old page
		b.post("/account/data", "do", "keep").leadsTo("/account/data?at=delete&kept=1#delete")
		b.get(b.location).is(http.StatusOK, stays, "Ask for deletion").without("Keep my account")
	}
	b.get("/account/data").is(http.StatusOK, "Ask for deletion").without("Keep my account", stays)
	if sent := s.written[len(s.written)-2:]; sent[0].Template != "deletion-asked-sms" || sent[1].Template != "deletion-kept-sms" || sent[1].Params["Asked"] != "21 Nov 2026" {
		t.Errorf("the person is told %+v", sent)
	}
}

func TestDeletionMailLinksToItsCancellation(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/email")
	b.post("/account/email", "email", email).leadsTo("/account/email/code")
	b.get("/account/email/code")
	b.post("/account/email", "do", "verify", "otp", s.code(email)).leadsTo("/account#email-saved")
	b.get("/account/data/delete").is(http.StatusOK, "We send a message to "+email+" now")
	b.post("/account/data/delete").leadsTo("/account/data?at=delete#delete")
	if last := s.written[len(s.written)-1]; last.Template != "deletion-asked" || last.Params["DataURL"] != s.url+b.location {
		t.Errorf("the person is told %+v", last)
	}
}

func TestADeviceIsSignedOutFromMyData(t *testing.T) {
	s := newSite(t)
	first := s.signedUp(phone, email)
	s.clock.Pass(time.Minute)
	second := s.browser()
	second.signsIn(phone, "+91"+phone, "/account/data").leadsTo("/account/data")
	second.get("/account/data").is(http.StatusOK, "Signed in on two devices", "Signed in on 21 Nov 2026")
	end := regexp.MustCompile(`name="end" value="([0-9a-z]{26})"`).FindStringSubmatch(second.body)[1]
	second.post("/account/sessions", "end", end, "from", "/account/data").leadsTo("/account/data?at=sessions#session-ended")
	second.get("/account/data").is(http.StatusOK, "Signed in on one device")
	first.get("/account/data").leadsTo("/account/sign-in?next=%2Faccount%2Fdata")
}

func TestRepeatedRequestsAreLimitedAtTheButton(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	s.services.Access.RateLimitsOff = false
	for range 3 {
		b.get("/account/data/delete")
		b.post("/account/data/delete").leadsTo("/account/data?at=delete#delete")
		b.get("/account/data")
		b.post("/account/data", "do", "keep").leadsTo("/account/data?at=delete&kept=1#delete")
		b.post("/account/data", "do", "collect").leadsTo("/account/data?at=file#file")
		b.get("/account/data")
		file := regexp.MustCompile(`name="file" value="([0-9a-z]+)"`).FindStringSubmatch(b.body)[1]
		b.post("/account/data", "do", "stop", "file", file).leadsTo("/account/data?at=file#file")
	}
	b.get("/account/data/delete")
	b.post("/account/data/delete").is(http.StatusTooManyRequests, "Delete your account?", "Too many tries. Please wait 24 hours and try again.", "Delete in seven days")
	b.get("/account/data")
	b.post("/account/data", "do", "collect").is(http.StatusTooManyRequests, "What we hold", "Too many tries. Please wait 24 hours and try again.", "Collect my data").without("% collected")
	if b.header.Get("Retry-After") != "86400" {
		t.Errorf("Retry-After: %q", b.header.Get("Retry-After"))
	}
}

func TestSamplesShowStatesThatTakeTime(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	for state, want := range map[string][]string{
		"collecting":          {"Everything in one file: 40% collected", "Money , 3 of 5", "2,355 KB so far, begun 12:00", "Stop"},
		"file-over":           {"Everything in one file: expired", "Your file of 13 Nov 2026 was deleted after seven days.", "Collect my data"},
		"file-not-made":       {"Your file could not be made", "Try again, or write to privacy@", "Collect my data"},
		"deletion-would-wait": {"Your refund is not complete yet. If that takes longer than seven days, we delete your account once your refund is complete.", "Ask for deletion"},
		"deletion-postponed":  {"Will be deleted once your dispute has ended", "You asked for it on 13 Nov 2026. We check every day, and you can still cancel. Your bank is looking into a payment that was disputed.", "Keep my account"},
		"stale-download":      {"Is it still you, Asha?", "Before you download your data, we send you a code."},
		"stale-deletion":      {"Is it still you, Asha?", "Before you delete everything, we send you a code."},
	} {
		b.get("/dev/my-data/"+state).is(http.StatusOK, want...)
	}
	if b.get("/dev/my-data/collecting"); !strings.Contains(b.body, `data-poll="/dev/my-data/collecting"`) {
		t.Error("the page leaves the state by itself")
	}
	b.get("/dev/my-data/anything").is(http.StatusNotFound)
	b.get("/account/data").is(http.StatusOK, "Nobody has opened your documents", "Everything in one file", "Ask for deletion").without("% collected", "Keep my account") // nothing changed
	s.browser().get("/dev/my-data/collecting").leadsTo("/account/sign-in?next=%2Fdev%2Fmy-data%2Fcollecting")
}

func TestFailedExportIsReported(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/data")
	b.post("/account/data", "do", "collect").leadsTo("/account/data?at=file#file")
	s.change("UPDATE exports SET failed_at = asked_at")
	b.get("/account/data?at=file").is(http.StatusOK, "Your file could not be made", "We could not make the file. We know about it and are working on it. Try again, or write to privacy@", "Collect my data").without("% collected", "http-equiv")
	if strings.Contains(b.body, "data-poll") {
		t.Error("the page still asks")
	}
}

func TestMyDataAndTheNoticeShowTheSameConsents(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	page := b.get("/account/data?at=choices").text()
	words, err := content.Load()
	check(t, err)
	privacy, _ := words.Page("privacy")
	notice := privacy.Text()
	for _, form := range []string{"enrolment", "hiresure"} {
		boxes := forms.Get(form).Field("consents").Options
		if len(boxes) != 4 {
			t.Errorf("%s has %d boxes", form, len(boxes))
		}
		for _, box := range boxes {
			if !strings.Contains(page, box.Text) {
				t.Errorf("My data does not say of %s in %s: %s", box.Value, form, box.Text)
			}
			if !strings.Contains(notice, box.Text) {
				t.Errorf("the privacy notice does not say of %s in %s: %s", box.Value, form, box.Text)
			}
		}
	}
}

func TestRetainedDataMatchesMailAndNotice(t *testing.T) {
	s := newSite(t)
	page := s.signedUp(phone, email).get("/account/data?at=delete").is(http.StatusOK, "Invoice and payment 72 months", "Server records, without names 1 year", "0 2 4 6 years").text()
	if strings.Count(page, "Data protection law") != 1 || strings.Count(page, "GST law") != 1 {
		t.Error("the page says of more that it stays")
	}
	words, err := content.Load()
	check(t, err)
	privacy, _ := words.Page("privacy")
	texts := map[string]string{"the notice": privacy.Text()}
	for _, id := range []string{"deletion-asked", "deletion-done"} {
		m, known := words.Message(id)
		if !known {
			t.Fatalf("no message %s", id)
		}
		mail, err := m.Preview()
		check(t, err)
		texts[id] = mail.Text
		if !strings.Contains(mail.Text, "Invoices and payments stay as long as the tax law asks for") {
			t.Errorf("%s: %s", id, mail.Text)
		}
	}
	for name, text := range texts {
		if !strings.Contains(text, "without names, for 1 year") {
			t.Errorf("%s does not say that server records stay", name)
		}
	}
}
