package site_test

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store"
	"hiresure/store/storetest"
)

// A recordRequest is a request with the id of another person's record: {paid} and {unpaid} are registrations, {txn} and {open} a
// settled and an open payment, {application}, {fee}, {document} and {upload} an application's, {session} a session, {code} a
// code request.
type recordRequest struct {
	address      string // "": the route's own
	body         string // JSON of a call, or fields of a form; "" for a GET
	status       int    // of the response for another's record, the same as for a missing one; 0 means 404 with a log line
	revealsState bool   // reveals only the state of a payment: a browser may have lost its session at the gateway
}

// recordRoutes are the routes with an id of a record, which must respond to another's record as to a missing one.
var recordRoutes = map[string]recordRequest{
	"GET /hiresure/registration/:id":                         {address: "/hiresure/registration/{paid}"},
	"GET /hiresure/documents/:id":                            {address: "/hiresure/documents/{document}"},
	"GET /hiresure/upload-doc":                               {status: http.StatusFound},                                                                                                         // the asker's own; its buttons name documents
	"POST /hiresure/upload-doc":                              {body: "--part\r\nContent-Disposition: form-data; name=\"delete\"\r\n\r\n{document}\r\n--part--\r\n", status: http.StatusSeeOther}, // who does not send documents now is led on
	"POST /hiresure/upload-doc/files":                        {status: http.StatusBadRequest},                                                                                                    // names the asker's own application beside the file
	"GET /hiresure/upload-doc/files":                         {status: http.StatusNotFound},                                                                                                      // the asker's own, who has none
	"GET /hiresure/upload-doc/files/:id/verdict":             {address: "/hiresure/upload-doc/files/{upload}/verdict"},
	"HEAD /hiresure/upload-doc/files/:id":                    {address: "/hiresure/upload-doc/files/{upload}"},
	"PATCH /hiresure/upload-doc/files/:id":                   {address: "/hiresure/upload-doc/files/{upload}"},
	"DELETE /hiresure/upload-doc/files/:id":                  {address: "/hiresure/upload-doc/files/{upload}"},
	"GET /pay":                                               {address: "/pay?scholarship_requested_id={unpaid}", status: http.StatusFound},
	"POST /pay":                                              {body: "scholarship_requested_id={unpaid}", status: http.StatusSeeOther},
	"GET /success":                                           {address: "/success?kspay_id={txn}", status: http.StatusOK, revealsState: true},
	"GET /checkout/:txn":                                     {address: "/checkout/{open}", status: http.StatusOK, revealsState: true},
	"GET /checkout/:txn/receipt":                             {address: "/checkout/{txn}/receipt"},
	"GET /checkout/:txn/invoice":                             {address: "/checkout/{txn}/invoice"},
	"GET /checkout/:txn/papers/:file":                        {address: "/checkout/{txn}/papers/invoice.pdf"},
	"GET /checkout/:txn/return":                              {address: "/checkout/{txn}/return", status: http.StatusSeeOther, revealsState: true},
	"POST /checkout/:txn/return":                             {address: "/checkout/{txn}/return", body: "outcome=paid", status: http.StatusSeeOther, revealsState: true},
	"GET /account/data":                                      {status: http.StatusOK}, // the asker's own; its buttons name the file
	"POST /account/data":                                     {body: "do=stop&file={file}"},
	"GET /account/data/file/:id":                             {address: "/account/data/file/{file}"},
	"POST /account/sessions":                                 {body: "end={session}"},
	"POST /v2scholarship/v1/submit-form-details":             {body: `{"scholarship_code":"hiresure","profile_step":4,"agreed_terms_conditions":true,"scholarship_requested_id":"{application}"}`},
	"POST /v2scholarship/v1/delete-uploaded-document-file":   {body: `{"fileUrl":"/hiresure/documents/{document}"}`},
	"POST /v2scholarship/v1/save-form-draft":                 {body: `{"scholarship_code":"hiresure","profile_step":1,"gender":"F","scholarship_requested_id":"{application}"}`},
	"GET /v2scholarship/v1/form-draft":                       {address: "/v2scholarship/v1/form-draft?scholarship_code=hiresure&profile_step=1&scholarship_requested_id={application}"},
	"GET /v2scholarship/v1/my-registration":                  {address: "/v2scholarship/v1/my-registration?scholarship_requested_id={paid}"},
	"POST /payments/v1/initiate-payment":                     {body: `{"scholarship_requested_id":"{unpaid}","redirection_url":"/success"}`},
	"POST /v2scholarship/v2/initiate-payment":                {body: `{"scholarship_requested_id":"{application}","redirection_url":"/hiresure/payment"}`},
	"POST /v2scholarship/v2/verify-payment":                  {body: `{"scholarship_requested_id":"{application}","payment_transaction_id":"{fee}"}`},
	"POST /hiresure/payment":                                 {body: "kspay_id={fee}", status: http.StatusSeeOther},
	"GET /hiresure/payment":                                  {address: "/hiresure/payment?kspay_id={fee}"},
	"POST /payments/v1/verify-payment":                       {body: `{"payment_transaction_id":"{txn}"}`, status: http.StatusOK, revealsState: true},
	"POST /ks-website/v1/update-scholarship-request":         {body: `{"scholarship_requested_id":"{unpaid}","phone_otp":"123456"}`, status: http.StatusUnprocessableEntity},
	"POST /ks-website/v1/resend-otp-for-scholarship-request": {body: `{"request_id":"{code}"}`},
}

