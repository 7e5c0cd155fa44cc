package dev_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/pages/dev"
)

func provider(charges []dev.Charge, err error) *dev.Provider {
	return &dev.Provider{Charges: func(context.Context) ([]dev.Charge, error) { return charges, err }}
}

func TestPaymentsAreListedOnce(t *testing.T) {
	at := time.Date(2026, 11, 21, 6, 34, 0, 0, time.UTC)
	second := dev.Charge{TxnID: "twice", Amount: admission.INR(999_00), Refunded: admission.INR(0), At: at}
	first := dev.Charge{TxnID: "twice", Amount: admission.INR(1499_00), Refunded: admission.INR(0), At: at}
	disputed := dev.Charge{TxnID: "disputed", Amount: admission.INR(1499_00), Refunded: admission.INR(149_90), Disputed: true, At: at}
	page := serve(t, "/dev/payments", full, provider([]dev.Charge{second, first, disputed}, nil)).Body.String()
	for _, text := range []string{
		`<a href="/dev/payments/twice">₹999.00 charged</a>`, `<a href="/dev/payments/disputed">₹1,499.00 charged, ₹149.90 refunded, disputed</a>`, "21 Nov 2026, 12:04, disputed",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing in %s", text, page)
		}
	}
	if strings.Count(page, `href="/dev/payments/twice"`) != 1 || strings.Contains(page, "₹1,499.00 charged</a>") {
		t.Error("an order that was charged twice is listed twice")
	}
	if page := serve(t, "/dev/payments", full, provider(nil, nil)).Body.String(); !strings.Contains(page, "Nothing has been charged yet.") {
		t.Errorf("without a payment it shows %s", page)
	}
	if code := serve(t, "/dev/payments", full, provider(nil, errors.New("books are closed"))).Code; code != http.StatusInternalServerError {
		t.Errorf("with a fault it answers %d", code)
	}
}

func TestPaymentsAreListedWithTheirProvider(t *testing.T) {
	for _, address := range []string{"/dev/payments", "/dev/payments/00000000000000000000000000"} {
		if code := serve(t, address, full, nil).Code; code != http.StatusNotFound {
			t.Errorf("%s answers %d without a provider", address, code)
		}
	}
	const link = `href="/dev/payments"`
	if page := serve(t, "/dev/outbox", full, nil).Body.String(); strings.Contains(page, link) {
		t.Error("the outbox leads to payments that are not there")
	}
	if page := serve(t, "/dev/outbox", full, provider(nil, nil)).Body.String(); !strings.Contains(page, link) {
		t.Error("the outbox does not lead to the payments")
	}
}
