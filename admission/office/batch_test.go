package office_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/pdf"
	"hiresure/integrations/pdf/pdftest"
	"hiresure/store"
	"hiresure/store/storetest"
)

// shelf holds files in memory.
type shelf struct {
	mutex sync.Mutex
	files map[string][]byte
	n     int
	full  bool
}

func (f *shelf) Put(_ context.Context, id string, r io.Reader) (admission.StoredFile, error) {
	all, err := io.ReadAll(r)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err == nil && f.full {
		err = admission.ErrStorageFull
	}
	if err != nil {
		return admission.StoredFile{}, err
	}
	f.n++
	object := fmt.Sprintf("%s %d", id, f.n)
	f.files[object] = all
	return admission.StoredFile{Object: object, Size: int64(len(all)), Key: []byte("key"), KeyID: "2026"}, nil
}

func (f *shelf) Open(_ context.Context, id string, file admission.StoredFile) (io.ReadCloser, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	all, known := f.files[file.Object]
	if !known || !strings.HasPrefix(file.Object, id+" ") {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(all)), nil
}

func (f *shelf) Remove(_ context.Context, object string) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(f.files, object)
	return nil
}

func (f *shelf) Rewrap(_ string, file admission.StoredFile) (admission.StoredFile, error) {
	return file, nil
}

// press is an office with papers to print.
type press struct {
	*office.Service
	t     *testing.T
	store *store.Store
	files *shelf
	now   time.Time
	mutex sync.Mutex
	fails map[string]error // why a paper is not printed, by its ref
	by    staff.Actor
}

// errBroken makes press print a file that is no PDF.
var errBroken = errors.New("broken")

func (p *press) Unavailable() bool { return false }

// Print implements paper.Printer: the page has the kind, ref and issue of the paper.
func (p *press) Print(_ context.Context, of paper.Paper) ([]byte, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if err := p.fails[of.Ref]; errors.Is(err, errBroken) {
		return []byte("no PDF"), nil
	} else if err != nil {
		return nil, err
	}
	return pdftest.Page(fmt.Sprintf("%s-%s-%d.", of.Kind, strings.TrimLeft(of.Ref, "0"), of.Issue)), nil
}

func eachPress(t *testing.T, test func(t *testing.T, p *press)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := &press{t: t, store: s, files: &shelf{files: map[string][]byte{}}, now: noon, fails: map[string]error{}, by: staff.Actor{Name: "Arvind Kulkarni", Account: "arvind"}}
		clock := func() time.Time { return p.now }
		config := businesstest.Config(s.Areas(), clock)
		config.Files, config.Printer = p.files, p
		services, err := business.New(config)
		if err != nil {
			t.Fatal(err)
		}
		p.Service, err = office.New(office.Config{
			Store: s.Office(), Books: s, Storage: emptyStorage{}, Events: businesstest.Events(), Supplier: businesstest.NoSupplier, Papers: services.Papers, Payment: services.Payment, Registry: services.Registry,
			Printers: 2, NewStack: func(to io.Writer) office.Stack { return pdf.NewStack(to) }, Clock: clock,
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, p)
	})
}

// ref returns the id of the n-th invoice, and of its payment.
func ref(n int) string { return fmt.Sprintf("%026d", n) }

// sell adds a paid registration with the n-th invoice, receipt and ticket.
func (p *press) sell(n int, name, event string) {
	p.t.Helper()
	update(p.t, p.store, func(tx store.Tx) error {
		return errors.Join(
			tx.AddRegistration(&enrol.Registration{ID: ref(n), EventCode: event, Phone: fmt.Sprint(n), FullName: name, Ticket: fmt.Sprintf("HS26-%04d", n)}),
			tx.AddTransaction(&payment.Transaction{ID: ref(n), RegistrationID: ref(n), MerchantRef: fmt.Sprint(n), Gateway: "g", State: payment.Paid, Charge: admission.INR(1000_00), SettledAt: p.now, Payer: payment.Payer{Name: name}}),
			tx.AddInvoice(&invoice.Invoice{
				ID: ref(n), Number: fmt.Sprintf("KS/26-27/%06d", n), Series: "KS", FinancialYear: "26-27", Serial: int64(n), RegistrationID: ref(n), TxnID: ref(n), IssuedOn: p.now, Issue: 1, Buyer: invoice.Party{Name: name}, TotalMinor: 1000_00,
			}),
			paper.Queue(tx, paper.Invoice, ref(n), ref(n), ref(n), p.now), paper.Queue(tx, paper.Receipt, ref(n), ref(n), ref(n), p.now), paper.Queue(tx, paper.Ticket, ref(n), ref(n), ref(n), p.now))
	})
}

