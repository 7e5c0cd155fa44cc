package admission

import "errors"

// ErrUnavailable is what a Store answers when the database cannot be reached or written: nothing is wrong with what was asked.
var ErrUnavailable = errors.New("the database is unavailable")
