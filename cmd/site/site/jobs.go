package site

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/cmd/site/server"
	"hiresure/integrations/lead"
	"hiresure/jobs"
	"hiresure/store"
	"hiresure/web"
)

// openWorkers returns the workers of all jobs and adds the periodic jobs.
func (p *parts) openWorkers(ctx context.Context) (workers []*jobs.Worker, err error) {
	deliver := jobs.ByRef(p.Business.Messages.Deliver)
	rest := map[string]jobs.Handler{
		payment.JobPoll:    jobs.ByRef(p.Business.Payment.Poll),
		payment.JobEvent:   jobs.ByRef(p.Business.Payment.HandleEvent),
		payment.JobRefund:  jobs.ByRef(p.Business.Payment.Refund),
		payment.JobWait:    jobs.Once(p.Business.Payment.Wait),
		enrol.JobRemind:    jobs.Once(p.Business.Enrol.Remind),
		mydata.JobExport:   jobs.Once(p.Business.MyData.BuildExport),
		mydata.JobDelete:   jobs.ByRef(p.Business.MyData.Delete),
		apply.JobRemind:    jobs.ByRef(p.Business.Apply.Remind),
		receipt.JobTickets: jobs.Every(time.Minute, p.Business.Receipts.IssueTickets),
		status.JobRenew:    jobs.Every(time.Minute, p.Store.RenewPhases),
		status.JobRenewAll: p.renewEveryPhase,
		document.JobJudge:  jobs.Once(p.Business.Document.Judge),
		document.JobRemove: jobs.Once(p.Business.Document.RemoveObject),
		document.JobScan:   jobs.ByRef(p.scanAgain),
		paper.JobWaiting:   jobs.ByRef(p.Business.Papers.PrintWaiting),
		jobPurge:           p.purge(30 * time.Second),
		jobReconcile:       jobs.Daily(reconcileAt, admission.IST, p.Clock, p.reconcile),
	}
	if p.Config.LeadWebhookURL != "" {
		webhook, err := lead.New(lead.Config{URL: p.Config.LeadWebhookURL, Secret: []byte(p.Config.LeadSecret), Clock: p.Clock, Leads: p.Business.Enrol.LeadByID})
		if err != nil {
			return nil, err
		}
		rest[enrol.JobLead] = jobs.ByRef(webhook.Forward)
	}
	// Verification codes are urgent: their worker handles nothing slow. Its timeout is short because a killed process's jobs
	// are claimed again 15 s after it. Mails are limited to 80 a second, more than a relay accepts, in favour of visitors.
	for _, w := range []struct {
		handlers map[string]jobs.Handler
		timeout  time.Duration
		parallel int
		pace     time.Duration
	}{
		{map[string]jobs.Handler{message.JobSMS: deliver, message.JobText: deliver}, 10 * time.Second, 8, 0},
		{map[string]jobs.Handler{message.JobMail: deliver, message.JobDeliver: deliver}, 45 * time.Second, 8, 100 * time.Millisecond},
		{rest, 45 * time.Second, 8, 0},
		{map[string]jobs.Handler{paper.JobPrint: jobs.Once(p.Business.Papers.PrintQueued)}, time.Minute, printers, 0},
		{map[string]jobs.Handler{office.JobBatch: jobs.ByRef(p.Office.RunBatch)}, time.Minute, 1, 0},
	} {
		worker, err := jobs.New(jobs.Config{
			Queue: p.Store, Handlers: w.handlers, Timeout: w.timeout, Parallel: w.parallel, Pace: w.pace, Clock: p.Clock, Log: p.Log, Alert: p.alert,
			Done: p.Metrics.JobDone, Drain: server.JobsTimeout, Mask: web.Mask, MaxDelay: maxDelays,
		})
		if err != nil {
			return nil, err
		}
		workers = append(workers, worker)
	}
	return workers, p.Store.Update(ctx, func(tx store.Tx) error {
		now := p.Clock()
		for _, job := range []admission.Job{ // in one order, as another process may start too
			{Kind: jobPurge, DueAt: now.Add(purgeEvery)},
			{Kind: receipt.JobTickets, DueAt: now},
			{Kind: paper.JobWaiting, DueAt: now},
			{Kind: status.JobRenew, DueAt: now},
			{Kind: status.JobRenewAll, DueAt: now},
			{Kind: jobReconcile, DueAt: jobs.NextDaily(reconcileAt, admission.IST, now)},
		} {
			job.Ref = everything
			if err := tx.AddJob(job); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxDelays is how far in the future urgent jobs are ever due, so that they survive a clock that is set back. The delays
// of other jobs depend on the age of a payment or on the time of day.
var maxDelays = map[string]time.Duration{
	message.JobSMS: 0, message.JobText: 0, message.JobMail: 0, message.JobDeliver: 0, enrol.JobLead: 0, mydata.JobExport: 0,
	payment.JobEvent:  time.Minute, // retries while its payment is not stored yet
	document.JobJudge: time.Minute, // unless the request with the last piece does it
	document.JobScan:  scanRetry,
}

// renewAllEvery is the time between two renewals of all phases, because another version of the program, or of the content, may
// have decided them. Each start renews them too.
const renewAllEvery = time.Hour

// everything is the ref of a periodic job. The next jobs of status.JobRenewAll have the ids to continue after.
const everything = "all"

// renewEveryPhase renews the phases of some thousand registrations and adds the job for the next ones.
func (p *parts) renewEveryPhase(ctx context.Context, job admission.Job) (again time.Duration, err error) {
	after := job.Ref
	if after == everything {
		after = ""
	}
	next, err := p.Store.RenewEveryPhase(ctx, after)
	if err != nil {
		return 0, err
	}
	now := p.Clock()
	if next != "" {
		if err := p.Store.Update(ctx, func(tx store.Tx) error {
			return tx.AddJob(admission.Job{Kind: status.JobRenewAll, Ref: next, DueAt: now})
		}); err != nil {
			return 0, err
		}
	}
	if job.Ref == everything {
		again = renewAllEvery
	}
	return again, nil
}

// scanRetry is how often waiting documents retry while clamd is unavailable.
const scanRetry = time.Minute

// scanAgain scans a document that waits. That clamd is unavailable is no failure of the job, and /readyz reports it.
func (p *parts) scanAgain(ctx context.Context, id string) (time.Duration, error) {
	if p.Files.scannerDown() {
		return scanRetry, nil
	}
	return 0, p.Business.Document.ScanAgain(ctx, id)
}