// refund adds the credit note of the n-th invoice.
func (p *press) refund(n int) {
	p.t.Helper()
	update(p.t, p.store, func(tx store.Tx) error {
		return errors.Join(
			tx.SaveRefund(&payment.Refund{ID: ref(n), TxnID: ref(n), Amount: admission.INR(1000_00), State: method.RefundDone}),
			tx.AddCreditNote(&invoice.CreditNote{
				ID: ref(100 + n), Number: fmt.Sprintf("KSC/26-27/%06d", n), Series: "KSC", FinancialYear: "26-27", Serial: int64(n), InvoiceID: ref(n), RegistrationID: ref(n), TxnID: ref(n), RefundID: ref(n), IssuedOn: p.now,
				Buyer: invoice.Party{Name: "Refunded"}, TotalMinor: 1000_00,
			}),
			paper.Queue(tx, paper.CreditNote, ref(100+n), ref(n), ref(n), p.now), paper.Renew(tx, ref(n), p.now, paper.Receipt, paper.Ticket))
	})
}

func (p *press) preview(of office.Selection) office.BatchPreview {
	p.t.Helper()
	shown, err := p.Preview(p.t.Context(), of)
	if err != nil {
		p.t.Fatal(err)
	}
	return shown
}

// order orders what a selection has now, and returns its id.
func (p *press) order(of office.Selection, o office.BatchOrdering) string {
	p.t.Helper()
	shown := p.preview(of)
	o.ID, o.Selection, o.Total, o.Duplicates = admission.NewID(), of, shown.Total, shown.Duplicates
	if o.Form == "" {
		o.Form = office.OnePDF
	}
	if err := p.OrderBatch(p.t.Context(), o, p.by); err != nil {
		p.t.Fatal(err)
	}
	return o.ID
}

// run runs the job of a batch until it waits or has ended, and returns why it failed.
func (p *press) run(id string) error {
	p.t.Helper()
	for {
		again, err := p.RunBatch(p.t.Context(), id)
		if err != nil || again == 0 || again >= time.Second {
			return err
		}
	}
}

