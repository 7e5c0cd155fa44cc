package web

import (
	"cmp"
	"net/url"
	"strings"

	"hiresure/paths"
)

// The addresses of the site, each written once, here or in package paths, from which the business takes those of its mails:
// routes, links and redirects take them from here, and the API what it shares with pages. A function of a slug, an id or a token also makes the pattern of a route, of ":slug".
const (
	HomePath    = "/hiresure"
	EventPath   = "/scholarship" // the default event's page
	OfferPath   = "/apply"       // the same in the alternate layout
	EnquiryPath = "/enquiry"
	PayPath     = "/pay"
	ResultPath  = paths.Result // how an attempt to pay ended
	LeavePath   = "/leave"

	AccountPath    = paths.Account // my profile
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
	DeletePath     = "/account/data/delete" // asks once more
	LeavingPath    = paths.Leaving          // what becomes of a deletion that was asked for, and where it is taken back

	VerifyPath        = "/hiresure/verify"
	VerifyCodePath    = "/hiresure/verify/code"
	FormPath          = paths.Form // leads to the page on which the application goes on
	ReviewPath        = "/hiresure/form/review"
	FeePath           = paths.Fee // where the application is paid
	UploadPath        = paths.Upload
	FilesPath         = UploadPath + "/files" // where a script sends documents, and goes on where it stopped
	RegistrationsPath = paths.Registrations   // My Registrations
	SitemapPath       = "/sitemap.xml"

	PrivacyPath   = paths.Privacy
	RefundPath    = "/legal/refund-policy"
	GrievancePath = "/legal/" + GrievanceSlug
	GrievanceSlug = "grievance" // of the legal page that holds the form of complaints
)

// ScholarshipPath is the canonical address of an event's page.
func ScholarshipPath(slug string) string { return EventPath + "/" + slug }

// ExamPath is the page of an event's exam.
func ExamPath(slug string) string { return ScholarshipPath(slug) + "/exam" }

// QuestionsPath is the page of all questions on an event.
func QuestionsPath(slug string) string { return ScholarshipPath(slug) + "/questions" }

// ApplyPath is the address of an event's page in the alternate layout, where Apply Now leads from other pages.
func ApplyPath(slug string) string { return paths.Apply(slug) }

// InvitationPath is what a payer gives to friends: the event's page, whose form then holds the payer's code.
func InvitationPath(slug, referralCode string) string {
	if referralCode == "" {
		return ScholarshipPath(slug)
	}
	return ScholarshipPath(slug) + "?" + ReferralQuery + "=" + referralCode
}

// SharePath is where a payer's own referral code leads to, short enough for a QR code: to the payer's invitation.
func SharePath(referralCode string) string { return "/r/" + referralCode }

// SharePicturePath is the picture that a payer shares, and previews of the invitation show.
func SharePicturePath(referralCode string) string { return SharePath(referralCode) + ".png" }

// NextQuery names the page of ours that a sign-in leads to; its value has been judged by admission.SafeRedirect.
const NextQuery = "next"

// RegistrationPath is the page of one registration.
func RegistrationPath(id string) string { return paths.Registration(id) }

// DataFilePath is the file with all that is held on a person.
func DataFilePath(id string) string { return MyDataPath + "/file/" + id }

// DocumentPath opens a document of an application to its owner.
func DocumentPath(id string) string { return "/hiresure/documents/" + id }

// ThumbnailQuery asks for a document as a page of its owner's shows it. By an API client's token it changes nothing.
const ThumbnailQuery = "thumbnail"

// ThumbnailPath is the picture of a photo in pages of its owner's.
func ThumbnailPath(id string) string { return DocumentPath(id) + "?" + ThumbnailQuery }

// FilePath is a file on its way.
func FilePath(id string) string { return FilesPath + "/" + id }

// VerdictPath tells what has become of a file that was sent.
func VerdictPath(id string) string { return FilePath(id) + "/verdict" }

// StepPath is the page of a step of the application's form.
func StepPath(step string) string { return FormPath + "/" + step }

// PlacePath is the page of a place of the application, of which enrol.Place has the names; a registration's own page is of an id.
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

// RegistrationQuery names the registration that a page is asked for.
const RegistrationQuery = "scholarship_requested_id"

// PayForPath is where one of several registrations is paid.
func PayForPath(id string) string { return PayPath + "?" + RegistrationQuery + "=" + id }

// TypedQuery says, with TypedAnother, that another name or e-mail was typed than those of the registration that the enrolment
// form leads to, because its phone has that already.
const (
	TypedQuery   = "typed"
	TypedAnother = "another"
)

