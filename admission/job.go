package admission

import (
	"errors"
	"time"
)

// Job is work for the queue. It is stored in the transaction that causes it; a worker of any process handles it.
type Job struct {
	Kind     string
	Ref      string // id of its object; kind and ref are unique together
	DueAt    time.Time
	Attempts int       // failures since the last success
	Payload  string    // further input of its handler; often ""
	Failures []Failure // the last ones, oldest first
}

// Failure is one failure of a job. The error is masked as in the log.
type Failure struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"`
}

// DeadJob is a job that failed permanently.
type DeadJob struct {
	Job
	DeadAt time.Time
}

// Jobs is the part of a transaction that queues jobs. If the job exists, AddJob keeps the earlier due time and its payload;
// it revives a dead job.
type Jobs interface {
	AddJob(Job) error
}

// IsPermanent reports whether retrying cannot fix a job's error. Such errors have a method Permanent that returns true.
func IsPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
