package staff

import "time"

// Actor is who acts.
type Actor struct {
	Name    string // "Kavya Hegde", or "operator Kavya Hegde" at the shell
	From    string // "shell", or the network address
	Account string // id; "" for the shell
	Session string // id; "" for the shell
	Request string // id of the HTTP request; "" for the shell
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
	Account   string // see Actor
	Session   string
	Request   string
	Reason    string // as the actor gave it; "" for none
	Denied    bool   // the role does not allow it, so nothing was done
}

// Did returns the row for what the actor did.
func (a Actor) Did(at time.Time, what, whom, was, is string) Act {
	return Act{At: at, Who: a.Name, From: a.From, What: what, Whom: whom, Was: was, Is: is, Account: a.Account, Session: a.Session, Request: a.Request}
}

// Log is what areas that log need of a transaction.
type Log interface {
	// LogAct appends a row to the log, whose end it locks: a transaction takes its other locks before.
	LogAct(Act) error
}
