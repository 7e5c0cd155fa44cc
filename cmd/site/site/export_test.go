package site

import (
	"context"
	"io"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/message"
	"hiresure/cmd/site/telemetry"
	"hiresure/content"
	"hiresure/inspect"
	"hiresure/integrations/notify"
	"hiresure/jobs"
)

// What tests of the whole site check in isolation.
const (
	Everything  = everything
	PurgeRetry  = purgeRetry
	SandboxDays = sandboxDays
)

var (
	CheckContent  = checkContent
	FaultOf       = faultOf
	NoticeVersion = noticeVersion
	SupplierAt    = supplierAt
)

// Inspect inspects an upload in a child process.
type Inspector struct{ *inspect.Inspector }

func (i Inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (document.Found, string, error) {
	return inspector(i).Inspect(ctx, who, u, in, out)
}

// Watch returns one look of the watcher.
func (s *Site) Watch() func(context.Context) { return newWatcher(&s.parts).look }

// ForgetAnswers makes the next question about clamd a new one.
func (s *Site) ForgetAnswers() {
	s.Files.scanner = telemetry.NewProbe(time.Now, func(ctx context.Context) (struct{}, error) { return struct{}{}, s.Files.clamd.Ready(ctx) })
}

func (s *Site) Sweep(ctx context.Context) error        { return s.sweep(ctx) }
func (s *Site) Purge(limit time.Duration) jobs.Handler { return s.purge(limit) }
func (s *Site) Reconcile(ctx context.Context) error    { return s.reconcile(ctx) }
func (s *Site) ReplyTo(template string) string         { return replyTo(s.Words, template) }
func (s *Site) LayoutMail(m message.Content) (string, []notify.Picture, error) {
	return layoutMail(s.Words, m)
}

func (s *Site) RenewEveryPhase(ctx context.Context, job admission.Job) (time.Duration, error) {
	return s.renewEveryPhase(ctx, job)
}

func (s *Site) ScanAgain(ctx context.Context, id string) (time.Duration, error) {
	return s.scanAgain(ctx, id)
}

// EventBySlug returns a catalogue's way to find an event of a library.
func EventBySlug(words *content.Library, clock func() time.Time) func(slug string) admission.Event {
	source, err := content.NewSource(words)
	if err != nil {
		panic(err)
	}
	c := &catalogue{words: source, clock: clock}
	return func(slug string) admission.Event {
		event, _ := c.EventBySlug(slug)
		return event
	}
}
