package store_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
	"hiresure/store"
	"hiresure/store/storetest"
)

// schema is the columns of each table, with their types.
type schema map[string][]values

type values struct{ name, kind string }

func schemaOf(t *testing.T, url string) schema {
	t.Helper()
	query := "SELECT table_name, column_name, upper(data_type) FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, ordinal_position"
	if strings.HasPrefix(url, "sqlite") {
		query = "SELECT m.name, c.name, upper(c.type) FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid"
	}
	rows, err := raw(t, url).Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := schema{}
	for rows.Next() {
		var table string
		var c values
		if err := rows.Scan(&table, &c.name, &c.kind); err != nil {
			t.Fatal(err)
		}
		found[table] = append(found[table], c)
	}
	return found
}

func TestEveryTableHasAHolding(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		storetest.Open(t, url)
		tables := schemaOf(t, url)
		declared := map[string]bool{}
		for _, h := range store.Holdings() {
			if declared[h.Table] {
				t.Errorf("%s is said twice", h.Table)
			}
			declared[h.Table] = true
			if tables[h.Table] == nil {
				t.Errorf("%s is no table", h.Table)
			}
			if h.Exported == (h.Why != "") {
				t.Errorf("%s: it is in the export, or it is said why not", h.Table)
			}
			if of := func(c values) bool { return c.name == "answers" || c.name == "typed" }; slices.ContainsFunc(tables[h.Table], of) && !h.Answers {
				t.Errorf("%s: say whose form its answers are, so that their person reads them in its words", h.Table)
			}
			for _, named := range append(h.Hidden, h.Keeps...) {
				if !slices.ContainsFunc(tables[h.Table], func(c values) bool { return c.name == named }) {
					t.Errorf("%s has no column %s", h.Table, named)
				}
			}
		}
		for table := range tables {
			if !declared[table] {
				t.Errorf("%s: say in holdings whether it holds anything of a person, and what becomes of that", table)
			}
		}
	})
}

func TestEveryJobKindIsErasedOrKept(t *testing.T) {
	kinds, erased, staying := storetest.JobKinds(t, "../admission"), store.ErasedJobs(), store.KeptJobs()
	for name, kind := range kinds {
		if (erased[kind] != "") == (staying[kind] != "") {
			t.Errorf("%s, %q: say in jobsOf of which table its ref is, or in keptJobs why it outlives its person", name, kind)
		}
	}
	if len(erased)+len(staying) != len(kinds) {
		t.Errorf("%d kinds are erased and %d stay, of %v", len(erased), len(staying), kinds)
	}
}

// testPerson is a person with rows in every table. All free text contains mark.
type testPerson struct{ account, phone, guardian, email, mark string }

var (
	leaves = testPerson{"acc-leaves", "+919123456701", "+919123456702", "qzx.leaves@example.com", "qzxleaves"}
	stays  = testPerson{"acc-stays", "+919123456801", "+919123456802", "wvk.stays@example.com", "wvkstays"}
)

func (w testPerson) owner() *account.Account {
	return &account.Account{ID: w.account, FullName: w.mark, Phone: w.phone, PhoneProvenAt: noon, Email: w.email, EmailProvenAt: noon}
}

