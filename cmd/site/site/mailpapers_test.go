package site_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
	"hiresure/integrations/notify/notifytest"
	"hiresure/store/storetest"
)

// attached returns the attachments of a mail, by name and in order.
func attached(t *testing.T, letter string) (names []string, files map[string]string) {
	t.Helper()
	read, err := netmail.ReadMessage(strings.NewReader(letter))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	kind, params, err := mime.ParseMediaType(read.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/mixed" {
		return nil, files
	}
	for parts := multipart.NewReader(read.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return names, files
		}
		if err != nil {
			t.Fatal(err)
		}
		if part.FileName() == "" {
			continue
		}
		body, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
		if err != nil || !strings.HasPrefix(part.Header.Get("Content-Type"), "application/pdf;") {
			t.Errorf("%s is %s, %v", part.FileName(), part.Header.Get("Content-Type"), err)
		}
		names, files[part.FileName()] = append(names, part.FileName()), string(body)
	}
}

// mustAttach compares a mail's attachments with the printed papers.
func (r *reader) mustAttach(letter, txn string, want ...paper.Kind) {
	r.T.Helper()
	names, files := attached(r.T, letter)
	expected := []string{}
	for _, kind := range want {
		expected = append(expected, string(kind)+".pdf")
		i := slices.IndexFunc(r.Papers(txn), func(p paper.Paper) bool { return p.Kind == kind })
		if file := files[string(kind)+".pdf"]; i < 0 || sitetest.Hash([]byte(file)) != r.Papers(txn)[i].Hash {
			r.T.Errorf("the mail's %s of %d bytes is not what was printed", kind, len(file))
		}
	}
	if fmt.Sprint(names) != fmt.Sprint(expected) {
		r.T.Errorf("attachments %q, want %q", names, expected)
	}
}

// letters returns the mails whose subject has a prefix.
func letters(server *notifytest.Server, subject string) (found []string) {
	for _, letter := range server.Letters() {
		if read, err := netmail.ReadMessage(bytes.NewReader([]byte(letter))); err == nil {
			if decoded, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject")); err == nil && strings.HasPrefix(decoded, subject) {
				found = append(found, letter)
			}
		}
	}
	return found
}

func TestMailAttachments(t *testing.T) {
	path := sitetest.NeedsBrowser(t)
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		server := &notifytest.Server{}
		address, _ := server.Serve(t, "127.0.0.1:0", nil)
		r := openSite(t, "DATABASE_URL", databaseURL, "CHROME_URL", "", "CHROME_PATH", path, "SMTP_URL", "smtp://"+address+"?tls=none&from=hello@example.in")
		txn := r.Pay()
		r.Work() // mails first: the mail waits for its papers
		if got := r.Kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" || len(letters(server, "You are enrolled: ")) != 0 {
			t.Fatalf("there are %s, and %d mails", got, len(letters(server, "You are enrolled: ")))
		}
		r.Passes(3 * time.Second)
		r.Work()
		paid := letters(server, "You are enrolled: ")
		if len(paid) != 1 {
			t.Fatalf("%d mails say that it is paid:\n%s", len(paid), r.Log.String())
		}
		r.mustAttach(paid[0], txn, paper.Invoice, paper.Ticket)
		r.Passes(time.Hour)
		r.Work()
		if n := len(letters(server, "You are enrolled: ")); n != 1 {
			t.Errorf("an hour later there are %d mails", n)
		}

		r.Happen(txn, "refunded")
		for range 5 {
			r.Passes(3 * time.Second)
			r.Work()
		}
		back := letters(server, "Refund of your fee sent: ₹1,499.00")
		if len(back) != 1 {
			t.Fatalf("%d mails tell of the refund:\n%s", len(back), r.Log.String())
		}
		r.mustAttach(back[0], txn, paper.CreditNote, paper.Receipt)
		_, files := attached(t, back[0])
		mustContain(t, "the receipt that the refund's mail brings", files["receipt.pdf"], "Net paid", "₹0.00")
	})
}

func TestMailWithoutUnprintedPapers(t *testing.T) {
	path := sitetest.NeedsBrowser(t)
	for _, test := range []struct {
		is, chrome string
		waits      bool
	}{
		{"nothing prints", "off", false},
		{"no browser is installed", "", false},
		{"the browser never ends a page", "", true},
	} {
		t.Run(test.is, func(t *testing.T) {
			server := &notifytest.Server{}
			address, _ := server.Serve(t, "127.0.0.1:0", nil)
			link := filepath.Join(t.TempDir(), "chrome")
			r := openSite(t, "CHROME_URL", test.chrome, "CHROME_PATH", link, "SMTP_URL", "smtp://"+address+"?tls=none&from=hello@example.in")
			if test.waits {
				if err := os.Symlink(path, link); err != nil {
					t.Fatal(err)
				}
			}
			txn := r.Pay()
			mails := r.Site.Workers[1] // the papers' worker does not run
			runs := func(after time.Duration) int {
				r.Passes(after)
				if _, err := mails.RunDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				return len(letters(server, "You are enrolled: "))
			}
			sent := runs(0)
			if test.waits {
				for waited := time.Duration(0); waited < 90*time.Second; waited += 10 * time.Second {
					sent = max(sent, runs(10*time.Second))
				}
				if sent != 0 {
					t.Error("the mail does not wait")
				}
				sent = runs(30 * time.Second)
			}
			if sent != 1 {
				t.Fatalf("%d mails are sent:\n%s", sent, r.Log.String())
			}
			letter := letters(server, "You are enrolled: ")[0]
			r.mustAttach(letter, txn)
			if !strings.Contains(strings.ReplaceAll(letter, "=\r\n", ""), "/invoice/") {
				t.Errorf("it holds no link to the invoice: %.3000s", letter)
			}
		})
	}
}
