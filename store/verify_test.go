package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// faults are changes of correct books with the sentence that Store.Verify returns, "" for none. "COPY table WHERE … SET
// column = value, …" copies a row.
var faults = []struct{ does, says string }{
	// Registrations and payments.
	{"UPDATE registrations SET paid_txn_id = 'nowhere' WHERE id = '<r plain>'", "registration <r plain> names payment nowhere as its own, which is not there"},
	{"UPDATE registrations SET paid_txn_id = '<pay other>' WHERE id = '<r plain>'", "registration <r plain> names payment <pay other> as its own, which is of registration <r other>"},
	{"UPDATE registrations SET paid_txn_id = '<pay failed>', step = 8 WHERE id = '<r failed>'", "registration <r failed> names payment <pay failed> as its own, which is failed"},
	{"UPDATE registrations SET paid_txn_id = '' WHERE id = '<r plain>'", "payment <pay plain> is paid, but registration <r plain> names none as its own"},
	{"UPDATE transactions SET state = 'paid' WHERE id = '<pay due>'; COPY messages WHERE id = '<m plain>' SET id = 'x', cause = 'receipt:<pay due>', sent_at = 1", "payment <pay due> is paid, but registration <r due paid> names <pay due paid> as its own"},
	{"UPDATE registrations SET step = 7 WHERE id = '<r plain>'", "registration <r plain> is paid and at step 7"},
	{"UPDATE registrations SET step = 8 WHERE id = '<r failed>'", "registration <r failed> is at step 8 and nothing has paid it"},
	{"UPDATE registrations SET step = 6 WHERE id = '<r plain>'", "registration <r plain> is paid and at step 6"},
	{"UPDATE registrations SET step = 6, event_code = 'hiresure' WHERE id = '<r plain>'", ""}, // an application
	{"UPDATE registrations SET step = 5, event_code = 'hiresure' WHERE id = '<r plain>'", "registration <r plain> is paid and at step 5"},
	{"UPDATE registrations SET step = 6, event_code = 'hiresure' WHERE id = '<r failed>'", "registration <r failed> is at step 6 and nothing has paid it"},
	{"UPDATE registrations SET step = 5 WHERE id = '<r failed>'", "registration <r failed> is at step 5 and no payment of it is open"},
	{"UPDATE registrations SET step = 7 WHERE id = '<r open>'", "registration <r open> is at step 7, but payment <pay open> of it is open"},
	{"COPY transactions WHERE id = '<pay open>' SET id = 'x', ref = '', payment_id = '', merchant_ref = '', discount_minor = 0; INSERT INTO jobs (kind, ref, due_at, attempts, last_error) VALUES ('poll', 'x', 0, 0, '')", "registration <r open> has 2 payments that are open"},
	{"COPY transactions WHERE id = '<pay review>' SET id = 'x', ref = '', payment_id = '', merchant_ref = '', discount_minor = 0", "registration <r review> has 2 payments that are in review"},
	{"DELETE FROM jobs WHERE kind = 'poll' AND ref = '<pay open>'", "payment <pay open> is open and no job asks about it"},
	{"UPDATE jobs SET dead_at = 1 WHERE kind = 'poll' AND ref = '<pay open>'", "payment <pay open> is open and no job asks about it"},
	{"UPDATE registrations SET refunded = TRUE WHERE id = '<r plain>'", "registration <r plain> is refunded, but its payment <pay plain> is paid"},
	{"UPDATE registrations SET refunded = TRUE WHERE id = '<r disputed>'", "registration <r disputed> is refunded, but its payment <pay disputed> is disputed"},
	{"UPDATE registrations SET refunded = TRUE WHERE id = '<r failed>'", "registration <r failed> is refunded, but was never paid"},
	{"UPDATE registrations SET refunded = FALSE WHERE id = '<r gone>'; UPDATE referral_credits SET cancelled_at = 0 WHERE registration_id = '<r gone>'", "payment <pay gone> is refunded, but registration <r gone>, which it paid, is not"},
	{"UPDATE transactions SET settled_at = <now> - 86400000001 WHERE id = '<pay due>'", "payment <pay due> has been refund_due for more than a day: site refund <pay due>"},
	{"UPDATE transactions SET settled_at = <now> - 86400000001 WHERE id = '<pay review>'", "payment <pay review> has been review for more than a day: site review <pay review>"},
	{"UPDATE transactions SET settled_at = <now> - 86400000000 WHERE id IN ('<pay due>', '<pay review>')", ""},
	// Tickets.
	{"UPDATE registrations SET ticket_key = '' WHERE id = '<r plain>'", "registration <r plain> has a ticket's number and not its key"},
	{"UPDATE registrations SET ticket = '' WHERE id = '<r plain>'; UPDATE ticket_series SET issued = issued - 1", "registration <r plain> has a ticket's key and not its number"},
	{without + "; UPDATE transactions SET settled_at = <now> - 86400000001 WHERE id = '<pay plain>'", "registration <r plain> has been paid for more than a day and has no ticket"},
	{without + "; UPDATE transactions SET settled_at = <now> - 86400000000 WHERE id = '<pay plain>'", ""},
	{without + "; UPDATE transactions SET settled_at = <now> - 86400000001 WHERE id = '<pay plain>'; UPDATE registrations SET event_code = 'hiresure', step = 6 WHERE id = '<r plain>'", ""},
	{"UPDATE ticket_series SET issued = issued + 1", "ticket series HS26 has counted 14, registrations have 13"},
	{"DELETE FROM ticket_series", "ticket series HS26 has counted 0, registrations have 13"},
	{"INSERT INTO ticket_series VALUES ('HS27', 3)", "ticket series HS27 has counted 3, registrations have 0"},
	// Refunds.
	{"DELETE FROM jobs WHERE kind = 'refund' AND ref = '<pay due>'", "payment <pay due> is refund_due and no job sends it back: site refund <pay due> --as NAME"},
	{"UPDATE refunds SET state = 'failed' WHERE id = '<f slow>'", "payment <pay slow> is refund_pending and no refund of it is under way"},
	{"UPDATE transactions SET state = 'paid' WHERE id = '<pay slow>'", "refund <f slow> is accepted, but its payment <pay slow> is paid"},
	{"UPDATE refunds SET created_at = <now> - 604800000001 WHERE id = '<f slow>'", "refund <f slow> of payment <pay slow> has been accepted for more than seven days"},
	{"UPDATE refunds SET created_at = <now> - 604800000000 WHERE id = '<f slow>'", ""},
	{"DELETE FROM jobs WHERE kind = 'refund' AND ref = '<pay slow>'", "refund <f slow> of payment <pay slow> is accepted and no job asks about it"},
	{"DELETE FROM jobs WHERE kind = 'refund' AND ref = '<f charged twice>'", "refund <f charged twice> of payment <pay charged twice> is asked and no job asks about it"},
	{"UPDATE refunds SET state = 'failed' WHERE id = '<f charged twice>'", "₹1,499.00 of a second charge of payment <pay charged twice> is here again, and no refund of it under way: site refund <pay charged twice> --as NAME"},
	{"UPDATE refunds SET state = 'bounced' WHERE id = '<f charged twice>'; COPY refunds WHERE id = '<f charged twice>' SET id = 'x', state = 'done', minor = 14990", "₹1,349.10 of a second charge of payment <pay charged twice> is here again, and no refund of it under way: site refund <pay charged twice> --as NAME"},
	{"COPY refunds WHERE id = '<f charged twice>' SET id = 'x', state = 'done'; UPDATE refunds SET state = 'bounced' WHERE id = '<f charged twice>'", ""},
	{"COPY refunds WHERE id = '<f twice>' SET id = 'x', minor = 1; UPDATE transactions SET refunded_minor = refunded_minor + 1 WHERE id = '<pay twice>'", "refunds of payment <pay twice> add up to ₹1,499.01, more than its charge of ₹1,499.00"},
	{"COPY refunds WHERE id = '<f twice>' SET id = 'x', minor = 7, reason = 'refunded beyond the charge'", "payment <pay twice>: ₹0.07 more than was paid has left its charge late <pay twice> (refunded beyond the charge)"},
	{"UPDATE transactions SET refunded_minor = 5 WHERE id = '<pay plain>'", "payment <pay plain> counts ₹0.05 as refunded, its refunds add up to ₹0.00"},
	{"UPDATE transactions SET refunded_minor = 0 WHERE id = '<pay part>'", "payment <pay part> counts ₹0.00 as refunded, its refunds add up to ₹149.90"},
	{"UPDATE refunds SET minor = minor - 1 WHERE id = '<f gone>'; UPDATE transactions SET refunded_minor = refunded_minor - 1 WHERE id = '<pay gone>'", "payment <pay gone> is refunded, but ₹1,498.99 of its charge of ₹1,499.00 has gone back"},
	{"UPDATE refunds SET minor = 149900 WHERE id = '<f part>'; UPDATE transactions SET refunded_minor = 149900 WHERE id = '<pay part>'", "payment <pay part> is paid, but ₹1,499.00 of its charge of ₹1,499.00 has gone back"},
	{"UPDATE transactions SET adjustment_minor = -500 WHERE id = '<pay plain>'", "payment <pay plain> was ₹5.00 above its price, of which ₹0.00 went back, and no refund of it is under way: site refund <pay plain> --as NAME"},
	// Series.
	{"DELETE FROM invoices WHERE number = '<i twice paid>'; UPDATE invoice_series SET serial = 11 WHERE series = 'KS'", "payment <pay twice paid> has paid registration <r twice paid> and has no invoice"},
	{"UPDATE invoices SET serial = 13, number = 'KS/26-27/000013' WHERE number = '<i other>'; UPDATE invoice_series SET serial = 13 WHERE series = 'KS'", "series KS 26-27 has 12 documents of 12 numbers, the first is 1, the last 13, the counter stands at 13"},
	{"UPDATE invoices SET serial = 90, number = 'KS/26-27/000090' WHERE number = '<i plain>'", "series KS 26-27 has 12 documents of 12 numbers, the first is 2, the last 90, the counter stands at 12"},
	{"UPDATE credit_notes SET series = 'KS', serial = 1, number = 'KS/26-27/000001' WHERE number = '<n gone>'; UPDATE invoice_series SET serial = 2 WHERE series = 'KSC'", "series KS 26-27 has 13 documents of 12 numbers, the first is 1, the last 12, the counter stands at 12"},
	{"DELETE FROM invoice_series WHERE series = 'KS'", "series KS 26-27 has 12 documents of 12 numbers, the first is 1, the last 12, the counter stands at 0"},
	{"UPDATE invoice_series SET serial = 11 WHERE series = 'KS'", "series KS 26-27 has 12 documents of 12 numbers, the first is 1, the last 12, the counter stands at 11"},
	{"UPDATE invoice_series SET serial = 4 WHERE series = 'KSC'", "series KSC 26-27 has 3 documents of 3 numbers, the first is 1, the last 3, the counter stands at 4"},
	{"INSERT INTO invoice_series VALUES ('XX', '26-27', 4)", "series XX 26-27 has no document, the counter stands at 4"},
	// Invoices.
	{"COPY invoices WHERE number = '<i plain>' SET id = 'x', txn_id = 'nowhere', " + thirteenth, "invoice KS/26-27/000013 of payment nowhere is of a payment that is not there"},
	{"UPDATE invoices SET registration_id = '<r other>' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> names registration <r other>, its payment is of <r plain>"},
	{"COPY invoices WHERE number = '<i plain>' SET id = 'x', txn_id = '<pay free>', registration_id = '<r free>', charged_minor = 0, " + thirteenth, "invoice KS/26-27/000013 of payment <pay free> is of a payment that cost nothing"},
	{"COPY invoices WHERE number = '<i plain>' SET id = 'x', txn_id = '<pay open>', registration_id = '<r open>', " + thirteenth, "invoice KS/26-27/000013 of payment <pay open> is of a payment that is pending"},
	{"UPDATE invoices SET charged_minor = 1 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> says that ₹0.01 was charged, the payment says ₹1,499.00"},
	{"UPDATE invoices SET charged_currency = 'USD' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> says that $1,499.00 was charged, the payment says ₹1,499.00"},
	{"UPDATE transactions SET sold_by = '2Checkout' WHERE id = '<pay plain>'", "invoice <i plain> of payment <pay plain> is of a sale by 2Checkout"},
	{"UPDATE invoices SET exchange_rupees = 885000 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> says that its currency is worth ₹88.5000, the payment says ₹0.0000"},
	{"UPDATE invoices SET list_minor = list_minor + 100, adjustment_minor = 100 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has another adjustment than the payment"},
	{"UPDATE invoices SET total_minor = total_minor + 1 WHERE number = '<i far>'", "invoice <i far> of payment <pay far> has a total that is not its list price less its discount and adjustment"},
	{"UPDATE invoices SET list_minor = list_minor + 1, discount_minor = discount_minor + 1 WHERE number = '<i far>'", "invoice <i far> of payment <pay far> has another price than the payment"},
	{"UPDATE invoices SET issued_on = <april> WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> is of financial year 26-27, but was issued in 27-28"},
	{"UPDATE invoices SET issued_on = <april> - 1 WHERE number = '<i plain>'", ""},
	{"UPDATE invoices SET number = 'KS/26-27/000099' WHERE number = '<i plain>'", "invoice KS/26-27/000099 of payment <pay plain> is number 1 of series KS 26-27, which its own number does not say"},
	{"UPDATE invoices SET words = 'Zero Rupees Only' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> does not say its total in words"},
	{"UPDATE invoices SET buyer_state_code = '27' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has a buyer in State 27 and its place of supply in 29"},
	{"UPDATE invoices SET place_of_supply = 'Kerala' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has Kerala as its place of supply, whose code is not 29"},
	{"UPDATE invoices SET seller_state_code = '27' WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has a seller in State 27, whose GSTIN is of another"},
	{"UPDATE invoices SET tax_taxable = tax_taxable + 1 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> does not add up: value and tax are not its total"},
	{"UPDATE invoices SET tax_igst = tax_cgst + tax_sgst, tax_cgst = 0, tax_sgst = 0 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has not the tax of a supply from State 29 to 29"},
	{"UPDATE invoices SET tax_utgst = tax_sgst, tax_sgst = 0 WHERE number = '<i plain>'", "invoice <i plain> of payment <pay plain> has not the tax of a supply from State 29 to 29"},
	{"UPDATE invoices SET tax_cgst = 5000, tax_sgst = tax_igst - 5000, tax_igst = 0 WHERE number = '<i far>'", "invoice <i far> of payment <pay far> has not the tax of a supply from State 29 to 27"},
	{"UPDATE invoices SET tax_taxable = tax_taxable - 1, tax_igst = tax_igst + 1 WHERE number = '<i far>'", "invoice <i far> of payment <pay far> has not the tax of a supply from State 29 to 27"},
	{"COPY invoices WHERE number = '<i plain>' SET id = 'x', issue = 2, " + thirteenth, "invoice KS/26-27/000013 of payment <pay plain> reverses a credit note that is not there"},
	{"COPY invoices WHERE number = '<i gone>' SET id = 'x', issue = 2, reverses = '<n gone>', " + thirteenth, "invoice KS/26-27/000013 of payment <pay gone> reverses credit note <n gone>, whose refund has not bounced"},
	{"UPDATE invoices SET tax_taxable = tax_taxable - 2, tax_cgst = tax_cgst + 1, tax_sgst = tax_sgst + 1 WHERE number = '<v bounced>'", "invoice <v bounced> of payment <pay bounced> is over another sum than credit note <n bounced>, which it reverses"},
	// Credit notes.
	{"DELETE FROM credit_notes WHERE number = '<n gone>'; UPDATE invoice_series SET serial = 2 WHERE series = 'KSC'", "refund <f gone> of payment <pay gone> is done and has no credit note"},
	{"UPDATE refunds SET state = 'bounced' WHERE id = '<f part>'; UPDATE transactions SET refunded_minor = 0 WHERE id = '<pay part>'", "refund <f part> bounced and no debit note reverses its credit note <n part>"},
	{"UPDATE credit_notes SET total_minor = 160000, tax_taxable = 135594, tax_cgst = 12203, tax_sgst = 12203, words = 'One Thousand Six Hundred Rupees Only' WHERE number = '<n part>'", "credit notes of payment <pay part> take back ₹1,600.00, its invoice is over ₹1,499.00"},
	{"COPY credit_notes WHERE number = '<n part>' SET id = 'x', refund_id = 'nowhere', " + fourth, "credit note KSC/26-27/000004 of payment <pay part> goes with refund nowhere, which is not there"},
	{"COPY credit_notes WHERE number = '<n part>' SET id = 'x', txn_id = '<pay slow>', refund_id = '<f slow>', " + fourth, "credit note KSC/26-27/000004 of payment <pay slow> goes with refund <f slow>, which is accepted"},
	{"UPDATE credit_notes SET invoice_number = '<i plain>' WHERE number = '<n part>'", "credit note <n part> of payment <pay part> is to invoice <i plain>, which is not there"},
	{"UPDATE credit_notes SET registration_id = '<r plain>' WHERE number = '<n part>'", "credit note <n part> of payment <pay part> names registration <r plain>, its invoice <r part>"},
	{"UPDATE credit_notes SET issued_on = <april> WHERE number = '<n part>'", "credit note <n part> of payment <pay part> is of financial year 26-27, but was issued in 27-28"},
	{"UPDATE credit_notes SET number = 'KSC/26-27/000099' WHERE number = '<n part>'", "credit note KSC/26-27/000099 of payment <pay part> is number 2 of series KSC 26-27, which its own number does not say"},
	{"UPDATE credit_notes SET words = '' WHERE number = '<n part>'", "credit note <n part> of payment <pay part> does not say its total in words"},
	{"UPDATE credit_notes SET buyer_state_code = '27' WHERE number = '<n part>'", "credit note <n part> of payment <pay part> has a buyer in State 27 and its place of supply in 29"},
	{"UPDATE credit_notes SET tax_igst = tax_cgst + tax_sgst, tax_cgst = 0, tax_sgst = 0 WHERE number = '<n part>'", "credit note <n part> of payment <pay part> has not the tax of a supply from State 29 to 29"},
	{"UPDATE credit_notes SET tax_cgst = tax_cgst + 1, tax_sgst = tax_sgst - 1 WHERE number = '<n gone>'", "credit note <n gone> of payment <pay gone> has halves of its tax that differ"},
	{"UPDATE credit_notes SET financial = TRUE WHERE number = '<n part>'", "credit note <n part> of payment <pay part> has no tax, though it was issued in time to reverse it"},
	{"INSERT INTO invoice_series (series, financial_year, serial) VALUES ('KSC', '27-28', 1); UPDATE credit_notes SET issued_on = <december>, financial_year = '27-28', serial = 1, number = 'KSC/27-28/000001' WHERE number = '<n part>'; UPDATE credit_notes SET serial = 2, number = 'KSC/26-27/000002' WHERE number = '<n gone>'; UPDATE invoice_series SET serial = 2 WHERE series = 'KSC' AND financial_year = '26-27'", "credit note KSC/27-28/000001 of payment <pay part> reverses tax after the last day for it"},
	{"INSERT INTO invoice_series (series, financial_year, serial) VALUES ('KSC', '27-28', 1); UPDATE credit_notes SET issued_on = <december>, financial_year = '27-28', serial = 1, number = 'KSC/27-28/000001', financial = TRUE WHERE number = '<n part>'; UPDATE credit_notes SET serial = 2, number = 'KSC/26-27/000002' WHERE number = '<n gone>'; UPDATE invoice_series SET serial = 2 WHERE series = 'KSC' AND financial_year = '26-27'", "credit note KSC/27-28/000001 of payment <pay part> has tax, though it is a financial one"},
	// Coupons and referral credits.
	{"UPDATE coupons SET max_uses = 3 WHERE code = 'HALF'", "coupon HALF has 4 uses, more than its limit of 3"},
	{"UPDATE coupons SET max_uses = 3 WHERE code = 'HALF'; UPDATE coupon_uses SET state = 'over limit' WHERE txn_id = '<pay far>'", ""},
	{"UPDATE coupons SET max_per_phone = 1 WHERE code = 'HALF'; UPDATE coupon_uses SET phone = '+91' WHERE txn_id IN ('<pay far>', '<pay again>')", "coupon HALF has 2 uses by <max far again>, more than its limit of 1 for one phone"},
	{"UPDATE coupons SET budget_minor = 299799 WHERE code = 'HALF'", "coupon HALF has given ₹2,998.00, more than its budget of ₹2,997.99"},
	{"UPDATE coupon_uses SET state = 'released' WHERE txn_id = '<pay far>'", "coupon HALF is released by payment <pay far>, which is paid"},
	{"UPDATE coupon_uses SET state = 'used' WHERE txn_id = '<pay open>'", "coupon HALF is used by payment <pay open>, which is pending"},
	{"UPDATE coupon_uses SET state = 'held' WHERE txn_id = '<pay lapsed>'", "coupon HALF is held by payment <pay lapsed>, which is failed"},
	{"UPDATE coupon_uses SET state = 'held' WHERE txn_id = '<pay far>'", "coupon HALF is held by payment <pay far>, which is paid"},
	{"COPY coupon_uses WHERE txn_id = '<pay lapsed>' SET id = 'x', txn_id = 'nowhere'", "coupon HALF is released by payment nowhere, which is not there"},
	{"UPDATE coupon_uses SET discount_minor = 1 WHERE txn_id = '<pay far>'", "payment <pay far> has a discount of ₹749.50, its coupon gives ₹0.01"},
	{"UPDATE referral_credits SET cancelled_at = 0 WHERE registration_id = '<r gone>'", "referral credit of registration <r gone> is not cancelled, but it is refunded"},
	{"UPDATE referral_credits SET cancelled_at = 1 WHERE registration_id = '<r far>'", "referral credit of registration <r far> is cancelled, but it is not refunded"},
	{"COPY referral_credits WHERE registration_id = '<r far>' SET id = 'x', registration_id = '<r failed>'", "referral credit of registration <r failed> stands, but it is not paid"},
	{"COPY referral_credits WHERE registration_id = '<r far>' SET id = 'x', registration_id = '<r free>'", "referral credit of registration <r free> stands, but it cost nothing"},
	{"DELETE FROM referral_credits WHERE registration_id = '<r far>'", "registration <r far> is paid and its referral code SETU has no credit"},
	{"UPDATE registrations SET own_referral = 'SETU' WHERE id = '<r far>'", "registration <r far> gives its friends the referral code SETU, which is not that of its phone"},
	// Webhooks and messages.
	{"UPDATE inbox SET received_at = <now> - 86400000001 WHERE id = '<w waits>'", "webhook <e waits> of sandbox has not been handled for more than a day"},
	{"UPDATE inbox SET received_at = <now> - 86400000000 WHERE id = '<w waits>'", ""},
	{"DELETE FROM jobs WHERE kind = 'event' AND ref = '<w waits>'", "webhook <e waits> of sandbox is not handled and no job handles it"},
	{"DELETE FROM messages WHERE id = '<m plain>'", "payment <pay plain> is paid and has 0 receipt messages"},
	{"DELETE FROM messages WHERE id = '<m plain>'; UPDATE transactions SET settled_at = <now> - 364 * 86400000000 + 1 WHERE id = '<pay plain>'", "payment <pay plain> is paid and has 0 receipt messages"},
	{"DELETE FROM messages WHERE id = '<m plain>'; UPDATE transactions SET settled_at = <now> - 364 * 86400000000 WHERE id = '<pay plain>'", ""},
	{"DELETE FROM jobs WHERE kind = 'mail' AND ref = '<m plain>'", "message <m plain> (receipt:<pay plain>) is not sent and no job sends it"},
	{"UPDATE jobs SET dead_at = 1 WHERE kind = 'mail' AND ref = '<m plain>'", "message <m plain> (receipt:<pay plain>) is not sent and no job sends it"},
	{"DELETE FROM jobs WHERE kind = 'mail' AND ref = '<m plain>'; UPDATE messages SET sent_at = 1 WHERE id = '<m plain>'", ""},
	{"UPDATE jobs SET kind = 'deliver' WHERE kind = 'mail' AND ref = '<m plain>'", ""}, // as the previous version stores it
}

