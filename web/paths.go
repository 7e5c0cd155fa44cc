package web

import (
	"cmp"
	"net/url"
	"strings"

	"hiresure/paths"
)

// Addresses of the site, each written once, here or in package paths if mails link to it. A function of a slug, an id or a
// token also returns the pattern of a route, for ":slug".
const (
	HomePath    = "/hiresure"
	EventPath   = "/scholarship" // the default event's page
	OfferPath   = "/apply"       // the default event's page in the alternate layout
	EnquiryPath = "/enquiry"
	PayPath     = paths.Pay
	ResultPath  = paths.Result // outcome of an attempt
	LeavePath   = "/leave"

	AccountPath    = paths.Account // My profile
	NamePath       = "/account/name"
	PhonePath      = "/account/phone"
	PhoneCodePath  = "/account/phone/code"
	EmailPath      = "/account/email"
	EmailCodePath  = "/account/email/code"
	SignInPath     = "/account/sign-in"
	SignInCodePath = "/account/sign-in/code"
	SignUpPath     = "/account/sign-up"
	LogOutPath     = "/account/log-out"
	SessionsPath   = "/account/sessions"
	MyDataPath     = paths.Data
	DeletePath     = "/account/data/delete" // confirms the deletion
	LeavingPath    = paths.Leaving          // state of a requested deletion, and its withdrawal

	VerifyPath        = "/hiresure/verify"
	HandOverPath      = "/hiresure/hand-over" // sign-in with a token of the accounts service
	VerifyCodePath    = "/hiresure/verify/code"
	FormPath          = paths.Form // redirects to the application's current page
	ReviewPath        = "/hiresure/form/review"
	FeePath           = paths.Fee // payment page of the application
	UploadPath        = paths.Upload
	FilesPath         = UploadPath + "/files" // resumable uploads
	RegistrationsPath = paths.Registrations   // My Registrations
	SitemapPath       = "/sitemap.xml"

	PrivacyPath   = paths.Privacy
	RefundPath    = "/legal/refund-policy"
	GrievancePath = "/legal/" + GrievanceSlug
	GrievanceSlug = "grievance" // the legal page with the complaint form
)

// ScholarshipPath returns the canonical address of an event's page.
func ScholarshipPath(slug string) string { return EventPath + "/" + slug }

// ExamPath returns the page of an event's exam.
func ExamPath(slug string) string { return ScholarshipPath(slug) + "/exam" }

// QuestionsPath returns the page with all questions about an event.
func QuestionsPath(slug string) string { return ScholarshipPath(slug) + "/questions" }

// CoursesPath returns the list of an event's courses.
func CoursesPath(slug string) string { return ScholarshipPath(slug) + "/courses" }

// CoursePath returns the page of a course of an event.
func CoursePath(slug, course string) string { return CoursesPath(slug) + "/" + course }

// ApplyPath returns an event's page in the alternate layout, the target of Apply Now on other pages.
func ApplyPath(slug string) string { return paths.Apply(slug) }

// InvitationPath returns the event's page with the payer's referral code filled in.
func InvitationPath(slug, referralCode string) string {
	if referralCode == "" {
		return ScholarshipPath(slug)
	}
	return ScholarshipPath(slug) + "?" + ReferralQuery + "=" + referralCode
}

// SharePath returns the short form of InvitationPath for a QR code; it redirects there.
func SharePath(referralCode string) string { return "/r/" + referralCode }

// SharePicturePath returns the picture that a payer shares and that link previews show.
func SharePicturePath(referralCode string) string { return SharePath(referralCode) + ".png" }

// NextQuery names the page to open after sign-in; its value has passed admission.SafeRedirect.
const NextQuery = "next"

// SignInTo returns the sign-in page that continues at next.
func SignInTo(next string) string { return WithQuery(SignInPath, url.Values{NextQuery: {next}}) }

// RegistrationPath returns the page of a registration.
func RegistrationPath(id string) string { return paths.Registration(id) }

// DataFilePath returns the file with a person's exported data.
func DataFilePath(id string) string { return MyDataPath + "/file/" + id }

// DocumentPath returns the address at which an owner opens an application document.
func DocumentPath(id string) string { return "/hiresure/documents/" + id }

// ThumbnailQuery requests a document as embedded in a page of its owner. API clients get the same file with or without it.
const ThumbnailQuery = "thumbnail"

// ThumbnailPath returns the picture of a photo for pages of its owner.
func ThumbnailPath(id string) string { return DocumentPath(id) + "?" + ThumbnailQuery }

// FilePath returns the address of an upload in progress.
func FilePath(id string) string { return FilesPath + "/" + id }

// VerdictPath returns the address of an upload's check result.
func VerdictPath(id string) string { return FilePath(id) + "/verdict" }

// ConfirmPath returns the page on which somebody confirms a corrected e-mail or phone.
func ConfirmPath(token string) string { return paths.Confirm(token) }

// StepPath returns the page of a step of the application form.
func StepPath(step string) string { return FormPath + "/" + step }

// PlacePath returns the page of an enrol.Place of the application; "detail" needs a registration id.
func PlacePath(place, registrationID string) string {
	switch place {
	case "verify":
		return VerifyPath
	case "payment":
		return FeePath
	case "upload":
		return UploadPath
	case "detail":
		return RegistrationPath(registrationID)
	}
	return StepPath(place)
}

// RegistrationQuery names the registration that a page shows.
const RegistrationQuery = paths.PaysFor

