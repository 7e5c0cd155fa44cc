package store

import (
	"time"

	"hiresure/admission/enrol"
)

// paymentChecks compare payments with their registrations.
func paymentChecks(now time.Time) []bookCheck {
	return []bookCheck{
		{sentence: "registration %v names payment %v as its own, which is %v", query: `
			SELECT r.id, r.paid_txn_id, CASE WHEN t.id IS NULL THEN 'not there' WHEN t.registration_id <> r.id THEN 'of registration ' || t.registration_id ELSE t.state END
			FROM registrations r LEFT JOIN transactions t ON t.id = r.paid_txn_id
			WHERE r.paid_txn_id <> '' AND (t.id IS NULL OR t.registration_id <> r.id
				OR t.state NOT IN ('paid', 'disputed', 'refund_pending', 'refunded') AND NOT (t.state = 'refund_due' AND r.refunded = TRUE)) ORDER BY r.id`},
		// Unless the registration's payment is a fault by itself.
		{sentence: "payment %v is %v, but registration %v names %v as its own", query: `
			SELECT t.id, t.state, r.id, CASE WHEN r.paid_txn_id = '' THEN 'none' ELSE r.paid_txn_id END
			FROM transactions t JOIN registrations r ON r.id = t.registration_id LEFT JOIN transactions o ON o.id = r.paid_txn_id
			WHERE (t.state IN ('paid', 'disputed') OR t.state = 'refund_pending' AND t.state_before = 'paid') AND r.paid_txn_id <> t.id
				AND (r.paid_txn_id = '' OR o.registration_id = r.id AND o.state IN ('paid', 'disputed', 'refund_pending', 'refunded')) ORDER BY t.id`},
		{sentence: "registration %v is paid and at step %v", query: `
			SELECT id, step FROM registrations WHERE paid_txn_id <> '' AND step <> 8 AND NOT (step = 6 AND event_code = ?) ORDER BY id`, args: []any{enrol.ApplicationCode}},
		{sentence: "registration %v is at step %v and nothing has paid it", query: `
			SELECT r.id, r.step FROM registrations r WHERE r.step IN (6, 8) AND r.paid_txn_id = ''
				AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.registration_id = r.id AND t.state IN ('paid', 'disputed', 'refund_pending')) ORDER BY r.id`},
		{sentence: "registration %v is at step 5 and no payment of it is open", query: `
			SELECT r.id FROM registrations r WHERE r.step = 5 AND r.paid_txn_id = ''
				AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.registration_id = r.id
					AND (t.state IN ('created', 'pending', 'review') OR t.state = 'refund_pending' AND t.state_before = 'review')) ORDER BY r.id`},
		{sentence: "registration %v is at step %v, but payment %v of it is open", query: `
			SELECT r.id, r.step, t.id FROM registrations r JOIN transactions t ON t.registration_id = r.id
			WHERE r.step NOT IN (5, 6, 8) AND r.paid_txn_id = '' AND t.state IN ('created', 'pending') ORDER BY r.id`},
		{sentence: "registration %v has %v payments that are %v", query: `
			SELECT registration_id, COUNT(*), what FROM (SELECT registration_id, CASE WHEN state = 'review' THEN 'in review' ELSE 'open' END AS what
				FROM transactions WHERE state IN ('created', 'pending', 'review')) AS looked
			GROUP BY registration_id, what HAVING COUNT(*) > 1 ORDER BY registration_id`},
		{sentence: "payment %v is open and no job asks about it", query: `
			SELECT t.id FROM transactions t WHERE t.state IN ('created', 'pending')
				AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'poll' AND j.ref = t.id AND j.dead_at = 0) ORDER BY t.id`},
		{sentence: "registration %v is refunded, but %v", query: `
			SELECT r.id, CASE WHEN r.paid_txn_id = '' THEN 'was never paid' ELSE 'its payment ' || t.id || ' is ' || t.state END
			FROM registrations r LEFT JOIN transactions t ON t.id = r.paid_txn_id AND t.registration_id = r.id
			WHERE r.refunded = TRUE AND (r.paid_txn_id = '' OR t.state IN ('paid', 'disputed') OR t.state = 'refund_pending' AND t.state_before = 'paid') ORDER BY r.id`},
		{sentence: "payment %v is refunded, but registration %v, which it paid, is not", query: `
			SELECT t.id, r.id FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id AND t.registration_id = r.id
			WHERE r.refunded = FALSE AND t.state = 'refunded' ORDER BY t.id`},
		{sentence: "payment %v has been %v for more than a day: site %v %v", query: `
			SELECT id, state, CASE state WHEN 'review' THEN 'review' ELSE 'refund' END, id FROM transactions WHERE state IN ('refund_due', 'review') AND settled_at < ? ORDER BY settled_at, id`,
			args: []any{toMicros(now.Add(-verifyMargin))}},
	}
}

