package admission

import (
	"errors"
	"time"
)

// Job is work that must happen: written in the transaction that causes it, done by a worker, in any number of processes.
// Each area names the kinds that it does.
type Job struct {
	Kind     string
	Ref      string // id of what it is about; kind and ref are unique together
	DueAt    time.Time
	Attempts int       // failures since it last succeeded
	Payload  string    // what its handler needs beside Ref; "" for most
	Failures []Failure // the last ones, oldest first, whatever came of them
}

// Failure is when and why a job failed, masked as in the log.
type Failure struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"`
}

// DeadJob is a job that failed for good.
type DeadJob struct {
	Job
	DeadAt time.Time
}

// Jobs is what every area's Tx has that causes work. AddJob of a job that stands already keeps the earlier due
// time, with its payload; one that was refused for good lives again.
type Jobs interface {
	AddJob(Job) error
}

// IsPermanent reports whether no repetition will mend an error of a job; other packages' types say so by a method.
func IsPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
