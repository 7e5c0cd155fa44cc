// Package businesstest gives tests what the business stands on: needs that are whole, events, coupons, a provider, and a
// clock that stands still.
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

// Config are all that business.New requires: the events of Events, no supplier, no gateway, no rate limits, a human check
// that everybody passes, messages that go nowhere, files that are kept nowhere, an inspector that lets everything pass, and alerts that nobody hears. A test changes what it is about.
func Config(stores business.Stores, clock func() time.Time) business.Config {
	return business.Config{
		Stores: stores, Events: Events(), Supplier: NoSupplier, Human: everybody{}, Files: noFiles{}, Inspector: Lenient{}, Notifier: nowhere{}, Clock: clock, Pepper: bytes.Repeat([]byte("p"), 32), TokenKey: bytes.Repeat([]byte("k"), 32),
		NoticeVersion: func() string { return "2026-11" }, BaseURL: "https://www.example.in", GrievanceEmail: func() string { return "grievance@example.in" },
		RateLimitsOff: true, Log: slog.New(slog.DiscardHandler), Alert: func(string) {},
	}
}

type everybody struct{}

func (everybody) Needed() bool { return false }

func (everybody) NotReady() string { return "" }
func (everybody) Check(context.Context, string, admission.Visitor) (access.Pass, error) {
	return access.Pass{}, nil
}

type noFiles struct{ admission.Files }

// Lenient keeps every file as it is, and calls it a PDF where it may be one.
type Lenient struct{}

func (Lenient) Inspect(_ context.Context, _ string, u document.Upload, in io.Reader, out io.Writer) (found document.Found, refusal string, err error) {
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

// NoSupplier is who sells before anybody is registered for tax.
func NoSupplier(time.Time) *invoice.Supplier { return nil }

// Supplier returns a supplier in Karnataka, at 18 % GST.
func Supplier() *invoice.Supplier {
	return &invoice.Supplier{Name: "Aksharam", Address: "Bengaluru", GSTIN: "29ABCDE1234F1ZW", SAC: "999293", Series: "KS", CreditSeries: "KSC", RateBP: 1800}
}

// Sandbox returns a gateway of the sandbox, with a key and a silent log where the needs have none.
func Sandbox(t testing.TB, needs sandbox.Config) *sandbox.Gateway {
	t.Helper()
	if needs.Key == nil {
		needs.Key = bytes.Repeat([]byte("g"), 32)
	}
	if needs.Log == nil {
		needs.Log = slog.New(slog.DiscardHandler)
	}
	gateway, err := sandbox.New(needs)
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

// Events returns mGrow, with a price in dollars, Campus, whose fee is no whole number of rupees, and the application. All are
// open at Noon, the first two until 10 Mar 2027.
func Events() Catalogue {
	opens, closes := time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST)
	terms := admission.Terms{Version: "2026-11-01", Hash: "5e5f"}
	return Catalogue{
		{
			Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship",
			Subtitle: "Eight months", Courses: []string{"Blockchain", "Artificial_Intelligence"}, Partners: []admission.Partner{{Name: "Meruvia", Logo: "meruvia.svg"}},
			CompanyName: "Meruvia", CompanyLogo: "meruvia.svg", CouponCode: "MGROW500", Referral: admission.INR(200_00), Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00),
			Prices: map[string]admission.Money{"USD": {Minor: 19_00, Currency: "USD"}}, Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
			Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: enrol.ApplicationCode, Code: enrol.ApplicationCode, Title: "HireSure Scholarship", Fee: admission.INR(2500_00), ListFee: admission.INR(2500_00),
			FeeFor: "the check of your application", AnswerBy: "within 7 working days of your last document", Published: true, Terms: terms,
		},
	}
}

// Shelf is the part of a store that coupons and referral codes are put into.
type Shelf interface {
	SaveCoupon(context.Context, enrol.Coupon) error
	SaveReferral(context.Context, enrol.Referral) error
}

// Seed saves mGrow's coupons (₹500 off, a tenth off, all off, and ₹500 off for one person only) and the referral code of Ishani Bora.
func Seed(t testing.TB, into Shelf) {
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
