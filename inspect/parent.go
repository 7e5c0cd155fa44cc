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
	defaultTime    = 1500 * time.Millisecond
	defaultMemory  = 370_000_000      // bytes of data; below 400 MB with the program
	minWallTime    = 10 * time.Second // minimum wall time for a child on a busy machine
	wallTimeFactor = 7                // wall time per processor time, if that is more
	maxOutput      = 8 << 20          // bytes; 1600 × 1600 pixels of noise are 2.5 MB
	maxStderr      = 4 << 10          // bytes of standard error kept
	maxVerdict     = 4 << 10
)

// Inspector judges files, each in its own child process, and schedules them fairly among their senders.
type Inspector struct {
	options Options
	queue   *queue
	ended   func(*os.ProcessState) // for tests that measure children
}

// New returns an Inspector. A process should have only one.
func New(options Options) *Inspector {
	if options.Command == nil {
		options.Command = []string{executable(), "inspect"}
	}
	options.Time = cmp.Or(options.Time, defaultTime)
	options.Memory = cmp.Or(options.Memory, defaultMemory)
	options.Concurrency = cmp.Or(options.Concurrency, 1)
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Inspector{options: options, queue: newQueue(options.Concurrency, options.Now), ended: func(*os.ProcessState) {}}
}

// executable returns the command of this program, valid even after its file was replaced by a new version.
func executable() string {
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

// Judge waits for who's turn, reads a file from in and writes the cleaned file to out. The error is a *Refusal for a file at fault,
// ErrTooMany for too many waiting files, else internal. The output is valid only without an error. in should be local, not a connection,
// because its time counts.
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
	ctx, cancel := context.WithTimeout(asked, max(minWallTime, wallTimeFactor*i.options.Time))
	defer cancel()
	args := append(slices.Clone(i.options.Command), "-time", i.options.Time.String(), "-memory", strconv.FormatInt(i.options.Memory, 10),
		"-least", strconv.Itoa(want.MinSide), "-side", strconv.Itoa(want.MaxSide), "-pdf="+strconv.FormatBool(want.PDF))
	child := exec.CommandContext(ctx, args[0], args[1:]...)
	child.Env = []string{"GOMAXPROCS=1", "GOTRACEBACK=none"} // one thread, so that wall time is close to processor time; no secrets
	child.WaitDelay = time.Second                            // in case in blocks after the child has ended
	stderr := &beginning{}
	child.Stdin, child.Stderr = in, stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	if err := child.Start(); err != nil {
		return File{}, fmt.Errorf("inspect a file: %w", err)
	}
	result, written, readErr := readVerdict(stdout, out)
	if readErr != nil && !errors.Is(readErr, errNoVerdict) { // the child may block on writing
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
		if r := limitExceeded(child.ProcessState, stderr.String()); r != nil {
			return File{}, r
		}
		return File{}, fmt.Errorf("inspect a file: %w: %s", waitErr, stderr)
	}
	switch {
	case readErr != nil:
		return File{}, fmt.Errorf("inspect a file: %w", readErr)
	case result.Reason != "":
		return File{}, refuse(result.Reason, result.Detail)
	case written != result.File.Size || written == 0:
		return File{}, fmt.Errorf("inspect a file: %d bytes arrived of %d", written, result.File.Size)
	}
	return result.File, nil
}

// errNoVerdict means that the child ended early; its exit status has the reason.
var errNoVerdict = errors.New("no verdict")

// readVerdict reads a verdict and copies the bytes after it.
func readVerdict(stdout io.Reader, out io.Writer) (result verdict, written int64, err error) {
	reader := bufio.NewReaderSize(stdout, maxVerdict)
	line, err := reader.ReadSlice('\n')
	if errors.Is(err, io.EOF) {
		return result, 0, errNoVerdict
	}
	if err != nil {
		return result, 0, err
	}
	if err := json.Unmarshal(line, &result); err != nil {
		return result, 0, err
	}
	written, err = io.Copy(out, io.LimitReader(reader, maxOutput+1))
	if err == nil && written > maxOutput {
		err = errors.New("too much output")
	}
	return result, written, err
}

// runtimeFault is the start of the Go runtime's message when its garbage collector crashes for lack of memory. Errors of decoders are
// recovered panics instead.
const runtimeFault = "SIGSEGV: segmentation violation\nPC="

// limitExceeded returns the Refusal for a child that exceeded its limits; nil for other failures.
func limitExceeded(state *os.ProcessState, stderr string) *Refusal {
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case state.ExitCode() == exitTime, status.Signaled() && status.Signal() == syscall.SIGXCPU:
		return refuse(TooLarge, "time")
	case strings.Contains(stderr, "out of memory"), strings.Contains(stderr, "cannot allocate memory"), strings.Contains(stderr, "stack exceeds"),
		strings.Contains(stderr, runtimeFault):
		return refuse(TooLarge, "memory")
	}
	return nil
}

// beginning keeps the first bytes written to it.
type beginning struct{ strings.Builder }

func (b *beginning) Write(p []byte) (int, error) {
	b.Builder.Write(p[:min(len(p), maxStderr-b.Len())])
	return len(p), nil
}
