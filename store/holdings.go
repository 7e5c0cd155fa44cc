package store

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/contact"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
)

// A holding defines for one table which rows are a person's, how they are exported and how they are erased. A test checks
// that every table has one. Conditions use the parameters that person returns.
type holding struct {
	table  string
	key    string // the column that identifies rows to erase
	where  string // selects a person's rows; "" if no row is a person's
	recent string // limits TracesSince on a large table to an index; "" for no limit

	kind        mydata.Kind       // in the export; "" if not exported
	notExported string            // the reason not to export it
	title       string            // in the export
	forms       map[string]string // the forms of its answers: mydata.Table.Forms
	seals       map[string]string // sealed columns, with the name they are sealed under
	hide        map[string]string // columns that are not exported, with the reason

	erase    []string          // statements with @keys, in the order of holdings
	retained map[string]string // columns that may name a deleted person, with the law that requires it
}

const (
	isSecret   = "it gives access"
	isInternal = "it is internal"
	isCopy     = "it is a copy of other data"

	isShared = "other people may have used the browser"

	// gstLaw requires that a tax document keeps its buyer, until eraseBuyers.
	gstLaw = "CGST Act 2017, section 36: 72 months"
)

// Conditions and subqueries for a person's registrations and payments.
const (
	ownRegistrations = "SELECT id FROM registrations WHERE account_id = @account AND account_id <> ''"
	ownPayments      = "SELECT id FROM transactions WHERE registration_id IN (" + ownRegistrations + ")"
	ownRefunds       = "SELECT id FROM refunds WHERE txn_id IN (" + ownPayments + ")"
	ofRegistration   = "registration_id IN (" + ownRegistrations + ")"
	ofPayment        = "txn_id IN (" + ownPayments + ")"
	byAddress        = "(phone <> '' AND phone = @phone OR email <> '' AND lower(email) = lower(@email))"
	hasPayment       = "EXISTS (SELECT 1 FROM transactions WHERE transactions.registration_id = registrations.id)"
)

// erasedPhone replaces the phone of an erased registration. Phones are unique per event.
const erasedPhone = "'erased:' || registrations.id"

