package admission

import "time"

// Job is work that must happen: written in the transaction that causes it, done by a worker, in any number of processes.
// Each area names the kinds that it does.
type Job struct {
	Kind     string
	Ref      string // id of what it is about; kind and ref are unique together
	DueAt    time.Time
	Attempts int
}

// Jobs is what every area's Tx has that causes work. AddJob of a job that stands already keeps the earlier due time.
type Jobs interface {
	AddJob(Job) error
}