// A registration settled by a version without tickets.
const without = "UPDATE registrations SET ticket = '', ticket_key = '' WHERE id = '<r plain>'; UPDATE ticket_series SET issued = issued - 1"

// Takes the next numbers of both series correctly.
const (
	thirteenth = "serial = 13, number = 'KS/26-27/000013'; UPDATE invoice_series SET serial = 13 WHERE series = 'KS'"
	fourth     = "serial = 4, number = 'KSC/26-27/000004'; UPDATE invoice_series SET serial = 4 WHERE series = 'KSC'"
)

var tables = []string{"registrations", "transactions", "refunds", "ticket_series", "invoices", "invoice_series", "credit_notes", "coupons", "coupon_uses", "referral_credits", "inbox", "messages", "jobs"}

func TestVerify(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		b := newBooks(t, address)
		b.unlock(strings.HasPrefix(address, "sqlite://"))
		if differences := b.verify(true); len(differences) > 0 {
			t.Fatalf("books without fault: %q", differences)
		}
		names := strings.NewReplacer(b.names...)
		for _, fault := range faults {
			b.exec(names.Replace(fault.does))
			_, err := b.store.RenewEveryPhase(b.ctx, "") // phases have their own test
			b.must(err)
			want := []string{}
			if fault.says != "" {
				want = append(want, names.Replace(fault.says))
			}
			if differences := b.verify(true); !slices.Equal(differences, want) {
				t.Errorf("%s:\n got %q\nwant %q", fault.does, differences, want)
			}
			b.restore()
		}
		b.exec(names.Replace(faults[slices.IndexFunc(faults, func(f struct{ does, says string }) bool { return strings.HasSuffix(f.says, "has no invoice") })].does))
		_, err := b.store.RenewEveryPhase(b.ctx, "")
		b.must(err)
		if differences := b.verify(false); len(differences) > 0 {
			t.Errorf("while nobody invoices: %q", differences)
		}
		b.restore()

		const more = 1200 // several batches
		var statements []string
		for i := range more {
			statements = append(statements, fmt.Sprintf("COPY invoices WHERE number = '<i plain>' SET id = 'x%[1]d', issue = %[1]d + 2, serial = %[1]d + 13, number = 'KS/26-27/%06[2]d'", i, i+13))
		}
		b.exec(names.Replace(strings.Join(append(statements, fmt.Sprintf("UPDATE invoice_series SET serial = 12 + %d WHERE series = 'KS'", more)), "; ")))
		differences := b.verify(true)
		slices.Sort(differences)
		if len(differences) != more || len(slices.Compact(differences)) != more {
			t.Errorf("of %d wrong invoices %d are told", more, len(differences))
		}
		b.restore()
		if differences := b.verify(true); len(differences) > 0 {
			t.Errorf("books as they were: %q", differences)
		}
	})
}

