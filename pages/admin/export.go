package admin

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/office"
	"hiresure/admission/registry"
	"hiresure/pages"
	"hiresure/sheet"
	"hiresure/web"
)

// peopleColumns returns the columns of a file of registrations. Who does not see money gets none.
func peopleColumns(money bool) []sheet.Column[registry.Item] {
	columns := []sheet.Column[registry.Item]{
		sheet.Text("Name", func(i registry.Item) string { return i.Registration.FullName }),
		sheet.Text("Phone", func(i registry.Item) string { return i.Registration.Phone }),
		sheet.Text("E-mail", func(i registry.Item) string { return i.Registration.Email }),
		sheet.Text("Event", func(i registry.Item) string { return cmp.Or(i.Event.Title, i.Registration.EventCode) }),
		sheet.Text("Course", func(i registry.Item) string { return enrol.CourseLabel(i.Registration.Course) }),
		sheet.Text("College", func(i registry.Item) string { return i.Registration.College }),
		sheet.Text("State", func(i registry.Item) string {
			state, _ := india.StateByCode(i.Registration.StateCode)
			return state.Name
		}),
		sheet.Text("Status", func(i registry.Item) string { return i.Registration.Status() }),
	}
	if money {
		columns = append(columns,
			sheet.Number("Fee", func(i registry.Item) (int64, bool) { return chargeOf(i).Minor, i.Transaction != nil }),
			sheet.Text("Currency", func(i registry.Item) string { return chargeOf(i).Currency }),
			sheet.Text("Invoice number", func(i registry.Item) string {
				if i.Invoice == nil {
					return ""
				}
				return i.Invoice.Number
			}))
	}
	return append(columns,
		sheet.Date("Registered", func(i registry.Item) time.Time { return i.Registration.CreatedAt }),
		sheet.Date("Last change", func(i registry.Item) time.Time { return i.Registration.ModifiedAt }),
		sheet.Text("Coupon", func(i registry.Item) string { return i.Registration.CouponCode }),
		sheet.Text("Source", func(i registry.Item) string { return i.Registration.Source }))
}

// chargeOf returns what the payment of a registration charges; zero without one.
func chargeOf(i registry.Item) (charge admission.Money) {
	if i.Transaction != nil {
		charge = i.Transaction.Charge
	}
	return charge
}

// usedFilter returns the parameters of the list that select something.
func usedFilter(query url.Values, money bool) url.Values {
	used := url.Values{}
	for _, name := range filterParams {
		value := strings.TrimSpace(query.Get(name))
		switch name {
		case statusParam:
			if value != needsALook && !slices.Contains(statusTabs, value) {
				continue
			}
		case documentsParam:
			if chosen(documentChoices, value) == nil {
				continue
			}
		case paymentParam:
			if !money || chosen(paymentChoices, value) == nil {
				continue
			}
		case fromParam, toParam:
			if !money {
				continue
			}
		}
		used.Set(name, value)
	}
	return used
}

func (h handlers) exportRegistrations(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	q, filter, shown, err := h.exportOf(c, typed)
	if shown || err != nil {
		return err
	}
	selected := typed.Has(selectionParam)
	as, known := formats[typed.Get(formatParam)]
	switch {
	case !known && selected && !typed.Has(formatParam): // the button below the list
		return h.showExport(c, typed, q, nil)
	case !known:
		return echo.ErrBadRequest
	}
	export := office.Export{Filter: filter, Format: as.name, Reason: typed.Get("reason")}
	if err := export.CheckReason(); err != nil && selected {
		return h.showExport(c, typed, q, admission.AsProblem(err))
	} else if err != nil {
		return h.showRegistrations(c, typed, admission.AsProblem(err))
	}
	money := seesMoney(web.StaffPerson(c))
	if done, err := h.confirmed(c, typed, "You are about to download names, phone numbers and e-mail addresses."); !done {
		return err
	}
	rows, err := h.office.ExportRegistrations(c.Request().Context(), q, export, h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	return as.send(c, "registrations-"+admission.ISODate(h.Clock()), func(file sheet.File) error {
		table, err := sheet.Begin(file, "Registrations", peopleColumns(money))
		if err != nil {
			return err
		}
		for item, err := range rows {
			if err != nil {
				return err
			}
			if err := table.Add(item); err != nil {
				return err
			}
		}
		return nil
	})
}
