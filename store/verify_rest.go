package store

import (
	"time"

	"hiresure/admission/enrol"
)

// ticketChecks compare tickets with payments. A job issues missing tickets, with a delay.
func ticketChecks(now time.Time) []bookCheck {
	return []bookCheck{
		{sentence: "registration %v has a ticket's %v", query: `
			SELECT id, CASE WHEN ticket = '' THEN 'key and not its number' ELSE 'number and not its key' END
			FROM registrations WHERE (ticket = '') <> (ticket_key = '') AND erased_at = 0 ORDER BY id`},
		{sentence: "registration %v has been paid for more than a day and has no ticket", query: `
			SELECT r.id FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id WHERE r.ticket = '' AND r.ticket_key = '' AND t.settled_at < ? AND r.event_code <> ? ORDER BY r.id`,
			args: []any{toMicros(now.Add(-verifyMargin)), enrol.ApplicationCode}},
		{sentence: "ticket series %v has counted %v, registrations have %v", query: `
			SELECT prefix, CAST(SUM(counted) AS BIGINT), CAST(SUM(owned) AS BIGINT) FROM (
				SELECT prefix, issued AS counted, 0 AS owned FROM ticket_series
				UNION ALL SELECT substr(ticket, 1, 4), 0, COUNT(*) FROM registrations WHERE ticket <> '' GROUP BY substr(ticket, 1, 4)) AS series
			GROUP BY prefix HAVING SUM(counted) <> SUM(owned) ORDER BY prefix`},
	}
}

// couponChecks check coupon uses and referral credits. Late payments may cause uses over the limit, which raise an alert and
// are counted separately. The owner of a referral code without a phone was deleted.
func couponChecks() []bookCheck {
	return []bookCheck{
		{sentence: "coupon %v has %v uses, more than its limit of %v", query: `
			SELECT c.code, COUNT(u.id), c.max_uses FROM coupons c JOIN coupon_uses u ON u.coupon_id = c.id AND u.state IN ('held', 'used')
			WHERE c.max_uses > 0 GROUP BY c.id, c.code, c.max_uses HAVING COUNT(u.id) > c.max_uses ORDER BY c.code`},
		{sentence: "coupon %v has %v uses by %v, more than its limit of %v for one phone", query: `
			SELECT c.code, COUNT(u.id), MAX(u.txn_id), c.max_per_phone FROM coupons c JOIN coupon_uses u ON u.coupon_id = c.id AND u.state IN ('held', 'used')
			WHERE c.max_per_phone > 0 GROUP BY c.id, c.code, c.max_per_phone, u.phone HAVING COUNT(u.id) > c.max_per_phone ORDER BY c.code`},
		{sentence: "coupon %v has given %v, more than its budget of %v", query: `
			SELECT c.code, CAST(SUM(u.discount_minor) AS BIGINT) AS given_minor, c.budget_minor FROM coupons c JOIN coupon_uses u ON u.coupon_id = c.id AND u.state IN ('held', 'used')
			WHERE c.budget_minor > 0 GROUP BY c.id, c.code, c.budget_minor HAVING SUM(u.discount_minor) > c.budget_minor ORDER BY c.code`},
		{sentence: "coupon %v is %v by payment %v, which is %v", query: `
			SELECT c.code, u.state, u.txn_id, COALESCE(t.state, 'not there') FROM coupon_uses u JOIN coupons c ON c.id = u.coupon_id
			LEFT JOIN transactions t ON t.id = u.txn_id LEFT JOIN registrations r ON r.id = t.registration_id
			WHERE t.id IS NULL OR CASE
				WHEN r.paid_txn_id = t.id AND r.refunded = FALSE THEN u.state NOT IN ('used', 'over limit')
				WHEN t.state IN ('created', 'pending') THEN u.state <> 'held'
				WHEN t.state = 'review' OR t.state = 'refund_pending' AND t.state_before = 'review' THEN u.state NOT IN ('held', 'released')
				ELSE u.state <> 'released' END ORDER BY u.txn_id`},
		{sentence: "payment %v has a discount of %v, its coupon gives %v", query: `
			SELECT t.id, t.discount_minor, COALESCE(u.discount_minor, 0) AS coupon_minor FROM transactions t LEFT JOIN coupon_uses u ON u.txn_id = t.id
			WHERE t.discount_minor <> COALESCE(u.discount_minor, 0) ORDER BY t.id`},
		{sentence: "referral credit of registration %v %v", query: `
			SELECT id, what FROM (SELECT r.id, CASE
				WHEN r.paid_txn_id = '' THEN 'stands, but it is not paid'
				WHEN t.charge_minor = 0 THEN 'stands, but it cost nothing'
				WHEN r.refunded = TRUE AND c.cancelled_at = 0 THEN 'is not cancelled, but it is refunded'
				WHEN r.refunded = FALSE AND c.cancelled_at <> 0 AND f.owner_phone <> '' THEN 'is cancelled, but it is not refunded' END AS what
				FROM referral_credits c JOIN referrals f ON f.code = c.code JOIN registrations r ON r.id = c.registration_id LEFT JOIN transactions t ON t.id = r.paid_txn_id) AS credits
			WHERE what IS NOT NULL ORDER BY id`},
		{sentence: "registration %v is paid and its referral code %v has no credit", query: `
			SELECT r.id, r.referral_code FROM registrations r JOIN referrals f ON f.code = r.referral_code JOIN transactions t ON t.id = r.paid_txn_id AND t.registration_id = r.id
			WHERE t.charge_minor > 0 AND f.owner_phone <> '' AND NOT EXISTS (SELECT 1 FROM referral_credits c WHERE c.registration_id = r.id) ORDER BY r.id`},
		{sentence: "registration %v gives its friends the referral code %v, which is not that of its phone", query: `
			SELECT r.id, r.own_referral FROM registrations r WHERE r.own_referral <> ''
				AND NOT EXISTS (SELECT 1 FROM referrals f WHERE f.code = r.own_referral AND f.owner_phone = r.phone) ORDER BY r.id`},
	}
}

