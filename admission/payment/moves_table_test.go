package payment_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func allMoveTests() map[string]func(*testing.T, *businesstest.World) {
	all := maps.Clone(moveTests)
	maps.Copy(all, afterPaidTests)
	return all
}

func moveTest(sentence string) func(*testing.T, *businesstest.World) { return allMoveTests()[sentence] }

// moveRow is a row of testdata/moves.md.
type moveRow struct {
	row, sentence string
	moves         [][2]payment.State
}

var moveLine = regexp.MustCompile(`(?m)^\| ([0-9]+|[a-z]) \| (.+?) \| (.*?) ?\|$`)

func moveRows(t *testing.T) (rows []moveRow) {
	t.Helper()
	raw, err := os.ReadFile("testdata/moves.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range moveLine.FindAllStringSubmatch(string(raw), -1) {
		row := moveRow{row: line[1], sentence: line[2]}
		for move := range strings.SplitSeq(line[3], ", ") {
			if from, to, isMove := strings.Cut(move, " → "); isMove {
				if from == "nothing" {
					from = ""
				}
				row.moves = append(row.moves, [2]payment.State{payment.State(from), payment.State(to)})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestPaymentMoves(t *testing.T) {
	for _, row := range moveRows(t) {
		t.Run(row.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				moveTest(row.sentence)(t, w)
				for _, move := range row.moves {
					if w.Recorder.Moves[move] == 0 {
						t.Errorf("row %s never moved a payment from %q to %q", row.row, move[0], move[1])
					}
				}
			})
		})
	}
}

func TestEveryMoveHasATest(t *testing.T) {
	rows := moveRows(t)
	var sentences []string
	numbered, shown := 0, map[[2]payment.State]bool{}
	for _, row := range rows {
		sentences = append(sentences, row.sentence)
		if row.row[0] <= '9' {
			if numbered++; row.row != fmt.Sprint(numbered) {
				t.Errorf("row %s stands where row %d belongs", row.row, numbered)
			}
		}
		if moveTest(row.sentence) == nil {
			t.Errorf("row %s has no test: %s", row.row, row.sentence)
		}
		for _, move := range row.moves {
			shown[move] = true
		}
	}
	businesstest.Equal(t, "rows of the design's table", numbered, 19)
	for sentence := range allMoveTests() {
		if !slices.Contains(sentences, sentence) {
			t.Errorf("a test names no row: %s", sentence)
		}
	}

	allowed := map[[2]payment.State]bool{}
	for _, m := range payment.Moves {
		pairs := [][2]payment.State{{m.From, m.To}}
		if m.Event == payment.EventRefundFailed { // back to where it came from
			pairs = [][2]payment.State{{m.From, payment.Paid}}
		}
		for _, pair := range pairs {
			allowed[pair] = true
			if !shown[pair] {
				t.Errorf("the product moves from %q to %q (%s), and no row says so", pair[0], pair[1], m.Event)
			}
		}
	}
	for move := range shown {
		if !allowed[move] {
			t.Errorf("a row moves from %q to %q, which the product does not", move[0], move[1])
		}
	}
}

// heldCharge returns a charge that the provider holds.
func heldCharge(paymentID string, amount admission.Money) []method.Charge {
	return []method.Charge{{PaymentID: paymentID, State: method.ChargePaid, Amount: amount, Refunded: admission.Money{Currency: amount.Currency}, At: businesstest.Noon}}
}

// paidTwice returns a registration paid by a late success. The customer has paid its second attempt too, unknown to us.
func paidTwice(w *businesstest.World) (p *businesstest.Person, first, second string) {
	return paidTwiceWith(w, sandbox.Paid)
}

// paidTwiceWith is paidTwice with another outcome of the second attempt.
func paidTwiceWith(w *businesstest.World, outcome sandbox.Outcome) (p *businesstest.Person, first, second string) {
	w.T.Helper()
	p, first = w.AbandonedAttempt(businesstest.Fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"})
	second = p.TxnID
	w.Clock.Pass(15 * time.Second)
	w.Poll(first)
	businesstest.Equal(w.T, "the registration's own payment", w.Texts("SELECT paid_txn_id FROM registrations WHERE id = $1", p.RegistrationID)[0], first)
	w.Second.PressWithoutReturn(second, outcome)
	return p, first, second
}
