package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// paymentCauses returns a cause of each kind that admission/payment and admission/office write about a seeded person, by its beginning.
func (w testPerson) paymentCauses() map[string][]string {
	txn, refund, charge, registration := "txn-"+w.idMark(), "id-refunds-"+w.idMark(), "pay-"+w.idMark(), "reg-paid-"+w.idMark()
	return map[string][]string{
		"receipt": {"receipt:" + txn}, "receipt-again": {"receipt-again:" + txn + ":2026-11-24T12:00"}, "unpaid": {"unpaid:" + txn}, "unpaid-sms": {"unpaid-sms:" + registration + ":2026-11-24", "unpaid-sms:" + txn},
		"moved":   {"moved:" + registration + ":entry", "moved:" + registration + ":entry:sms"},
		"pending": {"pending:" + txn}, "pending-sms": {"pending-sms:" + txn}, "review": {"review:" + txn},
		"refund-due": {"refund-due:" + txn + ":" + charge}, "refund": {"refund:" + refund, "refund:" + txn}, "refunded": {"refunded:" + refund},
		"refund-failed": {"refund-failed:" + charge, "refund-failed:" + charge + ":sms"}, "bounced": {"bounced:" + refund, "bounced:" + refund + ":sms"},
		"dispute-open": {"dispute-open:" + txn + ":2026-11-23T12:00:00Z"}, "dispute-won": {"dispute-won:" + txn + ":2026-11-24T12:00:00Z"},
	}
}

func TestErasureFindsEachPaymentMessage(t *testing.T) {
	begins := regexp.MustCompile(`(?:\.notify\(|\.text\(|cause :?= |Cause: )"([a-z-]+):`)
	files, err := filepath.Glob("../admission/payment/*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../admission/office/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Concat(files, more) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, match := range begins.FindAllSubmatch(source, -1) {
			if leaves.paymentCauses()[string(match[1])] == nil {
				t.Errorf("%s: no test that messages with the cause %s: are erased", file, match[1])
			}
		}
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db, tables := storetest.Open(t, url), raw(t, url), schemaOf(t, url)
		if _, err := db.Exec(insertCoupon); err != nil {
			t.Fatal(err)
		}
		var stay, gone []string
		for _, w := range []testPerson{leaves, stays} {
			w.seed(t, s, db, tables, strings.HasPrefix(url, "postgres"))
			for _, causes := range w.paymentCauses() {
				for _, cause := range causes {
					if _, err := db.Exec("UPDATE messages SET cause = cause || '!' WHERE cause = '" + cause + "'"); err != nil { // seed has one
						t.Fatal(err)
					}
					copyMessage(t, db, tables, cause)
				}
				if w == leaves {
					gone = append(gone, causes...)
				} else {
					stay = append(stay, causes...)
				}
			}
		}
		if err := s.EraseAll(t.Context(), leaves.owner(), noon); err != nil {
			t.Fatal(err)
		}
		found := causesOf(t, db)
		for _, cause := range gone {
			if slices.Contains(found, cause) {
				t.Errorf("%s is not erased", cause)
			}
		}
		for _, cause := range stay {
			if !slices.Contains(found, cause) {
				t.Errorf("another's %s is erased", cause)
			}
		}
	})
}

// copyMessage adds a message with a cause to an address that belongs to nobody.
func copyMessage(t *testing.T, db *sql.DB, tables schema, cause string) {
	t.Helper()
	var names, values []string
	for _, c := range tables["messages"] {
		value := "''"
		switch {
		case c.name == "id", c.name == "cause":
			value = "'" + cause + "'"
		case c.kind == "BIGINT":
			value = "0"
		case c.name == "recipient":
			value = "'nobody@example.com'"
		}
		names, values = append(names, c.name), append(values, value)
	}
	if _, err := db.Exec("INSERT INTO messages (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"); err != nil {
		t.Fatal(err)
	}
}

// causesOf returns the causes of all messages.
func causesOf(t *testing.T, db *sql.DB) (causes []string) {
	t.Helper()
	rows, err := db.Query("SELECT cause FROM messages")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var cause string
		if err := rows.Scan(&cause); err != nil {
			t.Fatal(err)
		}
		causes = append(causes, cause)
	}
	return causes
}
