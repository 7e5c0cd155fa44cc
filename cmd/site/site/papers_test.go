package site_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store/storetest"
)

// withoutSpace removes white space, as pdftotext adds some next to ₹ and in Devanagari.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

func mustContain(t *testing.T, what, body string, says ...string) {
	t.Helper()
	text := withoutSpace(sitetest.Poppler(t, "pdftotext", body, "-layout"))
	for _, want := range says {
		if want == "" || !strings.Contains(text, withoutSpace(want)) {
			t.Errorf("%s does not say %q:\n%s", what, want, text)
		}
	}
}

func TestPaperContent(t *testing.T) {
	path := sitetest.NeedsBrowser(t)
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		sizes := []struct{ size, page string }{{"a4", "595.92 x 841.92 pts (A4)"}, {"letter", "612 x 792 pts (letter)"}}
		if !strings.HasPrefix(databaseURL, "sqlite://") {
			sizes = sizes[:1] // the size does not depend on the database
		}
		for _, of := range sizes {
			t.Run(of.size, func(t *testing.T) {
				r := openSite(t, "DATABASE_URL", databaseURL, "CHROME_URL", "", "CHROME_PATH", path, "PAPER_SIZE", of.size)
				r.Visitor = e2e.NewVisitor(r.Base, len(of.size))
				txn := r.Pay()
				if got := r.Kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
					t.Fatalf("with the payment there are %s", got)
				}
				r.Work()
				if got := r.Kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" {
					t.Fatalf("after the jobs there are %s:\n%s", got, r.Log.String())
				}
				issued := r.Receipt(txn)
				i := issued.Invoice
				buyer := []string{i.Buyer.Name, i.Buyer.Email, i.Buyer.StateName + " (" + i.Buyer.StateCode + ")"}
				sums := []string{i.Words, admission.INR(i.TotalMinor).String()}
				for _, test := range []struct {
					file, title string
					says        []string
				}{
					{"invoice.pdf", "Tax invoice " + i.Number, slices.Concat(buyer, sums, []string{
						"Tax invoice", "Original for recipient", i.Number, admission.Date(i.IssuedOn), i.Seller.Name, "GSTIN " + i.Seller.GSTIN, "Reverse charge", i.Description, i.SAC,
						"Place of supply", "Payment ID", txn, "This invoice is auto-generated, no", "signature needed.",
					})},
					{"receipt.pdf", "Receipt for payment " + txn, []string{"Receipt", txn, i.Buyer.Name, i.Number, "Paid", sums[1], issued.Registration.Ticket}},
					{"ticket.pdf", "Exam ticket " + issued.Registration.Ticket, []string{"Exam ticket", issued.Registration.Ticket, i.Buyer.Name, issued.Event.Title, "Bring"}},
				} {
					answer, body := r.Fetch("/checkout/" + txn + "/papers/" + test.file)
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
					if test.file == "ticket.pdf" && strings.Contains(withoutSpace(sitetest.Poppler(t, "pdftotext", body)), i.Buyer.Email) {
						t.Error("the ticket names the payer's e-mail address to whoever holds its code")
					}
					about := sitetest.Poppler(t, "pdfinfo", body)
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
					for _, font := range strings.Split(strings.TrimSpace(sitetest.Poppler(t, "pdffonts", body)), "\n")[2:] {
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
				for _, p := range r.Papers(txn) {
					again, err := r.Site.Papers.Print(t.Context(), p)
					if sum := sha256.Sum256(again); err != nil || hex.EncodeToString(sum[:]) != p.Hash || int64(len(again)) != p.Size {
						t.Errorf("%s printed anew is %d bytes, %v; it was %d, and others", p.Kind, len(again), err, p.Size)
					}
				}
			})
		}
	})
}

