package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	devtools "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hiresure/e2e"
	"hiresure/integrations/pdf"
	"hiresure/pages/checkout"
)

const tabs = 2 // of the printer, and of the bare browser

// papers compares the site's printing of a page with printing the same page already loaded in a tab. Both sides have the same
// number of tabs, so that neither waits longer for one.
func (b *bench) papers() (err error) {
	style := checkout.PrintStyle()
	printer, err := pdf.New(pdf.Options{Path: os.Getenv("CHROME_PATH"), Style: style, Tabs: tabs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, printer.Close()) }()
	site := func() error {
		_, err := printer.Print(context.Background(), pdf.Page{HTML: paper("")})
		return err
	}
	if err := site(); errors.Is(err, pdf.ErrNoBrowser) {
		b.table.note("PDF was not measured: %v", err)
		return nil
	}
	bare, end, err := loadedTabs(paper(style))
	if err != nil {
		return err
	}
	defer end()
	for _, clients := range []int{1, 2, 4} {
		each, err := inTurns(repeats(site, clients), repeats(bare, clients), func(done int, seconds float64) float64 {
			return float64(min(clients, tabs)) * seconds * 1000 / float64(done)
		})
		if err != nil {
			return err
		}
		b.table.compare(fmt.Sprintf("PDF of one page, %d clients", clients), "ms each", each, atMost(1.6))
	}
	return b.downloads(bare)
}

// downloads compares an owner's download of a stored invoice with printing it.
func (b *bench) downloads(bare func() error) (err error) {
	s := setup{name: "SQLite"}
	site, err := b.startSite(&s, "sqlite://"+filepath.Join(b.folder, "papers.db"), "papers")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.end()) }()
	payer := e2e.NewVisitor("http://"+site.addr, 1)
	address, err := paidInvoice(payer)
	if err != nil {
		return err
	}
	download := func() error {
		answer, err := payer.Client.Get(address)
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, answer.Body)
		if err == nil && (answer.StatusCode != http.StatusOK || n < 10_000) {
			err = fmt.Errorf("%s answers %s, %d bytes", address, answer.Status, n)
		}
		return errors.Join(err, answer.Body.Close())
	}
	each, err := inTurns(repeats(download, 1), repeats(bare, 1), func(done int, seconds float64) float64 { return seconds * 1000 / float64(done) })
	if err != nil {
		return err
	}
	b.table.compare("download of an invoice beside a print", "ms each", each, atMost(0.1))
	return nil
}

// paidInvoice pays, and returns the address of the invoice once it is printed.
func paidInvoice(payer *e2e.Visitor) (address string, err error) {
	request, err := payer.AskCode()
	if err != nil {
		return "", err
	}
	var code string
	if err := soon(func() (bool, error) {
		code, err = payer.ReadCode()
		return code != "", err
	}); err != nil {
		return "", fmt.Errorf("the code: %w", err)
	}
	if err := payer.GiveCode(request, code); err != nil {
		return "", err
	}
	registration, err := payer.Enrol("")
	if err != nil {
		return "", err
	}
	txn, err := payer.Initiate(registration)
	if err != nil {
		return "", err
	}
	if err := payer.Press(txn, "paid"); err != nil {
		return "", err
	}
	address = payer.Base + "/checkout/" + txn + "/papers/invoice.pdf"
	return address, soon(func() (bool, error) {
		answer, err := payer.Client.Get(address + "?wait")
		if err != nil {
			return false, err
		}
		return answer.StatusCode == http.StatusOK, answer.Body.Close()
	})
}

// soon waits until the condition holds, and fails after a minute.
func soon(is func() (bool, error)) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(turn) {
		if so, err := is(); so || err != nil {
			return err
		}
	}
	return errors.New("not within a minute")
}

// repeats returns work that a number of clients repeat.
func repeats(do func() error, clients int) timed {
	return func(lasting time.Duration) (done int, took time.Duration, err error) {
		var count atomic.Int64
		var all sync.WaitGroup
		failed := make(chan error, clients)
		began := time.Now()
		for range clients {
			all.Go(func() {
				for time.Since(began) < lasting {
					if err := do(); err != nil {
						failed <- err
						return
					}
					count.Add(1)
				}
			})
		}
		all.Wait()
		close(failed)
		return int(count.Load()), time.Since(began), <-failed
	}
}

// loadedTabs returns a function that prints the page in a tab that has loaded it.
func loadedTabs(html []byte) (print func() error, end func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.Flag("disable-gpu", true))
	path, err := pdf.Find(os.Getenv("CHROME_PATH"))
	if err != nil {
		return nil, nil, err
	}
	options = append(options, chromedp.ExecPath(path))
	outer, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer func() {
		if err != nil {
			end()
		}
	}()
	quiet := func(string, ...any) {}
	first, _ := chromedp.NewContext(outer, chromedp.WithBrowserOption(chromedp.WithBrowserErrorf(quiet))) // ends with outer
	ready := make(chan context.Context, tabs)
	if err := chromedp.Do(first); err != nil {
		return nil, nil, err
	}
	for range tabs {
		tab, _ := chromedp.NewContext(first)
		err := chromedp.Do(tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			tree, err := cdp.Call(ctx, t, devtools.GetFrameTree, cdp.Empty{})
			if err != nil {
				return err
			}
			_, err = cdp.Call(ctx, t, devtools.SetDocumentContent, devtools.SetDocumentContentParams{FrameID: tree.FrameTree.Frame.ID, HTML: string(html)})
			return err
		}))
		if err != nil {
			return nil, nil, err
		}
		ready <- tab
	}
	return func() error {
		tab := <-ready
		defer func() { ready <- tab }()
		_, err := chromedp.Run(tab, chromedp.PrintToPDF(chromedp.PDFOutlineAndTagged(), chromedp.PDFPrintBackground(), chromedp.PDFPreferCSSPageSize(), chromedp.PDFMargin(1)))
		return err
	}, end, nil
}

// paper returns a page of the size of an invoice, with a style in it or without.
func paper(style string) []byte {
	return fmt.Appendf(nil, `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><title>Tax invoice</title><style>%s</style></head>
<body><h1>Tax invoice</h1><table><thead><tr><th>What</th><th>SAC</th><th>Amount</th></tr></thead><tbody>%s</tbody></table>%s</body></html>`,
		style, strings.Repeat("<tr><td>Registration fee</td><td>999293</td><td>₹ 1,000.00</td></tr>", 12),
		strings.Repeat("<p>Amount in words: one thousand one hundred and eighty rupees only.</p>", 6))
}
