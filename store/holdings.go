package store

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/contact"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
)

// A holding says of one table what of it is a person's, what becomes of that in a person's export, and what when the person
// is deleted. Every table has one: a test walks the schema. Conditions know what person gives them.
type holding struct {
	table string
	key   string // the column that names its rows to erase
	where string // whose rows are a person's; "" where none is anybody's
	again string // which rows of a large table, by an index, TracesSince looks at; "" for all

	kind  mydata.Kind       // of the export; "" where it is not exported,
	why   string            // and why not
	title string            // for people
	forms map[string]string // whose answers its rows hold: mydata.Table.Forms
	seals map[string]string // sealed columns, and what they are sealed as
	hide  map[string]string // columns that are not told, and why not

	erase []string          // statements over @keys, in the order of holdings
	keeps map[string]string // columns that may name a deleted person, and which law says so
}

const (
	opens   = "it opens something"
	machine = "it is of use to machines alone"
	copied  = "it is a copy of what stands elsewhere"

	othersToo = "others may have used the browser"

	// gstLaw is why a paper keeps its buyer until forgetBuyers: it is the paper as it was issued.
	gstLaw = "CGST Act 2017, section 36: 72 months"
)

// The registrations of a person, their payments, and those that have any.
const (
	ownRegistrations = "SELECT id FROM registrations WHERE account_id = @account AND account_id <> ''"
	ownPayments      = "SELECT id FROM transactions WHERE registration_id IN (" + ownRegistrations + ")"
	ownRefunds       = "SELECT id FROM refunds WHERE txn_id IN (" + ownPayments + ")"
	ofRegistration   = "registration_id IN (" + ownRegistrations + ")"
	ofPayment        = "txn_id IN (" + ownPayments + ")"
	byAddress        = "(phone <> '' AND phone = @phone OR email <> '' AND lower(email) = lower(@email))"
	paidFor          = "EXISTS (SELECT 1 FROM transactions WHERE transactions.registration_id = registrations.id)"
)

// nameless stands for the phone of a registration that names nobody any more: it must be one of its own.
const nameless = "'erased:' || registrations.id"

