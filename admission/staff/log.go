// Package staff is about the people who work here. So far it holds the log of what they do.
package staff

import "time"

// Actor is who acts.
type Actor struct {
	Name string // "operator Kavya Hegde"
	From string // "shell", or the network address of a browser
}

// Operator returns somebody at the shell, by the name that they give. Nothing checks it.
func Operator(name string) Actor { return Actor{Name: "operator " + name, From: "shell"} }

// Act is a row of the log: who did what, to whom, when, and from where. Rows cannot be changed or deleted.
type Act struct {
	At        time.Time
	Who, From string // see Actor
	What      string // "ordered a refund"
	Whom      string // "payment ID", or another kind and id
	Was, Is   string // the value before and after; may be empty
}

// Did returns the row for what the actor did.
func (a Actor) Did(at time.Time, what, whom, was, is string) Act {
	return Act{At: at, Who: a.Name, From: a.From, What: what, Whom: whom, Was: was, Is: is}
}

// Tx is what this area needs of a transaction.
type Tx interface {
	// LogAct appends a row to the log, whose end it locks: a transaction takes its other locks before.
	LogAct(Act) error
}