// noNames returns the test value of a column without personal data, by column or "table.column": ids, states, sums. All other
// text counts as personal.
func (w testPerson) noNames(table, column string) (value string, known bool) {
	value, known = map[string]string{
		"account_id": w.account, "registration_id": "reg-paid-" + w.idMark(), "txn_id": "txn-" + w.idMark(), "refund_id": "id-refunds-" + w.idMark(), "invoice_id": "id-invoices-" + w.idMark(),
		"export_id": "id-exports-" + w.idMark(), "coupon_id": "coupon", "code": w.codeOf(table),
		"event_slug": "event", "event_code": "event" + w.idMark(), "subevent_code": "sub", "state_code": "29", "terms_version": "1", "terms_hash": "hash", "coupon_code": "COUPON",
		"ticket": "HS26-" + w.idMark(), "registrations.paid_txn_id": "txn-" + w.idMark(), "gateway": "sandbox", "ref": "ref-" + w.idMark(), "payment_id": "pay-" + w.idMark(),
		"merchant_ref": "merchant-" + w.idMark(), "sold_by": "2Checkout", "exchange_source": "rate", "list_currency": "INR", "discount_currency": "INR", "charge_currency": "INR", "arrived_currency": "INR", "currency": "INR", "charged_currency": "INR", "state": "paid",
		"state_before": "", "payer_state_code": "29", "provider_id": "provider", "refunds.reason": "second", "refunds.state": "done", "number": table[:2] + "/26-27/" + w.idMark(), "series": "KS" + w.idMark(),
		"financial_year": "26-27", "invoice_number": "n", "seller_name": "s", "seller_address": "s", "seller_gstin": "s", "seller_email": "s", "seller_phone": "s", "seller_state_name": "s",
		"seller_state_code": "29", "buyer_state_name": "Karnataka", "buyer_state_code": "29", "invoices.description": "fee", "credit_notes.description": "fee", "sac": "999293",
		"place_of_supply": "Karnataka", "place_code": "29", "words": "one", "payment_method": "upi", "reverses": "", "entries.who": "system", "entries.what": "paid", "entries.detail": "txn-" + w.idMark(),
		"proven": `{"phone` + w.phone + `":"2026-11-24T12:00:00Z"}`, "requests": `[]`, "registered": `["reg-paid-` + w.idMark() + `"]`, "messages.recipient": w.email, "subject": w.phone,
		"bucket": "code:10m:" + w.phone, "token_hash": "token-" + table + w.idMark(),
		"upload_id": "id-uploads-" + w.idMark(), "document_id": "id-documents-" + w.idMark(), "object": "object-" + table + w.idMark(), "file_key": "key-" + w.idMark(), "key_id": "2026", "viewer": w.account,
	}[column]
	if of, is := map[string]string{
		"registrations.paid_txn_id": "txn-" + w.idMark(), "refunds.reason": "second", "refunds.state": "done", "refunds.failure_reason": "status failed", "invoices.description": "fee", "credit_notes.description": "fee",
		"entries.who": "system", "entries.what": "paid", "entries.detail": "txn-" + w.idMark(), "messages.recipient": w.email, "sessions.token_hash": "token-" + w.idMark(),
		"registrations.phone": w.phone, "registrations.guardian_phone": w.guardian, "referrals.owner_phone": w.phone, "accounts.phone": w.phone, "accounts.email": w.email,
		"enquiries.phone": w.phone, "grievances.email": strings.ToUpper(w.email), "leads.phone": w.phone, "code_requests.phone": w.phone, "former_addresses.address": "old." + w.email,
		"registrations.answers": `{"a":"` + w.mark + `"}`, "enquiries.answers": `{"a":"` + w.mark + `"}`, "grievances.answers": `{"a":"` + w.mark + `"}`, "drafts.typed": `{"a":"` + w.mark + `"}`,
		"transactions.checkout": `{"a":"` + w.mark + `"}`, "registrations.own_referral": "CODE" + w.idMark(), "registrations.ticket_key": "key" + w.mark, "registrations.referral_code": "BY" + w.mark,
		"consents.ref": "of nothing else", "refunds.cause": "other", "refund_orders.cause": "other", "refund_orders.decision": "declined", "refund_orders.second": "It is above the limit.",
		"refund_orders.account_id": "staff", "refund_orders.who": "Kavya", "refund_orders.decider_id": "staff", "refund_orders.decider": "Kavya", "refund_orders.words": w.mark + " asked", "staff_notes.words": w.mark + " called",
	}[table+"."+column]; is {
		return of, true
	}
	return value, known
}

func (w testPerson) codeOf(table string) string {
	if strings.HasPrefix(table, "referral") {
		return "CODE" + w.idMark()
	}
	return "sealed below"
}

// idMark distinguishes the ids of two persons without naming them.
func (w testPerson) idMark() string { return w.account[4:6] }

