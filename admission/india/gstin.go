package india

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var gstinShape = regexp.MustCompile(`^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]$`)

const base36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// CheckGSTIN returns an error for an invalid GST identification number: its shape (state code, PAN, entity, Z, check character; 15
// capitals and digits), its state code, or its check character.
func CheckGSTIN(gstin string) error {
	if !gstinShape.MatchString(gstin) {
		return errors.New("GSTIN: want 15 characters such as 29ABCDE1234F1ZW")
	}
	if _, known := StateByCode(gstin[:2]); !known {
		return fmt.Errorf("GSTIN: state code %s is unknown", gstin[:2])
	}
	if want := gstinCheck(gstin[:14]); gstin[14] != want {
		return fmt.Errorf("GSTIN: the last character of %s should be %c", gstin, want)
	}
	return nil
}

// gstinCheck computes the check character: Luhn's algorithm in base 36, weights 1, 2, 1, 2, … from the left.
func gstinCheck(first14 string) byte {
	sum := 0
	for i, char := range first14 {
		product := strings.IndexRune(base36, char) * (1 + i%2)
		sum += product/36 + product%36
	}
	return base36[(36-sum%36)%36]
}
