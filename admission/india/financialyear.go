package india

import (
	"fmt"
	"regexp"
	"time"

	"hiresure/admission"
)

// FinancialYear returns the Indian financial year (April to March in IST) of a moment, such as "26-27".
func FinancialYear(t time.Time) string {
	local := t.In(admission.IST)
	year := local.Year()
	if local.Month() < time.April {
		year--
	}
	return fmt.Sprintf("%02d-%02d", year%100, (year+1)%100)
}

// CreditNoteDeadline returns the first moment at which the tax of an invoice can no longer be credited: 1 December after its
// financial year, in Asia/Kolkata (CGST Act 2017, section 34(2)).
func CreditNoteDeadline(issuedOn time.Time) time.Time {
	local := issuedOn.In(admission.IST)
	year := local.Year()
	if local.Month() >= time.April {
		year++
	}
	return time.Date(year, time.December, 1, 0, 0, 0, 0, admission.IST)
}

var (
	invoiceNumberShape = regexp.MustCompile(`^[A-Za-z0-9/-]{1,16}$`)
	financialYearShape = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}$`)
)

// ValidInvoiceNumber reports whether a tax invoice may have the number: at most 16 letters, digits, "-" and "/" (CGST Rules 2017,
// rule 46(b)).
func ValidInvoiceNumber(number string) bool { return invoiceNumberShape.MatchString(number) }

// InvoiceNumber formats a document number: "KS", "26-27", 1 becomes "KS/26-27/000001". It returns an error for an invalid prefix,
// year or serial. A full series never restarts: with a prefix of two letters it ends at 9999999, of three at 999999.
func InvoiceNumber(prefix, fy string, serial int64) (string, error) {
	if serial < 1 {
		return "", fmt.Errorf("number invoice: serial %d of %s/%s is below 1", serial, prefix, fy)
	}
	if !financialYearShape.MatchString(fy) {
		return "", fmt.Errorf("number invoice: %q is not a financial year such as 26-27", fy)
	}
	number := fmt.Sprintf("%s/%s/%06d", prefix, fy, serial)
	if prefix == "" || !ValidInvoiceNumber(number) {
		return "", fmt.Errorf("number invoice: %q is not 1 to 16 letters, digits, - and / after a prefix", number)
	}
	return number, nil
}