func (p *press) batch(id string) office.Batch {
	p.t.Helper()
	b, err := p.Batch(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// mustBe expects a state, and how many papers of how many are done, with how many duplicates.
func (p *press) mustBe(id string, state office.BatchState, counts string) office.Batch {
	p.t.Helper()
	b := p.batch(id)
	if got := fmt.Sprintf("%d of %d, %d duplicates, %d sheets", b.Done, b.Total, b.Duplicates, b.Sheets); b.State != state || got != counts {
		p.t.Errorf("%s with %s, want %s with %s: %s", b.State, got, state, counts, b.Trouble)
	}
	return b
}

func (p *press) download(id string) []byte {
	p.t.Helper()
	_, file, err := p.OpenBatch(p.t.Context(), id, p.by)
	if err != nil {
		p.t.Fatal(err)
	}
	all, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		p.t.Fatal(err)
	}
	return all
}

// pages returns the text of each page of a file.
func (p *press) pages(file []byte) (pages []string) {
	p.t.Helper()
	n, err := api.PageCount(bytes.NewReader(file), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		p.t.Skip("poppler's pdftotext is not installed")
	}
	read := exec.CommandContext(p.t.Context(), "pdftotext", "-", "-")
	read.Stdin = bytes.NewReader(file)
	text, err := read.Output()
	if err != nil {
		p.t.Fatal(err)
	}
	for _, page := range strings.Split(strings.TrimSuffix(string(text), "\f"), "\f") {
		pages = append(pages, strings.Join(strings.Fields(page), " "))
	}
	if len(pages) != n {
		p.t.Errorf("%d pages have %d texts", n, len(pages))
	}
	return pages
}

func (p *press) mustHave(id string, pages ...string) {
	p.t.Helper()
	if got := p.pages(p.download(id)); !slices.Equal(got, pages) {
		p.t.Errorf("the file has %q, want %q", got, pages)
	}
}

func invoices() office.Selection { return office.Selection{Kinds: []paper.Kind{paper.Invoice}} }

func TestPapersAreSelectedAndOrdered(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		for n, sale := range [][2]string{{"Zoya", "E"}, {"asha", "E"}, {"Meera", "F"}, {"Bala", "E"}} {
			p.now = noon.AddDate(0, 0, n)
			p.sell(n+1, sale[0], sale[1])
		}
		p.sell(9, "Last", "F") // 5 to 8 are nobody's
		p.refund(1)
		all := []paper.Kind{paper.Ticket, paper.Invoice, paper.CreditNote, paper.Receipt}
		for _, row := range []struct {
			name string
			of   office.Selection
			want string // kinds by their letter with their serial
			gaps string
		}{
			{"all kinds", office.Selection{Kinds: all}, "i1 i2 i3 i4 i9 c1 r1 r2 r3 r4 r9 t1 t2 t3 t4 t9", "KS 5-8: 0"},
			{"invoices of an event", office.Selection{Kinds: all[1:2], Event: "E"}, "i1 i2 i4", "KS 3-3: 1"},
			{"days", office.Selection{Kinds: all[1:3], From: noon, Until: noon.AddDate(0, 0, 2)}, "i1 i2", ""},
			{"numbers", office.Selection{Kinds: all[1:3], Numbers: office.Numbering{FinancialYear: "26-27", First: 1, Last: 3}}, "i1 i2 i3 c1", ""},
			{"numbers of a series", office.Selection{Kinds: all, Numbers: office.Numbering{Series: "KSC", First: 1}}, "c1", ""},
			{"numbers of another year", office.Selection{Kinds: all, Numbers: office.Numbering{FinancialYear: "25-26"}}, "", ""},
			{"by name", office.Selection{Kinds: all[1:2], Order: office.ByName}, "i2 i4 i9 i3 i1", "KS 5-8: 0"},
			{"by event", office.Selection{Kinds: all[1:2], Order: office.ByEvent}, "i1 i2 i4 i3 i9", "KS 5-8: 0"},
			{"one paper", office.Selection{Kinds: all[3:], Ref: ref(2)}, "r2", ""},
		} {
			shown := p.preview(row.of)
			var got, gaps []string
			for _, c := range shown.Papers {
				got = append(got, string(c.Kind)[:1]+c.Ref[25:]) // the last figure
			}
			for _, g := range shown.Gaps {
				gaps = append(gaps, fmt.Sprintf("%s %d-%d: %d", g.Series, g.First, g.Last, g.Issued))
			}
			if strings.Join(got, " ") != row.want || strings.Join(gaps, ", ") != row.gaps || shown.Total != len(got) {
				t.Errorf("%s: %d papers %s, gaps %s; want %s, gaps %s", row.name, shown.Total, got, gaps, row.want, row.gaps)
			}
			if n := len(got); n > 0 && shown.Last.Ref != shown.Papers[n-1].Ref {
				t.Errorf("%s: the last is %+v", row.name, shown.Last)
			}
		}
		if shown := p.preview(office.Selection{Kinds: all}); shown.Minor != 4*1000_00 || shown.Counts[paper.Ticket] != 5 {
			t.Errorf("all papers are of %d paise, and have %d tickets", shown.Minor, shown.Counts[paper.Ticket])
		}
	})
}

