package inspect

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	defaultTime   = 1500 * time.Millisecond
	defaultMemory = 370_000_000      // bytes of data: with the program itself, below 400 MB
	patience      = 10 * time.Second // for a child that a busy machine lets compute only now and then
	patienceTimes = 7                // of the processor time that it may take, where that is more
	mostWritten   = 8 << 20          // bytes: 1600 × 1600 pixels of noise are 2.5 MB
	mostComplaint = 4 << 10          // bytes of standard error that are kept
	mostVerdict   = 4 << 10
)

// Inspector judges files, each in a child process of its own, and shares the time between those who send them.
type Inspector struct {
	options Options
	queue   *queue
	ended   func(*os.ProcessState) // tests measure children
}

// New returns an Inspector. A process needs one.
func New(options Options) *Inspector {
	if options.Command == nil {
		options.Command = []string{ourselves(), "inspect"}
	}
	options.Time = cmp.Or(options.Time, defaultTime)
	options.Memory = cmp.Or(options.Memory, defaultMemory)
	options.Concurrency = cmp.Or(options.Concurrency, 1)
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Inspector{options: options, queue: newQueue(options.Concurrency, options.Now), ended: func(*os.ProcessState) {}}
}

// ourselves is how this very program is started again, also after a new version has taken the place of its file.
func ourselves() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	program, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return program
}

// verdict is the first line that a child writes.
type verdict struct {
	File   File   `json:"file,omitzero"`
	Reason Reason `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Judge waits for who's turn, reads a file from in and writes what may be kept of it to out. The error is a *Refusal where
// the file is at fault, ErrTooMany where who sends too many at once, and else ours. What was written counts only where
// there is no error. Who sends slowly uses up own time: in should be at hand, not a connection.
func (i *Inspector) Judge(ctx context.Context, who string, want Want, in io.Reader, out io.Writer) (File, error) {
	leave, err := i.queue.enter(ctx, who)
	if err != nil {
		return File{}, err
	}
	var cost time.Duration
	defer func() { leave(cost) }()
	file, err := i.run(ctx, want, in, out)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		cost = refusedCost
	}
	return file, err
}

func (i *Inspector) run(asked context.Context, want Want, in io.Reader, out io.Writer) (File, error) {
	ctx, cancel := context.WithTimeout(asked, max(patience, patienceTimes*i.options.Time))
	defer cancel()
	args := append(slices.Clone(i.options.Command), "-time", i.options.Time.String(), "-memory", strconv.FormatInt(i.options.Memory, 10),
		"-side", strconv.Itoa(want.MaxSide), "-pdf="+strconv.FormatBool(want.PDF))
	child := exec.CommandContext(ctx, args[0], args[1:]...)
	child.Env = []string{"GOMAXPROCS=1", "GOTRACEBACK=none"} // one thread computes, so that its time is its processor time; and no secrets
	child.WaitDelay = time.Second                            // for an in that hangs after the child has ended
	complaint := &beginning{}
	child.Stdin, child.Stderr = in, complaint
	stdout, err := child.StdoutPipe()
	if err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	if err := child.Start(); err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	said, written, readErr := hear(stdout, out)
	if readErr != nil && !errors.Is(readErr, errNoVerdict) { // the child may write on for ever, to nobody
		cancel()
		_ = child.Wait()
		return File{}, fmt.Errorf("inspect a file: %w", cmp.Or(asked.Err(), readErr))
	}
	waitErr := child.Wait()
	i.ended(child.ProcessState)
	if err := asked.Err(); err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	if waitErr != nil {
		if r := diedOfIt(child.ProcessState, complaint.String()); r != nil {
			return File{}, r
		}
		return File{}, fmt.Errorf("inspect a file: %w: %s", waitErr, complaint)
	}
	switch {
	case readErr != nil:
		return File{}, fmt.Errorf("inspect a file: %w", readErr)
	case said.Reason != "":
		return File{}, refuse(said.Reason, said.Detail)
	case written != said.File.Size || written == 0:
		return File{}, fmt.Errorf("inspect a file: %d bytes arrived of %d", written, said.File.Size)
	}
	return said.File, nil
}

// errNoVerdict is why a child ended, which its exit tells better.
var errNoVerdict = errors.New("no verdict")

// hear reads a verdict and hands on the bytes that follow it.
func hear(stdout io.Reader, out io.Writer) (said verdict, written int64, err error) {
	reader := bufio.NewReaderSize(stdout, mostVerdict)
	line, err := reader.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		return said, 0, errNoVerdict
	}
	if err != nil {
		return said, 0, err
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return said, 0, err
	}
	written, err = io.Copy(out, io.LimitReader(reader, mostWritten+1))
	if err == nil && written > mostWritten {
		err = errors.New("too much is written")
	}
	return said, written, err
}

// runtimeFault begins what Go's runtime says of a fault of its own: here its collector that got no memory for its books and
// did not ask whether it had. What a decoder does wrong is a panic instead, and recovered.
const runtimeFault = "SIGSEGV: segmentation violation\nPC="

// diedOfIt tells what of a file was too much for a child, which ended without a verdict; nil: that was not the file.
func diedOfIt(state *os.ProcessState, complaint string) *Refusal {
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case state.ExitCode() == exitTime, status.Signaled() && status.Signal() == syscall.SIGXCPU:
		return refuse(TooLarge, "time")
	case strings.Contains(complaint, "out of memory"), strings.Contains(complaint, "cannot allocate memory"), strings.Contains(complaint, "stack exceeds"),
		strings.Contains(complaint, runtimeFault):
		return refuse(TooLarge, "memory")
	}
	return nil
}

// beginning keeps the first bytes that are written to it.
type beginning struct{ strings.Builder }

func (b *beginning) Write(p []byte) (int, error) {
	b.Builder.Write(p[:min(len(p), mostComplaint-b.Len())])
	return len(p), nil
}
