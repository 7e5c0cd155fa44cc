package store_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"hiresure/admission/enrol"
	"hiresure/admission/staff"
	"hiresure/store"
	"hiresure/store/storetest"
)

func never(time.Time) bool { return false }

// tamper changes the log as somebody with the database's password can.
func tamper(t *testing.T, url, change string) {
	t.Helper()
	unlock, lock := "DROP TRIGGER staff_log_no_update; DROP TRIGGER staff_log_no_delete; ", ""
	if strings.HasPrefix(url, "postgres") {
		unlock, lock = "ALTER TABLE staff_log DISABLE TRIGGER ALL; ", "; ALTER TABLE staff_log ENABLE TRIGGER ALL"
	}
	if change == "" {
		return
	}
	if _, err := raw(t, url).ExecContext(t.Context(), unlock+change+lock); err != nil {
		t.Fatal(err)
	}
}

// logged appends n acts of an operator, the last two with an entry of the timeline.
func logged(t *testing.T, s *store.Store, n int) {
	t.Helper()
	by := staff.Operator("Ravi")
	update(t, s, func(tx store.Tx) error {
		return tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "E", Phone: "9876543210"})
	})
	for i := range n {
		update(t, s, func(tx store.Tx) error {
			if i >= n-2 {
				if err := tx.AddEntry(enrol.Entry{ID: fmt.Sprint("e", i), RegistrationID: "r", Kind: enrol.EntryRefundOrdered, Who: by.Name, At: noon.Add(time.Duration(i) * time.Second)}); err != nil {
					return err
				}
			}
			return tx.LogAct(by.Did(noon.Add(time.Duration(i)*time.Second), "refund ordered", fmt.Sprint("payment ", i), "refund_due", ""))
		})
	}
}

func TestStaffLogShowsWhoTouchedIt(t *testing.T) {
	const insert = "INSERT INTO staff_log (n, at, who, origin, what, whom, was, becomes, seal) SELECT "
	for name, row := range map[string]struct {
		change string
		want   []string
	}{
		"nothing":               {"", nil},
		"a changed name":        {"UPDATE staff_log SET who = 'operator Meera' WHERE n = 2", []string{"row 2 was changed or inserted"}},
		"a changed time":        {"UPDATE staff_log SET at = at + 1 WHERE n = 3", []string{"row 3 was changed or inserted"}},
		"an added reason":       {"UPDATE staff_log SET reason = 'asked by phone' WHERE n = 2", []string{"row 2 was changed or inserted"}},
		"another account":       {"UPDATE staff_log SET account_id = 'b' WHERE n = 2", []string{"row 2 was changed or inserted"}},
		"a refusal undone":      {"UPDATE staff_log SET denied = TRUE WHERE n = 2", []string{"row 2 was changed or inserted"}},
		"a moved boundary":      {"UPDATE staff_log SET was = '', becomes = was WHERE n = 2", []string{"row 2 was changed or inserted"}},
		"a removed row":         {"DELETE FROM staff_log WHERE n = 2", []string{"row 2 is missing"}},
		"two removed rows":      {"DELETE FROM staff_log WHERE n IN (2, 3)", []string{"rows 2 to 3 are missing"}},
		"a removed beginning":   {"DELETE FROM staff_log WHERE n = 1", []string{"row 1 is missing"}},
		"a removed end":         {"DELETE FROM staff_log WHERE n = 5", []string{"operator Ravi did “refund ordered” to registration r, which the log does not have"}},
		"a removed row, closed": {"DELETE FROM staff_log WHERE n = 2; UPDATE staff_log SET n = n - 1 WHERE n = 3", []string{"row 2 was changed or inserted", "row 3 is missing"}},
		"an inserted row":       {insert + "6, at, who, origin, what, 'payment 9', was, becomes, seal FROM staff_log WHERE n = 5", []string{"row 6 was changed or inserted"}},
		"a copied row":          {insert + "6, at, who, origin, what, whom, was, becomes, seal FROM staff_log WHERE n = 5", []string{"row 6 was changed or inserted"}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				s := storetest.Open(t, url)
				logged(t, s, 5)
				tamper(t, url, row.change)
				faults, err := s.Verify(t.Context(), never)
				if err != nil {
					t.Fatal(err)
				}
				faults = slices.DeleteFunc(faults, func(fault string) bool { return !strings.HasPrefix(fault, "staff log: ") })
				for i := range faults {
					faults[i] = strings.TrimPrefix(faults[i], "staff log: ")
				}
				if !slices.Equal(faults, row.want) {
					t.Errorf("%q, want %q", faults, row.want)
				}
			})
		})
	}
}

