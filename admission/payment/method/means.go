package method

import "regexp"

// Means is how a payer paid, as far as the provider reports it.
type Means struct {
	Name      string // "UPI", "Debit card"; "" if unknown
	Reference string // the bank's reference, printed on the payer's statement (UTR, RRN); "" if unknown
}

// Means that several providers report.
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

// MeansOf returns means. It drops a reference with characters that banks do not use.
func MeansOf(name, bankReference string) Means {
	if !reference.MatchString(bankReference) {
		bankReference = ""
	}
	return Means{Name: name, Reference: bankReference}
}