// PayForPath returns the payment page of one of several registrations.
func PayForPath(id string) string { return paths.PayFor(id) }

// TypedQuery with TypedAnother marks a redirect from the enrolment form to an existing registration of the same phone whose
// name or e-mail differs from the one typed.
const (
	TypedQuery   = "typed"
	TypedAnother = "another"
)

// PayOfAnotherPath is PayForPath with a note on whose registration it is.
func PayOfAnotherPath(id string) string {
	return PayForPath(id) + "&" + TypedQuery + "=" + TypedAnother
}

// CursorQuery names the cursor of a list page.
const CursorQuery = "after"

// Query parameters that prefill the enrolment form.
const (
	CouponQuery   = "couponCode"
	ReferralQuery = "referralCode"
	CourseQuery   = "course"
)

// ChangeQuery names the registration whose details the enrolment form loads.
const ChangeQuery = "change"

// ChangePath returns the form that edits an unpaid registration.
func ChangePath(slug, registrationID string) string {
	return ScholarshipPath(slug) + "?" + ChangeQuery + "=" + registrationID + "#enrol"
}

// NoEnrolment is the id of the notice in the enrolment form for a visitor redirected there without an unpaid registration.
const NoEnrolment = "no-enrolment"

// SignedOutID is the id of the notice on the programme's home page after log-out.
const SignedOutID = "signed-out"

// PicturePath returns the address of one version of a preview picture.
func PicturePath(name, version string) string { return PictureFile(name + "." + version + ".png") }

// PictureFile returns the address of a preview picture by its file name.
func PictureFile(name string) string { return "/og/" + name }

// LogoPath returns the address of a partner's logo by its file name.
func LogoPath(name string) string { return "/logos/" + name }

// LegalPath returns the address of a legal page.
func LegalPath(slug string) string { return "/legal/" + slug }

// CheckoutPath returns the payment page of an attempt.
func CheckoutPath(txnID string) string { return paths.Checkout(txnID) }

// AgainQuery is in the query of a checkout that a page about an open payment opens once more.
const AgainQuery = "again"

// CheckoutAgainPath returns the checkout of an open payment, opened once more.
func CheckoutAgainPath(txnID string) string { return CheckoutPath(txnID) + "?" + AgainQuery }

// CheckoutKey is the query parameter of CheckoutAddress.
const CheckoutKey = "key"

// CheckoutAddress returns the payment page of an attempt with the key that opens it in one browser.
func CheckoutAddress(txnID, key string) string {
	return WithQuery(CheckoutPath(txnID), url.Values{CheckoutKey: {key}})
}

// CheckoutReturnPath returns the address to which a gateway returns the browser.
func CheckoutReturnPath(txnID string) string { return paths.CheckoutReturn(txnID) }

// OwnReceiptPath returns the receipt of a payment, for the browser that paid.
func OwnReceiptPath(txnID string) string { return CheckoutPath(txnID) + "/receipt" }

// OwnInvoicePath returns the invoice of a payment, for the browser that paid.
func OwnInvoicePath(txnID string) string { return CheckoutPath(txnID) + "/invoice" }

// ReceiptPath returns a receipt's mailed link.
func ReceiptPath(token string) string { return paths.Receipt(token) }

// InvoicePath returns an invoice's mailed link.
func InvoicePath(token string) string { return paths.Invoice(token) }

// OwnPaperPath returns a PDF of a payment, for the browser that paid.
func OwnPaperPath(txnID, file string) string { return CheckoutPath(txnID) + "/papers/" + file }

// PaperPath returns a PDF of a payment, for holders of the mailed receipt link.
func PaperPath(token, file string) string { return ReceiptPath(token) + "/" + file }

// File names of the PDFs that a payment has at most one of; a credit note's is its number.
const (
	InvoiceFile = "invoice.pdf"
	ReceiptFile = "receipt.pdf"
	TicketFile  = "ticket.pdf"
)

// TicketPath returns the address in a ticket's QR code.
func TicketPath(key string) string { return paths.Ticket(key) }

// TicketCalendarPath returns the calendar file of a ticket's exam.
func TicketCalendarPath(key string) string { return paths.TicketCalendar(key) }

// Query parameters that name a payment attempt (spec §4): ours, and the one in some gateways' return addresses.
const (
	PaymentID    = paths.PaymentID
	PaymentIDToo = "txId"
)

// PaymentIDOf returns the payment attempt in a query; "" for none.
func PaymentIDOf(query url.Values) string {
	return cmp.Or(query.Get(PaymentID), query.Get(PaymentIDToo))
}

// PaymentPath returns the outcome page of a payment attempt.
func PaymentPath(txnID string) string { return paths.Payment(txnID) }

// FeePaymentPath returns the outcome page of an attempt to pay the application fee.
func FeePaymentPath(txnID string) string { return WithQuery(FeePath, url.Values{PaymentID: {txnID}}) }

// WebhookPath returns the address of a gateway's webhooks.
func WebhookPath(gateway string) string { return paths.Webhook(gateway) }

// WithQuery adds parameters to an address, before its fragment. It never parses the address, because
// admission.SafeRedirect validated it as text.
func WithQuery(address string, values url.Values) string {
	address, fragment, hasFragment := strings.Cut(address, "#")
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	address += joint + values.Encode()
	if hasFragment {
		address += "#" + fragment
	}
	return address
}