// holdings are in the order of erasure: referencing tables first.
var holdings = []holding{
	{
		table: "messages", key: "id", kind: mydata.Messages, title: "Messages we sent", recent: "created_at >= @since",
		where: `(` + addressed("recipient", "created_at") + `
			OR recipient IN (SELECT guardian_phone FROM registrations WHERE account_id = @account AND account_id <> '' AND guardian_phone <> '') AND template LIKE 'guardian-otp%'
			OR cause IN (SELECT 'receipt:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'refund:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'unpaid:' || id FROM (` + ownPayments + `) AS p
				UNION ALL SELECT 'unpaid-sms:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'pending:' || id FROM (` + ownPayments + `) AS p
				UNION ALL SELECT 'pending-sms:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'review:' || id FROM (` + ownPayments + `) AS p
				UNION ALL SELECT 'refund-due:' || id || ':' || payment_id FROM transactions WHERE ` + ofRegistration + `
				UNION ALL SELECT 'refund-due:' || txn_id || ':' || payment_id FROM refunds WHERE ` + ofPayment + `
				UNION ALL SELECT 'refund-failed:' || payment_id FROM refunds WHERE payment_id <> '' AND ` + ofPayment + `
				UNION ALL SELECT 'refund-failed:' || payment_id || ':sms' FROM refunds WHERE payment_id <> '' AND ` + ofPayment + `
				UNION ALL SELECT 'bounced:' || id FROM (` + ownRefunds + `) AS f UNION ALL SELECT 'bounced:' || id || ':sms' FROM (` + ownRefunds + `) AS f
				UNION ALL SELECT 'refund:' || id FROM (` + ownRefunds + `) AS f UNION ALL SELECT 'refunded:' || id FROM (` + ownRefunds + `) AS f
				UNION ALL SELECT 'documents:' || id FROM (` + ownRegistrations + `) AS r
				UNION ALL SELECT 'application-reminder:' || r.id || ':' || n.n FROM (` + ownRegistrations + `) AS r, (SELECT '1' AS n UNION ALL SELECT '2' UNION ALL SELECT '3') AS n
				UNION ALL SELECT 'reminder:' || id FROM leads WHERE ` + byAddress + `
				UNION ALL SELECT 'enquiry:' || id FROM enquiries WHERE ` + byAddress + `
				UNION ALL SELECT 'grievance:' || id FROM grievances WHERE ` + byAddress + `
				UNION ALL SELECT 'grievance-officer:' || id FROM grievances WHERE ` + byAddress + `)
			OR cause LIKE 'unpaid-sms:%' AND EXISTS (SELECT 1 FROM (` + ownRegistrations + `) AS r WHERE cause LIKE 'unpaid-sms:' || r.id || ':%')
			OR cause LIKE 'moved:%' AND EXISTS (SELECT 1 FROM (` + ownRegistrations + `) AS r WHERE cause LIKE 'moved:' || r.id || ':%')
			OR (cause LIKE 'correction%' OR cause LIKE 'reopened%' OR cause LIKE 'documents:%') AND EXISTS (SELECT 1 FROM (` + ownRegistrations + `) AS r WHERE cause LIKE '%:' || r.id || ':%')
			OR cause LIKE 'receipt-again:%' AND EXISTS (SELECT 1 FROM (` + ownPayments + `) AS p WHERE cause LIKE 'receipt-again:' || p.id || ':%')
			OR cause LIKE 'dispute-%' AND EXISTS (SELECT 1 FROM (` + ownPayments + `) AS p WHERE cause LIKE 'dispute-%:' || p.id || ':%'))`,
		hide:  map[string]string{"params": "may contain a code; deleted once sent", "content": "may contain a code; deleted once sent", "template_version": isInternal, "papers": isInternal},
		erase: []string{"DELETE FROM messages WHERE id IN @keys"},
	},
	{
		table: "export_parts", key: "export_id", notExported: "it is the export", where: "export_id IN (SELECT id FROM exports WHERE account_id = @account)",
		erase: []string{"DELETE FROM export_parts WHERE export_id IN @keys"},
	},
	{
		table: "exports", key: "id", kind: mydata.You, title: "Files like this one that you asked for", where: "account_id = @account",
		hide: map[string]string{"parts": isInternal}, erase: []string{"DELETE FROM exports WHERE id IN @keys"},
	},
	{
		table: "consents", key: "id", kind: mydata.Choices, title: "Your yes and no", recent: "subject IN (@phone, @email)",
		where: "((" + addressed("subject", "at") + ") AND " + notOfAnother("ref") + " OR ref = @account OR ref IN (" + ownRegistrations + "))",
		erase: []string{"DELETE FROM consents WHERE id IN @keys"},
	},
	{
		table: "drafts", key: "registration_id", kind: mydata.Answers, title: "Typed, and not sent yet", where: ofRegistration, forms: map[string]string{"": apply.FormName},
		erase: []string{"DELETE FROM drafts WHERE registration_id IN @keys"},
	},
	{
		table: "links", key: "token_hash", kind: mydata.Money, title: "Links to receipts in our mails", where: ofRegistration, hide: map[string]string{"token_hash": isSecret},
		erase: []string{"DELETE FROM links WHERE token_hash IN @keys"},
	},
	{
		table: "uploads", key: "id", kind: mydata.Answers, title: "Documents on their way", where: ofRegistration,
		hide: map[string]string{"writer": isSecret, "judge_until": isInternal}, erase: nil, // by eraseFiles, like the next three tables
	},
	{
		table: "upload_pieces", key: "upload_id", notExported: "pieces of an unfinished upload, for a day", where: "upload_id IN (SELECT id FROM uploads WHERE " + ofRegistration + ")",
	},
	{
		table: "documents", key: "id", kind: mydata.Answers, title: "Documents", where: ofRegistration,
		hide: map[string]string{"object": isInternal, "file_key": isSecret, "key_id": isInternal},
	},
	{
		table: "document_views", key: "id", kind: mydata.Answers, title: "Who has opened your documents", where: ofRegistration,
	},
	{
		table: "entries", key: "id", kind: mydata.Answers, title: "What has happened", where: ofRegistration,
		hide: map[string]string{"who": "names a member of staff"},
		erase: []string{ // except those about payments, which belong to the books
			"DELETE FROM entries WHERE id IN @keys AND detail NOT IN (SELECT id FROM transactions WHERE transactions.registration_id = entries.registration_id)",
		},
	},
	{
		table: "inbox", key: "id", kind: mydata.Money, title: "What payment providers told us", where: "(txn_id <> '' AND " + ofPayment + ")",
		seals: map[string]string{"body": "inbox"}, erase: []string{"DELETE FROM inbox WHERE id IN @keys"},
	},
	{
		table: "coupon_uses", key: "id", kind: mydata.Money, title: "Coupons you used", where: ofPayment,
		erase: []string{"UPDATE coupon_uses SET phone = (SELECT 'erased:' || registration_id FROM transactions WHERE transactions.id = coupon_uses.txn_id) WHERE id IN @keys"},
	},
	{
		table: "referral_credits", key: "id", kind: mydata.Money, title: "What friends earned with a code", where: ofRegistration,
		erase: nil, // ids and a sum owed to the owner of the code, who may still exist
	},
	{
		table: "referrals", key: "code", kind: mydata.Money, title: "Your own referral code",
		where: "(owner_phone <> '' AND owner_phone = @phone OR code IN (SELECT own_referral FROM registrations WHERE account_id = @account AND account_id <> '' AND own_referral <> ''))",
		erase: []string{
			"UPDATE referral_credits SET cancelled_at = @now WHERE code IN @keys AND paid_at = 0 AND cancelled_at = 0", // its payee is erased
			"UPDATE referrals SET owner_name = '', owner_phone = '' WHERE code IN @keys",
		},
	},
	{
		table: "invoices", key: "id", kind: mydata.Money, title: "Invoices", where: ofRegistration,
		retained: map[string]string{"buyer_name": gstLaw, "buyer_address": gstLaw, "buyer_gstin": gstLaw, "buyer_email": gstLaw, "buyer_phone": gstLaw},
	},
	{
		table: "credit_notes", key: "id", kind: mydata.Money, title: "Credit notes", where: ofRegistration,
		retained: map[string]string{"buyer_name": gstLaw, "buyer_address": gstLaw, "buyer_gstin": gstLaw, "buyer_email": gstLaw, "buyer_phone": gstLaw},
	},
	{
		table: "papers", key: "id", kind: mydata.Money, title: "Papers that we printed", where: ofRegistration,
		hide: map[string]string{"object": isInternal, "file_key": isSecret, "key_id": isInternal}, erase: nil, // by erasePapers: receipts and tickets
	},
	{
		table: "refunds", key: "id", kind: mydata.Money, title: "Refunds", where: ofPayment, erase: nil, // books: sums, times, ids and codes
	},
	{
		table: "refund_orders", key: "id", notExported: "what staff wrote to each other about a refund", where: ofRegistration,
		erase: []string{"UPDATE refund_orders SET words = '', answer = '' WHERE id IN @keys"},
	},
	{
		table: "transactions", key: "id", kind: mydata.Money, title: "Payments", where: ofRegistration,
		erase: []string{`UPDATE transactions SET payer_name = '', payer_email = '', payer_phone = '', payer_description = '', checkout = NULL, return_url = '', next_url = '',
			means_name = '', means_reference = '' WHERE id IN @keys`},
	},
	{
		table: "search_terms", key: "registration_id", notExported: isCopy, where: ofRegistration,
		erase: []string{"DELETE FROM search_terms WHERE registration_id IN @keys"},
	},
	{
		table: "corrections", key: "id", notExported: "wait for a day for the owner of an address; what was corrected is in the timeline", where: ofRegistration,
		erase: []string{"DELETE FROM corrections WHERE id IN @keys"},
	},
	{
		table: "staff_notes", key: "id", notExported: "notes among staff", where: ofRegistration,
		erase: []string{"DELETE FROM staff_notes WHERE id IN @keys"},
	},
	{
		table: "staff_views", key: "id", kind: mydata.Answers, title: "When our staff looked at your pages", where: ofRegistration,
		hide:  map[string]string{"account_id": "names a member of staff", "session_id": "names a member of staff", "reason": "notes among staff"},
		erase: []string{"DELETE FROM staff_views WHERE id IN @keys"},
	},
	{
		table: "registrations", key: "id", kind: mydata.Answers, title: "Enrolments and application", where: "(account_id = @account AND account_id <> '')",
		forms: map[string]string{"": enrol.FormName, enrol.ApplicationCode: apply.FormName},
		hide:  map[string]string{"phase": "derived from the other columns", "phase_until": isInternal, "profile_status": "derived from the other columns"},
		erase: []string{
			"DELETE FROM registrations WHERE id IN @keys AND NOT " + hasPayment,
			`UPDATE registrations SET full_name = '', email = '', phone = ` + erasedPhone + `, course = '', college = '', referral_code = '', guardian_name = '', guardian_phone = '', shared_phone = FALSE, answers = NULL,
				ticket_key = '', own_referral = '', source = '', account_id = '', erased_at = @now, phase = '` + string(status.Erased) + `', phase_until = 0, profile_status = '' WHERE id IN @keys`,
		},
	},
	{
		table: "enquiries", key: "id", kind: mydata.Messages, title: "Enquiries", where: byAddress, forms: map[string]string{"": contact.EnquiryForm}, erase: []string{"DELETE FROM enquiries WHERE id IN @keys"},
	},
	{
		table: "grievances", key: "id", kind: mydata.Messages, title: "Complaints", where: byAddress, forms: map[string]string{"": contact.GrievanceForm}, erase: []string{"DELETE FROM grievances WHERE id IN @keys"},
	},
	{
		table: "leads", key: "id", kind: mydata.Answers, title: "Enrolments that you began", where: byAddress, forms: map[string]string{"": enrol.FormName}, erase: []string{"DELETE FROM leads WHERE id IN @keys"},
	},
	{
		table: "code_requests", key: "id", recent: "phone IN (@phone, @email)", notExported: "verification codes, which give access to the account, for a day",
		where: `(phone <> '' AND phone = @phone OR phone <> '' AND lower(phone) = lower(@email) OR email <> '' AND lower(email) = lower(@email) OR other <> '' AND other IN (@phone, @email)
			OR phone IN (SELECT guardian_phone FROM registrations WHERE account_id = @account AND account_id <> '' AND guardian_phone <> '') AND purpose = 'guardian'
			OR session_id IN (SELECT id FROM sessions WHERE account_id = @account AND account_id <> ''))`,
		erase: []string{"DELETE FROM code_requests WHERE id IN @keys"},
	},
	{
		table: "hits", key: "bucket", recent: "FALSE", notExported: "counters of calls, for at most a day",
		where: "(" + bucketNames("@phone") + " OR " + bucketNames("lower(@email)") + " OR " + bucketNames("@account") + `
			OR EXISTS (SELECT 1 FROM registrations r WHERE r.account_id = @account AND r.account_id <> '' AND ` + bucketNames("r.guardian_phone") + `))`,
		erase: []string{"DELETE FROM hits WHERE bucket IN @keys"},
	},
	{
		table: "sessions", key: "id", kind: mydata.You, title: "Where you are signed in", where: "(account_id = @account AND account_id <> '')",
		hide: map[string]string{
			"token_hash": isSecret, "requests": isInternal, "human_until": isInternal, "by_ticket": isInternal,
			"proven": isShared, "registered": isShared, // eraseFromSessions removes them from others' sessions
		},
		erase: []string{"DELETE FROM sessions WHERE id IN @keys"},
	},
	{
		table: "former_addresses", key: "account_id", kind: mydata.You, title: "Addresses that you had before", where: "account_id = @account",
		erase: []string{"DELETE FROM former_addresses WHERE account_id IN @keys"},
	},
	{
		table: "accounts", key: "id", kind: mydata.You, title: "Account", where: "id = @account", erase: []string{"DELETE FROM accounts WHERE id IN @keys"},
	},
	{
		table: "deletions", key: "id", kind: mydata.You, title: "Deletions that you asked for", where: "account_id = @account",
		erase: []string{"UPDATE deletions SET account_id = '' WHERE id IN @keys AND closed_at > 0"}, // the open one is being carried out
	},

	{table: "idempotency_keys", key: "id", notExported: isCopy + ", for a day", erase: []string{"DELETE FROM idempotency_keys WHERE id IN @keys"}},
	{table: "jobs", notExported: "ids only"}, // erased by eraseJobs
	{table: "spent", notExported: "keys of single-use tokens, not personal"},
	{table: "erasing", notExported: "always empty outside of transactions"},
	{table: "alerts", notExported: "not personal"},
	{table: "staff_log", notExported: "what staff did, with ids and sums"},
	{table: "staff_accounts", notExported: "people who work here, not applicants"},
	{table: "staff_sessions", notExported: "of people who work here"},
	{table: "staff_links", notExported: "of people who work here"},
	{table: "staff_passkeys", notExported: "people who work here, not applicants"},
	{table: "saved_views", notExported: "of people who work here; without what they searched for"},
	{table: "staff_cases", notExported: "of people who work here; names ids only"},
	{table: "print_batches", notExported: "of people who work here; eraseBatches deletes the file"},
	{table: "print_items", notExported: "what they printed: ids and numbers"},
	{table: "print_parts", notExported: "files of print_batches"},
	{table: "coupons", notExported: "not personal"},
	{table: "invoice_series", notExported: "not personal"},
	{table: "ticket_series", notExported: "not personal"},
	{table: "goose_db_version", notExported: "not personal"},
	{table: "outbox", notExported: "development only: replaces mailboxes and phones"},
	{table: "sandbox_orders", notExported: "development only: replaces the books of a payment provider"},
}

