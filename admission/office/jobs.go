package office

import (
	"cmp"
	"context"
	"iter"
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/admission/staff"
)

// FailedJobs returns the jobs that failed for good, those that failed first before the others. It ends with the first error.
func (s *Service) FailedJobs(ctx context.Context) iter.Seq2[admission.DeadJob, error] {
	return s.Books.DeadJobs(ctx, "")
}

// Retry makes failed jobs due now and returns how many. kind "" is any kind, ref "" any ref. Problems: NotFound where ref names
// no failed job.
func (s *Service) Retry(ctx context.Context, kind, ref string, by staff.Actor) (retried int64, err error) {
	now := s.Clock()
	retried, err = s.Books.ReviveJobs(ctx, kind, ref, now, func(revived int64) staff.Act {
		return by.Did(now, "failed jobs retried", strings.TrimSpace("jobs "+cmp.Or(ref, "all")+" "+kind), strconv.FormatInt(revived, 10)+" failed", "")
	})
	if err == nil && retried == 0 && ref != "" {
		err = notFound("no job of " + ref + " has failed: site resend lists those that have")
	}
	return retried, err
}
