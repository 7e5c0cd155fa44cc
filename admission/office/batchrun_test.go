package office_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/mydata"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/store"
)

// parts is how many papers a part has: see partPapers.
const parts = 50

func TestABatchGoesOnAfterAnInterruption(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		const all = 2*parts + 20
		var want []string
		for n := range all {
			p.sell(n+1, "Asha", "E")
			want = append(want, fmt.Sprintf("invoice-%d-1.", n+1))
		}
		id := p.order(invoices(), office.BatchOrdering{})
		p.fails[ref(parts+8)] = fmt.Errorf("%w: it was killed", paper.ErrNoPrinter)
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		if b := p.batch(id); b.State != office.BatchOpen || b.Done != parts+7 || b.Trouble != "No browser prints at the moment. We try again every 15 seconds." {
			t.Errorf("without a browser: %+v", b)
		}
		delete(p.fails, ref(parts+8))
		p.files.full = true
		if err := p.run(id); !errors.Is(err, admission.ErrStorageFull) {
			t.Errorf("with full storage: %v", err)
		}
		p.files.full = false
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.RunBatch(ended, id); err == nil { // the site stops
			t.Error("a job does not see that the site stops")
		}
		again, err := p.RunBatch(t.Context(), id)
		if b := p.batch(id); err != nil || again == 0 || b.Done != 2*parts+7 || b.Trouble != "" {
			t.Errorf("then %s %v: %+v", again, err, b)
		}
		done := p.batch(id)
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		p.mustBe(id, office.BatchReady, "120 of 120, 0 duplicates, 120 sheets")
		p.mustHave(id, want...)
		if !done.StartedAt.Equal(noon) {
			t.Errorf("started at %s", done.StartedAt)
		}
		if _, err := p.RunBatch(t.Context(), id); err != nil { // the lease was lost after its end
			t.Error(err)
		}
		named := 0
		for range p.store.Files(t.Context(), "") {
			named++
		}
		if named != all+1 {
			t.Errorf("%d files are named, want the papers and the print", named)
		}
		if removals := p.jobs(document.JobRemove); removals != 4 {
			t.Errorf("%d removals of parts are due, want 4", removals)
		}
	})
}

// jobs returns how many jobs of a kind are due.
func (p *press) jobs(kind string) int {
	p.t.Helper()
	claimed, err := p.store.ClaimJobs(p.t.Context(), []string{kind}, p.now, time.Minute, 10_000)
	if err != nil {
		p.t.Fatal(err)
	}
	return len(claimed)
}

func TestOnePrintAtATime(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		p.sell(1, "Asha", "E")
		first := p.order(invoices(), office.BatchOrdering{})
		p.now = p.now.Add(time.Second)
		second := p.order(invoices(), office.BatchOrdering{})
		if again, err := p.RunBatch(t.Context(), second); err != nil || again != time.Minute {
			t.Errorf("the second runs: again %s, %v", again, err)
		}
		if n := p.jobs(office.JobBatch); n != 2 {
			t.Fatalf("%d jobs", n)
		}
		if err := p.run(first); err != nil {
			t.Fatal(err)
		}
		if n := p.jobs(office.JobBatch); n != 1 {
			t.Errorf("%d jobs are due once the first has ended, want the second", n)
		}
		if err := p.run(second); err != nil {
			t.Fatal(err)
		}
		p.mustBe(second, office.BatchReady, "1 of 1, 1 duplicates, 1 sheets") // it was ordered before the first had ended
	})
}