// PayOfAnotherPath is PayForPath for who has typed another's: the page says whose the registration is.
func PayOfAnotherPath(id string) string {
	return PayForPath(id) + "&" + TypedQuery + "=" + TypedAnother
}

// CursorQuery names where a page of a list begins.
const CursorQuery = "after"

// What a link may fill in of the enrolment form.
const (
	CouponQuery   = "couponCode"
	ReferralQuery = "referralCode"
	CourseQuery   = "course"
)

// ChangeQuery names the registration whose details the enrolment form shall hold.
const ChangeQuery = "change"

// ChangePath is where the details of an unpaid registration can be changed.
func ChangePath(slug, registrationID string) string {
	return ScholarshipPath(slug) + "?" + ChangeQuery + "=" + registrationID + "#enrol"
}

// NoEnrolment is the id of the line in the enrolment form that is read by who is led there, because nothing of theirs waits
// for its payment.
const NoEnrolment = "no-enrolment"

// SignedOutID is the id of the line on the programme's home that is read by who has just logged out.
const SignedOutID = "signed-out"

// PicturePath is the address of a version of a preview picture.
func PicturePath(name, version string) string { return PictureFile(name + "." + version + ".png") }

// PictureFile is the address of a preview picture by the name of its file.
func PictureFile(name string) string { return "/og/" + name }

// LogoPath is the address of a partner's logo by the name of its file.
func LogoPath(name string) string { return "/logos/" + name }

// LegalPath is the address of a legal page.
func LegalPath(slug string) string { return "/legal/" + slug }

// CheckoutPath is where an attempt is paid.
func CheckoutPath(txnID string) string { return paths.Checkout(txnID) }

// CheckoutReturnPath takes what a browser brings back from a gateway.
func CheckoutReturnPath(txnID string) string { return paths.CheckoutReturn(txnID) }

// OwnReceiptPath and OwnInvoicePath open the papers of a payment to the browser that paid.
func OwnReceiptPath(txnID string) string { return CheckoutPath(txnID) + "/receipt" }

// OwnInvoicePath is the invoice beside OwnReceiptPath.
func OwnInvoicePath(txnID string) string { return CheckoutPath(txnID) + "/invoice" }

// ReceiptPath opens a receipt to whoever has its mailed link.
func ReceiptPath(token string) string { return paths.Receipt(token) }

// InvoicePath opens an invoice to whoever has its mailed link.
func InvoicePath(token string) string { return paths.Invoice(token) }

// OwnPaperPath is a paper of a payment as PDF, for the browser that paid, and PaperPath the same for who has its mailed link.
func OwnPaperPath(txnID, file string) string { return CheckoutPath(txnID) + "/papers/" + file }

// PaperPath is the paper beside ReceiptPath.
func PaperPath(token, file string) string { return ReceiptPath(token) + "/" + file }

// The papers that every payment has at most one of; any other is called by its number.
const (
	InvoiceFile = "invoice.pdf"
	ReceiptFile = "receipt.pdf"
	TicketFile  = "ticket.pdf"
)

// TicketPath opens a ticket to whoever holds it: its QR code has the key.
func TicketPath(key string) string { return paths.Ticket(key) }

// TicketCalendarPath is the exam of a ticket as a file for a calendar.
func TicketCalendarPath(key string) string { return paths.TicketCalendar(key) }

// The query parameters that name an attempt to pay (spec §4): our own, and the one that some gateways' returns carry instead.
const (
	PaymentID    = "kspay_id"
	PaymentIDToo = "txId"
)

// PaymentIDOf is the attempt that a query names; "" for none.
func PaymentIDOf(query url.Values) string {
	return cmp.Or(query.Get(PaymentID), query.Get(PaymentIDToo))
}

// PaymentPath is where the outcome of an attempt stands.
func PaymentPath(txnID string) string { return WithQuery(ResultPath, url.Values{PaymentID: {txnID}}) }

// FeePaymentPath is where the outcome of an attempt to pay for the application stands.
func FeePaymentPath(txnID string) string { return WithQuery(FeePath, url.Values{PaymentID: {txnID}}) }

// WebhookPath is where a gateway tells what has happened.
func WebhookPath(gateway string) string { return paths.Webhook(gateway) }

// WithQuery adds parameters to the query of an address, before its fragment. It changes nothing else, and never parses the
// address: whoever judged it did so as text (admission.SafeRedirect).
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
