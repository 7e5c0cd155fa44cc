package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/consent"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/store"
	"hiresure/store/storetest"
)

// Natasha's e-mail address contains Asha's.
var (
	asha   = &account.Account{ID: "acc-asha", FullName: "Asha", Phone: "+919123456701", PhoneProvenAt: noon, Email: "asha&co@x.co", EmailProvenAt: noon}
	natash = &account.Account{ID: "acc-natasha", FullName: "Natasha", Phone: "+919123456702", PhoneProvenAt: noon, Email: "natasha&co@x.com", EmailProvenAt: noon}
)

// exported returns the exported rows of a person in one table, as texts.
func exported(t *testing.T, s *store.Store, a *account.Account, table string) (rows []string) {
	t.Helper()
	for _, kind := range mydata.Kinds {
		for _, held := range view(t, s, func(tx store.Tx) ([]mydata.Table, error) { return tx.PersonRows(a, kind, 100) }) {
			for _, row := range held.Rows {
				if held.Name == table {
					rows = append(rows, fmt.Sprint(row))
				}
			}
		}
	}
	return rows
}

func TestOnlyThePersonsSessionsAreExportedAndErased(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		long := noon.AddDate(1, 0, 0)
		proofs := func(proven ...string) map[string]time.Time {
			all := map[string]time.Time{}
			for _, one := range proven {
				all[one] = noon
			}
			return all
		}
		sessions := []access.Session{
			{ID: "own", AccountID: asha.ID, Proven: proofs("sign-in"+asha.Email, "guardian+919123456799")},
			{ID: "natasha's", AccountID: natash.ID, Proven: proofs("sign-in"+natash.Email, "sign-ina"+asha.Email), Registered: []string{"r-2"}},
			{ID: "longer", AccountID: natash.ID, Proven: proofs("sign-in"+asha.Email+"m", "phone"+natash.Phone)},
			{ID: "child's", AccountID: natash.ID, Proven: proofs("guardian"+asha.Phone, "phone"+natash.Phone)},
			{ID: "nobody's", Proven: proofs("phone"+asha.Phone, "sign-in"+strings.ToUpper(asha.Email), "phone"+natash.Phone), Registered: []string{"r-1", "r-1-another"}},
		}
		update(t, s, func(tx store.Tx) error {
			for _, one := range sessions {
				one.TokenHash, one.ExpiresAt, one.UserAgent = "hash of "+one.ID, long, "browser of "+one.ID
				if err := tx.AddSession(&one); err != nil {
					return err
				}
			}
			return tx.AddRegistration(&enrol.Registration{ID: "r-1", AccountID: asha.ID, Phone: asha.Phone})
		})

		held := strings.Join(exported(t, s, asha, "sessions"), "\n")
		if !strings.Contains(held, "browser of own") || strings.Count(held, "browser of ") != 1 || strings.Contains(held, "+919123456799") {
			t.Errorf("asha's export tells of sessions: %s", held)
		}
		if err := s.EraseAll(t.Context(), asha, noon); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct{ id, proven, registered string }{
			{"own", "gone", ""},
			{"natasha's", "sign-ina" + asha.Email + " sign-in" + natash.Email, "r-2"},
			{"longer", "phone" + natash.Phone + " sign-in" + asha.Email + "m", ""},
			{"child's", "phone" + natash.Phone, ""},
			{"nobody's", "phone" + natash.Phone, "r-1-another"},
		} {
			left := view(t, s, func(tx store.Tx) (*access.Session, error) { return tx.Session(row.id) })
			proven, registered := "gone", ""
			if left != nil {
				var keys []string
				for key := range left.Proven {
					keys = append(keys, key)
				}
				slices.Sort(keys)
				proven, registered = strings.Join(keys, " "), strings.Join(left.Registered, " ")
			}
			if proven != row.proven || registered != row.registered {
				t.Errorf("session %s: proven %q and registered %q, want %q and %q", row.id, proven, registered, row.proven, row.registered)
			}
		}
	})
}