func TestPaperPageWaits(t *testing.T) {
	path := sitetest.NeedsBrowser(t)
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", path)
	txn := r.Pay()
	here := "/checkout/" + txn + "/papers/invoice.pdf"
	answer, _ := r.Fetch(here)
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != here+"?wait" {
		t.Errorf("before it is printed it answers %d, and leads to %s", answer.StatusCode, answer.Header.Get("Location"))
	}
	answer, page := r.Fetch(here + "?wait")
	if answer.StatusCode != http.StatusAccepted || answer.Header.Get("Retry-After") != "3" || !strings.Contains(page, "Your tax invoice is being prepared") ||
		!strings.Contains(page, `data-poll="`+here+`?wait"`) || strings.Contains(page, "Download PDF") {
		t.Errorf("before it is printed it answers %d: %.2000s", answer.StatusCode, page)
	}
	now := r.Site.Clock()
	claim := func() []admission.Job {
		jobs, err := r.Site.Store.ClaimJobs(t.Context(), []string{paper.JobPrint}, now, time.Minute, 10)
		if err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	claimed := claim() // a worker is printing them
	for range 3 {
		r.Fetch(here + "?wait")
	}
	if again := claim(); len(claimed) != 3 || len(again) != 0 {
		t.Errorf("of %d papers that are being printed, the page that waits has %d printed a second time", len(claimed), len(again))
	}
	for _, job := range claimed {
		if err := r.Site.Store.PostponeJob(t.Context(), job, now); err != nil {
			t.Fatal(err)
		}
	}
	r.Work()
	if answer, page = r.Fetch(here + "?wait"); answer.StatusCode != http.StatusOK || !strings.Contains(page, "Your tax invoice is ready") || !strings.Contains(page, `href="`+here+`"`) || strings.Contains(page, "data-poll") {
		t.Errorf("once it is printed it answers %d: %.2000s", answer.StatusCode, page)
	}
	first, body := r.Fetch(here)
	for range 10 {
		if _, again := r.Fetch(here); again != body {
			t.Fatal("it is another file the next time")
		}
	}
	if answer, page = r.Fetch("/checkout/" + txn + "/papers/KSC-26-27-000001.pdf"); first.StatusCode != http.StatusOK || answer.StatusCode != http.StatusNotFound || !strings.Contains(page, "There is no such document") {
		t.Errorf("a paper that there is not answers %d: %.500s", answer.StatusCode, page)
	}
	r.Log.Reset()
	owner := r.Visitor
	r.Visitor = e2e.NewVisitor(r.Base, 9)
	if answer, page = r.Fetch(here); answer.StatusCode != http.StatusNotFound || strings.Contains(page, "KS/") {
		t.Errorf("to a stranger it answers %d", answer.StatusCode)
	}
	r.Visitor = owner

	status, _, _ := r.Happen(txn, "refunded")
	r.Passes(time.Second)
	r.Work()
	if got := r.Kinds(txn); status != http.StatusSeeOther || got != "credit-note 1 true, invoice 1 true, receipt 2 true, ticket 2 true" {
		t.Fatalf("after a refund there are %s:\n%s", got, r.Log.String())
	}
	note := r.Receipt(txn).CreditNotes[0]
	if answer, page = r.Fetch("/checkout/" + txn + "/papers/" + strings.ReplaceAll(note.Number, "/", "-")); answer.StatusCode != http.StatusNotFound || !strings.Contains(page, "There is no such document") {
		t.Errorf("a credit note without its .pdf answers %d", answer.StatusCode)
	}
	_, credit := r.Fetch("/checkout/" + txn + "/papers/" + strings.ReplaceAll(note.Number, "/", "-") + ".pdf")
	mustContain(t, "the credit note", credit, "Credit note", note.Number, "Against tax invoice "+note.InvoiceNumber+" of "+admission.Date(note.InvoiceDate), note.Words, admission.INR(note.TotalMinor).String())
	if _, again := r.Fetch(here); again != body {
		t.Error("the invoice has changed with the refund")
	}
	_, receipt := r.Fetch("/checkout/" + txn + "/papers/receipt.pdf")
	mustContain(t, "the receipt", receipt, "Refunded", "Net paid", "₹0.00", note.Number)
	_, ticket := r.Fetch("/checkout/" + txn + "/papers/ticket.pdf")
	mustContain(t, "the ticket", ticket, "No longer", "Refund sent")
}

func TestPapersWaitForTheBrowser(t *testing.T) {
	path := sitetest.NeedsBrowser(t)
	folder := t.TempDir()
	link := filepath.Join(folder, "chrome")
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", link)
	txn := r.Pay()
	ready := func() string {
		answer, body := r.Fetch("/readyz")
		return fmt.Sprint(answer.StatusCode, " ", body)
	}
	r.Work()
	r.Work()
	if got := r.Kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
		t.Errorf("without a browser there are %s", got)
	}
	if got := ready(); got != "200 degraded: papers\n" {
		t.Errorf("without a browser: %s", got)
	}
	var queued int
	database := storetest.SQL(t, r.Site.Config.DatabaseURL)
	if err := database.QueryRow("SELECT COUNT(*) FROM jobs WHERE kind = ?", paper.JobPrint).Scan(&queued); err != nil || queued != 0 {
		t.Errorf("without a browser %d papers are queued, %v", queued, err)
	}
	if n := strings.Count(r.Log.String(), "no browser prints PDFs, so they wait"); n != 1 {
		t.Errorf("the log says so %d times, want once:\n%s", n, r.Log.String())
	}
	if _, page := r.Fetch("/checkout/" + txn + "/papers/receipt.pdf?wait"); !strings.Contains(page, "This takes longer than usual.") {
		t.Errorf("who waits reads %.2000s", page)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	r.Fetch("/checkout/" + txn + "/papers/receipt.pdf?wait")
	r.Work()
	if got := r.Kinds(txn); got != "invoice 1 false, receipt 1 false, ticket 1 false" {
		t.Errorf("the page that waits only looks, and there are %s", got)
	}
	r.Fetch("/checkout/" + txn + "/papers/receipt.pdf")
	r.Work()
	if got := r.Kinds(txn); got != "invoice 1 false, receipt 1 true, ticket 1 false" {
		t.Errorf("who asks for a paper hastens it alone; there are %s", got)
	}
	r.Passes(printWait)
	r.Work()
	if got := r.Kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" {
		t.Errorf("with a browser there are %s", got)
	}
	if got := ready(); got != "200 ready\n" {
		t.Errorf("with a browser: %s", got)
	}
}

const printWait = 6 * time.Minute