func TestASecondPrintIsADuplicate(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		for n := range 3 {
			p.sell(n+1, "Asha", "E")
		}
		stopped := p.order(invoices(), office.BatchOrdering{})
		if err := p.StopBatch(t.Context(), stopped, p.by); err != nil {
			t.Fatal(err)
		}
		first := p.order(office.Selection{Kinds: invoices().Kinds, Numbers: office.Numbering{First: 2, Last: 3}}, office.BatchOrdering{})
		if err := p.run(first); err != nil {
			t.Fatal(err)
		}
		p.mustBe(first, office.BatchReady, "2 of 2, 0 duplicates, 2 sheets")
		p.mustHave(first, "invoice-2-1.", "invoice-3-1.")
		if shown := p.preview(invoices()); shown.Duplicates != 2 || !shown.Papers[1].Printed || shown.Papers[0].Printed {
			t.Errorf("%d duplicates of %+v", shown.Duplicates, shown.Papers)
		}
		unprinted := invoices()
		unprinted.Unprinted = true
		if shown := p.preview(unprinted); shown.Total != 1 || shown.Papers[0].Ref != ref(1) || len(shown.Gaps) != 0 {
			t.Errorf("not printed yet: %+v", shown)
		}
		second := p.order(invoices(), office.BatchOrdering{DoubleSided: true})
		if err := p.run(second); err != nil {
			t.Fatal(err)
		}
		p.mustBe(second, office.BatchReady, "3 of 3, 2 duplicates, 3 sheets")
		p.mustHave(second, "invoice-1-1.", "", "DUPLICATE invoice-2-1.", "", "DUPLICATE invoice-3-1.", "")

		// A receipt changes with a refund: the new one is no duplicate, an unchanged one is.
		receipts := office.Selection{Kinds: []paper.Kind{paper.Receipt}}
		for n := range 2 {
			if err := p.run(p.order(receipts, office.BatchOrdering{})); err != nil {
				t.Fatal(err)
			}
			p.refund(n + 1)
		}
		third := p.order(receipts, office.BatchOrdering{Form: office.ZIP, DoubleSided: true})
		if err := p.run(third); err != nil {
			t.Fatal(err)
		}
		if b := p.mustBe(third, office.BatchReady, "3 of 3, 2 duplicates, 3 sheets"); b.DoubleSided {
			t.Error("a ZIP is double-sided")
		}
		content := p.download(third)
		all, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, file := range all.File {
			in, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			one, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, file.Name+": "+strings.Join(p.pages(one), "|"))
		}
		want := []string{"receipt-" + ref(1) + ".pdf: DUPLICATE receipt-1-2.", "receipt-" + ref(2) + ".pdf: receipt-2-2.", "receipt-" + ref(3) + ".pdf: DUPLICATE receipt-3-1."}
		if !slices.Equal(names, want) {
			t.Errorf("the ZIP has %q, want %q", names, want)
		}
		if got := p.logged("downloaded a print"); len(got) != 3 || got[2] != "print "+third+"; ZIP, 3 papers" {
			t.Errorf("downloads %q", got)
		}
	})
}

// logged returns the rows of the log of an action.
func (p *press) logged(what string) (rows []string) {
	p.t.Helper()
	for act, err := range p.store.Acts(p.t.Context()) {
		if err != nil {
			p.t.Fatal(err)
		}
		if act.What == what {
			rows = append(rows, act.Whom+"; "+act.Is)
		}
	}
	return rows
}

func TestAPrintIsOrderedOnceAndAsShown(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		p.sell(1, "Asha", "E")
		p.sell(2, "Bala", "E")
		o := office.BatchOrdering{ID: admission.NewID(), Selection: invoices(), Words: "invoices", Form: office.OnePDF, Total: 2}
		for _, row := range []struct {
			name    string
			change  func(*office.BatchOrdering)
			by      string
			problem string
		}{
			{"an id that is none", func(o *office.BatchOrdering) { o.ID = "x" }, "arvind", "there is no batch x"},
			{"nothing", func(o *office.BatchOrdering) { o.Selection.Event = "F" }, "arvind", "Nothing to print with this selection"},
			{"other papers than shown", func(o *office.BatchOrdering) { o.Total = 1 }, "arvind", "The papers have changed since you counted them. Check the new numbers and press again"},
			{"other duplicates than shown", func(o *office.BatchOrdering) { o.Duplicates = 1 }, "arvind", "The papers have changed since you counted them. Check the new numbers and press again"},
			{"as shown", func(*office.BatchOrdering) {}, "arvind", ""},
			{"pressed twice", func(*office.BatchOrdering) {}, "arvind", ""},
			{"another's id", func(*office.BatchOrdering) {}, "kavya", "there is no batch " + o.ID},
		} {
			changed := o
			row.change(&changed)
			if got := message(t, p.OrderBatch(t.Context(), changed, staff.Actor{Name: row.by, Account: row.by})); got != row.problem {
				t.Errorf("%s: %s, want %s", row.name, got, row.problem)
			}
		}
		if got := p.logged("ordered a print"); !slices.Equal(got, []string{"print " + o.ID + "; invoices; PDF, 2 papers, 0 duplicates"}) {
			t.Errorf("ordered %q", got)
		}
		if err := p.run(o.ID); err != nil {
			t.Fatal(err)
		}
		b := p.mustBe(o.ID, office.BatchReady, "2 of 2, 0 duplicates, 2 sheets")
		if b.FirstNumber != "KS/26-27/000001" || b.LastNumber != "KS/26-27/000002" {
			t.Errorf("from %s to %s", b.FirstNumber, b.LastNumber)
		}
		if got := message(t, p.StopBatch(t.Context(), o.ID, p.by)); got != "This job has already ended" {
			t.Errorf("stopped after its end: %s", got)
		}
		if got := message(t, p.StopBatch(t.Context(), admission.NewID(), p.by)); got != "This print job does not exist" {
			t.Errorf("stop of none: %s", got)
		}
	})
}
