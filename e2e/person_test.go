package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// journal records what the clients were promised by 2xx responses.
type journal struct {
	mutex      sync.Mutex
	registered map[string]string // registration → phone
	paid       map[string]string // payment → registration
	receipts   map[string]bool   // addresses that must receive one
	saved      []span            // of requests whose response promises a write

	// payAfter is how long a person waits for a pending payment before pressing Pay again, which continues it: the sandbox may
	// have been too busy to create its order. 0 means forever.
	payAfter time.Duration
}

// A span is a period of waiting.
type span struct{ from, to time.Time }

func newJournal() *journal {
	return &journal{registered: map[string]string{}, paid: map[string]string{}, receipts: map[string]bool{}}
}

// enrolAndPay enrols and pays with retries, as a person on a bad connection would.
func enrolAndPay(v *Visitor, book *journal) error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute) // less than go test's, to report the waiting person
	defer cancel()
	var request, code, registration, txn string
	coupon := ""
	if rand.IntN(4) == 0 {
		coupon = "MGROW500"
	}
	steps := []func() error{
		func() (err error) {
			if request != "" {
				return nil
			}
			request, err = v.AskCode()
			if refused, ok := errors.AsType[*Refused](err); ok && (refused.Answer.Status == http.StatusPaymentRequired || refused.Answer.Status == http.StatusTooManyRequests) {
				request = refused.Answer.text("request_id") // it was sent and the response lost; the session has the request
				if request == "" {
					request = "lost"
				}
				err = nil
			}
			return err
		},
		func() (err error) {
			if code, err = v.ReadCode(); err == nil && code == "" {
				err = errNoCode
			}
			return err
		},
		func() (err error) {
			id := request
			if id == "lost" {
				id = ""
			}
			if err = v.GiveCode(id, code); err == nil {
				return nil
			}
			if _, ok := errors.AsType[*Refused](err); ok { // used: the response was lost. The next step shows it.
				return nil
			}
			return err
		},
		func() (err error) {
			if registration, err = v.Enrol(coupon); err == nil {
				book.mutex.Lock()
				book.registered[registration] = v.Phone
				book.mutex.Unlock()
			}
			return err
		},
		func() (err error) {
			txn, err = v.Initiate(registration)
			return err
		},
		func() error { return v.Press(txn, "paid") },
		func() error {
			status, err := v.Verify(txn)
			if err == nil && status != "PAYMENT_PAID" {
				err = fmt.Errorf("%w: payment %s is %s", errUnpaid, txn, status)
			}
			if err == nil {
				book.mutex.Lock()
				book.paid[txn] = registration
				book.receipts[v.Email] = true
				book.mutex.Unlock()
			}
			return err
		},
	}
	writes := map[int]bool{0: true, 3: true, 4: true, 5: true}
	for i := 0; i < len(steps); i++ {
		begun := time.Now()
		for first := true; ; first = false {
			err := steps[i]()
			if err == nil {
				if first && writes[i] { // a retried request may have written before
					book.mutex.Lock()
					book.saved = append(book.saved, span{v.Asking, v.Answered})
					book.mutex.Unlock()
				}
				break
			}
			if errors.Is(err, errNoCode) && time.Since(begun) > resendAfter {
				// Its sender was killed: a person presses Resend.
				request, i, writes = "", -1, nil
				break
			}
			if errors.Is(err, errUnpaid) && book.payAfter > 0 && time.Since(begun) > book.payAfter {
				i, writes = i-3, nil
				break
			}
			if refused, ok := errors.AsType[*Refused](err); ok && refused.Answer.Status < 500 {
				if i == 3 && refused.Answer.Status == http.StatusUnprocessableEntity && lostSession(refused) {
					// A kill lost the response with the new cookie: this browser starts again, as a person would.
					*v = *fresh(v)
					request, i, writes = "", -1, nil
					if waitErr := v.waitForResend(ctx); waitErr != nil {
						return waitErr
					}
					break
				}
				return fmt.Errorf("step %d: %w", i, err)
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("step %d: %w", i, err)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

var (
	errNoCode = errors.New("the code is not there yet")
	errUnpaid = errors.New("it is not paid")
)

const resendAfter = 65 * time.Second // five more than the cooldown

func lostSession(r *Refused) bool {
	return strings.Contains(fmt.Sprint(r.Answer.Fields["message"]), "verify the OTP")
}

func fresh(v *Visitor) *Visitor {
	again := NewVisitor(v.Base, 0)
	again.Phone, again.Email, again.Name = v.Phone, v.Email, v.Name
	return again
}

// waitForResend waits for the minute between two codes of a phone.
func (v *Visitor) waitForResend(ctx context.Context) error {
	for {
		asked := time.Now()
		_, err := v.AskCode()
		if err == nil {
			v.Asked = asked
		}
		refused, limited := errors.AsType[*Refused](err)
		if err == nil || limited && refused.Answer.Status == http.StatusPaymentRequired {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}
