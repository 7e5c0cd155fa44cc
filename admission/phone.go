package admission

import "strings"

// PhoneTaken is told of a number that is another's, or another's enrolment's (spec §6), once it is proven.
const PhoneTaken = "This phone number is already registered."

// IndianPhone returns ten digits as E.164.
func IndianPhone(tenDigits string) string { return "+91" + tenDigits }

// TenDigits takes back what IndianPhone did; "" stays.
func TenDigits(phone string) string { return strings.TrimPrefix(phone, "+91") }

// Mobile writes an Indian number as people read it: +91 98200 41567.
func Mobile(phone string) string {
	ten, indian := strings.CutPrefix(phone, "+91")
	if !indian || len(ten) != 10 {
		return phone
	}
	return "+91 " + ten[:5] + " " + ten[5:]
}