// Hits and idempotent answers that name the person are erased, but not those with a longer name that contains the person's.
func TestErasureKeepsRowsOfOthers(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		answer := func(key, body string) {
			if _, state, err := s.ClaimKey(t.Context(), key, "hash", noon, time.Minute); err != nil || state != store.KeyNew {
				t.Fatal(state, err)
			}
			if err := s.FinishKey(t.Context(), key, noon, 200, "application/json", []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		gone := []string{"mail:" + asha.Email, "code:60s:" + asha.Phone + ":session", "lead:proven:" + asha.Phone, "export:" + asha.ID, "code:10m:+919123456799"}
		stay := []string{
			"mail:" + natash.Email, "mail:n" + asha.Email, "mail:" + asha.Email + "m", "code:day:" + asha.Phone + "1", "code:day:0" + asha.Phone, "export:" + asha.ID + "-2", "enquiry:ip:2001:db8::",
			"code:10m:+9191234567990",
		}
		update(t, s, func(tx store.Tx) error {
			for _, bucket := range slices.Concat(gone, stay) {
				if err := tx.AddHit(bucket, noon, noon.Add(time.Hour)); err != nil {
					return err
				}
			}
			return errors.Join(tx.AddRegistration(&enrol.Registration{ID: "r-1", AccountID: asha.ID, Phone: asha.Phone, GuardianPhone: "+919123456799"}),
				tx.AddRegistration(&enrol.Registration{ID: "r-adult", EventCode: "another", AccountID: asha.ID, Phone: asha.Phone}))
		})
		for i, body := range []string{
			`{"email":"asha\u0026co@x.co"}`, `{"message":"Written to ASHA&co@x.co."}`, `{"phone":"9123456701"}`, `{"to":["+919123456701"]}`, `{"user":{"id":"acc-asha"}}`, `{"scholarship_requested_id":"r-1"}`, `no JSON (asha&co@x.co)`,
		} {
			answer(fmt.Sprint("gone-", i), body)
		}
		kept := []string{
			`{"email":"natasha&co@x.com"}`, `{"email":"natasha\u0026co@x.co"}`, `{"email":"asha&co@x.com"}`, `{"email":"x.asha&co@x.co"}`, `{"email":"asha&co@x.co.in"}`, `{"phone":"91234567012"}`, `{"phone":"+9191234567011"}`,
			`{"id":"acc-asha2"}`, `{"id":"xr-1"}`, `{"amount":9123456701}`,
		}
		for i, body := range kept {
			answer(fmt.Sprint("kept-", i), body)
		}
		if err := s.EraseAll(t.Context(), asha, noon); err != nil {
			t.Fatal(err)
		}
		left := func(query string) (all []string) {
			rows, err := raw(t, url).Query(query)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var one string
				if err := rows.Scan(&one); err != nil {
					t.Fatal(err)
				}
				all = append(all, one)
			}
			slices.Sort(all)
			return all
		}
		slices.Sort(stay)
		if got := left("SELECT bucket FROM hits"); !slices.Equal(got, stay) {
			t.Errorf("hits %q, want %q", got, stay)
		}
		if got := left("SELECT id FROM idempotency_keys"); len(got) != len(kept) || strings.Contains(fmt.Sprint(got), "gone") {
			t.Errorf("answers %q, want all of what is another's", got)
		}
	})
}

func TestAReusedNumberDoesNotGiveAccessToItsFormerOwnersRows(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		moved := noon.Add(time.Hour)
		update(t, s, func(tx store.Tx) error {
			natasha := *natash
			natasha.Phone = "+919123456709"
			if err := errors.Join(tx.AddAccount(asha), tx.AddAccount(&natasha), tx.AddFormerAddress(natash.ID, asha.Phone, moved),
				tx.AddRegistration(&enrol.Registration{ID: "r-natasha", AccountID: natash.ID, Phone: natash.Phone}),
				tx.AddRegistration(&enrol.Registration{ID: "r-nobody", EventCode: "e", Phone: asha.Phone})); err != nil {
				return err
			}
			for _, m := range []struct {
				id string
				at time.Time
			}{{"m-before", moved}, {"m-since", moved.Add(time.Second)}} {
				if err := tx.AddMessage(&message.Message{ID: m.id, Cause: m.id, To: asha.Phone, CreatedAt: m.at}); err != nil {
					return err
				}
			}
			for _, c := range []consent.Consent{
				{ID: "c-before", At: moved}, {ID: "c-of-account", Ref: natash.ID, At: moved.Add(time.Hour)}, {ID: "c-of-registration", Ref: "r-natasha", At: moved.Add(time.Hour)},
				{ID: "c-since", At: moved.Add(time.Second)}, {ID: "c-of-nobodys", Ref: "r-nobody", At: moved.Add(time.Second)}, {ID: "c-own", Ref: asha.ID, At: moved.Add(time.Second)},
			} {
				c.Subject = asha.Phone
				if err := tx.AddConsent(c); err != nil {
					return err
				}
			}
			return nil
		})
		for _, row := range []struct {
			whose *account.Account
			table string
			want  string
		}{
			{asha, "messages", "m-since"},
			{asha, "consents", "c-of-nobodys c-own c-since"},
			{natash, "messages", "m-before"},
			{natash, "consents", "c-before c-of-account c-of-registration"},
		} {
			var ids []string
			for _, exportedRow := range exported(t, s, row.whose, row.table) {
				id, _, _ := strings.Cut(strings.TrimPrefix(exportedRow, "[{id "), "}")
				ids = append(ids, id)
			}
			slices.Sort(ids)
			if got := strings.Join(ids, " "); got != row.want {
				t.Errorf("%s of %s: %s, want %s", row.table, row.whose.FullName, got, row.want)
			}
		}
		if err := s.EraseAll(t.Context(), asha, noon); err != nil {
			t.Fatal(err)
		}
		if n := storetest.Rows(t, url); n["messages"] != 1 || n["consents"] != 3 {
			t.Errorf("rows of somebody who had the number before: %v", n)
		}
	})
}

func TestRowsSealedWithAnEarlierSecretAreSkipped(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, tables := storetest.Open(t, url), schemaOf(t, url)
		if _, err := raw(t, url).Exec(insertCoupon); err != nil {
			t.Fatal(err)
		}
		leaves.seed(t, s, raw(t, url), tables, strings.HasPrefix(url, "postgres"))
		if _, err := raw(t, url).Exec("UPDATE inbox SET body = 'c2VhbGVkIHVuZGVyIGFub3RoZXIga2V5'"); err != nil {
			t.Fatal(err)
		}
		if held := exported(t, s, leaves.owner(), "inbox"); len(held) != 1 || !strings.Contains(held[0], "{body sealed under an earlier key}") {
			t.Errorf("the export tells %q", held)
		}
	})
}
