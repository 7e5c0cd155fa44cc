// Package paths has the addresses that mails, gateways and pages lead to, each written once. web has those that only pages use.
// A function of a slug, an id or a token also makes the pattern of a route, of ":slug".
package paths

const (
	Account       = "/account" // the profile
	Data          = "/account/data"
	Leaving       = Data + "?at=delete#delete" // where a deletion that was requested is taken back
	Privacy       = "/legal/privacy"
	Form          = "/hiresure/form" // redirects to the page on which the application continues
	Fee           = "/hiresure/payment"
	Upload        = "/hiresure/upload-doc"
	Registrations = "/hiresure/registration"
	Pay           = "/pay"                     // what an enrolment owes
	Result        = "/success"                 // the outcome of a payment
	PaymentID     = "kspay_id"                 // query of Result
	PaysFor       = "scholarship_requested_id" // query of Pay: the registration
)

// Apply returns the page of an event in the alternate layout.
func Apply(slug string) string { return "/apply/" + slug }

// Registration returns the page of one registration.
func Registration(id string) string { return Registrations + "/" + id }

// PayFor returns the payment page of one of several enrolments.
func PayFor(registrationID string) string { return Pay + "?" + PaysFor + "=" + registrationID }

// Payment returns the outcome of a payment.
func Payment(txnID string) string { return Result + "?" + PaymentID + "=" + txnID }

// Checkout returns the page on which a payment is made.
func Checkout(txnID string) string { return "/checkout/" + txnID }

// CheckoutReturn returns where a gateway sends the payer's browser back to.
func CheckoutReturn(txnID string) string { return Checkout(txnID) + "/return" }

// Webhook returns where a gateway posts its events.
func Webhook(gateway string) string { return "/payments/webhook/" + gateway }

// Receipt returns the receipt that a mailed link opens.
func Receipt(token string) string { return "/receipt/" + token }

// Invoice returns the invoice that a mailed link opens.
func Invoice(token string) string { return "/invoice/" + token }

// Ticket returns the ticket that a key opens.
func Ticket(key string) string { return "/ticket/" + key }

// TicketCalendar returns the exam of a ticket as a calendar file.
func TicketCalendar(key string) string { return Ticket(key) + "/exam.ics" }

// Confirm returns the page on which somebody confirms a corrected e-mail or phone.
func Confirm(token string) string { return "/confirm/" + token }

// StaffWelcome returns the page of a link that sets up the account of a colleague.
func StaffWelcome(token string) string { return "/admin/welcome/" + token }