// seed adds a row of the person to every table, and an unpaid registration.
func (w testPerson) seed(t *testing.T, s *store.Store, db *sql.DB, tables schema, postgres bool) {
	t.Helper()
	insert := func(table string, fixed map[string]any) {
		var names, marks []string
		var values []any
		for _, c := range tables[table] {
			var value any = w.mark + " " + table + "." + c.name
			known, is := w.noNames(table, c.name)
			switch {
			case fixed[c.name] != nil:
				value = fixed[c.name]
			case c.kind == "BIGINT":
				value = noon.UnixMicro()
			case c.kind == "BOOLEAN":
				value = false
			case c.name == "id":
				value = "id-" + table + "-" + w.idMark()
			case is:
				value = known
			}
			names, values = append(names, c.name), append(values, value)
			marks = append(marks, "?")
			if postgres {
				marks[len(marks)-1] = fmt.Sprintf("$%d", len(marks))
			}
		}
		if _, err := db.Exec("INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")", values...); err != nil {
			t.Fatalf("seed %s: %v", table, err)
		}
	}
	sealed := func(table, place, id, column string) map[string]any {
		return map[string]any{"id": id, column: s.Seal(place, id, w.mark+" sealed "+w.phone)}
	}
	holdings := store.Holdings()
	slices.Reverse(holdings)
	for _, h := range holdings {
		fixed := map[string]any{}
		switch {
		case !h.Personal:
			continue
		case h.Table == "accounts":
			fixed["id"] = w.account
		case h.Table == "registrations":
			fixed["id"], fixed["erased_at"] = "reg-paid-"+w.idMark(), 0
			insert(h.Table, map[string]any{"erased_at": 0, "id": "reg-unpaid-" + w.idMark(), "event_code": "another", "paid_txn_id": "", "ticket": "", "ticket_key": "", "own_referral": ""})
		case h.Table == "transactions":
			fixed["id"] = "txn-" + w.idMark()
		case h.Table == "export_parts":
			fixed["part"], fixed["sealed"] = 0, s.Seal("export_parts", "id-exports-"+w.idMark()+"/0", w.mark)
		case h.Table == "inbox":
			fixed = sealed("inbox", "inbox", "id-inbox-"+w.idMark(), "body")
		case h.Table == "code_requests":
			fixed = sealed(h.Table, h.Table, "id-code_requests-"+w.idMark(), "code")
		case h.Table == "messages":
			fixed = sealed(h.Table, h.Table, "id-messages-"+w.idMark(), "params")
			fixed["content"] = s.Seal("message contents", "id-messages-"+w.idMark(), w.mark)
			insert("messages", map[string]any{"id": "m-cause-" + w.idMark(), "cause": "receipt:txn-" + w.idMark(), "recipient": "unproven." + w.mark + "@example.com", "params": "", "content": ""})
			insert("messages", map[string]any{"id": "m-former-" + w.idMark(), "cause": "former" + w.idMark(), "recipient": "old." + w.email, "params": "", "content": ""})
			insert("messages", map[string]any{"id": "m-guardian-" + w.idMark(), "cause": "guardian" + w.idMark(), "recipient": w.guardian, "template": "guardian-otp", "params": "", "content": ""})
		case h.Table == "deletions":
			fixed["closed_at"] = noon.UnixMicro()
		case h.Table == "drafts", h.Table == "entries":
			insert(h.Table, map[string]any{"id": h.Table + "-unpaid-" + w.idMark(), "registration_id": "reg-unpaid-" + w.idMark(), "detail": w.mark})
		}
		insert(h.Table, fixed)
	}
	insert("idempotency_keys", map[string]any{"id": "key-" + w.idMark(), "body_hash": "hash", "done": true, "content_type": "json", "body": s.Seal("idempotency_keys", "key-"+w.idMark(), `{"e":"`+w.email+`"}`)})
	for kind, table := range store.ErasedJobs() {
		ref := map[string]string{"registrations": "reg-unpaid-" + w.idMark(), "transactions": "txn-" + w.idMark()}[table]
		insert("jobs", map[string]any{"kind": kind, "ref": cmp.Or(ref, "id-"+table+"-"+w.idMark())})
	}
}

// cells returns all values of a database, decrypted, by "table id.column".
func cells(t *testing.T, s *store.Store, db *sql.DB, tables schema) map[string]string {
	t.Helper()
	found := map[string]string{}
	for table, columns := range tables {
		if table == "goose_db_version" {
			continue
		}
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
			if err := rows.Scan(targets...); err != nil {
				t.Fatal(err)
			}
			key := values[0].String
			if slices.Contains([]string{"drafts", "export_parts", "jobs"}, table) {
				key += "/" + values[1].String
			}
			for i, c := range columns {
				text := values[i].String
				for _, place := range []string{table, "message contents"} {
					text += s.Unseal(place, key, values[i].String)
				}
				found[table+" "+key+"."+c.name] = text
			}
		}
		rows.Close()
	}
	return found
}

