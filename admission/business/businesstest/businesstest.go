// Package businesstest helps tests of the business. A World is the whole business on a real database, with providers, people
// and a clock that tests control; Each runs a test in one. Config, Events and Seed are for tests that build their own.
package businesstest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/integrations/payment/sandbox"
)

// Config returns a valid business.Config: the events of Events, no supplier, gateway or rate limits, a human check that
// everybody passes, and doubles that discard messages, files and alerts. Tests change what they need.
func Config(stores business.Stores, clock func() time.Time) business.Config {
	return business.Config{
		Stores: stores, Events: Events(), Supplier: NoSupplier, Human: everybody{}, Files: noFiles{}, Inspector: AcceptAll{}, Notifier: nowhere{}, Clock: clock, Pepper: bytes.Repeat([]byte("p"), 32), TokenKey: bytes.Repeat([]byte("k"), 32), StaffKey: bytes.Repeat([]byte("s"), 32),
		NoticeVersion: func() string { return "2026-11" }, BaseURL: "https://www.example.in", GrievanceEmail: func() string { return "grievance@example.in" },
		RateLimitsOff: true, RefundLimit: 2000_00, Log: slog.New(slog.DiscardHandler), Alert: func(string) {},
	}
}

type everybody struct{}

func (everybody) Needed() bool { return false }

func (everybody) Work(string, int) any { return nil }

func (everybody) Worked(string, string, int) (string, bool) { return "", false }

func (everybody) NotReady() string { return "" }
func (everybody) Check(context.Context, string, admission.Visitor) (access.Pass, error) {
	return access.Pass{}, nil
}

type noFiles struct{ admission.Files }

// AcceptAll accepts every file unchanged, as PDF if its kind allows it.
type AcceptAll struct{}

func (AcceptAll) Inspect(_ context.Context, _ string, u document.Upload, in io.Reader, out io.Writer) (found document.Found, refusal string, err error) {
	found.ContentType = "image/jpeg"
	if u.Kind.Rules().PDF {
		found.ContentType = "application/pdf"
	}
	_, err = io.Copy(out, in)
	return found, "", err
}

type nowhere struct{}

func (nowhere) Render(*message.Message) error               { return nil }
func (nowhere) Send(context.Context, message.Message) error { return nil }

// NoSupplier means that no supplier is registered for tax.
func NoSupplier(time.Time) *invoice.Supplier { return nil }

// Supplier returns a supplier in Karnataka, at 18 % GST.
func Supplier() *invoice.Supplier {
	return &invoice.Supplier{Name: "Aksharam", Address: "Bengaluru", GSTIN: "29ABCDE1234F1ZW", SAC: "999293", ApplicationSAC: "999299", Series: "KS", CreditSeries: "KSC", DebitSeries: "KSD", FinancialSeries: "KSF", RateBP: 1800}
}

// Sandbox returns a sandbox gateway, with a default key and a silent log.
func Sandbox(t testing.TB, config sandbox.Config) *sandbox.Gateway {
	t.Helper()
	if config.Key == nil {
		config.Key = bytes.Repeat([]byte("g"), 32)
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	gateway, err := sandbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return gateway
}

// Catalogue is a list of events.
type Catalogue []admission.Event

func (c Catalogue) EventBySlug(slug string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Slug == slug })
}

func (c Catalogue) EventByCode(code string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Code == code })
}

func (c Catalogue) find(is func(admission.Event) bool) (admission.Event, bool) {
	if i := slices.IndexFunc(c, is); i >= 0 {
		return c[i], true
	}
	return admission.Event{}, false
}

// Events returns mGrow, which has a price in dollars, Campus, whose fee is not in whole rupees, and the application. All
// are open at Noon, the first two until 10 Mar 2027.
func Events() Catalogue {
	opens, closes := time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST)
	terms := admission.Terms{Version: "2026-11-01", Hash: "5e5f"}
	return Catalogue{
		{
			Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship",
			Subtitle: "Eight months", Courses: []string{"Blockchain", "Artificial_Intelligence"}, Partners: []admission.Partner{{Name: "Meruvia", Logo: "meruvia.svg"}},
			CompanyName: "Meruvia", CompanyLogo: "meruvia.svg", CouponCode: "MGROW500", CouponUntil: closes, Referral: admission.INR(200_00), Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00),
			Prices: map[string]admission.ForeignPrice{"USD": {Money: admission.Money{Minor: 19_00, Currency: "USD"}, Rate: admission.ExchangeRate{Rupees: 88_7200, Source: "RBI reference rate, 20 Nov 2026"}}}, Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
			Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: enrol.ApplicationCode, Code: enrol.ApplicationCode, Title: "HireSure Scholarship", Fee: admission.INR(2500_00), ListFee: admission.INR(2500_00),
			FeeFor: "the check of your application", AnswerBy: "within 30 days of your last document", AnswerDays: 30, Published: true, Terms: terms,
		},
	}
}

// CouponStore is the part of a store that saves coupons and referral codes.
type CouponStore interface {
	SaveCoupon(context.Context, enrol.Coupon) error
	SaveReferral(context.Context, enrol.Referral) error
}

// Seed saves mGrow's coupons (₹500 off, 10 % off, 100 % off, and ₹500 off with one use) and Ishani Bora's referral code.
func Seed(t testing.TB, into CouponStore) {
	t.Helper()
	errs := []error{into.SaveReferral(t.Context(), enrol.Referral{Code: "SETU2025", OwnerName: "Ishani Bora", OwnerPhone: "+919000000017", CreditMinor: 200_00})}
	for _, coupon := range []enrol.Coupon{
		{Code: "MGROW500", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}},
		{Code: "TENPART", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}},
		{Code: "FULLSEAT", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}},
		{Code: "LASTSEAT", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: 1},
	} {
		coupon.ID, coupon.EventCode = admission.NewID(), "KS_Mgrow"
		errs = append(errs, into.SaveCoupon(t.Context(), coupon))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