func TestTwoPressesOrderOnePrint(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		p.sell(1, "Asha", "E")
		o := office.BatchOrdering{ID: admission.NewID(), Selection: invoices(), Form: office.OnePDF, Total: 1}
		var both sync.WaitGroup
		for range 4 {
			both.Go(func() {
				if err := p.OrderBatch(t.Context(), o, p.by); err != nil && message(t, err) != "This print is already ordered. It is in the list of jobs" {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if open, _, err := p.Batches(t.Context()); err != nil || len(open) != 1 || len(p.logged("ordered a print")) != 1 {
			t.Errorf("%+v, %v", open, err)
		}
	})
}

func TestABatchFailsForGood(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		for n := range 3 {
			p.sell(n+1, "Asha", "E")
		}
		p.fails[ref(2)] = paper.ErrNoFont
		id := p.order(invoices(), office.BatchOrdering{})
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		if b := p.mustBe(id, office.BatchFailed, "1 of 3, 0 duplicates, 1 sheets"); b.Trouble != "KS/26-27/000002 has a character that no font prints. Ask an engineer to install one, then start again." || b.Object != "" {
			t.Errorf("%+v", b)
		}
		if shown := p.preview(invoices()); shown.Duplicates != 0 {
			t.Errorf("%d duplicates of a failed print", shown.Duplicates)
		}
		delete(p.fails, ref(2))
		id = p.order(invoices(), office.BatchOrdering{})
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		p.mustBe(id, office.BatchReady, "3 of 3, 0 duplicates, 3 sheets")
		update(t, p.store, func(tx store.Tx) error {
			lost, err := tx.PaperOf(paper.Invoice, ref(1))
			if err != nil {
				return err
			}
			return p.files.Remove(t.Context(), lost.Object)
		})
		id = p.order(invoices(), office.BatchOrdering{})
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		if b := p.batch(id); b.State != office.BatchFailed || b.Trouble != "KS/26-27/000001 is lost in the storage. Ask an engineer: site verify names the file." {
			t.Errorf("a lost paper: %+v", b)
		}
		p.sell(4, "Broken", "F")
		p.fails[ref(4)] = errBroken
		id = p.order(office.Selection{Kinds: invoices().Kinds, Event: "F"}, office.BatchOrdering{})
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		if b := p.batch(id); b.State != office.BatchFailed || b.Trouble != "KS/26-27/000004 cannot be merged with others. Ask an engineer to look at the file." {
			t.Errorf("a paper that is no PDF: %+v", b)
		}
	})
}

func TestFilesOfPrintsExpire(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		p.sell(1, "Asha", "E")
		id := p.order(invoices(), office.BatchOrdering{})
		if err := p.run(id); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			after time.Duration
			ready bool
		}{{7*24*time.Hour - time.Microsecond, true}, {7 * 24 * time.Hour, false}} {
			p.now = noon.Add(row.after)
			if b := p.batch(id); b.Ready(p.now) != row.ready {
				t.Errorf("after %s: ready is %t", row.after, !row.ready)
			}
			if err := p.store.Purge(t.Context(), p.now); err != nil {
				t.Fatal(err)
			}
			if b := p.batch(id); (b.Object != "") != row.ready || b.State != office.BatchReady {
				t.Errorf("after %s and a purge: %+v", row.after, b)
			}
		}
		if removals := p.jobs(document.JobRemove); removals != 2 {
			t.Errorf("%d removals are due, want the part and the file", removals)
		}
		if _, _, err := p.OpenBatch(t.Context(), id, p.by); message(t, err) != "This file is deleted. Make it again" {
			t.Errorf("an expired file: %v", err)
		}
		if shown := p.preview(invoices()); shown.Duplicates != 1 {
			t.Errorf("%d duplicates after the file was deleted", shown.Duplicates)
		}
		p.now = noon.AddDate(9, 0, 0)
		if err := p.store.Purge(t.Context(), p.now); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Batch(t.Context(), id); message(t, err) != "This print job does not exist" {
			t.Errorf("after nine years: %v", err)
		}
	})
}

func TestDeletedPeopleAreInNoFile(t *testing.T) {
	eachPress(t, func(t *testing.T, p *press) {
		p.sell(1, "Asha", "E")
		p.sell(2, "Bala", "E")
		receipts := office.Selection{Kinds: []paper.Kind{paper.Receipt}}
		tax := p.order(invoices(), office.BatchOrdering{})
		if err := p.run(tax); err != nil {
			t.Fatal(err)
		}
		both := p.order(receipts, office.BatchOrdering{})
		if err := p.run(both); err != nil {
			t.Fatal(err)
		}
		open := p.order(receipts, office.BatchOrdering{})
		if _, err := p.RunBatch(t.Context(), open); err != nil {
			t.Fatal(err)
		}
		update(t, p.store, func(tx store.Tx) error {
			return tx.Erase(&account.Account{}, mydata.Traces{"registrations": {ref(1)}}, p.now)
		})
		if b := p.batch(tax); b.Object == "" {
			t.Error("the file of invoices, which the law requires, is deleted")
		}
		if b := p.batch(both); b.Object != "" || b.State != office.BatchReady {
			t.Errorf("a file with a receipt of a deleted person: %+v", b)
		}
		if b := p.batch(open); b.State != office.BatchFailed || b.Trouble != "The data of a person in it was deleted. Start again without it." {
			t.Errorf("an open print: %+v", b)
		}
		if removals := p.jobs(document.JobRemove); removals != 5 { // parts of all three, one file, one receipt, one ticket that was never printed
			t.Errorf("%d removals", removals)
		}
	})
}
