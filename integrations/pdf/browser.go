package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

// names are the browser's possible names in PATH, preferred first. The headless shell takes half the work.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

const (
	// Limits on an idle machine; patience raises them.
	startTime = 30 * time.Second // usually it needs less than a second
	closeTime = 10 * time.Second
	// answerTime is how long the browser may take to answer a ping.
	answerTime = 5 * time.Second
	// memory limits the data of each browser process, in KB. A process above it ends, and its page fails.
	memory = 1 << 20
)

// A browser is a running Chrome and the connection to it.
type browser struct {
	ctx     context.Context // ends when the connection is lost
	kill    func()          // returns at once; close waits, also after kill
	close   func() error    // ends the browser, or only the connection to a remote one
	printed atomic.Bool     // whether it has printed a page
}

// start returns once the browser responds, or with an error once draining ends.
func start(draining context.Context, o Options) (*browser, error) {
	life, kill := context.WithCancel(context.Background())
	outer, release, err := allocate(life, o)
	if err != nil {
		kill()
		return nil, err
	}
	note := func(format string, args ...any) { o.Log.Debug("pdf: " + fmt.Sprintf(format, args...)) } // failures are also returned as errors
	ctx, cancel := chromedp.NewContext(outer, chromedp.WithBrowserOption(chromedp.WithBrowserLogf(note), chromedp.WithBrowserErrorf(note)))
	cleanUp := func() { kill(); cancel(); release() }
	limit := o.patience(o.startTime)
	late, undrained := time.AfterFunc(limit, kill), context.AfterFunc(draining, kill)
	_, err = chromedp.CallBrowser(ctx, protocol.GetVersion, cdp.Empty{})
	if !undrained() {
		err = errors.New("the site stops")
	} else if !late.Stop() {
		err = fmt.Errorf("no response within %v", limit)
	}
	if err != nil {
		cleanUp()
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	return &browser{ctx: ctx, kill: kill, close: sync.OnceValue(func() error {
		defer cleanUp()
		if o.URL != "" || ctx.Err() != nil {
			return nil
		}
		bounded, done := context.WithTimeout(ctx, closeTime)
		defer done()
		err := chromedp.Cancel(bounded)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return nil // it hangs, and is killed, or has gone down meanwhile
		}
		return err
	})}, nil
}

// allocate returns a context for chromedp's browser. release waits until its process has ended and its profile is removed.
func allocate(life context.Context, o Options) (ctx context.Context, release func(), err error) {
	if o.URL != "" {
		ctx, release := remote.NewAllocator(life, o.URL)
		return ctx, release, nil
	}
	path, err := Find(o.Path)
	if err != nil {
		return nil, nil, err
	}
	profile, remove, err := newProfile(cmp.Or(o.Folder, os.TempDir()))
	if err != nil {
		return nil, nil, err
	}
	fonts, err := addLastResort(profile)
	if err != nil {
		remove()
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("font-render-hinting", "none"),            // equal letter widths on every machine
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"), // no network, not even for Chrome itself
		chromedp.Env(fonts),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { bound(cmd, cmp.Or(o.memory, memory)) }),
	)
	for name, value := range o.flags {
		options = append(options, chromedp.Flag(name, value))
	}
	ctx, ended := chromedp.NewExecAllocator(life, options...)
	return ctx, func() { ended(); remove() }, nil
}

// Find returns the browser's path. Each start searches again, because the browser may have been installed since.
func Find(path string) (string, error) {
	if path != "" {
		return exec.LookPath(path)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %q is in PATH", names)
}

// bound starts the browser through a shell that limits the memory of each process to so many KB. The browser ends with us when its
// pipe closes. Killing it kills all its processes, so that none writes to a removed profile.
func bound(cmd *exec.Cmd, memory int) {
	cmd.Args = append([]string{"sh", "-c", `ulimit -d "$0" && exec "$@"`, strconv.Itoa(memory), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func (b *browser) alive() bool { return b.ctx.Err() == nil }

// patience multiplies a limit by the machine's load per processor, at most by four.
func (o Options) patience(d time.Duration) time.Duration {
	line, _ := os.ReadFile(o.load) // elsewhere than on Linux it is missing
	first, _, _ := strings.Cut(string(line), " ")
	load, _ := strconv.ParseFloat(first, 64)
	return time.Duration(float64(d) * min(max(load/float64(runtime.NumCPU()), 1), 4))
}

// ping returns an error if the browser does not respond before ctx ends or answerTime passes.
func (b *browser) ping(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, o.patience(answerTime))
	defer cancel()
	_, err := cdp.Call(ctx, chromedp.FromContext(b.ctx).Browser, protocol.GetVersion, cdp.Empty{})
	return err
}