// refundChecks compare refunds with their payments. A refund with another payment_id is of a second charge of the same order
// and does not change the payment. A refund of a payment in review is of the captured sum, whatever it was, and so is one made
// at the provider of a payment that was in review and has paid for no seat.
func refundChecks(now time.Time) []bookCheck {
	return []bookCheck{
		// After a failed or bounced refund an operator decides within a day.
		{sentence: "payment %v is refund_due and no job sends it back: site refund %v --as NAME", query: `
			SELECT t.id, t.id FROM transactions t WHERE t.state = 'refund_due' AND t.settled_at >= ?
				AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'refund' AND j.ref = t.id AND j.dead_at = 0)
				AND NOT EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = t.id AND f.payment_id = t.payment_id AND f.state IN ('failed', 'bounced')) ORDER BY t.id`,
			args: []any{toMicros(now.Add(-verifyMargin))}},
		{sentence: "payment %v is refund_pending and no refund of it is under way", query: `
			SELECT t.id FROM transactions t WHERE t.state = 'refund_pending'
				AND NOT EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = t.id AND f.payment_id = t.payment_id AND f.state IN ('asked', 'accepted')) ORDER BY t.id`},
		{sentence: "refund %v is %v, but its payment %v is %v", query: `
			SELECT f.id, f.state, t.id, t.state FROM refunds f JOIN transactions t ON t.id = f.txn_id AND t.payment_id = f.payment_id
			WHERE f.state IN ('asked', 'accepted') AND t.state <> 'refund_pending' AND f.reason <> 'paid above the fee' ORDER BY f.id`},
		{sentence: "refund %v of payment %v has been %v for more than seven days", query: `
			SELECT id, txn_id, state FROM refunds WHERE state IN ('asked', 'accepted') AND created_at < ? ORDER BY created_at, id`,
			args: []any{toMicros(now.Add(-refundMargin))}},
		{sentence: "refund %v of payment %v is %v and no job asks about it", query: `
			SELECT f.id, f.txn_id, f.state FROM refunds f WHERE f.state IN ('asked', 'accepted') AND f.created_at >= ?
				AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'refund' AND j.ref IN (f.id, f.txn_id) AND j.dead_at = 0) ORDER BY f.id`,
			args: []any{toMicros(now.Add(-refundMargin))}},
		{sentence: "%v of a second charge of payment %v is here again, and no refund of it under way: site refund %v --as NAME", query: `
			SELECT CAST(MAX(f.minor) - SUM(CASE WHEN f.state = 'done' THEN f.minor ELSE 0 END) AS BIGINT) AS held_minor, f.txn_id, f.txn_id, MAX(f.currency) AS currency
			FROM refunds f JOIN transactions t ON t.id = f.txn_id AND t.payment_id <> f.payment_id WHERE ` + noLoss + ` GROUP BY f.txn_id, f.payment_id
			HAVING SUM(CASE WHEN f.state IN ('asked', 'accepted') THEN 1 ELSE 0 END) = 0
				AND MAX(f.minor) > SUM(CASE WHEN f.state = 'done' THEN f.minor ELSE 0 END) ORDER BY f.txn_id, f.payment_id`},
		{sentence: "refunds of payment %v add up to %v, more than its charge of %v", query: `
			SELECT t.id, CAST(SUM(f.minor) AS BIGINT) AS refunds_minor, t.charge_minor, t.charge_currency AS currency FROM refunds f JOIN transactions t ON t.id = f.txn_id AND t.payment_id = f.payment_id
			JOIN registrations r ON r.id = t.registration_id
			WHERE f.state IN ('asked', 'accepted', 'done') AND f.currency = t.charge_currency AND ` + noLoss + `
				AND f.reason NOT IN ('review', 'paid for a deleted registration', 'paid for who was deleted') AND (f.reason <> 'at the provider' OR r.paid_txn_id = t.id OR NOT EXISTS (
					SELECT 1 FROM entries e WHERE e.registration_id = r.id AND e.detail = t.id AND e.what = 'payment in review'))
			GROUP BY t.id, t.charge_minor, t.charge_currency HAVING SUM(f.minor) > t.charge_minor ORDER BY t.id`},
		{sentence: "payment %v was %v above its price, of which %v went back, and no refund of it is under way: site refund %v --as NAME", query: `
			SELECT t.id, -t.adjustment_minor AS excess_minor, t.refunded_minor, t.id, t.charge_currency AS currency FROM transactions t WHERE t.state = 'paid' AND t.refunded_minor < -t.adjustment_minor
				AND NOT EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = t.id AND f.state IN ('asked', 'accepted')) ORDER BY t.id`},
		{sentence: "payment %v: %v more than was paid has left its charge %v (%v)", query: `
			SELECT txn_id, CAST(SUM(minor) AS BIGINT) AS lost_minor, payment_id, reason, currency FROM refunds WHERE state = 'done' AND ` + isLoss + `
			GROUP BY txn_id, payment_id, reason, currency ORDER BY txn_id, payment_id, reason`},
		{sentence: "payment %v counts %v as refunded, its refunds add up to %v", query: `
			SELECT t.id, t.refunded_minor, CAST(COALESCE(SUM(f.minor), 0) AS BIGINT) AS refunds_minor, t.charge_currency AS currency FROM transactions t
			LEFT JOIN refunds f ON f.txn_id = t.id AND f.payment_id = t.payment_id AND f.state = 'done' AND f.currency = t.charge_currency AND ` + noLoss + `
			WHERE t.refunded_minor <> 0 OR f.id IS NOT NULL
			GROUP BY t.id, t.refunded_minor, t.charge_currency HAVING t.refunded_minor <> COALESCE(SUM(f.minor), 0) ORDER BY t.id`},
		{sentence: "payment %v is %v, but %v of its charge of %v has gone back", query: `
			SELECT t.id, t.state, t.refunded_minor, t.charge_minor, t.charge_currency AS currency FROM transactions t JOIN registrations r ON r.id = t.registration_id AND r.paid_txn_id = t.id
			WHERE t.charge_minor > 0 AND t.refunded_minor = (SELECT COALESCE(SUM(f.minor), 0) FROM refunds f
					WHERE f.txn_id = t.id AND f.payment_id = t.payment_id AND f.state = 'done' AND f.currency = t.charge_currency AND ` + noLoss + `)
				AND (t.state = 'refunded' AND t.refunded_minor < t.charge_minor OR t.state IN ('paid', 'disputed') AND t.refunded_minor >= t.charge_minor) ORDER BY t.id`},
	}
}
