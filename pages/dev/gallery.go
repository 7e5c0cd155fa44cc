package dev

import (
	"hiresure/components"
	"hiresure/forms"
)

var (
	courses = []forms.Option{{Value: "Blockchain", Label: "Blockchain"}, {Value: "Artificial_Intelligence", Label: "Artificial Intelligence"}, {Value: "Data_Analytics", Label: "Data Analytics"}}

	consents = []forms.Option{{Value: "marketing", Label: "Send me news about programmes and scholarships"}, {Value: "reminders", Label: "Save what I typed and remind me if I leave it unfinished"}}

	documents = []components.Link{{Text: "Terms & conditions", Href: "/terms"}, {Text: "Refund Policy", Href: "/refunds"}, {Text: "Legal Disclosure", Href: "/disclosure"}}

	sendCode = &components.SubmitAction{Name: "do", Value: "code", Label: "Send code"}
	apply    = &components.SubmitAction{Name: "do", Value: "apply", Label: "Apply"}
)

// fields returns each kind of field in each state.
var fields = []components.FieldProps{
	{Name: "empty", Kind: "text", Label: "Full name", Autocomplete: "name"},
	{Name: "filled", Kind: "text", Label: "Full name", Value: "Thangjam Bidyalakshmi Devi Ningthoujam", Hint: "As it stands on your last marksheet."},
	{Name: "optional", Kind: "text", Label: "College or organization", Optional: true},
	{Name: "wrong", Kind: "email", Label: "E-mail", Value: "ananya.d@example", Error: "Enter a valid email address.", Hint: "For receipt and invoice."},
	{Name: "readonly", Kind: "text", Label: "Full name", Value: "Ananya Deshmukh", ReadOnly: true, Hint: "Change in My profile"},
	{Name: "phone", Kind: "tel", Label: "Mobile number", Prefix: "+91", InputMode: "numeric", Value: "98200 41567", Action: sendCode},
	{Name: "phone-done", Kind: "tel", Label: "Mobile number", Prefix: "+91", Value: "98200 41567", Verified: "Verified"},
	{Name: "phone-wrong", Kind: "tel", Label: "Mobile number", Prefix: "+91", Value: "12345", Error: "Indian phone number must start with 6-9 and be exactly 10 digits.", Action: sendCode},
	{Name: "course", Kind: "select", Label: "Course", Empty: "Choose a course", Options: courses, Half: true},
	{Name: "course-wrong", Kind: "select", Label: "Course", Empty: "Choose a course", Options: courses, Error: "Course selection is required.", Half: true},
	{Name: "coupon", Kind: "code", Label: "Coupon code", Optional: true, Value: "MGROW500", Action: apply},
	{Name: "coupon-wrong", Kind: "code", Label: "Coupon code", Optional: true, Value: "NOSUCH", Error: "Invalid coupon code. Please check and try again.", Action: apply},
	{Name: "message", Kind: "textarea", Label: "Message", Optional: true},
	{Name: "adult", Kind: "checkbox", Label: "I am 18 or older", Checked: true},
	{Name: "terms", Kind: "checkbox", Label: "I agree to the Terms & conditions, Refund Policy and Legal Disclosure", Links: documents, Error: "Please check terms and condition"},
	{Name: "consents", Kind: "checkboxes", Label: "Your choices", Hint: "All optional. You can change them any time.", Options: consents, Values: []string{"reminders"}},
}

var otp = components.FieldProps{Name: "otp", Kind: "otp", Label: "OTP", Hint: "The 6 digits that we sent to your mobile number.", Autocomplete: "one-time-code", InputMode: "numeric", Value: "4081", Action: &components.SubmitAction{Name: "do", Value: "verify", Label: "Verify"}}

var invoice = components.PaperProps{
	Title: "Tax invoice", Copy: "Original for recipient", Currency: "₹", SumIs: "Total", Sum: "₹1,499.00",
	Number: "KS/26-27/000001", Date: "21 Nov 2026", Place: "Maharashtra (27)", ReverseCharge: "No",
	Supplier: components.Party{Name: "Sample Skilling Academy Private Limited", Lines: []string{"14 Residency Road", "Bengaluru 560025, Karnataka (29)", "GSTIN 29ABCDE1234F1ZW"}},
	Buyer:    components.Party{Name: "Ananya Deshmukh", Lines: []string{"State Maharashtra (27)", "ananya.d@example.com"}},
	BuyerIs:  "Billed to",
	Items:    "What was paid", Description: "Registration fee, MGrow 2025", SAC: "999293", Quantity: "1", Amount: "1,270.34",
	Rows:  []components.PaperRow{{Fact: components.Fact{Name: "Taxable value", Value: "1,270.34"}, Base: true}, {Fact: components.Fact{Name: "IGST 18%", Value: "228.66"}}},
	Words: "One Thousand Four Hundred Ninety Nine Rupees Only",
	Split: components.PaperSplit{Taxable: "1,270.34", Rate: "18%", InAll: "228.66", Taxes: []components.Fact{{Name: "IGST", Value: "228.66"}}},
	Paid:  "Paid on 21 Nov 2026", PaymentID: "pt0ca8xbbfd8mgn8c4msc6ky74",
	Notes: []string{"This invoice is auto-generated, no signature needed."},
}

var ticket = components.TicketProps{
	Programme: "HireSure mGrow Scholarship", Name: "Ananya Deshmukh", Day: "14", Month: "March 2027", Weekday: "Sunday",
	Course: "Data Analytics", Where: "Online, with a proctor", WhereMore: "from home or college", Bring: "Computer or phone with camera, reliable internet",
	Money: "Amount paid", Paid: "₹1,499.00", Number: "HS26-4K7M-K", Link: "http://127.0.0.1:8080/ticket/AAAAAAAAAAAAAAAAAAAAAA",
}