func TestStaffLogIsAppendOnly(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		logged(t, s, 1)
		for _, statement := range []string{"UPDATE staff_log SET who = 'operator Meera'", "DELETE FROM staff_log"} {
			if _, err := raw(t, url).ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "the staff log is append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}

func TestStaffLogTakesActsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const at = 20
		var done sync.WaitGroup
		errs := make([]error, at)
		for i := range at {
			done.Go(func() {
				errs[i] = s.Update(t.Context(), func(tx store.Tx) error {
					return tx.LogAct(staff.Operator("Ravi").Did(noon, "refund ordered", fmt.Sprint("payment ", i), "", ""))
				})
			})
		}
		done.Wait()
		for _, err := range errs {
			if err != nil {
				t.Error(err)
			}
		}
		acts, err := collect(s.Acts(t.Context()))
		if err != nil || len(acts) != at {
			t.Errorf("%d acts, %v", len(acts), err)
		}
		if faults, err := s.Verify(t.Context(), never); err != nil || len(faults) > 0 {
			t.Errorf("%q, %v", faults, err)
		}
	})
}

func TestAnAccountOfAnEarlierSecretCannotSignIn(t *testing.T) {
	url := storetest.SQLite(t)
	s := storetest.Open(t, url)
	update(t, s, func(tx store.Tx) error {
		return tx.AddStaffAccount(&staff.Account{ID: "kavya", Email: "k@a.example", Name: "Kavya", Roles: []staff.Role{staff.Admin}, Password: "$argon2id$", Secret: "JBSWY3DP", Codes: []string{"a"}})
	})
	account := func(s *store.Store) staff.Account {
		return *view(t, s, func(tx store.Tx) (*staff.Account, error) { return tx.StaffAccount("kavya") })
	}
	if a := account(s); a.Secret != "JBSWY3DP" || a.Password != "$argon2id$" || !a.IsSetUp() {
		t.Errorf("stored as %+v", a)
	}
	other, err := store.Open(t.Context(), store.Config{URL: url, Secret: bytes.Repeat([]byte("o"), 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if a := account(other); a.Secret != "" || a.Password != "" { // the password alone must not open it
		t.Errorf("read with another secret: %+v", a)
	}
}

func TestAPasskeyIsBoundToItsAccountAndTheSecret(t *testing.T) {
	url := storetest.SQLite(t)
	s := storetest.Open(t, url)
	update(t, s, func(tx store.Tx) error {
		return tx.AddStaffPasskey(&staff.Passkey{ID: "a", AccountID: "kavya", Name: "Phone", Credential: webauthn.Credential{ID: []byte("a"), PublicKey: []byte("key")}, CreatedAt: noon})
	})
	passkey := func(s *store.Store) staff.Passkey {
		return *view(t, s, func(tx store.Tx) (*staff.Passkey, error) { return tx.StaffPasskey("a") })
	}
	if p := passkey(s); string(p.Credential.PublicKey) != "key" || !p.CreatedAt.Equal(noon) || !p.UsedAt.IsZero() {
		t.Errorf("stored as %+v", p)
	}
	other, err := store.Open(t.Context(), store.Config{URL: url, Secret: bytes.Repeat([]byte("o"), 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if p := passkey(other); len(p.Credential.PublicKey) > 0 {
		t.Errorf("read with another secret: %+v", p)
	}
	if _, err := raw(t, url).ExecContext(t.Context(), "UPDATE staff_passkeys SET account_id = 'meera'"); err != nil {
		t.Fatal(err)
	}
	if p := passkey(s); len(p.Credential.PublicKey) > 0 {
		t.Errorf("read after it was moved: %+v", p)
	}
}
