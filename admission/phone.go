package admission

import "strings"

// IndianPhone returns ten digits as E.164.
func IndianPhone(tenDigits string) string { return "+91" + tenDigits }

// TenDigits takes back what IndianPhone did; "" stays.
func TenDigits(phone string) string { return strings.TrimPrefix(phone, "+91") }
