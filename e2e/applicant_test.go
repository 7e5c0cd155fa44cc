//go:build long

package e2e

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/forms"
	"hiresure/forms/formstest"
)

const applicants = 500

// 500 people sign up, fill in the application and pay while the server is killed at 20 random times. No acknowledged data is lost,
// drafts included, and no step is skipped or repeated.
func TestApplicationsSurviveKills(t *testing.T) {
	eachTraced(t, func(t *testing.T, tr *tracer, wal, databaseURL string, db *sql.DB, start func(addr string, variables ...string) *Site) {
		box := openMailbox(t)
		variables := []string{"DATABASE_URL=" + databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", secretKey, box.variable()}
		var site atomic.Pointer[Site]
		site.Store(start(AnyPort, variables...))
		addr := site.Load().Addr
		book := newApplications()
		killWhile(t, kills, applicants, func() { site.Load().Kill(); site.Store(start(addr, variables...)) }, func(done *atomic.Int64) {
			runConcurrently(t, clients, applicants, done, func(n int) error { return apply(NewVisitor("http://"+addr, n), book) })
		})
		waitForMessages(t, db)
		site.Load().Stop(t)
		for _, wrong := range book.judge(db, applicants) {
			t.Error(wrong)
		}
		tr.judge(t, wal, book.saved)
		t.Logf("%d applications paid, %d drafts read again", len(book.paid), book.typed)
	})
}

// applications records what was acknowledged to applicants, by registration.
type applications struct {
	mutex sync.Mutex
	paid  map[string]string // attempt → registration
	typed int               // acknowledged drafts that were read again
	saved []span
}

func newApplications() *applications {
	return &applications{paid: map[string]string{}}
}

// post sends a form like a browser without scripts and returns status, redirect and page.
func (v *Visitor) post(path string, fields url.Values) (status int, location, page string, err error) {
	request, err := http.NewRequest(http.MethodPost, v.Base+path, strings.NewReader(fields.Encode()))
	if err != nil {
		return 0, "", "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.send(request)
}

func (v *Visitor) send(request *http.Request) (status int, location, page string, err error) {
	v.Asking = time.Now()
	answer, err := v.Client.Do(request)
	if err != nil {
		return 0, "", "", err
	}
	defer answer.Body.Close()
	v.Answered = time.Now()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header.Get("Location"), string(body), err
}

// fetch sends a GET to the JSON API.
func (v *Visitor) fetch(path string) (Answer, error) {
	request, err := http.NewRequest(http.MethodGet, v.Base+path, nil)
	if err != nil {
		return Answer{}, err
	}
	return v.do(request)
}

var (
	requestField = regexp.MustCompile(`name="request_id" value="([^"]+)"`)
	errWait      = errors.New("a code went out a moment ago")
)

// signUp creates an account with the visitor's phone, or signs in if an earlier response was lost.
func (v *Visitor) signUp() error {
	person := url.Values{"fullname": {v.Name}, "email": {v.Email}, "phone_number": {v.Phone}}
	asked := time.Now()
	status, location, page, err := v.post("/account/sign-up", person)
	if err != nil {
		return err
	}
	if strings.HasPrefix(location, "/account/sign-in/code?") {
		request, fault := http.NewRequest(http.MethodGet, v.Base+location, nil)
		if fault != nil {
			return fault
		}
		if status, location, page, err = v.send(request); err != nil {
			return err
		}
	} else if status == http.StatusSeeOther { // the session has a verified phone
		return nil
	}
	id := requestField.FindStringSubmatch(page)
	switch {
	case id != nil:
		v.Asked = asked
	case strings.Contains(page, "You are already signed in."):
		return nil
	case status == http.StatusTooManyRequests:
		return errWait
	default:
		return fmt.Errorf("sign up: %d %s", status, location)
	}
	code := ""
	for deadline := time.Now().Add(resendAfter); code == ""; <-time.After(20 * time.Millisecond) {
		if code, err = v.ReadCode(); code == "" && time.Now().After(deadline) {
			return cmp.Or(err, errNoCode)
		}
	}
	person.Set("request_id", id[1])
	person.Set("otp", code)
	status, _, page, err = v.post("/account/sign-in/code", person)
	if err == nil && status != http.StatusSeeOther {
		err = fmt.Errorf("sign in: %d", status)
		if strings.Contains(page, "Invalid OTP") { // the response to the right code was lost
			err = errWait
		}
	}
	return err
}

// answersOf replaces good answers of each step.
var answersOf = []map[string]any{
	{
		"father_name": "Suresh Pillai", "permanent_address": "12 Temple Road, Thrissur", "state": "Kerala", "zip_code": "680001",
	},
	{
		"institution_name": "Government Engineering College", "course_enrolled": "B.Tech", "enrollment_number": "TCR20CS042", "exam_year": "2025", "exam_percentage": "78",
	},
	{
		"received_other_scholarship": false, "annual_family_income": "240000", "reason_for_scholarship": "My father drives an auto and my mother is at home.",
	},
	{},
}

// stepBody returns the body of a step's call.
func stepBody(step int, changes map[string]any) map[string]any {
	body := forms.Get("hiresure").ToWire(formstest.Good("hiresure", []string{"personal", "academic", "scholarship", "terms"}[step-1]))
	if step == 3 {
		delete(body, "other_scholarship_details")
	}
	maps.Copy(body, answersOf[step-1])
	body["scholarship_code"], body["profile_step"] = "hiresure", step
	maps.Copy(body, changes)
	return body
}

// saveDraft stores a draft of a step and reads it again: the acknowledged text or a later one must be there.
func (v *Visitor) saveDraft(step int, text string, book *applications) (again func() error, err error) {
	field := map[int]string{1: "permanent_address", 2: "course_enrolled", 3: "reason_for_scholarship"}[step]
	if _, err = v.step("/v2scholarship/v1/save-form-draft", map[string]any{"scholarship_code": "hiresure", "profile_step": step, field: text}); err != nil {
		return nil, err
	}
	return func() error {
		got, err := v.fetch(fmt.Sprintf("/v2scholarship/v1/form-draft?scholarship_code=hiresure&profile_step=%d", step))
		if err != nil {
			return err
		}
		if got.Status != http.StatusOK {
			return &Refused{"form-draft", got}
		}
		draft, _ := got.Fields["draft"].(map[string]any)
		kept, _ := draft["answers"].(map[string]any)
		if kept[field] != text {
			return &missing{fmt.Sprintf("%s of step %d was acknowledged as %q and reads %v", field, step, text, kept[field])}
		}
		book.mutex.Lock()
		book.typed++
		book.mutex.Unlock()
		return nil
	}, nil
}

// missing is the error for missing acknowledged data.
type missing struct{ what string }

func (l *missing) Error() string { return l.what }

// apply signs up, fills in the application and pays with retries, as a person on a bad connection would.
func apply(v *Visitor, book *applications) error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	var registration, txn string
	var readAgain func() error
	advance := func(step int) func() error {
		return func() error {
			a, err := v.step("/v2scholarship/v1/submit-form-details", stepBody(step, nil))
			if refused, is := errors.AsType[*Refused](err); is && step == 4 && strings.Contains(fmt.Sprint(refused.Answer.Fields["message"]), "cannot modify the previous details") {
				return nil // accepted before; the response was lost
			}
			if err != nil {
				return err
			}
			if got, _ := a.Fields["profile_step"].(float64); int(got) < step {
				return &missing{fmt.Sprintf("step %d was answered with %v", step, a.Fields["profile_step"])}
			}
			return nil
		}
	}
	type act struct {
		do     func() error
		writes bool
	}
	acts := []act{
		{v.signUp, false},
		{func() error {
			status, location, _, err := v.post("/hiresure/verify", url.Values{"do": {"begin"}})
			if err == nil && (status != http.StatusSeeOther || !strings.HasPrefix(location, "/hiresure/form")) {
				err = fmt.Errorf("begin: %d %s", status, location)
			}
			return err
		}, true},
	}
	for step := 1; step <= 3; step++ {
		for n := range rand.IntN(3) {
			text := fmt.Sprintf("%s %d %d of %s", []string{"12 Temple Road", "B.Tech", "My father drives an auto"}[step-1], step, n, v.Phone)
			acts = append(acts,
				act{func() (err error) { readAgain, err = v.saveDraft(step, text, book); return err }, true},
				act{func() error { return readAgain() }, false})
		}
		acts = append(acts, act{advance(step), true})
	}
	acts = append(acts, act{advance(4), true},
		act{func() error {
			a, err := v.fetch("/v2scholarship/v1/my-registration")
			if err != nil {
				return err
			}
			records, _ := a.Fields["scholarshipRegistrationData"].([]any)
			if len(records) != 1 {
				return &missing{fmt.Sprintf("%d registrations: %v", len(records), a.Fields)}
			}
			record, _ := records[0].(map[string]any)
			registration, _ = record["scholarship_requested_id"].(string)
			if step, _ := record["profile_step"].(float64); step < 4 {
				return &missing{fmt.Sprintf("agreed to the terms, and the step is %v", step)}
			}
			return nil
		}, false},
		act{func() (err error) { txn, err = v.Initiate(registration); return err }, true},
		act{func() error { return v.Press(txn, "paid") }, true},
		act{func() error {
			status, err := v.Verify(txn)
			if err == nil && status != "PAYMENT_PAID" {
				err = fmt.Errorf("payment %s is %s", txn, status)
			}
			if err == nil {
				book.mutex.Lock()
				book.paid[txn] = registration
				book.mutex.Unlock()
			}
			return err
		}, false})
	for i := 0; i < len(acts); i++ {
		for first := true; ; first = false {
			err := acts[i].do()
			if err == nil {
				if first && acts[i].writes {
					book.mutex.Lock()
					book.saved = append(book.saved, span{v.Asking, v.Answered})
					book.mutex.Unlock()
				}
				break
			}
			if gone, is := errors.AsType[*missing](err); is {
				return gone
			}
			if refused, is := errors.AsType[*Refused](err); is && refused.Answer.Status < 500 {
				if refused.Answer.Status != http.StatusUnauthorized {
					return fmt.Errorf("act %d: %w", i, err)
				}
				*v = *fresh(v) // the response with the new cookie was lost: this browser signs in again
				if err := v.signInAgain(ctx); err != nil {
					return fmt.Errorf("act %d: %w", i, err)
				}
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("act %d: %w", i, err)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

// signInAgain signs in again after the minute between two codes of a phone.
func (v *Visitor) signInAgain(ctx context.Context) error {
	for {
		err := v.signUp()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// inOrder lists the entries of an application's timeline.
var inOrder = []string{"phone verified", "personal details saved", "academic details saved", "scholarship details saved", "terms agreed", "payment started", "paid"}

// judge compares the database with what applicants were told.
func (b *applications) judge(db *sql.DB, people int) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	rows, err := db.Query("SELECT r.id, r.step, r.paid_txn_id, a.phone FROM registrations r JOIN accounts a ON a.id = r.account_id WHERE r.event_code = 'hiresure'")
	if err != nil {
		return []string{err.Error()}
	}
	defer rows.Close()
	phones, found := map[string]bool{}, map[string]string{}
	for rows.Next() {
		var id, paid, phone string
		var step int
		if err := rows.Scan(&id, &step, &paid, &phone); err != nil {
			return []string{err.Error()}
		}
		if step != 6 {
			say("%s stands at step %d", id, step)
		}
		if phones[phone] {
			say("%s has two applications", phone)
		}
		phones[phone], found[id] = true, paid
	}
	if err := rows.Err(); err != nil {
		return []string{err.Error()}
	}
	if len(found) != people || len(b.paid) != people {
		say("%d applications and %d acknowledged payments, want %d", len(found), len(b.paid), people)
	}
	for txn, registration := range b.paid {
		if found[registration] != txn {
			say("payment %s of %s was acknowledged; the books have %q", txn, registration, found[registration])
		}
	}
	noted := map[string][]string{}
	lines, err := db.Query("SELECT registration_id, what FROM entries ORDER BY registration_id, at, id")
	if err != nil {
		return append(wrong, err.Error())
	}
	defer lines.Close()
	for lines.Next() {
		var id, what string
		if err := lines.Scan(&id, &what); err != nil {
			return append(wrong, err.Error())
		}
		if slices.Contains(inOrder, what) {
			noted[id] = append(noted[id], what)
		}
	}
	for id := range found {
		if !slices.Equal(noted[id], inOrder) {
			say("the timeline of %s is %q", id, noted[id])
		}
	}
	return wrong
}