// harmlessRoutes are all other routes, with the reason why they reveal nobody's record.
var harmlessRoutes = map[string]string{
	"/favicon.ico /healthz /readyz /metrics /static/* /robots.txt /sitemap.xml /site.webmanifest /human/challenge /api/openapi.yaml":                                                                                                                                                                                                    "the same for everybody",
	"/ /scholarship /scholarship/:slug /scholarship/:slug/exam /scholarship/:slug/questions /scholarship/:slug/courses /scholarship/:slug/courses/:course /apply /apply/:slug /enquiry /legal/:slug /legal/grievance /og/:picture /logos/:name":                                                                                         "public; the name in their greeting comes from the session alone",
	"/r/:code /ticket/:key /ticket/:key/exam.ics /receipt/:token /receipt/:token/:file /invoice/:token /confirm/:token /v1/users/referralCode/:code":                                                                                                                                                                                    "open to whoever holds the code or link",
	"/hiresure /hiresure/registration /hiresure/verify /hiresure/verify/code /hiresure/form /hiresure/form/personal /hiresure/form/academic /hiresure/form/scholarship /hiresure/form/review /leave /account /account/name /account/phone /account/phone/code /account/email /account/email/code /account/data/delete /account/log-out": "of the session alone",
	"/account/sign-in /account/sign-in/code /account/sign-up": "a request for a code belongs to its session",
	"/hiresure/hand-over": "of the token in the browser's own cookie",
	"/ks-website/create-enquiry /scholarship/v1/user-verification-request /scholarship/v1/user-request-verify /scholarship/v1/create-scholarship-request":                                  "of the session alone; a code is of its session's request",
	"/ks-website/v1/check-scholarship-registered-phone /user/check-existence /scholarship/v1/apply-coupon /scholarship/v1/fetch-scholarship-event-data /ks-website/v1/abandoned-enrolment": "names nobody's record",
	"/login/code /login/token /login/token/refresh /login/session/destroy":                                                                                                                 "of the token alone; a code is of its request, whose id is the client's secret",
	"/v2scholarship/v1/fetch-user-profile /v2scholarship/v1/user-phone-verification-request /v2scholarship/v1/user-verify-phone /v2scholarship/v1/upload-document-file":                    "of the account alone",
	"/payments/webhook/:gateway": "signed by the gateway",
	"/admin /admin/take /admin/ask-gateway /admin/send-again /admin/run-again /admin/menu /admin/sign-in /admin/sign-in/code /admin/sign-in/set-up /admin/sign-in/passkey /admin/sign-in/set-up/passkey /admin/passkeys /admin/confirm /admin/sign-in/development /admin/sign-out /admin/sessions /admin/log /admin/staff /admin/staff/new /admin/staff/:id /admin/registrations /admin/registrations/:id /admin/registrations/:id/notes /admin/registrations/:id/receipt /admin/registrations/:id/decide /admin/registrations/:id/refund /admin/registrations/:id/refund/keep /admin/money/approvals /admin/money/approvals/:id /admin/registrations/:id/print /admin/registrations/:id/papers/:kind/:ref /admin/print /admin/print/:id /admin/print/:id/file /admin/print/:id/stop /admin/print/register /admin/registrations/:id/view-as /admin/registrations/:id/exam /admin/view/:view /admin/view/:view/page/* /admin/registrations/:id/email /admin/registrations/:id/phone /admin/registrations/:id/name /admin/registrations/:id/correction /admin/registrations/:id/reopen /admin/keys /admin/registrations/page /admin/registrations/views /admin/registrations/views/new /admin/registrations/views/:id": "of people who work here; see staffroutes_test.go",
	"/admin/welcome/:token /admin/welcome/:token/passkey":                                               "open to whoever holds the link",
	"/dev/outbox /dev/outbox.json /dev/components /dev/payments /dev/payments/:txn /dev/my-data/:state": "not in production",
}

