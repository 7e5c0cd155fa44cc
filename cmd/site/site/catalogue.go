package site

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/content"
	"hiresure/web"
)

// catalogue finds the events of the current content. Their exchange rates are of the day in Asia/Kolkata.
type catalogue struct {
	words *content.Source
	clock func() time.Time
	today atomic.Pointer[events]
}

type events struct {
	of             *content.Library
	from, until    time.Time // the day
	bySlug, byCode map[string]admission.Event
}

func (c *catalogue) current() *events {
	words, now := c.words.Current(), c.clock()
	today := c.today.Load()
	if today == nil || today.of != words || now.Before(today.from) || !now.Before(today.until) {
		today = buildEvents(words, now)
		c.today.Store(today)
	}
	return today
}

func (c *catalogue) EventBySlug(slug string) (admission.Event, bool) {
	event, known := c.current().bySlug[slug]
	return event, known
}

func (c *catalogue) EventByCode(code string) (admission.Event, bool) {
	event, known := c.current().byCode[code]
	return event, known
}

func buildEvents(words *content.Library, now time.Time) *events {
	from := admission.Midnight(now)
	all := &events{of: words, from: from, until: from.AddDate(0, 0, 1), bySlug: map[string]admission.Event{}, byCode: map[string]admission.Event{}}
	terms, _ := words.Page("terms") // checkContent requires it
	for _, from := range words.Events() {
		event := admission.Event{
			Slug: from.Slug, Code: from.ScholarshipCode, SubeventCode: from.ScholarshipSubeventCode, Title: from.Title, Subtitle: from.Subtitle,
			Courses: from.Courses, CompanyName: from.CompanyName, CompanyLogo: from.CompanyLogo, CouponCode: from.CouponCode,
			Fee:       admission.Money{Minor: from.FeeMinor, Currency: from.Currency},
			ListFee:   admission.Money{Minor: from.FeeBeforeDiscountMinor, Currency: from.Currency},
			Prices:    map[string]admission.ForeignPrice{},
			Referral:  admission.Money{Minor: from.ReferralCreditMinor, Currency: from.Currency},
			Published: from.State == content.Published, OpensAt: from.EnrolmentOpens, ClosesAt: from.EnrolmentCloses, SoldOut: from.SoldOut,
			Terms: admission.Terms{Version: terms.Version, Hash: terms.Hash()},
		}
		for _, coupon := range words.Coupons() {
			if coupon.Code == from.CouponCode && coupon.Event == from.Slug {
				event.CouponFrom, event.CouponUntil = coupon.ValidFrom, coupon.ValidUntil
			}
		}
		for currency, minor := range from.CurrencyPrices {
			rate := words.RateAt(currency, now)
			event.Prices[currency] = admission.ForeignPrice{
				Money: admission.Money{Minor: minor, Currency: currency}, Rate: admission.ExchangeRate{Rupees: rate.Value(), Source: rate.Source},
			}
		}
		for _, partner := range from.Partners {
			event.Partners = append(event.Partners, admission.Partner{Name: partner.Name, Logo: partner.Logo})
		}
		event.Exam, event.Where, event.Bring = from.Exam.Time, from.Ticket.Where, from.Ticket.Bring
		event.HourBy, event.RefundUntil = from.Ticket.HourBy.Time, from.RefundUntil().Time
		if from.Ticket.WhereMore != "" {
			event.Where += ": " + from.Ticket.WhereMore
		}
		page, _ := words.Landing(from.Slug, from.EnrolmentOpens) // with placeholders replaced
		event.Hour, event.HourPlanned = page.Exam.Hour(), page.Exam.Starts
		for _, day := range page.Event.Schedule {
			if day.Name != "" { // relevant to registrants
				event.Days = append(event.Days, admission.Day{What: day.Title, On: day.Date.Time, Brief: day.Brief, Late: day.Late})
			}
		}
		all.bySlug[event.Slug], all.byCode[event.Code] = event, event
	}
	all.byCode[enrol.ApplicationCode] = applicationEvent(words, terms)
	return all
}

// applicationEvent returns the application as an event, which has no page.
func applicationEvent(words *content.Library, terms content.Page) admission.Event {
	from := words.Application()
	fee := admission.Money{Minor: from.FeeMinor, Currency: from.Currency}
	return admission.Event{
		Slug: enrol.ApplicationCode, Code: enrol.ApplicationCode, Title: from.Title, Fee: fee, ListFee: fee, FeeFor: from.FeeFor, AnswerBy: from.AnswerBy(), AnswerDays: from.AnswerDays, Published: from.Open(),
		Terms: admission.Terms{Version: terms.Version, Hash: terms.Hash()},
	}
}

// checkContent checks what the program requires of published content beyond what content.Load checks.
func checkContent(defaultEvent string) func(*content.Library) error {
	return func(words *content.Library) error {
		var faults []error
		refuse := func(wrong bool, format string, args ...any) {
			if wrong {
				faults = append(faults, fmt.Errorf(format, args...))
			}
		}
		for _, slug := range []string{"terms", "privacy", "grievance"} {
			refuse(!words.HasPage(slug), "content has no page %q", slug)
		}
		refuse(!words.HasEvent(defaultEvent), "DEFAULT_EVENT: content has no event %q", defaultEvent)
		for _, event := range words.Events() {
			refuse(web.IsAPI(web.ScholarshipPath(event.Slug)), "content/events/%s.yaml: event.slug: %s belongs to the API", event.Slug, web.ScholarshipPath(event.Slug))
			refuse(event.ScholarshipCode == enrol.ApplicationCode, "content/events/%s.yaml: event.scholarship_code: %s is the application", event.Slug, event.ScholarshipCode)
			refuse(words.HasPage(event.Slug), "content/events/%s.yaml: event.slug: a legal page has it already", event.Slug)
		}
		for i, supplier := range words.Suppliers() {
			err := india.CheckGSTIN(supplier.GSTIN)
			refuse(err != nil, "content/supplier.yaml: suppliers[%d].gstin: %w", i, err)
		}
		return errors.Join(faults...)
	}
}

// supplierAt returns the supplier that invoices at a time; nil means receipts without tax.
func supplierAt(words *content.Source) func(time.Time) *invoice.Supplier {
	return func(at time.Time) *invoice.Supplier {
		from, found := words.Current().SupplierAt(at)
		if !found {
			return nil
		}
		return &invoice.Supplier{
			Name: from.Name, Address: strings.Join(from.Address, "\n"), GSTIN: from.GSTIN, SAC: from.SAC, ApplicationSAC: from.ApplicationSAC, RateBP: from.RateBP,
			Series: from.Series, CreditSeries: from.CreditNoteSeries, DebitSeries: from.DebitNoteSeries, FinancialSeries: from.FinancialNoteSeries,
		}
	}
}

// noticeVersion returns the version of the privacy notice that the forms show. checkContent requires one.
func noticeVersion(words *content.Source) string {
	notice, _ := words.Current().Page("privacy")
	return notice.Version
}

// renderMessage renders a template of content and returns its version. The last line of an SMS contains the host.
func renderMessage(words *content.Source, baseURL string) func(template string, params map[string]string) (message.Content, string, error) {
	host := baseURL
	if parsed, err := url.Parse(baseURL); err == nil {
		host = parsed.Hostname()
	}
	return func(template string, params map[string]string) (message.Content, string, error) {
		from, known := words.Current().Message(template)
		if !known {
			return message.Content{}, "", fmt.Errorf("content has no message %q", template)
		}
		written, err := from.Words(host, params)
		return message.Content(written), from.Version(), err
	}
}
