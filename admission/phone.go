package admission

import "strings"

// PhoneTaken is the message for a verified phone that belongs to another account or enrolment (spec §6).
const PhoneTaken = "This phone number is already registered."

// IndianPhone returns ten digits in E.164.
func IndianPhone(tenDigits string) string { return "+91" + tenDigits }

// TenDigits removes the +91 of IndianPhone.
func TenDigits(phone string) string { return strings.TrimPrefix(phone, "+91") }

// FormatMobile formats an Indian number for display: +91 98200 41567.
func FormatMobile(phone string) string {
	ten, indian := strings.CutPrefix(phone, "+91")
	if !indian || len(ten) != 10 {
		return phone
	}
	return "+91 " + ten[:5] + " " + ten[5:]
}
