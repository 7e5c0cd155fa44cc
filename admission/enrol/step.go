package enrol

import (
	"fmt"
	"time"
)

// Step is how far a registration has come; profile_step on the wire. Only the server moves it.
type Step int

// The steps that an enrolment uses; the application's further steps fit between.
const (
	StepVerified Step = 0 // the phone is proven
	StepPaying   Step = 5 // an attempt to pay is open
	StepPaid     Step = 6 // the application's: documents come next
	StepUnpaid   Step = 7 // the last attempt failed or expired, none is open
	StepComplete Step = 8
)

// stepFact is what every page says about a step.
type stepFact struct {
	Status string // profile_status on the wire
	Action string // what the person does next
}

var stepFacts = map[Step]stepFact{
	StepVerified: {"Number Verified", "Complete Form"},
	StepPaying:   {"Payment Initiated", "Pay Now"},
	StepPaid:     {"Documents Pending", "Upload Documents"},
	StepUnpaid:   {"Payment Failed", "Pay Now"},
	StepComplete: {"Completed", "Download Invoice"},
}

// enrolmentMoves are the allowed moves of an enrolment; what is absent is refused.
var enrolmentMoves = map[[2]Step]bool{
	{StepVerified, StepPaying}:   true,
	{StepVerified, StepComplete}: true, // nothing to pay
	{StepPaying, StepComplete}:   true,
	{StepPaying, StepUnpaid}:     true,
	{StepUnpaid, StepPaying}:     true,
	{StepUnpaid, StepComplete}:   true, // late success, or a coupon that leaves nothing to pay
	{StepPaying, StepPaying}:     true, // another method
}

// CanMove reports whether an enrolment may go from one step to another.
func CanMove(from, to Step) bool { return enrolmentMoves[[2]Step{from, to}] }

// Move brings a registration to another step and saves it; an error for a move that is not allowed.
func (r *Registration) Move(tx Tx, to Step, at time.Time) error {
	if !CanMove(r.Step, to) {
		return fmt.Errorf("registration %s cannot move from step %d to %d", r.ID, r.Step, to)
	}
	r.Step, r.ModifiedAt = to, at
	return tx.SaveRegistration(r)
}
