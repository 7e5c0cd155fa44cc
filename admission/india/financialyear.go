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

// maxSerial is the largest six-digit serial of a series and financial year.
const maxSerial = 999_999

var (
	invoiceNumberShape = regexp.MustCompile(`^[A-Za-z0-9/-]{1,16}$`)
	financialYearShape = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}$`)
)

// ValidInvoiceNumber reports whether a tax invoice may have the number: at most 16 letters, digits, "-" and "/" (CGST Rules 2017,
// rule 46(b)).
func ValidInvoiceNumber(number string) bool { return invoiceNumberShape.MatchString(number) }

// InvoiceNumber formats a document number: "KS", "26-27", 1 becomes "KS/26-27/000001". It returns an error for an invalid prefix or
// year, and for a serial outside 1 to 999999: a full series never restarts.
func InvoiceNumber(prefix, fy string, serial int64) (string, error) {
	if serial < 1 || serial > maxSerial {
		return "", fmt.Errorf("number invoice: serial %d of %s/%s is outside 1 to %d", serial, prefix, fy, maxSerial)
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
