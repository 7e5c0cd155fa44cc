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

// The states of an order that say something final. All others are on their way: 2Checkout has not collected the money of an
// order that is AUTHRECEIVED.
const (
	complete = "COMPLETE"
	refunded = "REFUND"   // its amounts are below nothing then
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
	mostPages  = 200 // of a search: 2Checkout gives no more
)

// order is an order there: one charge.
type order struct {
	RefNo     string
	TxnID     string `json:"ExternalReference"`
	Merchant  string `json:"MerchantCode"`
	Status    string
	PlacedAt  string          `json:"OrderDate"`
	DoneAt    string          `json:"FinishDate"` // it was complete once
	Gross     call.Digits     `json:"GrossPrice"`
	Currency  string          `json:"Currency"`
	TestOrder bool            `json:"TestOrder"`
	Errors    json.RawMessage `json:"Errors"` // an object of texts by their codes, or an empty list, or null
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

// refused reports whether a bank has refused the card: the order stays PENDING then.
func (o order) refused() bool {
	errs := strings.TrimSpace(string(o.Errors))
	return o.Status == pending && !slices.Contains([]string{"", "null", "[]", "{}"}, errs)
}

// over reports whether nothing can become of an order any more, nor was it ever paid.
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

// sum is what an order took from the payer, whatever became of it since.
func (o order) sum() (admission.Money, error) {
	digits := o.Gross
	if o.Status == refunded || o.Status == reversed {
		digits = call.Digits(strings.TrimPrefix(string(digits), "-"))
	}
	sum, err := digits.In(strings.ToUpper(o.Currency))
	if err == nil && sum.Minor == 0 {
		err = fmt.Errorf("%w: no sum of money", method.ErrUnknown)
	}
	return sum, err
}

// charge is what an order took from the payer; none where it has taken nothing.
func (g *Gateway) charge(o order) (c method.Charge, moved bool, err error) {
	if o.TestOrder && g.BaseURL == defaultBase { // it takes no money
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

// order asks for an order of the attempt of a TxnID.
func (g *Gateway) order(ctx context.Context, refNo, txnID string) (there order, err error) {
	if err = g.get(ctx, orderPath(refNo), &there); err == nil && (there.RefNo != refNo || there.TxnID != txnID || there.Merchant != "" && there.Merchant != g.MerchantCode) {
		err = fmt.Errorf("%w: the answer is another order", method.ErrUnknown)
	}
	return there, err
}

// search walks over the orders that a query finds. Only their names are to be believed: 2Checkout adds their amounts up.
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

// ordersOf returns the orders of an attempt in the order of their time, with that of ref among them; ErrNoCharge for none.
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

// status says what the orders of an attempt are.
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
		if moved && o.Status != complete && c.Amount != in.Amount && c.Amount != in.SentBack[o.RefNo] { // 2Checkout does not tell of how much
			return method.Status{}, fmt.Errorf("%w: perhaps only a part has gone back", method.ErrUnknown)
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
	}
	return s, nil
}

// next is where the payer's bank asks for more; "" where none does.
func next(orders []order) string {
	for _, o := range slices.Backward(orders) {
		if to := o.Payment.Method.Authorize; !o.over() && to.Href != "" {
			return to.Href + "?" + url.Values{"avng8apitoken": {to.Params.Token}}.Encode()
		}
	}
	return ""
}

// place charges a token, once: 2Checkout takes no token twice. An answer about another order or sum is not believed.
func (g *Gateway) place(ctx context.Context, in method.Intent, token string) (made order, err error) {
	if err := g.do(ctx, http.MethodPost, "/orders/", g.newOrder(in, token), &made); err != nil {
		return order{}, err
	}
	asked, err := made.sum()
	if err == nil && (made.RefNo == "" || made.TxnID != in.TxnID || asked != in.Amount) {
		err = fmt.Errorf("%w: the answer is another order", method.ErrUnknown)
	}
	return made, err
}

func (g *Gateway) newOrder(in method.Intent, token string) map[string]any {
	words := strings.Fields(in.Name)
	first, last := in.Name, in.Name // who has one name has it twice there, where both are required
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
	if ip, err := netip.ParseAddr(in.CustomerIP); err == nil && ip.Unmap().Is4() { // it takes no other
		body["CustomerIP"], paid["CustomerIP"] = ip.Unmap().String(), ip.Unmap().String()
	}
	return body
}
