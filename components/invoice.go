package components

// Party is seller or buyer on a sheet.
type Party struct {
	Name    string
	Address []string
	Facts   []Fact // GSTIN, State and code, e-mail
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// InvoiceLine is one line; amounts as they are to be read, without currency sign.
type InvoiceLine struct {
	Description, SAC, Quantity, Discount, Amount string
}

// InvoiceProps is a tax invoice or, without tax, a receipt; every figure is decided.
type InvoiceProps struct {
	Title    string   // "Tax invoice"
	Below    bool     // another sheet heads the page
	Marks    []string // what has become of it since, on top
	Copy     string   // "Original for recipient"
	Facts    []Fact   // number, date, place of supply, reverse charge
	Supplier Party
	Buyer    Party
	Currency string // heads the amounts: "₹"
	Lines    []InvoiceLine
	Rows     []Fact // subtotal, discount, taxable value, each tax with its rate
	Total    string // "₹1,499.00"
	Words    string
	Notes    []string // below: reverse charge, declarations, "auto-generated"
}
