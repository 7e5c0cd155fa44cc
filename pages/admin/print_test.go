package admin_test

import (
	"bytes"
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"hiresure/admission/paper"
	"hiresure/store"
	"hiresure/web"
)

// issuePapers adds three invoices and a credit note with their papers, and a receipt and a ticket of the first person.
func (s *site) issuePapers() {
	s.t.Helper()
	s.register()
	s.issue()
	now := s.clock.Now()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		txn := "7nb1ac9c00000000000000000a"
		invoices, err := tx.InvoicesOf(txn)
		if err != nil {
			return err
		}
		return errors.Join(paper.Queue(tx, paper.Invoice, invoices[0].ID, personID(0), txn, now), paper.Queue(tx, paper.Receipt, txn, personID(0), txn, now), paper.Queue(tx, paper.Ticket, txn, personID(0), txn, now))
	}))
}

// runBatches runs the jobs of prints until they end.
func (s *site) runBatches() {
	s.t.Helper()
	open, _, err := s.office.Batches(s.t.Context())
	check(s.t, err)
	for _, b := range open {
		for again := time.Millisecond; again > 0; {
			again, err = s.office.RunBatch(s.t.Context(), b.ID)
			check(s.t, err)
		}
	}
}

var pressed = regexp.MustCompile(`name="press" value="([^"]+)"`)

// press returns the value of the button that orders a print.
func (b *browser) press() string {
	b.t.Helper()
	found := pressed.FindStringSubmatch(b.page)
	if found == nil {
		b.t.Fatalf("no button in %s", b.page)
	}
	return found[1]
}

