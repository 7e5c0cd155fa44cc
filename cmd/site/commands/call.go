package commands

import (
	"errors"
	"io"
)

// call contains the arguments of one run of a command.
type call struct {
	args    []string
	actor   string // of a command that takes --as NAME: "operator NAME"
	environ map[string]string
	out     io.Writer
}

// errArguments is returned by a command with invalid arguments.
var errArguments = errors.New("wrong arguments")
