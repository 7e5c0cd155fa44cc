package twocheckout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// The final states of an order. All others are pending; 2Checkout has not collected the money of an order in AUTHRECEIVED.
const (
	complete = "COMPLETE"
	refunded = "REFUND"   // with negative amounts
	reversed = "REVERSED" // such as for fraud
	canceled = "CANCELED"
	invalid  = "INVALID"
	pending  = "PENDING"
)

const (
	country    = "IN"
	language   = "en"
	source     = "HireSure"
	pageOfList = 100
	mostPages  = 200 // 2Checkout's maximum
)

// order is a 2Checkout order: one charge.
type order struct {
	RefNo     string
	TxnID     string `json:"ExternalReference"`
	Merchant  string `json:"MerchantCode"`
	Status    string
	PlacedAt  string          `json:"OrderDate"`
	DoneAt    string          `json:"FinishDate"` // set once it was complete
	Gross     call.Digits     `json:"GrossPrice"`
	Currency  string          `json:"Currency"`
	TestOrder bool            `json:"TestOrder"`
	Errors    json.RawMessage `json:"Errors"` // an object of texts by code, an empty list, or null
	Payment   struct {
		Method struct {
			Authorize struct {
				Href   string
				Params struct {
					Token string `json:"avng8apitoken"`
				}
			} `json:"Authorize3DS"`
		} `json:"PaymentMethod"`
	} `json:"PaymentDetails"`
}

// refused reports whether the bank refused the card; the order's status stays PENDING.
func (o order) refused() bool {
	errs := strings.TrimSpace(string(o.Errors))
	return o.Status == pending && !slices.Contains([]string{"", "null", "[]", "{}"}, errs)
}

// over reports whether the order ended unpaid.
func (o order) over() bool {
	return o.refused() || o.Status == canceled || o.Status == invalid || o.Status == reversed && o.DoneAt == ""
}

func (o order) at() time.Time {
	at, err := time.Parse(time.DateTime, cmp.Or(o.DoneAt, o.PlacedAt))
	if err != nil {
		return time.Time{}
	}
	return at
}

// sum returns the amount taken from the payer, even if it was returned since.
func (o order) sum() (admission.Money, error) {
	digits := o.Gross
	if o.Status == refunded || o.Status == reversed {
		digits = call.Digits(strings.TrimPrefix(string(digits), "-"))
	}
	sum, err := digits.In(strings.ToUpper(o.Currency))
	if err == nil && sum.Minor == 0 {
		err = fmt.Errorf("%w: invalid amount", method.ErrUnknown)
	}
	return sum, err
}

// charge returns an order's charge; moved is false if the order took no money.
func (g *Gateway) charge(o order) (c method.Charge, moved bool, err error) {
	if o.TestOrder && g.BaseURL == defaultBase { // a test order moves no money
		return method.Charge{}, false, nil
	}
	back := o.Status == refunded || o.Status == reversed && o.DoneAt != ""
	if o.Status != complete && !back {
		return method.Charge{}, false, nil
	}
	taken, err := o.sum()
	if err != nil {
		return method.Charge{}, false, err
	}
	c = method.Charge{PaymentID: o.RefNo, State: method.ChargePaid, Amount: taken, Refunded: admission.Money{Currency: taken.Currency}, At: o.at(), Means: method.Means{Name: method.Card}}
	if back {
		c.State, c.Refunded = method.ChargeRefunded, taken
	}
	return c, true, nil
}

func orderPath(refNo string) string { return "/orders/" + url.PathEscape(refNo) + "/" }

// order fetches an order and checks that it belongs to the attempt.
func (g *Gateway) order(ctx context.Context, refNo, txnID string) (there order, err error) {
	if err = g.get(ctx, orderPath(refNo), &there); err == nil && (there.RefNo != refNo || there.TxnID != txnID || there.Merchant != "" && there.Merchant != g.MerchantCode) {
		err = fmt.Errorf("%w: response has another order", method.ErrUnknown)
	}
	return there, err
}

// search yields the orders that match a query. Use only their ids: 2Checkout adds up their amounts.
func (g *Gateway) search(ctx context.Context, query url.Values) iter.Seq2[order, error] {
	return func(yield func(order, error) bool) {
		query.Set("Limit", strconv.Itoa(pageOfList))
		for page := range mostPages {
			query.Set("Page", strconv.Itoa(page+1))
			var found struct{ Items []order }
			if err := g.get(ctx, "/orders/?"+query.Encode(), &found); err != nil {
				yield(order{}, err)
				return
			}
			for _, o := range found.Items {
				if !yield(o, nil) {
					return
				}
			}
			if len(found.Items) < pageOfList {
				return
			}
		}
		yield(order{}, fmt.Errorf("%w: the list does not end", method.ErrUnknown))
	}
}