// A retention limits how long personal rows are stored. content/legal/privacy.yaml has the same periods, or longer ones if
// they begin with an event that no row contains, such as our reply (docs/decisions/over.md). Expired rows are erased like
// those of a deleted person, with their consents.
type retention struct {
	holding   string
	since     string // column
	period    time.Duration
	condition string // condition; "" for all
}

const year = 365 * day

// A registration stays while its payments are unsettled, which raises an alert, or a friend's bonus for its code is due.
var retentions = []retention{
	{"enquiries", "created_at", year, ""},
	{"grievances", "created_at", 3 * year, ""},
	{"registrations", "modified_at", 3 * year, `erased_at = 0 AND used_at <= @until
		AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.registration_id = registrations.id AND (t.state NOT IN ('paid', 'failed', 'expired', 'refunded')
			OR EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = t.id AND f.state IN ('asked', 'accepted'))))
		AND NOT EXISTS (SELECT 1 FROM referral_credits c WHERE registrations.own_referral <> '' AND c.code = registrations.own_referral AND c.paid_at = 0 AND c.cancelled_at = 0 AND c.created_at > @until)`},
}

// addressed is the condition that a column contains an address that belonged to the account when the row was written: a
// current one that was no other account's then, or a former one.
func addressed(address, at string) string {
	until := "EXISTS (SELECT 1 FROM former_addresses f WHERE lower(f.address) = lower(" + address + ") AND " + at + " <= f.until AND f.account_id "
	return "(" + address + " <> '' AND " + address + " = @phone OR " + address + " <> '' AND lower(" + address + ") = lower(@email)) AND NOT " + until + "<> @account) OR " + until + "= @account)"
}

