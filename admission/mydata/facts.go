package mydata

import (
	"maps"
	"strconv"

	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/forms"
)

// fact is what one value says, as the page for people shows it.
type fact struct{ Name, Said, File string }

// eventColumn tells which of a table's forms a row answers.
const eventColumn = "event_code"

// formOf is the form that a row answers; nil for none.
func (t Table) formOf(row Row, set *forms.Set) *forms.Form {
	name := t.Forms[""]
	for _, c := range row {
		if event, _ := c.Value.(string); c.Column == eventColumn && t.Forms[event] != "" {
			name = t.Forms[event]
		}
	}
	if name == "" {
		return nil
	}
	return set.Get(name)
}

// facts are what a row says: where it answers a form by that form's labels, its answers in the form's order.
func (t Table) facts(row Row, set *forms.Set) (facts []fact) {
	form := t.formOf(row, set)
	for _, c := range row {
		answers, are := c.Value.(map[string]any)
		switch field := form.KeptIn(c.Column); {
		case form != nil && are:
			facts = append(facts, answered(form, answers, c.Column == answersColumn)...)
		case field != nil:
			facts = append(facts, fact{Name: field.ShortLabel(), Said: enrol.Told(form, field, typed(c))})
		default:
			facts = append(facts, fact{label(c.Column), said(c), fileOf(c)})
		}
	}
	return facts
}

// answersColumn holds answers as they are kept; every other column of answers holds them as they were typed.
const answersColumn = "answers"

// answered are answers in the order of their form, and behind them what it does not ask any more.
func answered(form *forms.Form, answers map[string]any, kept bool) (facts []fact) {
	values, gone := texts(form, answers, kept)
	for i := range form.Fields {
		field := &form.Fields[i]
		if value := values[field.Name]; value != "" {
			facts = append(facts, fact{Name: field.ShortLabel(), Said: enrol.Told(form, field, value)})
		}
	}
	if len(gone) > 0 {
		facts = append(facts, fact{Name: "Answers to earlier questions", Said: lines(gone)})
	}
	return facts
}

// values are a row's for programs, by column.
func (t Table) values(row Row, set *forms.Set) map[string]any {
	form, values := t.formOf(row, set), map[string]any{}
	for _, c := range row {
		values[c.Column] = c.Value
		if answers, are := c.Value.(map[string]any); are && form != nil {
			values[c.Column] = sent(form, answers, c.Column == answersColumn)
		}
	}
	return values
}

// sent are answers as calls of the API carry them, by the same names: a sum in rupees, a date by day, month and year.
func sent(form *forms.Form, answers map[string]any, kept bool) map[string]any {
	values, all := texts(form, answers, kept)
	wire := form.ToWire(values)
	for name, value := range values {
		if at := form.OnWire(name); wire[at] == nil {
			all[at] = value
		} else {
			all[at] = wire[at]
		}
	}
	return all
}

// texts sorts answers into those that the form asks, as they were typed, and the others.
func texts(form *forms.Form, answers map[string]any, kept bool) (values map[string]string, gone map[string]any) {
	values, gone = map[string]string{}, map[string]any{}
	for name, value := range answers {
		if text, is := value.(string); is && form.Field(name) != nil {
			values[name] = text
		} else {
			gone[name] = value
		}
	}
	if kept {
		maps.Copy(values, form.Typed(nil, values))
	}
	return values, gone
}

// typed is a column's value as its form has it typed.
func typed(c Cell) string {
	switch value := c.Value.(type) {
	case bool:
		return strconv.FormatBool(value)
	case string:
		if state, known := india.StateByCode(value); known && c.Column == "state_code" {
			return state.Name
		}
		return value
	}
	return ""
}
