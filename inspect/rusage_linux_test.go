package inspect

import (
	"os"
	"syscall"
)

// most is the memory that a process held at its peak, in bytes.
func most(state *os.ProcessState) int64 { return state.SysUsage().(*syscall.Rusage).Maxrss << 10 }
