package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	twocheckoutTokenLife  = 10 * time.Minute
	twocheckoutRefundLife = 3 // months
)

var twocheckoutPrice = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,2})?$`)

func twocheckoutBad(code, text string) error {
	return twocheckoutRefusal{http.StatusBadRequest, code, text}
}

func objectOf(value any) map[string]any {
	found, _ := value.(map[string]any)
	return found
}

// hundredthsOf parses a price, a JSON number or string.
func hundredthsOf(value any) (minor int64, ok bool) {
	text := fmt.Sprint(value)
	if !twocheckoutPrice.MatchString(text) {
		return 0, false
	}
	whole, part, _ := strings.Cut(text, ".")
	minor, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	return minor, err == nil && minor > 0
}

// placeOrder charges a token at once. The token determines the bank's decision.
func (s *Twocheckout) placeOrder(_ *http.Request, body map[string]any) (any, error) {
	pay := objectOf(body["PaymentDetails"])
	method := objectOf(pay["PaymentMethod"])
	billing := objectOf(body["BillingDetails"])
	items, _ := body["Items"].([]any)
	var item map[string]any
	if len(items) == 1 {
		item = objectOf(items[0])
	}
	minor, priced := hundredthsOf(objectOf(item["Price"])["Amount"])
	ip, ipErr := netip.ParseAddr(textOf(body["CustomerIP"]))
	token := s.tokens[textOf(method["EesToken"])]
	switch {
	case !slices.Contains([]string{"INR", "USD", "EUR", "GBP"}, textOf(body["Currency"])) || body["Currency"] != pay["Currency"]:
		return nil, twocheckoutBad("INVALID_CURRENCY", "Currency is not supported")
	case textOf(body["Country"]) == "" || textOf(billing["CountryCode"]) == "" || textOf(billing["Email"]) == "" || textOf(billing["FirstName"]) == "" || textOf(billing["LastName"]) == "":
		return nil, twocheckoutBad("BILLING_DETAILS_ERROR", "Billing details are missing")
	case len(textOf(body["ExternalReference"])) > 100:
		return nil, twocheckoutBad("INVALID_EXTERNAL_REFERENCE", "External reference is too long")
	case body["CustomerIP"] != nil && (ipErr != nil || !ip.Is4()):
		return nil, twocheckoutBad("INVALID_CUSTOMER_IP", "Customer IP is not valid")
	case textOf(item["Name"]) == "" || fmt.Sprint(item["Quantity"]) != "1" || item["IsDynamic"] != true || textOf(objectOf(item["Price"])["Type"]) != "CUSTOM" || !priced:
		return nil, twocheckoutBad("INVALID_PRODUCT", "Product is not valid")
	case textOf(pay["Type"]) != "EES_TOKEN_PAYMENT" && textOf(pay["Type"]) != "TEST":
		return nil, twocheckoutBad("INVALID_PAYMENT_TYPE", "Payment type is not valid")
	case textOf(method["Vendor3DSReturnURL"]) == "" || textOf(method["Vendor3DSCancelURL"]) == "":
		return nil, twocheckoutBad("INVALID_3DS_URL", "3-D Secure addresses are missing")
	case token == nil || token.used || s.keys.Clock().Sub(token.at) > twocheckoutTokenLife:
		return nil, twocheckoutBad("INVALID_EES_TOKEN", "The payment token is not valid")
	}
	token.used = true
	s.last++
	o := &twocheckoutOrder{
		refNo: strconv.FormatInt(s.last, 10), external: textOf(body["ExternalReference"]), status: "PENDING", currency: textOf(body["Currency"]), minor: minor + s.tax,
		placed: s.keys.Clock(), test: textOf(pay["Type"]) == "TEST", product: textOf(item["Name"]), back: textOf(method["Vendor3DSReturnURL"]), ip: textOf(body["CustomerIP"]),
	}
	if change := s.wrong[o.external]; change != nil {
		change(o)
	}
	s.orders = append(s.orders, o)
	switch token.card {
	case CardPaid:
		s.setStatus(o, "COMPLETE")
	case CardReceived:
		s.setStatus(o, "AUTHRECEIVED")
	case CardDeclined:
		o.errors = map[string]string{"AUTHORIZATION_FAILED": "Authorization failed"}
	case CardSecured:
		o.secure = "3ds" + o.refNo
	}
	return s.json(o), nil
}

// json returns an order. Amounts of a refunded one are negative.
func (s *Twocheckout) json(o *twocheckoutOrder) map[string]any {
	sign := ""
	if o.captured && (o.status == "REFUND" || o.status == "REVERSED") {
		sign = "-"
	}
	gross := json.Number(fmt.Sprintf("%s%d.%02d", sign, o.minor/100, o.minor%100))
	method := map[string]any{"LastDigits": "1111", "CardType": "visa", "Vendor3DSReturnURL": nil, "Vendor3DSCancelURL": nil}
	if o.secure != "" && o.status == "PENDING" {
		method["Authorize3DS"] = map[string]any{"Href": s.keys.At + twocheckoutBank, "Method": "POST", "Params": map[string]any{"avng8apitoken": o.secure}}
	}
	told := map[string]any{
		"RefNo": o.refNo, "OrderNo": 0, "ExternalReference": o.external, "Status": o.status, "ApproveStatus": "OK", "VendorApproveStatus": "OK", "MerchantCode": s.keys.MerchantCode,
		"OrderDate": o.placed.UTC().Format(twocheckoutTime), "FinishDate": nil, "TestOrder": o.test, "Errors": nil, "Currency": strings.ToLower(o.currency),
		"NetPrice": gross, "VAT": 0, "GrossPrice": gross, "Refunds": nil,
		"PaymentDetails": map[string]any{"Type": "CC", "Currency": strings.ToLower(o.currency), "PaymentMethod": method},
	}
	if !o.finished.IsZero() {
		told["FinishDate"] = o.finished.UTC().Format(twocheckoutTime)
	}
	if o.errors != nil {
		told["Errors"] = o.errors
	}
	return told
}

// findOrders returns a page of orders with the sum of their gross prices.
func (s *Twocheckout) findOrders(r *http.Request, _ map[string]any) (any, error) {
	query := r.URL.Query()
	for name := range query {
		if !slices.Contains([]string{"RefNo", "ApproveStatus", "Newer", "Status", "StartDate", "EndDate", "PartnerOrders", "ExternalRefNo", "Page", "Limit"}, name) {
			return nil, twocheckoutBad("INVALID_PARAMETER", name+" is not known")
		}
	}
	page, pageErr := strconv.Atoi(query.Get("Page"))
	limit, limitErr := strconv.Atoi(query.Get("Limit"))
	if pageErr != nil || limitErr != nil || page < 1 || page > 200 || limit < 1 {
		return nil, twocheckoutBad("INVALID_PAGE", "Only first 200 pages can be returned!")
	}
	items, skipped, sum := []any{}, 0, int64(0)
	for _, o := range s.orders {
		day := o.placed.UTC().Format("2006-01-02")
		if external := query.Get("ExternalRefNo"); external != "" && o.external != external || query.Get("StartDate") > day || query.Get("EndDate") != "" && query.Get("EndDate") < day {
			continue
		}
		if skipped++; skipped <= (page-1)*limit || len(items) >= limit {
			continue
		}
		sum += o.minor
		told := s.json(o)
		told["GrossPrice"] = json.Number(fmt.Sprintf("%d.%02d", sum/100, sum%100))
		items = append(items, told)
	}
	return map[string]any{"Items": items, "Pagination": map[string]any{"Page": page, "Limit": limit, "Count": len(s.orders)}}, nil
}

func (s *Twocheckout) getOrder(r *http.Request, _ map[string]any) (any, error) {
	if o := s.order(r.PathValue("ref")); o != nil {
		return s.json(o), nil
	}
	return nil, twocheckoutRefusal{http.StatusNotFound, "ORDER_NOT_FOUND", "Order not found"}
}

func (s *Twocheckout) refundOrder(r *http.Request, body map[string]any) (any, error) {
	o := s.order(r.PathValue("ref"))
	minor, ok := hundredthsOf(body["amount"])
	switch {
	case o == nil:
		return nil, twocheckoutRefusal{http.StatusNotFound, "ORDER_NOT_FOUND", "Order not found"}
	case o.status != "COMPLETE" || o.returning:
		return nil, twocheckoutBad("ORDER_NOT_REFUNDABLE", "The order can not be refunded")
	case o.placed.AddDate(0, twocheckoutRefundLife, 0).Before(s.keys.Clock()):
		return nil, twocheckoutBad("ORDER_TOO_OLD", "The order is older than 3 months")
	case !ok || minor > o.minor:
		return nil, twocheckoutBad("INVALID_AMOUNT", "The amount is not valid")
	case minor < o.minor && body["items"] == nil:
		return nil, twocheckoutBad("INVALID_ITEMS", "A part needs its items")
	case textOf(body["reason"]) == "" || textOf(body["comment"]) == "":
		return nil, twocheckoutBad("INVALID_REASON", "Reason or comment is missing")
	}
	if o.returning = true; !s.slow {
		s.setStatus(o, "REFUND")
	}
	return true, nil
}