// refsOf returns the refs of the jobs of a kind.
func refsOf(t *testing.T, db *sql.DB, kind string) (refs []string) {
	t.Helper()
	rows, err := db.Query("SELECT ref FROM jobs WHERE kind = '" + kind + "'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var ref string
		if err := rows.Scan(&ref); err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	return refs
}

func (w testPerson) isNamedBy(text string) bool {
	text = strings.ToLower(text)
	for _, name := range []string{w.mark, w.email, w.phone[3:], w.guardian[3:], w.account} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

func TestErasureRemovesAllPersonalDataButTaxDocuments(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db, tables := storetest.Open(t, url), raw(t, url), schemaOf(t, url)
		if _, err := db.Exec(insertCoupon); err != nil {
			t.Fatal(err)
		}
		for _, w := range []testPerson{leaves, stays} {
			w.seed(t, s, db, tables, strings.HasPrefix(url, "postgres"))
		}
		before := cells(t, s, db, tables)
		kept := map[string]bool{}
		for _, h := range store.Holdings() {
			named := false
			for place, text := range before {
				named = named || strings.HasPrefix(place, h.Table+" ") && leaves.isNamedBy(text)
			}
			if h.Personal && !named && !slices.Contains([]string{"links", "refunds", "referral_credits", "upload_pieces"}, h.Table) { // ids alone
				t.Errorf("%s: nothing of it named the person before", h.Table)
			}
			for _, column := range h.Keeps {
				kept[h.Table+"."+column] = true
			}
		}
		if err := s.EraseAll(t.Context(), leaves.owner(), noon); err != nil {
			t.Fatal(err)
		}
		after := cells(t, s, db, tables)
		for place, text := range after {
			table, rest, _ := strings.Cut(place, " ")
			column := table + rest[strings.LastIndex(rest, "."):]
			if leaves.isNamedBy(text) != kept[column] && (leaves.isNamedBy(text) || strings.Contains(rest, "-"+leaves.idMark()+".")) {
				t.Errorf("%s is %q; the law keeps it: %v", place, text, kept[column])
			}
		}
		for place, text := range before {
			table, rest, _ := strings.Cut(place, " ")
			if (stays.isNamedBy(text) || strings.Contains(rest, "-"+stays.idMark()+".")) && after[place] != text {
				t.Errorf("another's %s %s was %q and is %q", table, rest, text, after[place])
			}
		}
		if n := storetest.Rows(t, url); n["registrations"] != 3 || n["transactions"] != 2 || n["invoices"] != 2 || n["erasing"] != 0 || n["jobs"] != len(store.ErasedJobs())+3 {
			t.Errorf("rows: %v", n)
		}
		for _, table := range []string{"upload_pieces", "documents", "papers"} {
			if refs := refsOf(t, db, "remove-object"); len(refs) != 3 || !slices.Contains(refs, "object-"+table+leaves.idMark()) {
				t.Errorf("the bytes of %s stay: jobs are of %q", table, refs)
			}
		}
		owner := leaves.owner()
		update(t, s, func(tx store.Tx) error { return tx.AddAccount(owner) }) // the same phone signs up again
		held := view(t, s, func(tx store.Tx) (all []string, err error) {
			for _, kind := range mydata.Kinds {
				tables, err := tx.PersonRows(owner, kind, 100)
				if err != nil {
					return nil, err
				}
				for _, table := range tables {
					if len(table.Rows) > 0 {
						all = append(all, table.Name)
					}
				}
			}
			return all, nil
		})
		if !slices.Equal(held, []string{"accounts"}) {
			t.Errorf("whoever signs up anew finds %v", held)
		}
	})
}

func TestTaxDocumentsLoseTheirBuyerAfterTheLegalPeriod(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db, tables := storetest.Open(t, url), raw(t, url), schemaOf(t, url)
		if _, err := db.Exec(insertCoupon); err != nil {
			t.Fatal(err)
		}
		for _, w := range []testPerson{leaves, stays} {
			w.seed(t, s, db, tables, strings.HasPrefix(url, "postgres"))
		}
		_, notOver := db.Exec(fmt.Sprintf("UPDATE registrations SET modified_at = %d WHERE account_id = '%s'", noon.AddDate(5, 0, 0).UnixMicro(), stays.account))
		if err := s.EraseAll(t.Context(), leaves.owner(), noon); err != nil || notOver != nil {
			t.Fatal(err, notOver)
		}
		named := func() (n int) {
			for place, text := range cells(t, s, db, tables) {
				if strings.Contains(place, ".buyer_") && leaves.isNamedBy(text) {
					n++
				}
			}
			return n
		}
		// Issued in the financial year 26-27, whose annual return is due on 31 December 2027.
		for _, row := range []struct {
			at   time.Time
			want int
		}{
			{time.Date(2033, 12, 31, 18, 29, 0, 0, time.UTC), 10},
			{time.Date(2033, 12, 31, 18, 30, 0, 0, time.UTC), 0}, // the year 2034 in India
		} {
			if err := s.Purge(t.Context(), row.at); err != nil {
				t.Fatal(err)
			}
			if got := named(); got != row.want {
				t.Errorf("at %v %d columns of papers name the person, want %d", row.at, got, row.want)
			}
		}
		for place, text := range cells(t, s, db, tables) {
			if strings.Contains(place, "-"+stays.idMark()+".buyer_name") && !stays.isNamedBy(text) {
				t.Errorf("%s of a registration that is not over is %q", place, text)
			}
		}
		for _, statement := range []string{"UPDATE invoices SET buyer_name = 'x'", "DELETE FROM invoices", "DELETE FROM consents", "UPDATE consents SET purpose = 'x'", "UPDATE credit_notes SET words = ''", "DELETE FROM credit_notes"} {
			if _, err := db.Exec(statement); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}
