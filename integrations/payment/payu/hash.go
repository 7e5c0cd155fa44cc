package payu

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
)

// separator joins signed values. A value that contains it could be read as two.
const separator = "|"

// signedFields are the signed fields of the form, in order; a return signs them in reverse.
var signedFields = []string{"key", "txnid", "amount", "productinfo", "firstname", "email", "udf1", "udf2", "udf3", "udf4", "udf5"}

// reserved are the empty fields udf6 to udf10 before the salt.
var reserved = []string{"", "", "", "", ""}

func digest(parts ...string) []byte {
	sum := sha512.Sum512([]byte(strings.Join(parts, separator)))
	return sum[:]
}

// forward returns the hash of the form for PayU; fields are the values of signedFields.
func forward(fields []string, salt string) string {
	return hex.EncodeToString(digest(slices.Concat(fields, reserved, []string{salt})...))
}

// signed reports whether PayU signed a returned form with one of the salts. If PayU added charges to the amount, they come first,
// under one of two names.
func (g *Gateway) signed(form url.Values) bool {
	given, err := hex.DecodeString(form.Get("hash"))
	good := err == nil
	for _, name := range slices.Concat(signedFields, []string{"hash", "status", "additionalCharges", "additional_charges"}) {
		good = good && len(form[name]) <= 1 && !strings.Contains(form.Get(name), separator)
	}
	added := form.Get("additionalCharges")
	if other := form.Get("additional_charges"); added == "" {
		added = other
	} else if other != "" {
		good = good && other == added
	}
	var fields []string
	for _, name := range slices.Backward(signedFields) {
		fields = append(fields, form.Get(name))
	}
	matches := false
	for _, salt := range g.Salts {
		parts := slices.Concat([]string{salt, form.Get("status")}, reserved, fields)
		if added != "" {
			parts = append([]string{added}, parts...)
		}
		matches = hmac.Equal(given, digest(parts...)) || matches
	}
	return good && matches
}
