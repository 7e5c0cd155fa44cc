package commands

import (
	"errors"
	"io"
	"regexp"

	"hiresure/admission/staff"
)

// call contains the arguments of one run of a command.
type call struct {
	args    []string
	actor   staff.Actor // of a command that takes --as NAME
	environ map[string]string
	out     io.Writer
}

// actorName matches the NAME of --as NAME.
var actorName = regexp.MustCompile(`^\pL[\pL\pM .'-]{1,39}$`)

// sign removes --as NAME from the end of the arguments and reports whether it was there. NAME is the actor in the log of staff.
func (c *call) sign() bool {
	n := len(c.args) - 2
	if n < 0 || c.args[n] != "--as" || !actorName.MatchString(c.args[n+1]) {
		return false
	}
	c.args, c.actor = c.args[:n], staff.Operator(c.args[n+1])
	return true
}

// errArguments is returned by a command with invalid arguments.
var errArguments = errors.New("wrong arguments")