// deliveryChecks find webhooks and messages that no job handles.
func deliveryChecks(now time.Time) []bookCheck {
	return []bookCheck{
		{sentence: "webhook %v of %v has not been handled for more than a day", query: `
			SELECT event_id, gateway FROM inbox WHERE handled_at = 0 AND received_at < ? ORDER BY received_at, id`, args: []any{toMicros(now.Add(-verifyMargin))}},
		{sentence: "webhook %v of %v is not handled and no job handles it", query: `
			SELECT i.event_id, i.gateway FROM inbox i WHERE i.handled_at = 0 AND i.received_at >= ?
				AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'event' AND j.ref = i.id AND j.dead_at = 0) ORDER BY i.received_at, i.id`,
			args: []any{toMicros(now.Add(-verifyMargin))}},
		{sentence: "payment %v is %v and has %v receipt messages", query: `
			SELECT t.id, t.state, COUNT(m.id) FROM transactions t LEFT JOIN messages m ON m.cause = 'receipt:' || t.id
			WHERE t.state IN ('paid', 'disputed') AND t.settled_at > ? AND NOT EXISTS (SELECT 1 FROM registrations r WHERE r.id = t.registration_id AND r.erased_at > 0) GROUP BY t.id, t.state HAVING COUNT(m.id) <> 1 ORDER BY t.id`,
			args: []any{toMicros(now.Add(verifyMargin - messagesKept))}},
		{sentence: "message %v (%v) is not sent and no job sends it", query: `
			SELECT m.id, m.cause FROM messages m
			WHERE m.sent_at = 0 AND (m.cause LIKE 'receipt:%' OR m.cause LIKE 'refund:%' OR m.cause LIKE 'refunded:%')
				AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind IN ('sms', 'mail', 'text', 'deliver') AND j.ref = m.id AND j.dead_at = 0) ORDER BY m.created_at, m.id`},
	}
}