func TestPrintIsCountedOrderedAndDownloaded(t *testing.T) {
	s := newSite(t)
	s.issuePapers()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.get(web.StaffPrintPath).is(http.StatusOK, "Print invoices, credit notes, receipts and tickets in one batch.", "3 invoices", "None of them was printed before.", "First KS/26-27/000842", "Last KS/26-27/000844", "Total ₹4,497.00",
		"None, all 3 in sequence", "0 of these 3", "3 left", "Create PDF", "Nothing was printed yet.", "Invoice register")
	b.get(web.StaffPrintPath+"?kind=invoice&kind=credit-note&kind=receipt&kind=ticket&order=number").is(http.StatusOK, "3 invoices, 1 credit note, 1 receipt, 1 ticket", "Total ₹2,998.00", "invoices less credit notes")
	b.get(web.StaffPrintPath+"?kind=invoice&order=number&event=KS_Mgrow&first=842&last=843&list=yes").is(http.StatusOK, "2 invoices", "What it will print", "KS/26-27/000843 Invoice")

	filter := []string{"kind", "invoice", "order", "number", "as", "pdf", "double", "yes"}
	b.get(web.StaffPrintPath + "?kind=invoice&order=number&as=pdf&double=yes")
	press := b.press()
	b.post(web.StaffPrintPath, append(filter, "press", press, "event", "KS_Mgrow")...).is(http.StatusConflict, "You changed the form after it was counted. Check what it prints now and press again. Nothing was ordered.")
	b.post(web.StaffPrintPath, append(filter, "press", "x")...).is(http.StatusConflict, "Nothing was ordered.")
	id, _, _ := strings.Cut(press, " ")
	b.post(web.StaffPrintPath, append(filter, "press", press)...).leads(web.StaffPrintPath + "/" + id)
	b.post(web.StaffPrintPath, append(filter, "press", press)...).leads(web.StaffPrintPath + "/" + id) // pressed twice
	b.get(web.StaffPrintPath+"/"+id).is(http.StatusOK, "3 invoices", "KS/26-27/000842 to KS/26-27/000844, double-sided", "0 of 3. You can close this page; the job keeps running.", "Refresh", "Stop")
	b.get(web.StaffPrintPath+"/"+id+"/file").is(http.StatusNotFound, "Page not found")
	s.runBatches()
	b.get(web.StaffPrintPath+"/"+id).is(http.StatusOK, "Ready", "Sheets 3", "DUPLICATE 0", "Download PDF", "until 28 Nov 2026")
	b.get(web.StaffPrintPath + "/" + id + "/file")
	for name, want := range map[string]string{"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="print-KS-26-27-000842.pdf"`, "Cache-Control": "private, no-store"} {
		if is := b.header.Get(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	if n, err := api.PageCount(bytes.NewReader([]byte(b.page)), nil); err != nil || n != 6 {
		t.Errorf("the file has %d pages, %v", n, err)
	}
	b.get(web.StaffPrintPath).is(http.StatusOK, "3 of them will be marked DUPLICATE.", "3 of these 3", "0 left", "Past print jobs", "Arvind Kulkarni Invoices KS/26-27/000842 to KS/26-27/000844, double-sided 3 0 PDF until 28 Nov 2026")
	b.get(web.StaffPrintPath+"?kind=invoice&order=number&printed=skip").is(http.StatusOK, "Nothing to print", "All 3 documents of this selection were printed before.")
	b.lacks("Create PDF")
	b.post(web.StaffPrintPath, append(filter, "press", press)...).leads(web.StaffPrintPath + "/" + id)
	s.logged("ordered a print", "print "+id+"; print: as=pdf, double=yes, kind=invoice, order=number, printed=again; PDF, 3 papers, 0 duplicates; ")
	s.logged("downloaded a print", "print "+id+"; PDF, 3 papers; ")

	kavya := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	kavya.post(web.StaffPrintPath, append(filter, "press", press)...).is(http.StatusNotFound) // another's id
	s.clock.Pass(7 * 24 * time.Hour)
	later := s.setUp("ravi@academy.example", "Ravi Menon", "finance")
	later.get(web.StaffPrintPath+"/"+id).is(http.StatusOK, "File deleted", "Make again")
	later.get(html.UnescapeString(regexp.MustCompile(`href="([^"]*)">Make again`).FindStringSubmatch(later.page)[1])).is(http.StatusOK, "3 invoices", "3 of them will be marked DUPLICATE.")
}

func TestAPrintIsStopped(t *testing.T) {
	s := newSite(t)
	s.issuePapers()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.get(web.StaffPrintPath + "?kind=credit-note&order=name&as=zip")
	b.is(http.StatusOK, "Create ZIP")
	press := b.press()
	id, _, _ := strings.Cut(press, " ")
	b.post(web.StaffPrintPath, "kind", "credit-note", "order", "name", "as", "zip", "press", press).leads(web.StaffPrintPath + "/" + id)
	b.get(web.StaffPrintPath).is(http.StatusOK, "1 credit note Arvind Kulkarni, ordered", "0 of 1.")
	b.post(web.StaffPrintPath + "/" + id + "/stop").leads(web.StaffPrintPath + "/" + id + "?said=stopped")
	b.get(b.location).is(http.StatusOK, "The job is stopped. Nothing counts as printed.", "Stopped by Arvind Kulkarni", "Start again")
	b.post(web.StaffPrintPath + "/" + id + "/stop").leads(web.StaffPrintPath + "/" + id + "?said=ended")
	b.get(b.location).is(http.StatusOK, "The job had already ended. Nothing was done.")
	b.get(web.StaffPrintPath).is(http.StatusOK, "Stopped by Arvind Kulkarni at 0 of 1 0 0 No file Start again")
	s.runBatches()
	b.get(web.StaffPrintPath).is(http.StatusOK, "Stopped by Arvind Kulkarni at 0 of 1")
	b.post(web.StaffPrintPath + "/x/stop").is(http.StatusNotFound)
	b.get(web.StaffPrintPath + "/x").is(http.StatusNotFound)
}

func TestWrongFieldsOfAPrint(t *testing.T) {
	s := newSite(t)
	s.issuePapers()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	for _, row := range []struct{ query, says string }{
		{"order=number", "Choose at least one kind"},
		{"kind=invoice&order=number&from=yesterday", "Enter a date like 28/11/2026"},
		{"kind=invoice&first=abc", "Enter a number like 643 or KS/26-27/000643"},
		{"kind=invoice&first=KS/26-27/000843&last=842", "This number is before the first"},
		{"kind=invoice&first=KS/26-27/000843&last=KSC/26-27/000844", "Enter two numbers of one series and year"},
		{"kind=receipt&first=1", "Receipts and tickets have no serial numbers. Leave this empty for them"},
		{"kind=invoice&first=ks/26-27/000843", "2 invoices"},
		{"kind=invoice&kind=credit-note&first=1&last=842", "1 invoice, 1 credit note"},
		{"kind=invoice&first=KS/25-26/000001", "No document fits this selection."},
		{"kind=invoice&order=number&from=22/11/2026", "No document fits this selection."},
		{"kind=invoice&ref=" + personID(7), "No document fits this selection."},
	} {
		b.get(web.StaffPrintPath+"?"+row.query).is(http.StatusOK, row.says)
		for _, value := range strings.Split(row.query, "&") {
			if _, typed, _ := strings.Cut(value, "="); !strings.Contains(b.page, `value="`+typed+`"`) {
				t.Errorf("%s: %s is lost", row.query, value)
			}
		}
		if strings.HasSuffix(row.says, ".") && strings.Contains(b.page, "Create PDF") {
			t.Errorf("%s: it can be ordered", row.query)
		}
	}
	b.get(web.StaffPrintPath + "?kind=invoice&order=number&event=%3Cscript%3E").lacks("<script>")
}

func TestPapersOfOnePerson(t *testing.T) {
	s := newSite(t)
	s.issuePapers()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	page := web.StaffRegistrationPath(personID(0))
	b.get(page).is(http.StatusOK, "Tax invoice KS/26-27/000842", "Receipt", "Ticket HS26-4K7M-K", "PDF", "Print")
	pdfs := regexp.MustCompile(`href="([^"]*/papers/[^"]*)"`).FindAllStringSubmatch(b.page, -1)
	if len(pdfs) != 3 {
		t.Fatalf("links %q", pdfs)
	}
	press := b.press()
	id, of, _ := strings.Cut(press, " ")
	b.get(pdfs[0][1]).leads(page + "?said=printing")
	b.get(b.location).is(http.StatusOK, "This PDF is being made. Open it again in a minute.")
	b.post(page+"/print", "press", press).leads(web.StaffPrintPath + "/" + id)
	b.post(page+"/print", "press", press).leads(web.StaffPrintPath + "/" + id) // pressed twice
	s.runBatches()
	b.get(web.StaffPrintPath+"/"+id).is(http.StatusOK, "1 invoice", "KS/26-27/000842", "Ready", "DUPLICATE 0")
	b.get(pdfs[0][1])
	if n, err := api.PageCount(bytes.NewReader([]byte(b.page)), nil); err != nil || n != 1 || b.header.Get("Content-Disposition") != `inline; filename="invoice.pdf"` || b.header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("the PDF: %d pages, %v, %v", n, err, b.header)
	}
	_, invoice, _ := strings.Cut(of, " ")
	s.logged("opened an invoice", "registration "+personID(0)+"; invoice "+invoice+"; ")
	for _, other := range []string{web.StaffRegistrationPath(personID(1)) + strings.TrimPrefix(pdfs[0][1], page), page + "/papers/receipt/" + invoice, page + "/papers/invoice/x"} {
		b.get(other).is(http.StatusNotFound)
	}
	b.post(web.StaffRegistrationPath(personID(1))+"/print", "press", press).is(http.StatusNotFound)
	for _, wrong := range []string{"", "x", id + " debit " + invoice, id + " invoice"} {
		b.post(page+"/print", "press", wrong).is(http.StatusBadRequest)
	}
}

func TestWhoPrints(t *testing.T) {
	s := newSite(t)
	s.issuePapers()
	arvind := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	arvind.get(web.StaffRegistrationPath(personID(0)))
	pdf := regexp.MustCompile(`href="([^"]*/papers/[^"]*)"`).FindStringSubmatch(arvind.page)[1]
	for role, sees := range map[string]bool{"support": true, "reviewer": false, "content": false} {
		b := s.setUp(role+"@academy.example", "Meera Nambiar", role)
		b.get(web.StaffPath).lacks(web.StaffPrintPath)
		b.get(web.StaffPrintPath).is(http.StatusForbidden)
		b.post(web.StaffPrintPath, "kind", "invoice").is(http.StatusForbidden)
		b.post(web.StaffRegistrationPath(personID(0))+"/print", "press", "x").is(http.StatusForbidden)
		b.get(web.StaffRegistrationPath(personID(0))).lacks(url.QueryEscape("press"), `aria-label="Print:`)
		if b.get(pdf); (b.status == http.StatusForbidden) == sees {
			t.Errorf("%s opens a PDF: %d", role, b.status)
		}
	}
}
