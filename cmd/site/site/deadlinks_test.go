package site_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/staff"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store/storetest"
)

// holder is a person with a refunded payment and the links to its papers.
type holder struct {
	*e2e.Visitor
	txn, registration, ticket string
	first, token              string // of the mailed links: the payment's and the refund's
	note                      string // the credit note's file
}

// refunded pays, is refunded, and reads the mails.
func (r *reader) refunded(n int) (h holder) {
	r.T.Helper()
	token := regexp.MustCompile(`/(?:receipt|invoice)/([\w-]+)`)
	r.Visitor = e2e.NewVisitor(r.Base, n)
	h.Visitor, h.txn = r.Visitor, r.Pay()
	r.Work()
	r.Passes(3 * time.Second) // the mail waits for the papers
	h.first = token.FindStringSubmatch(r.Mail(h.Email))[1]
	r.Happen(h.txn, "refunded")
	r.Passes(time.Second)
	r.Work()
	r.Passes(3 * time.Second)
	h.token = token.FindStringSubmatch(r.Mail(h.Email))[1]
	of := r.Receipt(h.txn)
	h.registration, h.ticket, h.note = of.Registration.ID, of.Registration.TicketKey, strings.ReplaceAll(of.CreditNotes[0].Number, "/", "-")+".pdf"
	return h
}

// links returns the addresses that a mailed token opens, then those that a ticket's key opens.
func (h holder) links(token, key string) []string {
	links := []string{"/receipt/" + token, "/invoice/" + token}
	for _, file := range []string{"invoice.pdf", "receipt.pdf", "ticket.pdf", h.note} {
		links = append(links, "/receipt/"+token+"/"+file, "/receipt/"+token+"/"+file+"?wait")
	}
	return append(links, "/ticket/"+key, "/ticket/"+key+"/exam.ics")
}

// cut removes the last letter of a token.
func cut(token string) string { return token[:len(token)-1] }

func TestInvalidLinksOpenNoPaper(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		r := openSite(t, "DATABASE_URL", databaseURL)
		r.Site.Business.Papers.Printer = sitetest.Stamps{}
		asha, ravi := r.refunded(1), r.refunded(2)
		if asha.note == ravi.note || asha.first == asha.token {
			t.Fatalf("two credit notes are %s, two links %s", asha.note, asha.token)
		}
		stranger := e2e.NewVisitor(r.Base, 3)
		opens := func(sentence, link string, want int) {
			t.Helper()
			got := r.ask(stranger, "GET "+link, recordRequest{})
			if got.Status != want {
				t.Errorf("%s: %s answers %d, want %d", sentence, link, got.Status, want)
			}
			for _, secret := range []string{asha.Name, asha.Email, asha.txn, "%PDF", "HS26-", "KS/", "KSC/"} {
				if want == http.StatusNotFound && strings.Contains(got.Text+got.Location, secret) {
					t.Errorf("%s: %s tells %s", sentence, link, secret)
				}
			}
		}
		all := func(sentence string, links []string, want int) {
			t.Helper()
			for _, link := range links {
				opens(sentence, link, want)
			}
		}
		alive := asha.links(asha.token, asha.ticket)
		all("after a refund the papers stay", alive[:len(alive)-1], http.StatusOK)
		all("the payment's own link opens them too", asha.links(asha.first, asha.ticket)[:10], http.StatusOK)
		if got := r.ask(stranger, "GET /ticket/"+asha.ticket, recordRequest{}); !strings.Contains(got.Text, "No longer") {
			t.Error("a refunded ticket does not say that it is no longer valid")
		}
		all("of another purpose", asha.links(asha.ticket, asha.token), http.StatusNotFound)
		all("of a payment", asha.links(asha.txn, asha.registration), http.StatusNotFound)
		all("cut off", asha.links(cut(asha.token), cut(asha.ticket)), http.StatusNotFound)
		all("in other letters", asha.links(strings.ToUpper(asha.token), strings.ToUpper(asha.ticket)), http.StatusNotFound)
		all("of somebody else", []string{"/receipt/" + ravi.token + "/" + asha.note, "/receipt/" + ravi.token + "/" + cut(asha.note), "/receipt/" + ravi.token + "/KS-26-27-000001.pdf"}, http.StatusNotFound)
		all("no paper", []string{"/receipt/" + asha.token + "/KSC-26-27-000009.pdf", "/receipt/" + asha.token + "/x.pdf", "/receipt/" + asha.token + "/..%2finvoice.pdf", "/invoice/" + asha.token + "/invoice.pdf"}, http.StatusNotFound)
		for _, file := range []string{"invoice.pdf", "receipt.pdf", "ticket.pdf", asha.note} { // Ravi in his own browser, by the payment's address
			for _, who := range []*e2e.Visitor{ravi.Visitor, stranger} {
				if got := r.ask(who, "GET /checkout/"+asha.txn+"/papers/"+file, recordRequest{}); got.Status != http.StatusNotFound || strings.Contains(got.Text, "%PDF") {
					t.Errorf("another's %s answers %d", file, got.Status)
				}
			}
		}
		if got := r.ask(ravi.Visitor, "GET /checkout/"+ravi.txn+"/papers/"+asha.note, recordRequest{}); got.Status != http.StatusNotFound {
			t.Errorf("another's credit note by one's own payment answers %d", got.Status)
		}

		if _, err := r.Site.Office.RevokeLinks(t.Context(), asha.registration, staff.Operator("Ravi")); err != nil {
			t.Fatal(err)
		}
		mailed := len(alive) - 2
		for _, token := range []string{asha.first, asha.token} {
			all("revoked", asha.links(token, asha.ticket)[:mailed], http.StatusNotFound)
		}
		all("the ticket's own code goes on", alive[mailed:mailed+1], http.StatusOK)
		all("and so do others' links", ravi.links(ravi.token, ravi.ticket)[:mailed], http.StatusOK)
		r.Passes(90 * 24 * time.Hour)
		all("expired", ravi.links(ravi.token, ravi.ticket)[:mailed], http.StatusNotFound)
		all("nothing opens again by time", alive[:mailed], http.StatusNotFound)
	})
}
