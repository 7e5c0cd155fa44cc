package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/admission/receipt"
	"hiresure/e2e"
	"hiresure/integrations/pdf"
	"hiresure/static"
	"hiresure/store"
	"hiresure/store/storetest"
)

// needsBrowser returns the path of a browser. It skips the test if there is none, or no PDF reader, and with -short.
func needsBrowser(t *testing.T) (path string) {
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

// papersOf returns the papers of a payment, sorted by kind and ref.
func (r *reader) papersOf(txn string) (papers []paper.Paper) {
	r.t.Helper()
	if err := r.site.store.View(r.t.Context(), func(tx store.Tx) (err error) {
		papers, err = tx.PapersOfPayment(txn)
		return err
	}); err != nil {
		r.t.Fatal(err)
	}
	slices.SortFunc(papers, func(a, b paper.Paper) int { return strings.Compare(string(a.Kind)+a.Ref, string(b.Kind)+b.Ref) })
	return papers
}

func (r *reader) kinds(txn string) string {
	var kinds []string
	for _, p := range r.papersOf(txn) {
		kinds = append(kinds, fmt.Sprintf("%s %d %t", p.Kind, p.Issue, p.Printed))
	}
	return strings.Join(kinds, ", ")
}

func (r *reader) receipt(txn string) receipt.Receipt {
	r.t.Helper()
	of, err := r.site.business.Receipts.ReceiptOfPayment(r.t.Context(), txn)
	if err != nil {
		r.t.Fatal(err)
	}
	return of
}

// poppler runs a program of poppler on a PDF.
func poppler(t *testing.T, program, body string, args ...string) string {
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

// withoutSpace removes white space, as pdftotext adds some next to ₹ and in Devanagari.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

func mustContain(t *testing.T, what, body string, says ...string) {
	t.Helper()
	text := withoutSpace(poppler(t, "pdftotext", body, "-layout"))
	for _, want := range says {
		if want == "" || !strings.Contains(text, withoutSpace(want)) {
			t.Errorf("%s does not say %q:\n%s", what, want, text)
		}
	}
}

func TestPaperContent(t *testing.T) {
	path := needsBrowser(t)
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		sizes := []struct{ size, page string }{{"a4", "595.92 x 841.92 pts (A4)"}, {"letter", "612 x 792 pts (letter)"}}
		if !strings.HasPrefix(databaseURL, "sqlite://") {
			sizes = sizes[:1] // the size does not depend on the database
		}
		for _, of := range sizes {
			t.Run(of.size, func(t *testing.T) {
				r := openSite(t, "DATABASE_URL", databaseURL, "CHROME_URL", "", "CHROME_PATH", path, "PAPER_SIZE", of.size)
				r.Visitor = e2e.NewVisitor(r.Base, len(of.size))
				txn := r.pays()
				if got := r.kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
					t.Fatalf("with the payment there are %s", got)
				}
				r.works()
				if got := r.kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" {
					t.Fatalf("after the jobs there are %s:\n%s", got, r.log.String())
				}
				issued := r.receipt(txn)
				i := issued.Invoice
				buyer := []string{i.Buyer.Name, i.Buyer.Email, i.Buyer.StateName + " (" + i.Buyer.StateCode + ")"}
				sums := []string{i.Words, admission.INR(i.TotalMinor).String()}
				for _, test := range []struct {
					file, title string
					says        []string
				}{
					{"invoice.pdf", "Tax invoice " + i.Number, slices.Concat(buyer, sums, []string{
						"Tax invoice", "Original for recipient", i.Number, admission.Date(i.IssuedOn), i.Seller.Name, "GSTIN " + i.Seller.GSTIN, "Reverse charge", i.Description, i.SAC,
						"Place of supply", "Payment number", txn, "This invoice is auto-generated, no", "signature needed.",
					})},
					{"receipt.pdf", "Receipt for payment " + txn, []string{"Receipt", txn, i.Buyer.Name, i.Number, "Paid", sums[1], issued.Registration.Ticket}},
					{"ticket.pdf", "Exam ticket " + issued.Registration.Ticket, []string{"Exam ticket", issued.Registration.Ticket, i.Buyer.Name, issued.Event.Title, "Bring"}},
				} {
					answer, body := r.fetch("/checkout/" + txn + "/papers/" + test.file)
					if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/pdf" {
						t.Fatalf("%s answers %d %.200s", test.file, answer.StatusCode, body)
					}
					for name, want := range map[string]string{
						"Content-Disposition": `attachment; filename="` + test.file + `"`, "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff",
						"Content-Security-Policy": "sandbox; default-src 'none'", "Cross-Origin-Resource-Policy": "same-origin",
					} {
						if got := answer.Header.Get(name); got != want {
							t.Errorf("%s has %s: %s, want %s", test.file, name, got, want)
						}
					}
					mustContain(t, test.file, body, test.says...)
					if test.file == "ticket.pdf" && strings.Contains(withoutSpace(poppler(t, "pdftotext", body)), i.Buyer.Email) {
						t.Error("the ticket names the payer's e-mail address to whoever holds its code")
					}
					about := poppler(t, "pdfinfo", body)
					for _, want := range []string{`Title: +` + regexp.QuoteMeta(test.title), `Tagged: +yes`, `Pages: +1\n`, `Page size: +` + regexp.QuoteMeta(of.page), `JavaScript: +no`} {
						if !regexp.MustCompile(want).MatchString(about) {
							t.Errorf("%s has no %q:\n%s", test.file, want, about)
						}
					}
					if !strings.Contains(body, "/Lang (en-IN)") {
						t.Errorf("%s has no language", test.file)
					}
					drawn := 0 // Type 3 fonts: the day on a ticket is an outline
					if test.file != "invoice.pdf" {
						drawn = 1
					}
					for _, font := range strings.Split(strings.TrimSpace(poppler(t, "pdffonts", body)), "\n")[2:] {
						if strings.Contains(font, " Type 3 ") {
							drawn--
							continue
						}
						if !regexp.MustCompile(`^[A-Z]{6}\+(Eczar|Figtree)\S* +CID TrueType +Identity-H +yes yes yes`).MatchString(font) {
							t.Errorf("%s has a font that is not ours, not whole letters, or not inside: %s", test.file, font)
						}
					}
					if drawn < 0 {
						t.Errorf("%s has letters that are drawings", test.file)
					}
				}
				for _, p := range r.papersOf(txn) {
					again, err := r.site.papers.Print(t.Context(), p)
					if sum := sha256.Sum256(again); err != nil || hex.EncodeToString(sum[:]) != p.Hash || int64(len(again)) != p.Size {
						t.Errorf("%s printed anew is %d bytes, %v; it was %d, and others", p.Kind, len(again), err, p.Size)
					}
				}
			})
		}
	})
}