func (b *books) verify(invoiced bool) []string {
	b.t.Helper()
	differences, err := b.store.Verify(b.ctx, func(time.Time) bool { return invoiced })
	b.must(err)
	return append([]string{}, differences...)
}

// unlock disables the database's constraints and saves a copy of all tables.
func (b *books) unlock(isSQLite bool) {
	b.t.Helper()
	statements := []string{"DROP INDEX transactions_one_open", "DROP INDEX transactions_one_paid", "DROP INDEX transactions_one_review"}
	if isSQLite {
		for _, table := range []string{"invoices", "credit_notes"} {
			statements = append(statements, "DROP TRIGGER "+table+"_no_update", "DROP TRIGGER "+table+"_no_delete")
		}
	} else {
		statements = append(statements, "SET session_replication_role = replica") // neither triggers nor foreign keys
	}
	for _, table := range tables {
		statements = append(statements, "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
	}
	b.exec(strings.Join(statements, "; "))
}

func (b *books) restore() {
	b.t.Helper()
	var statements []string
	for _, table := range tables {
		statements = append(statements, "DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
	}
	b.exec(strings.Join(statements, "; "))
}

// exec runs SQL statements.
func (b *books) exec(statements string) {
	b.t.Helper()
	columns := map[string][]string{}
	for _, table := range tables {
		rows, err := b.raw.Query("SELECT * FROM " + table + " LIMIT 0")
		b.must(err)
		columns[table], err = rows.Columns()
		b.must(err)
		b.must(rows.Close())
	}
	tx, err := b.raw.Begin()
	b.must(err)
	defer tx.Rollback()
	for statement := range strings.SplitSeq(statements, "; ") {
		if copied, isCopy := strings.CutPrefix(statement, "COPY "); isCopy {
			from, set, _ := strings.Cut(copied, " SET ")
			table, where, _ := strings.Cut(from, " WHERE ")
			anew := slices.Clone(columns[table])
			for change := range strings.SplitSeq(set, ", ") {
				column, value, _ := strings.Cut(change, " = ")
				anew[slices.Index(columns[table], column)] = value
			}
			statement = "INSERT INTO " + table + " (" + strings.Join(columns[table], ", ") + ") SELECT " + strings.Join(anew, ", ") + " FROM " + table + " WHERE " + where
		}
		result, err := tx.Exec(statement)
		if err != nil {
			b.t.Fatalf("%s: %v", statement, err)
		}
		if n, err := result.RowsAffected(); err == nil && n == 0 && (strings.HasPrefix(statement, "UPDATE") || strings.HasPrefix(statement, "INSERT") && strings.Contains(statement, "WHERE")) {
			b.t.Fatalf("%s changes nothing", statement)
		}
	}
	b.must(tx.Commit())
}