// holdings are in the order in which rows are erased: what points to others goes first.
var holdings = []holding{
	{
		table: "messages", key: "id", kind: mydata.Messages, title: "Messages we sent", again: "created_at >= @since",
		where: `(` + addressed("recipient", "created_at") + `
			OR recipient IN (SELECT guardian_phone FROM registrations WHERE account_id = @account AND account_id <> '' AND guardian_phone <> '') AND template IN ('guardian-otp', 'guardian-otp-application')
			OR cause IN (SELECT 'receipt:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'refund:' || id FROM (` + ownPayments + `) AS p UNION ALL SELECT 'unpaid:' || id FROM (` + ownPayments + `) AS p
				UNION ALL SELECT 'refund:' || id FROM (` + ownRefunds + `) AS f UNION ALL SELECT 'refunded:' || id FROM (` + ownRefunds + `) AS f
				UNION ALL SELECT 'application-reminder:' || r.id || ':' || n.n FROM (` + ownRegistrations + `) AS r, (SELECT '1' AS n UNION ALL SELECT '2' UNION ALL SELECT '3') AS n
				UNION ALL SELECT 'reminder:' || id FROM leads WHERE ` + byAddress + `
				UNION ALL SELECT 'enquiry:' || id FROM enquiries WHERE ` + byAddress + `
				UNION ALL SELECT 'grievance:' || id FROM grievances WHERE ` + byAddress + `
				UNION ALL SELECT 'grievance-officer:' || id FROM grievances WHERE ` + byAddress + `))`,
		hide:  map[string]string{"params": "a code may stand in it, and it is forgotten once it is sent", "content": "a code may stand in it, and it is forgotten once it is sent", "template_version": machine, "papers": machine},
		erase: []string{"DELETE FROM messages WHERE id IN @keys"},
	},
	{
		table: "export_parts", key: "export_id", why: "they are the export", where: "export_id IN (SELECT id FROM exports WHERE account_id = @account)",
		erase: []string{"DELETE FROM export_parts WHERE export_id IN @keys"},
	},
	{
		table: "exports", key: "id", kind: mydata.You, title: "Files like this one that you asked for", where: "account_id = @account",
		hide: map[string]string{"parts": machine}, erase: []string{"DELETE FROM exports WHERE id IN @keys"},
	},
	{
		table: "consents", key: "id", kind: mydata.Choices, title: "Your yes and no", again: "subject IN (@phone, @email)",
		where: "((" + addressed("subject", "at") + ") AND " + notOfAnother("ref") + " OR ref = @account OR ref IN (" + ownRegistrations + "))",
		erase: []string{"DELETE FROM consents WHERE id IN @keys"},
	},
	{
		table: "drafts", key: "registration_id", kind: mydata.Answers, title: "Typed, and not sent yet", where: ofRegistration, forms: map[string]string{"": apply.FormName},
		erase: []string{"DELETE FROM drafts WHERE registration_id IN @keys"},
	},
	{
		table: "links", key: "token_hash", kind: mydata.Money, title: "Links to receipts in our mails", where: ofRegistration, hide: map[string]string{"token_hash": opens},
		erase: []string{"DELETE FROM links WHERE token_hash IN @keys"},
	},
	{
		table: "uploads", key: "id", kind: mydata.Answers, title: "Documents on their way", where: ofRegistration,
		hide: map[string]string{"writer": opens, "judge_until": machine}, erase: nil, // eraseFiles, as of the three tables below
	},
	{
		table: "upload_pieces", key: "upload_id", why: "they are parts of a file that is on its way, for a day", where: "upload_id IN (SELECT id FROM uploads WHERE " + ofRegistration + ")",
	},
	{
		table: "documents", key: "id", kind: mydata.Answers, title: "Documents", where: ofRegistration,
		hide: map[string]string{"object": machine, "file_key": opens, "key_id": machine},
	},
	{
		table: "document_views", key: "id", kind: mydata.Answers, title: "Who has opened your documents", where: ofRegistration,
	},
	{
		table: "entries", key: "id", kind: mydata.Answers, title: "What has happened", where: ofRegistration,
		erase: []string{ // what has happened to a payment is a part of its books, and says a payment's id
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
		erase: nil, // ids and a sum, owed to whoever owns the code: it ends with that person
	},
	{
		table: "referrals", key: "code", kind: mydata.Money, title: "Your own referral code",
		where: "(owner_phone <> '' AND owner_phone = @phone OR code IN (SELECT own_referral FROM registrations WHERE account_id = @account AND account_id <> '' AND own_referral <> ''))",
		erase: []string{
			"UPDATE referral_credits SET cancelled_at = @now WHERE code IN @keys AND paid_at = 0 AND cancelled_at = 0", // nobody is left to pay it to
			"UPDATE referrals SET owner_name = '', owner_phone = '' WHERE code IN @keys",
		},
	},
	{
		table: "invoices", key: "id", kind: mydata.Money, title: "Invoices", where: ofRegistration,
		keeps: map[string]string{"buyer_name": gstLaw, "buyer_address": gstLaw, "buyer_gstin": gstLaw, "buyer_email": gstLaw, "buyer_phone": gstLaw},
	},
	{
		table: "credit_notes", key: "id", kind: mydata.Money, title: "Credit notes", where: ofRegistration,
		keeps: map[string]string{"buyer_name": gstLaw, "buyer_address": gstLaw, "buyer_gstin": gstLaw, "buyer_email": gstLaw, "buyer_phone": gstLaw},
	},
	{
		table: "papers", key: "id", kind: mydata.Money, title: "Papers that we printed", where: ofRegistration,
		hide: map[string]string{"object": machine, "file_key": opens, "key_id": machine}, erase: nil, // erasePapers: receipts and tickets
	},
	{
		table: "refunds", key: "id", kind: mydata.Money, title: "Refunds", where: ofPayment, erase: nil, // books: sums, times and ids
	},
	{
		table: "transactions", key: "id", kind: mydata.Money, title: "Payments", where: ofRegistration,
		erase: []string{`UPDATE transactions SET payer_name = '', payer_email = '', payer_phone = '', payer_description = '', checkout = NULL, return_url = '', next_url = '',
			means_name = '', means_reference = '' WHERE id IN @keys`},
	},
	{
		table: "registrations", key: "id", kind: mydata.Answers, title: "Enrolments and application", where: "(account_id = @account AND account_id <> '')",
		forms: map[string]string{"": enrol.FormName, enrol.ApplicationCode: apply.FormName},
		hide:  map[string]string{"phase": "it follows from the other columns", "phase_until": machine},
		erase: []string{
			"DELETE FROM registrations WHERE id IN @keys AND NOT " + paidFor,
			`UPDATE registrations SET full_name = '', email = '', phone = ` + nameless + `, course = '', college = '', referral_code = '', guardian_name = '', guardian_phone = '', answers = NULL,
				ticket_key = '', own_referral = '', source = '', account_id = '', erased_at = @now, phase = '` + string(status.Erased) + `', phase_until = 0 WHERE id IN @keys`,
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
		table: "code_requests", key: "id", again: "phone IN (@phone, @email)", why: "codes and who asked for them stay for a day, and open the account",
		where: `(phone <> '' AND phone = @phone OR phone <> '' AND lower(phone) = lower(@email) OR email <> '' AND lower(email) = lower(@email) OR other <> '' AND other IN (@phone, @email)
			OR phone IN (SELECT guardian_phone FROM registrations WHERE account_id = @account AND account_id <> '' AND guardian_phone <> '') AND purpose = 'guardian'
			OR session_id IN (SELECT id FROM sessions WHERE account_id = @account AND account_id <> ''))`,
		erase: []string{"DELETE FROM code_requests WHERE id IN @keys"},
	},
	{
		table: "hits", key: "bucket", again: "FALSE", why: "counters of calls, for a day at most",
		where: "(" + bucketNames("@phone") + " OR " + bucketNames("lower(@email)") + " OR " + bucketNames("@account") + `
			OR EXISTS (SELECT 1 FROM registrations r WHERE r.account_id = @account AND r.account_id <> '' AND ` + bucketNames("r.guardian_phone") + `))`,
		erase: []string{"DELETE FROM hits WHERE bucket IN @keys"},
	},
	{
		table: "sessions", key: "id", kind: mydata.You, title: "Where you are signed in", where: "(account_id = @account AND account_id <> '')",
		hide: map[string]string{
			"token_hash": opens, "requests": machine, "human_until": machine, "by_ticket": machine,
			"proven": othersToo, "registered": othersToo, // out of others' sessions: takeOutOfSessions
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
		erase: []string{"UPDATE deletions SET account_id = '' WHERE id IN @keys AND closed_at > 0"}, // the open one is its own work's
	},

	{table: "idempotency_keys", key: "id", why: copied + ", for a day", erase: []string{"DELETE FROM idempotency_keys WHERE id IN @keys"}},
	{table: "jobs", why: "work to be done: ids alone"}, // of a person: eraseJobs
	{table: "spent", why: "names of things that may happen once, none of a person"},
	{table: "erasing", why: "empty but within a transaction"},
	{table: "coupons", why: "no person's"},
	{table: "invoice_series", why: "no person's"},
	{table: "ticket_series", why: "no person's"},
	{table: "goose_db_version", why: "no person's"},
	{table: "outbox", why: "of developers alone: it stands for the mailbox and the phone that messages arrive at"},
	{table: "sandbox_orders", why: "of developers alone: it stands for the books of a payment provider"},
}

// An over says how long rows of a person stay that nobody asks to delete: content/legal/privacy.yaml gives the same times, or
// longer ones where they begin with what no row knows, as an answer or the end of a programme (docs/decisions/over.md). They
// go as they do when the person is deleted, with their consents.
type over struct {
	holding string
	since   string // column
	kept    time.Duration
	only    string // condition; "" for all
}

const year = 365 * day

// What money still moves of stays; somebody is told of that. So does, as long again, whose friend's bonus is due.
var overs = []over{
	{"enquiries", "created_at", year, ""},
	{"grievances", "created_at", 3 * year, ""},
	{"registrations", "modified_at", 3 * year, `erased_at = 0 AND used_at <= @until
		AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.registration_id = registrations.id AND (t.state NOT IN ('paid', 'failed', 'expired', 'refunded')
			OR EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = t.id AND f.state IN ('asked', 'accepted'))))
		AND NOT EXISTS (SELECT 1 FROM referral_credits c WHERE registrations.own_referral <> '' AND c.code = registrations.own_referral AND c.paid_at = 0 AND c.cancelled_at = 0 AND c.created_at > @until)`},
}

// addressed is the condition that a column holds an address of the account's that was its own when the row was written: one
// of now, and no other account's before it, or one of before.
func addressed(address, at string) string {
	until := "EXISTS (SELECT 1 FROM former_addresses f WHERE lower(f.address) = lower(" + address + ") AND " + at + " <= f.until AND f.account_id "
	return "(" + address + " <> '' AND " + address + " = @phone OR " + address + " <> '' AND lower(" + address + ") = lower(@email)) AND NOT " + until + "<> @account) OR " + until + "= @account)"
}

// bucketNames is the condition that a bucket of hits names somebody: one of its parts, between colons, is that whole.
func bucketNames(whom string) string {
	const parts = "':' || lower(hits.bucket) || ':'"
	return "(" + whom + " <> '' AND replace(" + parts + ", ':' || " + whom + " || ':', '') <> " + parts + ")"
}

// notOfAnother is the condition that a column names no other account, and nothing of one.
func notOfAnother(ref string) string {
	return "NOT EXISTS (SELECT 1 FROM accounts other WHERE other.id = " + ref + " AND other.id <> @account) AND NOT EXISTS (SELECT 1 FROM registrations other WHERE other.id = " + ref + " AND other.account_id NOT IN ('', @account))"
}

// jobsOf says of the kinds of jobs of which table's rows they are: they are erased with them. Every kind stands here, or among
// stayingJobs.
var jobsOf = []kindsOf{
	{"messages", []string{message.JobSMS, message.JobMail, message.JobText, message.JobDeliver}},
	{"registrations", []string{apply.JobRemind}},
	{"leads", []string{enrol.JobRemind, enrol.JobLead}},
	{"exports", []string{mydata.JobExport}},
	{"transactions", []string{payment.JobPoll}}, // of one that was given up
	{"inbox", []string{payment.JobEvent}},
	{"uploads", []string{document.JobJudge}},
	{"documents", []string{document.JobScan}},
	{"papers", []string{paper.JobPrint}},
}

type kindsOf struct {
	table string
	kinds []string
}

// stayingJobs are the kinds that a deletion leaves, each with the reason.
var stayingJobs = map[string]string{
	mydata.JobDelete:   "it is the deletion",
	document.JobRemove: "it removes the bytes of what a deletion erases",
	payment.JobRefund:  "nobody is deleted while money goes back: Unsettled",
	receipt.JobTickets: "it is nobody's",
	status.JobRenew:    "it is nobody's",
	status.JobRenewAll: "it is nobody's",
}

// eraseJobs deletes the work that is about what goes.
func (t *tx) eraseJobs(found mydata.Traces) error {
	for _, work := range jobsOf {
		if err := t.eachKeys(found[work.table], "DELETE FROM jobs WHERE kind IN @kinds AND ref IN @keys", map[string]any{"kinds": work.kinds}); err != nil {
			return wrap("erase jobs", err)
		}
	}
	return nil
}

// eraseFiles deletes the documents of registrations that go, and causes that the storage deletes their bytes. It goes by
// registration and not by what was found before: who still writes a piece or keeps what was judged holds the upload, so that
// deleting it waits for them, and what they have written is seen after it.
func (t *tx) eraseFiles(registrations []string, at time.Time) error {
	for some := range slices.Chunk(registrations, erasedAtATime) {
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
		for _, object := range slices.Concat(pieces, documents) {
			if err := t.AddJob(admission.Job{Kind: document.JobRemove, Ref: object, DueAt: at}); err != nil {
				return err
			}
		}
		if err := t.exec("DELETE FROM document_views WHERE registration_id IN ?", some); err != nil {
			return wrap("erase views of documents", err)
		}
	}
	return nil
}

// erasePapers deletes the printed papers of registrations that go, and causes that the storage deletes their bytes. The printed
// forms of what the law keeps go with their buyers: forgetBuyers.
func (t *tx) erasePapers(registrations []string, at time.Time) error {
	for some := range slices.Chunk(registrations, erasedAtATime) {
		if err := t.dropPapers(at, "registration_id IN ? AND kind NOT IN ?", some, []paper.Kind{paper.Invoice, paper.CreditNote}); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) dropPapers(at time.Time, which string, values ...any) error {
	var objects []string
	if err := t.db.Raw("DELETE FROM papers WHERE "+which+" RETURNING object", values...).Scan(&objects).Error; err != nil {
		return wrap("erase papers", err)
	}
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

// papersKeptFrom is the first day of the papers that the law still keeps at a time: the 1 April of a financial year whose
// annual return was due, on 31 December after it, not yet 72 months ago.
func papersKeptFrom(now time.Time) time.Time {
	return time.Date(now.In(admission.IST).Year()-7, time.April, 1, 0, 0, 0, 0, admission.IST)
}
