package main

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/api"
	"hiresure/content"
	"hiresure/pages/dev"
	"hiresure/store"
)

// outboxStore stores the messages of the development outbox.
type outboxStore struct{ store *store.Store }

func (b outboxStore) AddOutbox(ctx context.Context, m message.Message) error {
	var files []string
	for _, file := range m.Attachments {
		files = append(files, file.Name)
	}
	return b.store.AddOutbox(ctx, store.OutboxMessage{
		ID: m.ID, Channel: string(m.Channel), To: m.To, Subject: m.Content.Subject, Body: m.Content.Text, Files: strings.Join(files, ", "), CreatedAt: m.CreatedAt,
	})
}

func (s *site) outbox(ctx context.Context, to string) iter.Seq2[dev.Message, error] {
	return func(yield func(dev.Message, error) bool) {
		for m, err := range s.store.Outbox(ctx, to) {
			if !yield(dev.Message(m), err) {
				return
			}
		}
	}
}

func (s *site) outboxPage(ctx context.Context, to, cursor string, most int) (messages []dev.Message, next string, err error) {
	kept, next, err := s.store.OutboxPage(ctx, to, cursor, most)
	for _, m := range kept {
		messages = append(messages, dev.Message(m))
	}
	return messages, next, err
}

// keyStore stores the API's idempotent responses.
type keyStore struct{ *store.Store }

func (b keyStore) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time, lasts time.Duration) (*api.KeyedAnswer, string, error) {
	prior, state, err := b.Store.ClaimKey(ctx, key, bodyHash, now, lasts)
	return (*api.KeyedAnswer)(prior), state, err
}

// watcher reports requests to the metrics and errors to the error tracker.
type watcher struct {
	metrics *metrics
	report  func(error, string)
}

func (w watcher) Served(method, route string, status int, took time.Duration) {
	w.metrics.observe(route, method, status, took)
}

func (w watcher) Broke(_ context.Context, err error, requestID string) {
	if errors.Is(err, admission.ErrUnavailable) {
		w.metrics.alert("database does not answer or cannot write")
	}
	w.report(err, requestID)
}

// traceRequests records a span for each request.
func traceRequests(next echo.HandlerFunc) echo.HandlerFunc {
	tracer := otel.Tracer("hiresure/site")
	return func(c *echo.Context) error {
		r, route := c.Request(), c.Path()
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(ctx, strings.TrimSpace(r.Method+" "+route), trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		c.SetRequest(r.WithContext(ctx))
		err := next(c) // nil: session.Manager has handled errors
		status := http.StatusOK
		if response, _ := echo.UnwrapResponse(c.Response()); response != nil {
			status = response.Status
		}
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		return err
	}
}

// seed stores the coupons and referral codes of content that are missing.
func seed(ctx context.Context, into *store.Store, words *content.Library, now time.Time) error {
	for _, from := range words.Coupons() {
		event, _ := words.Event(from.Event)
		terms := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: from.AmountMinor}
		if from.Percent > 0 {
			terms = enrol.CouponTerms{Kind: enrol.PercentOff, Percent: from.Percent}
		}
		if err := into.SaveCoupon(ctx, enrol.Coupon{
			ID: admission.NewID(), Code: from.Code, EventCode: event.ScholarshipCode, Terms: terms, StartsAt: from.ValidFrom, EndsAt: from.ValidUntil,
			MaxUses: from.TotalLimit, MaxPerPhone: from.PerPhoneLimit, BudgetMinor: from.BudgetMinor,
		}); err != nil {
			return err
		}
	}
	for _, from := range words.Referrals() {
		if err := into.SaveReferral(ctx, enrol.Referral{Code: from.Code, OwnerName: from.OwnerName, OwnerPhone: from.OwnerPhone, CreditMinor: from.CreditMinor}); err != nil {
			return err
		}
	}
	return nil
}
