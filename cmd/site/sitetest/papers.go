package sitetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/pdf"
	"hiresure/static"
	"hiresure/store"
)

// Stamps prints papers without a browser.
type Stamps struct{}

func (Stamps) Unavailable() bool { return false }

func (Stamps) Print(_ context.Context, p paper.Paper) ([]byte, error) {
	return fmt.Appendf(nil, "%%PDF-1.4 %s %s %d", p.Kind, p.Ref, p.Issue), nil
}

// NeedsBrowser returns the path of a browser. It skips the test if there is none, or no PDF reader, and with -short.
func NeedsBrowser(t *testing.T) (path string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	path, err := pdf.Find(os.Getenv("CHROME_PATH"))
	if err == nil {
		_, err = exec.LookPath("pdftotext")
	}
	if err == nil && !static.Built() {
		err = fmt.Errorf("the front end is not built")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "SKIPPED: %s: %v\n", t.Name(), err)
		t.Skip(err)
	}
	return path
}

// Poppler runs a program of poppler on a PDF.
func Poppler(t *testing.T, program, body string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "paper.pdf")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, append(args, file, "-")[:len(args)+map[bool]int{true: 2, false: 1}[program == "pdftotext"]]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
	return string(out)
}

// PrintingSite prints papers of payments that a test stores.
type PrintingSite struct {
	*Reader
	Supplier invoice.Supplier
}

// OpenPrintingSite opens a site that prints papers of a size.
func OpenPrintingSite(t *testing.T, size string, changes ...string) *PrintingSite {
	p := &PrintingSite{Open(t, append(changes, "CHROME_URL", "", "CHROME_PATH", NeedsBrowser(t), "PAPER_SIZE", size)...), invoice.Supplier{
		Name: "Aksharam Skill Academy Private Limited", Address: "14, Third Cross, Lakeside Layout\nBengaluru 560001", GSTIN: "29ABCDE1234F1ZW", SAC: "999293", Series: "KS", CreditSeries: "KSC", DebitSeries: "KSD", FinancialSeries: "KSF", RateBP: 1800,
	}}
	p.Site.Business.Invoices.Supplier = func(time.Time) *invoice.Supplier { return &p.Supplier }
	return p
}

// Sell stores a payment with its invoice.
func (p *PrintingSite) Sell(name, stateCode string, total int64) (txn string) {
	p.T.Helper()
	txn = admission.NewID()
	r := enrol.Registration{
		ID: admission.NewID(), EventCode: "KS_Mgrow", EventSlug: "hiresure-mgrow-2025", FullName: name, Email: "asha@example.com", Phone: "+91" + txn[:10], StateCode: stateCode,
		Step: enrol.StepComplete, PaidTxnID: txn, CreatedAt: p.Site.Clock(),
	}
	money := admission.INR(total)
	paid := payment.Transaction{
		ID: txn, RegistrationID: r.ID, Gateway: "sandbox", List: money, Charge: money, State: payment.Paid, CreatedAt: p.Site.Clock(), SettledAt: p.Site.Clock(), ExpiresAt: p.Site.Clock(),
		Payer: payment.Payer{Description: "Registration fee – HireSure mGrow Scholarship", Name: name, Email: r.Email, Phone: "+919820041567", StateCode: stateCode},
	}
	p.Update(func(tx store.Tx) error {
		if err := tx.AddRegistration(&r); err != nil {
			return err
		}
		if err := tx.AddTransaction(&paid); err != nil {
			return err
		}
		_, err := p.Site.Business.Invoices.Issue(tx, invoice.Sale{
			TxnID: txn, RegistrationID: r.ID, Description: paid.Payer.Description, Buyer: invoice.Party{Name: name, Email: r.Email, Phone: paid.Payer.Phone}, StateCode: stateCode,
			List: money.Minor, Charged: money, PaymentMethod: "sandbox",
		})
		return err
	})
	return txn
}

// Refund stores a refund's credit note; refunded is the total refunded so far.
func (p *PrintingSite) Refund(txn string, charged, refunded int64) {
	p.T.Helper()
	p.Update(func(tx store.Tx) error {
		back := payment.Refund{ID: admission.NewID(), TxnID: txn, Amount: admission.INR(refunded), State: method.RefundDone, CreatedAt: p.Site.Clock()}
		if err := tx.SaveRefund(&back); err != nil {
			return err
		}
		_, err := p.Site.Business.Invoices.Credit(tx, txn, back.ID, admission.INR(charged), refunded)
		return err
	})
}

// Update changes the database.
func (p *PrintingSite) Update(write func(store.Tx) error) {
	p.T.Helper()
	if err := p.Site.Store.Update(p.T.Context(), write); err != nil {
		p.T.Fatal(err)
	}
}