// ask sends a request to a route, with the visitor's cookies.
func (r *reader) ask(v *e2e.Visitor, route string, n recordRequest) sitetest.Answer {
	r.T.Helper()
	method, path, _ := strings.Cut(route, " ")
	if n.address != "" {
		path = n.address
	}
	return r.Ask(v, method, path, n.body)
}

// fill replaces the placeholders of a naming by ids.
func (n recordRequest) fill(ids map[string]string) recordRequest {
	for name, id := range ids {
		n.address, n.body = strings.ReplaceAll(n.address, "{"+name+"}", id), strings.ReplaceAll(n.body, "{"+name+"}", id)
	}
	return n
}

// documentOf stores a photo of an application and returns its id.
func (r *reader) documentOf(registration string) string {
	r.T.Helper()
	photo := document.Document{ID: admission.NewID(), RegistrationID: registration, Kind: document.Photo, Name: "me.jpg", ContentType: "image/jpeg"}
	var err error
	if photo.StoredFile, err = r.Site.Business.Document.Files.Put(r.T.Context(), photo.ID, strings.NewReader("a photo")); err == nil {
		err = r.Site.Store.Update(r.T.Context(), func(tx store.Tx) error { return tx.AddDocument(&photo) })
	}
	if err != nil {
		r.T.Fatal(err)
	}
	return photo.ID
}

// uploadOf starts an upload of an application and returns its id.
func (r *reader) uploadOf(registration string) string {
	r.T.Helper()
	u := document.Upload{ID: admission.NewID(), RegistrationID: registration, Kind: document.Marksheet, Size: 9, State: document.Receiving, ExpiresAt: r.Site.Clock().Add(time.Hour)}
	if err := r.Site.Store.Update(r.T.Context(), func(tx store.Tx) error { return tx.AddUpload(&u) }); err != nil {
		r.T.Fatal(err)
	}
	return u.ID
}

// fileOf builds the visitor's data export and returns its id.
func (r *reader) fileOf(v *e2e.Visitor) string {
	r.T.Helper()
	var a *account.Account
	err := r.Site.Store.View(r.T.Context(), func(tx store.Tx) (err error) {
		a, err = tx.AccountOf("+91" + v.Phone)
		return err
	})
	if err != nil {
		r.T.Fatal(err)
	}
	mine, asker := r.Site.Business.MyData, admission.Visitor{AccountID: a.ID}
	if err := mine.RequestExport(r.T.Context(), asker); err != nil {
		r.T.Fatal(err)
	}
	held, err := mine.Overview(r.T.Context(), asker)
	if err == nil {
		err = mine.BuildExport(r.T.Context(), held.Export.ID)
	}
	if err != nil {
		r.T.Fatal(err)
	}
	return held.Export.ID
}

// routes returns the method and pattern of each route.
func routes(s *site.Site) (found []string) {
	for _, route := range s.Handler.(*echo.Echo).Router().Routes() {
		trimmed := strings.TrimSuffix(route.Path, "/")
		if trimmed == "" {
			trimmed = "/"
		}
		names := slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete}, route.Method)
		if method := route.Method; (names || method == http.MethodHead && trimmed == "/hiresure/upload-doc/files/:id") && !slices.Contains(found, method+" "+trimmed) {
			found = append(found, method+" "+trimmed)
		}
	}
	return found
}

func TestEveryRouteIsListed(t *testing.T) {
	known := map[string]bool{}
	for paths := range harmlessRoutes {
		for _, path := range strings.Fields(paths) {
			known["GET "+path], known["POST "+path] = true, true
		}
	}
	for route := range recordRoutes {
		if known[route] {
			t.Errorf("%s stands twice", route)
		}
		known[route] = true
	}
	routes := routes(sitetest.New(t, nil))
	for _, route := range routes {
		if !known[route] {
			t.Errorf("%s: add it to recordRoutes, or to harmlessRoutes with the reason", route)
		}
	}
	for route := range recordRoutes {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is a route no more", route)
		}
	}
	for paths := range harmlessRoutes {
		for _, path := range strings.Fields(paths) {
			if !slices.Contains(routes, "GET "+path) && !slices.Contains(routes, "POST "+path) {
				t.Errorf("%s is a route no more", path)
			}
		}
	}
}