// bucketNames is the condition that one of the parts of a hits bucket, between colons, equals whom.
func bucketNames(whom string) string {
	const parts = "':' || lower(hits.bucket) || ':'"
	return "(" + whom + " <> '' AND replace(" + parts + ", ':' || " + whom + " || ':', '') <> " + parts + ")"
}

// notOfAnother is the condition that a column references neither another account nor its registrations.
func notOfAnother(ref string) string {
	return "NOT EXISTS (SELECT 1 FROM accounts other WHERE other.id = " + ref + " AND other.id <> @account) AND NOT EXISTS (SELECT 1 FROM registrations other WHERE other.id = " + ref + " AND other.account_id NOT IN ('', @account))"
}

// jobsOf lists the kinds of jobs by the table of their refs: jobs are erased with their rows. Every kind is here or in
// keptJobs.
var jobsOf = []tableJobs{
	{"messages", []string{message.JobSMS, message.JobMail, message.JobText, message.JobDeliver}},
	{"registrations", []string{apply.JobRemind}},
	{"leads", []string{enrol.JobRemind, enrol.JobLead}},
	{"exports", []string{mydata.JobExport}},
	{"transactions", []string{payment.JobPoll, payment.JobWait}}, // of an expired payment
	{"inbox", []string{payment.JobEvent}},
	{"uploads", []string{document.JobJudge}},
	{"documents", []string{document.JobScan}},
	{"papers", []string{paper.JobPrint}},
}

