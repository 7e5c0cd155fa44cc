package site_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store"
	"hiresure/store/storetest"
)

// The previous version settles payments while this one runs.
func TestTicketForAPaymentOfThePreviousVersion(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		cfg, _ := sitetest.Development(t, "DATABASE_URL", databaseURL)
		now := time.Now()
		s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(context.WithoutCancel(t.Context()))
		paid := func(phone string) (id string) {
			r := enrol.Registration{ID: admission.NewID(), EventCode: "KS_Mgrow", Phone: phone, Step: enrol.StepComplete, PaidTxnID: "t" + phone, CreatedAt: now}
			if err := s.Store.Update(t.Context(), func(tx store.Tx) error { return tx.AddRegistration(&r) }); err != nil {
				t.Fatal(err)
			}
			return r.ID
		}
		has := func(id string) bool {
			for _, worker := range s.Workers {
				if _, err := worker.RunDue(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			var r *enrol.Registration
			if err := s.Store.View(t.Context(), func(tx store.Tx) (err error) {
				r, err = tx.Registration(id)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return r.Ticket != "" && r.TicketKey != ""
		}
		if first := paid("1"); !has(first) {
			t.Error("after the start: no ticket")
		}
		second := paid("2")
		if now = now.Add(59 * time.Second); has(second) {
			t.Error("after 59 s: a ticket, from whom?")
		}
		if now = now.Add(time.Second); !has(second) {
			t.Error("after a minute: no ticket")
		}
	})
}