func TestRecordsOfOthersAreNotFound(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		r := openSite(t, "DATABASE_URL", databaseURL)
		owner := r.Visitor
		ids := map[string]string{}
		registration := regexp.MustCompile(`"scholarship_requested_id":"([^"]+)"`)
		ids["txn"] = r.Pay()
		found, err := r.Site.Business.Payment.Find(t.Context(), ids["txn"])
		if err != nil {
			t.Fatal(err)
		}
		ids["paid"] = found.Transaction.RegistrationID
		r.Passes(time.Minute) // until the next code is allowed
		r.SignUp(owner)
		leaving := e2e.NewVisitor(r.Base, 6)
		r.SignUp(leaving)
		ids["session"] = r.Session(leaving)
		ids["file"] = r.fileOf(owner)
		applying := e2e.NewVisitor(r.Base, 7)
		r.SignUp(applying)
		ids["application"], ids["fee"] = r.Application(applying)
		ids["document"], ids["upload"] = r.documentOf(ids["application"]), r.uploadOf(ids["application"])
		r.Visitor = e2e.NewVisitor(r.Base, 2) // a second owner, with an unpaid registration
		late := r.Visitor
		_, answer := r.EnrolIn("Data_Analytics")
		ids["unpaid"] = registration.FindStringSubmatch(answer)[1]
		if ids["open"], err = late.Initiate(ids["unpaid"]); err != nil {
			t.Fatal(err)
		}
		r.Visitor = e2e.NewVisitor(r.Base, 3)
		asking := r.Visitor
		if ids["code"], err = r.AskCode(); err != nil {
			t.Fatal(err)
		}
		owners := map[string]*e2e.Visitor{"{txn}": owner, "{paid}": owner, "{session}": leaving, "{file}": owner, "{application}": applying, "{fee}": applying, "{document}": applying, "{upload}": applying, "{unpaid}": late, "{open}": late, "{code}": asking}

		other := e2e.NewVisitor(r.Base, 4)
		other.Name = "Ravi Kumar"
		r.SignUp(other)
		stranger := e2e.NewVisitor(r.Base, 5)
		before := storetest.Rows(t, databaseURL)
		unknown := map[string]string{}
		for name := range ids {
			unknown[name] = admission.NewID()
		}
		for _, route := range slices.Sorted(maps.Keys(recordRoutes)) {
			n := recordRoutes[route]
			r.Log.Reset()
			got := r.ask(other, route, n.fill(ids))
			logged := strings.Contains(r.Log.String(), "access to another visitor's record denied")
			strangers, nobodys := r.ask(stranger, route, n.fill(ids)), r.ask(other, route, n.fill(unknown))
			if want := cmp.Or(n.status, http.StatusNotFound); got.Status != want || n.status == 0 && !logged || n.revealsState && logged {
				t.Errorf("%s of another answers %d, logged: %t; want %d: %.300s", route, got.Status, logged, want, got.Text)
			}
			if !n.revealsState && (got.Status != nobodys.Status || got.Location != nobodys.Location) {
				t.Errorf("%s of another answers %d %s; of what does not exist %d %s", route, got.Status, got.Location, nobodys.Status, nobodys.Location)
			}
			if strangers.Status == http.StatusOK && !n.revealsState {
				t.Errorf("%s of another answers a stranger: %.300s", route, strangers.Text)
			}
			for _, secret := range []string{owner.Name, owner.Email, owner.Phone, late.Email, late.Phone, "HS26-", "/receipt"} {
				if strings.Contains(got.Text+got.Location+strangers.Text+strangers.Location, secret) {
					t.Errorf("%s tells others %s", route, secret)
				}
			}
		}
		if after := storetest.Rows(t, databaseURL); !maps.Equal(before, after) {
			t.Errorf("rows before %v, after %v", before, after)
		}
		routes := slices.SortedFunc(maps.Keys(recordRoutes), func(a, b string) int { // deletions last
			return cmp.Or(cmp.Compare(strings.Count(a, "DELETE "), strings.Count(b, "DELETE ")), cmp.Compare(a, b))
		})
		for _, route := range routes { // the owner's requests succeed, so that the addresses are right
			for id, whose := range owners {
				if strings.Contains(recordRoutes[route].address+recordRoutes[route].body, id) {
					if got := r.ask(whose, route, recordRoutes[route].fill(ids)); got.Status == http.StatusNotFound {
						t.Errorf("%s of one's own is not there: %.300s", route, got.Text)
					}
				}
			}
		}
	})
}