// ordersOf returns an attempt's orders, oldest first, including that of ref; ErrNoCharge if there are none.
func (g *Gateway) ordersOf(ctx context.Context, in method.Intent, ref string) (orders []order, err error) {
	var names []string
	for o, err := range g.search(ctx, url.Values{"ExternalRefNo": {in.TxnID}}) {
		if err != nil && !errors.Is(err, method.ErrNoCharge) {
			return nil, err
		}
		if o.RefNo != "" && o.TxnID == in.TxnID {
			names = append(names, o.RefNo)
		}
	}
	if ref != "" && !slices.Contains(names, ref) {
		names = append(names, ref)
	}
	for _, name := range names {
		there, err := g.order(ctx, name, in.TxnID)
		if err != nil {
			return nil, err
		}
		orders = append(orders, there)
	}
	if len(orders) == 0 {
		return nil, method.ErrNoCharge
	}
	slices.SortStableFunc(orders, func(a, b order) int {
		return cmp.Or(strings.Compare(a.PlacedAt, b.PlacedAt), cmp.Compare(len(a.RefNo), len(b.RefNo)), strings.Compare(a.RefNo, b.RefNo))
	})
	return orders, nil
}

// status returns the status of an attempt's orders.
func (g *Gateway) status(in method.Intent, orders []order) (method.Status, error) {
	last := orders[len(orders)-1]
	s := method.Status{TxnID: in.TxnID, Raw: last.Status, State: method.ChargePending, AttemptFailed: last.refused()}
	ended := true
	for _, o := range orders {
		ended = ended && !o.refused() && o.over()
		if s.Ref == "" && !o.over() {
			s.Ref = o.RefNo
		}
		c, moved, err := g.charge(o)
		if err != nil {
			return method.Status{}, err
		}
		if moved && o.Status != complete && c.Amount != in.Amount && c.Amount != in.SentBack[o.RefNo] { // 2Checkout does not name the returned amount
			return method.Status{}, fmt.Errorf("%w: possibly a partial refund", method.ErrUnknown)
		}
		if moved {
			s.Charges = append(s.Charges, c)
		}
	}
	switch {
	case slices.ContainsFunc(s.Charges, func(c method.Charge) bool { return c.State == method.ChargePaid }):
		s.State, s.AttemptFailed = method.ChargePaid, false
	case len(s.Charges) > 0:
		s.State, s.AttemptFailed = method.ChargeRefunded, false
	case ended:
		s.State = method.ChargeFailed
	default:
		s.AtBank = !last.over() && last.Status != complete // a test order is complete, and took no money
	}
	return s, nil
}

// next returns the bank's authentication page; "" if there is none.
func next(orders []order) string {
	for _, o := range slices.Backward(orders) {
		if to := o.Payment.Method.Authorize; !o.over() && to.Href != "" {
			return to.Href + "?" + url.Values{"avng8apitoken": {to.Params.Token}}.Encode()
		}
	}
	return ""
}

// place charges a token. 2Checkout accepts a token once. place rejects a response with another order or amount.
func (g *Gateway) place(ctx context.Context, in method.Intent, token string) (made order, err error) {
	if err := g.do(ctx, http.MethodPost, "/orders/", g.newOrder(in, token), &made); err != nil {
		return order{}, err
	}
	asked, err := made.sum()
	if err == nil && (made.RefNo == "" || made.TxnID != in.TxnID || asked != in.Amount) {
		err = fmt.Errorf("%w: response has another order", method.ErrUnknown)
	}
	return made, err
}

func (g *Gateway) newOrder(in method.Intent, token string) map[string]any {
	words := strings.Fields(in.Name)
	first, last := in.Name, in.Name // both are required; a single name is used twice
	if n := len(words) - 1; n > 0 {
		first, last = strings.Join(words[:n], " "), words[n]
	}
	kind := "EES_TOKEN_PAYMENT"
	if g.BaseURL != defaultBase {
		kind = "TEST"
	}
	paid := map[string]any{"Type": kind, "Currency": in.Amount.Currency, "PaymentMethod": map[string]any{
		"EesToken": token, "Vendor3DSReturnURL": in.ReturnURL, "Vendor3DSCancelURL": in.ReturnURL,
	}}
	body := map[string]any{
		"Currency": in.Amount.Currency, "Language": language, "Country": country, "Source": source, "ExternalReference": in.TxnID,
		"Items": []any{map[string]any{
			"Code": nil, "Quantity": 1, "Name": in.Description, "IsDynamic": true, "Tangible": false, "PurchaseType": "PRODUCT",
			"Price": map[string]any{"Amount": call.Decimal(in.Amount.Minor), "Type": "CUSTOM"},
		}},
		"BillingDetails": map[string]any{"FirstName": first, "LastName": last, "Email": in.Email, "Phone": in.Phone, "CountryCode": country},
		"PaymentDetails": paid,
	}
	if ip, err := netip.ParseAddr(in.CustomerIP); err == nil && ip.Unmap().Is4() { // 2Checkout accepts only IPv4
		body["CustomerIP"], paid["CustomerIP"] = ip.Unmap().String(), ip.Unmap().String()
	}
	return body
}
