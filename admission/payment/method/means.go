package method

import "regexp"

// Means tells a payer how they paid, as far as the provider says.
type Means struct {
	Name      string // "UPI", "Debit card"; "" where it is not known
	Reference string // what the payer's bank calls the payment, on its statement too (UTR, RRN); "" where it is not known
}

// The means that more than one provider tells of.
const (
	Card         = "Card"
	CreditCard   = "Credit card"
	DebitCard    = "Debit card"
	EMI          = "EMI"
	NetBanking   = "Net banking"
	PayLater     = "Pay later"
	UPI          = "UPI"
	Wallet       = "Wallet"
	BankTransfer = "Bank transfer"
)

var reference = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z ./_-]{0,63}$`)

// MeansOf returns means; a reference that no bank would print is left out.
func MeansOf(name, bankReference string) Means {
	if !reference.MatchString(bankReference) {
		bankReference = ""
	}
	return Means{Name: name, Reference: bankReference}
}
