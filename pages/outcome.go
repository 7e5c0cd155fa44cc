package pages

// What several pages say of a payment, in one wording.
const (
	NotThrough   = "Your payment did not go through"
	OnlyUnpaid   = "Everything you typed is kept. Only the payment is missing."
	LookFirst    = "Look in your bank or UPI app first: money that was taken comes back by itself."
	BeingChecked = "Your payment is being checked"
	TakenByBank  = "Taken back by your bank" // in a dispute
)
