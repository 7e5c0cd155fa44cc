package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/content"
)

// catalogue gives the business the events that content holds.
type catalogue struct {
	bySlug, byCode map[string]admission.Event
}

func newCatalogue(words *content.Library) (*catalogue, error) {
	terms, found := words.Page("terms")
	if !found {
		return nil, errors.New("content has no page \"terms\"")
	}
	c := &catalogue{bySlug: map[string]admission.Event{}, byCode: map[string]admission.Event{}}
	for _, from := range words.Events() {
		event := admission.Event{
			Slug: from.Slug, Code: from.ScholarshipCode, SubeventCode: from.ScholarshipSubeventCode, Title: from.Title, Subtitle: from.Subtitle,
			Courses: from.Courses, CompanyName: from.CompanyName, CompanyLogo: from.CompanyLogo, CouponCode: from.CouponCode,
			Fee:       admission.Money{Minor: from.FeeMinor, Currency: from.Currency},
			ListFee:   admission.Money{Minor: from.FeeBeforeDiscountMinor, Currency: from.Currency},
			Prices:    map[string]admission.Money{},
			Published: from.State == content.Published, OpensAt: from.EnrolmentOpens, ClosesAt: from.EnrolmentCloses, SoldOut: from.SoldOut,
			Terms: admission.Terms{Version: terms.Version, Hash: terms.Hash()},
		}
		for currency, minor := range from.CurrencyPrices {
			event.Prices[currency] = admission.Money{Minor: minor, Currency: currency}
		}
		for _, partner := range from.Partners {
			event.Partners = append(event.Partners, admission.Partner{Name: partner.Name, Logo: partner.Logo})
		}
		for _, day := range from.Schedule {
			if day.ID != "enrolment-closes" { // no matter to who is enrolled
				event.Days = append(event.Days, admission.Day{What: day.Title, On: day.Date.Time})
			}
		}
		c.bySlug[event.Slug], c.byCode[event.Code] = event, event
	}
	return c, nil
}

func (c *catalogue) EventBySlug(slug string) (admission.Event, bool) {
	event, known := c.bySlug[slug]
	return event, known
}

func (c *catalogue) EventByCode(code string) (admission.Event, bool) {
	event, known := c.byCode[code]
	return event, known
}

// supplierAt answers who invoices at a moment; nil: nobody, so receipts without tax.
func supplierAt(words *content.Library) (func(time.Time) *invoice.Supplier, error) {
	for _, supplier := range words.Suppliers {
		if err := india.CheckGSTIN(supplier.GSTIN); err != nil {
			return nil, fmt.Errorf("content/supplier.yaml: %w", err)
		}
	}
	return func(at time.Time) *invoice.Supplier {
		from, found := words.SupplierAt(at)
		if !found {
			return nil
		}
		return &invoice.Supplier{
			Name: from.Name, Address: strings.Join(from.Address, "\n"), GSTIN: from.GSTIN, SAC: from.SAC, Series: from.Series, RateBP: from.RateBP,
		}
	}, nil
}

// renderMessage fills a template of content; the host stands in the last line of an SMS.
func renderMessage(words *content.Library, baseURL string) func(template string, params map[string]string) (subject, text, html string, err error) {
	host := baseURL
	if parsed, err := url.Parse(baseURL); err == nil {
		host = parsed.Hostname()
	}
	return func(template string, params map[string]string) (subject, text, html string, err error) {
		message, known := words.Message(template)
		if !known {
			return "", "", "", fmt.Errorf("content has no message %q", template)
		}
		rendered, err := message.Render(host, params)
		return rendered.Subject, rendered.Text, rendered.HTML, err
	}
}