func TestPaperPageWaits(t *testing.T) {
	path := needsBrowser(t)
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", path)
	txn := r.pays()
	here := "/checkout/" + txn + "/papers/invoice.pdf"
	answer, _ := r.fetch(here)
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != here+"?wait" {
		t.Errorf("before it is printed it answers %d, and leads to %s", answer.StatusCode, answer.Header.Get("Location"))
	}
	answer, page := r.fetch(here + "?wait")
	if answer.StatusCode != http.StatusAccepted || answer.Header.Get("Retry-After") != "3" || !strings.Contains(page, "Your tax invoice is being prepared") ||
		!strings.Contains(page, `data-poll="`+here+`?wait"`) || strings.Contains(page, "Download PDF") {
		t.Errorf("before it is printed it answers %d: %.2000s", answer.StatusCode, page)
	}
	now := r.site.clock()
	claim := func() []admission.Job {
		jobs, err := r.site.store.ClaimJobs(t.Context(), []string{paper.JobPrint}, now, time.Minute, 10)
		if err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	claimed := claim() // a worker is printing them
	for range 3 {
		r.fetch(here + "?wait")
	}
	if again := claim(); len(claimed) != 3 || len(again) != 0 {
		t.Errorf("of %d papers that are being printed, the page that waits has %d printed a second time", len(claimed), len(again))
	}
	for _, job := range claimed {
		if err := r.site.store.PostponeJob(t.Context(), job, now); err != nil {
			t.Fatal(err)
		}
	}
	r.works()
	if answer, page = r.fetch(here + "?wait"); answer.StatusCode != http.StatusOK || !strings.Contains(page, "Your tax invoice is ready") || !strings.Contains(page, `href="`+here+`"`) || strings.Contains(page, "data-poll") {
		t.Errorf("once it is printed it answers %d: %.2000s", answer.StatusCode, page)
	}
	first, body := r.fetch(here)
	for range 10 {
		if _, again := r.fetch(here); again != body {
			t.Fatal("it is another file the next time")
		}
	}
	if answer, page = r.fetch("/checkout/" + txn + "/papers/KSC-26-27-000001.pdf"); first.StatusCode != http.StatusOK || answer.StatusCode != http.StatusNotFound || !strings.Contains(page, "There is no such document") {
		t.Errorf("a paper that there is not answers %d: %.500s", answer.StatusCode, page)
	}
	r.log.Reset()
	owner := r.Visitor
	r.Visitor = e2e.NewVisitor(r.Base, 9)
	if answer, page = r.fetch(here); answer.StatusCode != http.StatusNotFound || strings.Contains(page, "KS/") {
		t.Errorf("to a stranger it answers %d", answer.StatusCode)
	}
	r.Visitor = owner

	status, _, _ := r.happens(txn, "refunded")
	r.passes(time.Second)
	r.works()
	if got := r.kinds(txn); status != http.StatusSeeOther || got != "credit-note 1 true, invoice 1 true, receipt 2 true, ticket 2 true" {
		t.Fatalf("after a refund there are %s:\n%s", got, r.log.String())
	}
	note := r.receipt(txn).CreditNotes[0]
	if answer, page = r.fetch("/checkout/" + txn + "/papers/" + strings.ReplaceAll(note.Number, "/", "-")); answer.StatusCode != http.StatusNotFound || !strings.Contains(page, "There is no such document") {
		t.Errorf("a credit note without its .pdf answers %d", answer.StatusCode)
	}
	_, credit := r.fetch("/checkout/" + txn + "/papers/" + strings.ReplaceAll(note.Number, "/", "-") + ".pdf")
	mustContain(t, "the credit note", credit, "Credit note", note.Number, "Against tax invoice "+note.InvoiceNumber+" of "+admission.Date(note.InvoiceDate), note.Words, admission.INR(note.TotalMinor).String())
	if _, again := r.fetch(here); again != body {
		t.Error("the invoice has changed with the refund")
	}
	_, receipt := r.fetch("/checkout/" + txn + "/papers/receipt.pdf")
	mustContain(t, "the receipt", receipt, "Refunded", "Left with us", "₹0.00", note.Number)
	_, ticket := r.fetch("/checkout/" + txn + "/papers/ticket.pdf")
	mustContain(t, "the ticket", ticket, "No longer", "Refunded")
}

func TestPapersWaitForTheBrowser(t *testing.T) {
	path := needsBrowser(t)
	folder := t.TempDir()
	link := filepath.Join(folder, "chrome")
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", link)
	txn := r.pays()
	ready := func() string {
		answer, body := r.fetch("/readyz")
		return fmt.Sprint(answer.StatusCode, " ", body)
	}
	r.works()
	r.works()
	if got := r.kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
		t.Errorf("without a browser there are %s", got)
	}
	if got := ready(); got != "200 ready, but for papers\n" {
		t.Errorf("without a browser: %s", got)
	}
	if n := strings.Count(r.log.String(), "no browser prints PDFs, so they wait"); n != 1 {
		t.Errorf("the log says so %d times, want once:\n%s", n, r.log.String())
	}
	if _, page := r.fetch("/checkout/" + txn + "/papers/receipt.pdf?wait"); !strings.Contains(page, "It takes longer than usual at the moment.") {
		t.Errorf("who waits reads %.2000s", page)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	r.fetch("/checkout/" + txn + "/papers/receipt.pdf?wait")
	r.works()
	if got := r.kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
		t.Errorf("the page that waits only looks, and there are %s", got)
	}
	r.fetch("/checkout/" + txn + "/papers/receipt.pdf")
	r.works()
	if got := r.kinds(txn); got != "invoice 1 false, receipt 1 true, ticket 1 false" {
		t.Errorf("who asks for a paper hastens it alone; there are %s", got)
	}
	r.passes(printWait)
	r.works()
	if got := r.kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" {
		t.Errorf("with a browser there are %s", got)
	}
	if got := ready(); got != "200 ready\n" {
		t.Errorf("with a browser: %s", got)
	}
}

const printWait = 6 * time.Minute