type tableJobs struct {
	table string
	kinds []string
}

// keptJobs are the kinds that a deletion keeps, each with the reason.
var keptJobs = map[string]string{
	mydata.JobDelete:   "it runs the deletion",
	document.JobRemove: "it deletes the files of erased rows",
	payment.JobRefund:  "an account with a pending refund is not deleted: Unsettled",
	receipt.JobTickets: "not personal",
	paper.JobWaiting:   "not personal",
	office.JobBatch:    "eraseBatches ends the batch",
	status.JobRenew:    "not personal",
	status.JobRenewAll: "not personal",
}

// eraseJobs deletes the jobs of erased rows.
func (t *tx) eraseJobs(found mydata.Traces) error {
	for _, work := range jobsOf {
		if err := t.execInBatches(found[work.table], "DELETE FROM jobs WHERE kind IN @kinds AND ref IN @keys", map[string]any{"kinds": work.kinds}); err != nil {
			return wrap("erase jobs", err)
		}
	}
	return nil
}

// eraseFiles deletes the documents of erased registrations and adds jobs that delete their files. It selects by registration,
// not by the keys found before: a request that adds a piece or a document locks the upload, so that deleting the upload waits
// for it and the next statements find its rows.
func (t *tx) eraseFiles(registrations []string, at time.Time) error {
	for some := range slices.Chunk(registrations, eraseBatch) {
		var uploads, pieces, documents []string
		for _, step := range []struct {
			into      *[]string
			statement string
			keys      *[]string
		}{
			{&uploads, "DELETE FROM uploads WHERE registration_id IN ? RETURNING id", &some},
			{&pieces, "DELETE FROM upload_pieces WHERE upload_id IN ? RETURNING object", &uploads},
			{&documents, "DELETE FROM documents WHERE registration_id IN ? RETURNING object", &some},
		} {
			if err := t.db.Raw(step.statement, *step.keys).Scan(step.into).Error; err != nil {
				return wrap("erase files", err)
			}
		}
		if err := t.removeObjects(slices.Concat(pieces, documents), at); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM document_views WHERE registration_id IN ?", some); err != nil {
			return wrap("erase views of documents", err)
		}
	}
	return nil
}

