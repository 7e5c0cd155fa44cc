package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/status"
	"hiresure/web"
)

var (
	paymentBody = shape{"scholarship_requested_id": text, "redirection_url": text, "gateway": text}
	outcomeBody = shape{"payment_transaction_id": text}
)

type paymentStarted struct {
	done
	TransactionResponse map[string]any `json:"transactionResponse"`
}

// couponGone is a coupon refused at the last moment, with the full price.
type couponGone struct {
	done
	Data finalAmount `json:"data"`
}

// maxReturnURL limits a return address, in bytes. The outcome is added to it, and proxies reject long headers.
const maxReturnURL = 2000

func (a *api) initiatePayment(c *echo.Context, in fields) (answer, error) {
	returnURL := in["redirection_url"]
	if len(returnURL) > maxReturnURL {
		return nil, admission.FieldProblem("redirection_url", "This address is too long.")
	}
	if returnURL != "" {
		safe, own := admission.SafeRedirect(returnURL, a.BaseURL)
		if !own {
			return nil, admission.FieldProblem("redirection_url", "This must be an address of our own site.")
		}
		returnURL = safe
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request().Context()
	ask := payment.StartRequest{RegistrationID: in["scholarship_requested_id"], Gateway: in["gateway"], ReturnURL: returnURL}
	t, err := a.Payment.Start(ctx, v, ask)
	if problem := admission.AsProblem(err); problem != nil && problem.Field == "coupon_code" {
		r, findErr := a.Enrol.RegistrationOfVisitor(ctx, v, ask.RegistrationID)
		if findErr != nil {
			return nil, findErr
		}
		event, _ := a.Events.EventByCode(r.EventCode)
		return &couponGone{Data: finalAmount{event.Fee.Rupees()}}, err
	}
	if err != nil {
		return nil, err
	}
	response := transactionResponse(t, a.Payment.Gateways)
	if _, byToken := web.Bearer(c.Request()); byToken && t.Gateway != payment.NoGateway { // the payer's browser has no session
		response["checkout_url"] = web.CheckoutAddress(t.ID, a.Access.CheckoutKey(t.ID))
	}
	return &paymentStarted{*success("Payment started."), response}, nil
}

// transactionResponse returns what the checkout needs. The gateway's public fields are in provider and, unless ours have the
// same name, at the top level, where older clients read them.
func transactionResponse(t payment.Transaction, gateways payment.Catalogue) map[string]any {
	checkoutURL := web.CheckoutPath(t.ID)
	if t.Gateway == payment.NoGateway {
		checkoutURL = web.WithQuery(t.ReturnURL, url.Values{web.PaymentID: {t.ID}})
	}
	gateway, _ := gateways.Find(t.Gateway)
	provider := gateway.PayloadOf(t.Checkout)
	response := maps.Clone(provider)
	maps.Copy(response, map[string]any{
		"payment_transaction_id": t.ID, "pe_txnId": t.ID, "txId": t.ID, "checkout_url": checkoutURL, "gateway": t.Gateway,
		"amount": t.Charge.Rupees(), "currency": t.Charge.Currency, "redirectUrl": t.ReturnURL, "provider": provider,
	})
	return response
}

type paymentOutcome struct {
	done
	PaymentStatus payment.Outcome `json:"payment_status"`
}

var outcomeMessages = map[payment.Outcome]string{
	payment.OutcomePaid:    "Your payment has arrived.",
	payment.OutcomeFailed:  "Your payment did not go through.",
	payment.OutcomePending: "Your payment is being processed.",
}

// verifyPayment returns the outcome of a payment to anyone with its id, which cannot be guessed.
func (a *api) verifyPayment(c *echo.Context, in fields) (answer, error) {
	t, err := a.Payment.Verify(c.Request().Context(), in["payment_transaction_id"])
	if err != nil {
		return nil, err
	}
	if status.MoneyOf(&t, a.Clock()) == status.MoneyReturned { // nothing is pending
		return &paymentOutcome{*success("Your payment was refunded."), payment.OutcomeFailed}, nil
	}
	outcome := t.Outcome()
	return &paymentOutcome{*success(outcomeMessages[outcome]), outcome}, nil
}

// takeWebhook stores a provider's message and acknowledges it in the provider's format. If it cannot be stored, 503 makes
// the provider resend it.
func (a *api) takeWebhook(c *echo.Context) error {
	raw, err := readBody(c)
	if err != nil {
		return err
	}
	ack, ackType, err := a.Payment.ReceiveWebhook(c.Request().Context(), c.Param("gateway"), payment.Webhook{Header: c.Request().Header, Body: raw, Query: c.QueryParams()})
	switch {
	case errors.Is(err, method.ErrSignature):
		return unreadable("The signature does not fit the body.")
	case admission.AsProblem(err) != nil:
		return err
	case err != nil:
		a.Log.ErrorContext(c.Request().Context(), "webhook was not kept", "gateway", c.Param("gateway"), "error", err)
		return &admission.Problem{Kind: admission.Unavailable, RetryAfter: 5 * time.Second, Message: "This cannot be kept at the moment."}
	case ack != nil:
		return c.Blob(http.StatusOK, cmp.Or(ackType, "text/plain; charset=utf-8"), ack)
	}
	return a.write(c, a.encode(c)(success("Received."), nil))
}

// confirmWebhooks confirms the address to providers and people who check it before use.
func (a *api) confirmWebhooks(c *echo.Context) error {
	if _, known := a.Payment.Gateways.Find(c.Param("gateway")); !known {
		return admission.NotFoundProblem("Gateway")
	}
	return a.write(c, a.encode(c)(success("This address takes webhooks, by POST."), nil))
}

// challenge returns the human check for a browser, at the top level like all answers.
func (a *api) challenge(c *echo.Context, _ fields) (answer, error) {
	if a.Challenge == nil {
		return &challenged{*success("There is no check."), json.RawMessage(`{"provider":"none"}`)}, nil
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	work, err := json.Marshal(a.Challenge(v))
	if err != nil {
		return nil, err
	}
	return &challenged{*success("Work on this."), work}, nil
}

type challenged struct {
	done
	work json.RawMessage
}

// MarshalJSON joins the result and the challenge.
func (ch *challenged) MarshalJSON() ([]byte, error) {
	head, err := json.Marshal(ch.Result)
	if err != nil {
		return nil, err
	}
	if len(ch.work) < 2 || ch.work[0] != '{' {
		return nil, errors.New("a challenge must be a JSON object")
	}
	joined := append(head[:len(head)-1], ',')
	return append(joined, ch.work[1:]...), nil
}