// erasePapers deletes the printed papers of erased registrations and adds jobs that delete their files. Printed tax documents
// are deleted by eraseBuyers.
func (t *tx) erasePapers(registrations []string, at time.Time) error {
	for some := range slices.Chunk(registrations, eraseBatch) {
		if err := t.deletePapers(at, "registration_id IN ? AND kind NOT IN ?", some, []paper.Kind{paper.Invoice, paper.CreditNote}); err != nil {
			return err
		}
		if err := t.eraseBatches(some, at); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) deletePapers(at time.Time, which string, values ...any) error {
	var objects []string
	if err := t.db.Raw("DELETE FROM papers WHERE "+which+" RETURNING object", values...).Scan(&objects).Error; err != nil {
		return wrap("erase papers", err)
	}
	return t.removeObjects(objects, at)
}

// removeObjects adds the jobs that delete objects from the storage. Unprinted papers have the object "".
func (t *tx) removeObjects(objects []string, at time.Time) error {
	for _, object := range objects {
		if object == "" {
			continue
		}
		if err := t.AddJob(admission.Job{Kind: document.JobRemove, Ref: object, DueAt: at}); err != nil {
			return err
		}
	}
	return nil
}

// papersRetainedFrom returns the first day of the tax documents that the law still requires: the 1 April of the first
// financial year whose annual return was due, on the 31 December after it, less than 72 months ago.
func papersRetainedFrom(now time.Time) time.Time {
	return time.Date(now.In(admission.IST).Year()-7, time.April, 1, 0, 0, 0, 0, admission.IST)
}

// person returns the parameters of the holdings' conditions: @account, @phone and @email, "" unless verified.
func person(a *account.Account) map[string]any {
	values := map[string]any{"account": a.ID, "phone": "", "email": ""}
	if a.PhoneVerified() {
		values["phone"] = a.Phone
	}
	if a.EmailVerified() {
		values["email"] = a.Email
	}
	return values
}
