package mydata

import (
	"maps"
	"strconv"

	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/forms"
)

// fact is a labelled value on the HTML page.
type fact struct{ Name, Value, File string }

// eventColumn decides which of a table's forms a row belongs to.
const eventColumn = "event_code"

// formOf returns a row's form; nil for none.
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

// facts returns a row's values, with the labels and order of its form.
func (t Table) facts(row Row, set *forms.Set) (facts []fact) {
	form := t.formOf(row, set)
	for _, c := range row {
		answers, are := c.Value.(map[string]any)
		switch field := form.FieldOfColumn(c.Column); {
		case form != nil && are:
			facts = append(facts, answerFacts(form, answers, c.Column == answersColumn)...)
		case field != nil:
			facts = append(facts, fact{Name: field.ShortLabel(), Value: enrol.DisplayValue(form, field, formValue(c))})
		default:
			facts = append(facts, fact{label(c.Column), display(c), fileOf(c)})
		}
	}
	return facts
}

// answersColumn contains stored answers; other columns of answers contain typed ones.
const answersColumn = "answers"

// answerFacts returns answers in the order of their form, then those of fields it no longer has.
func answerFacts(form *forms.Form, answers map[string]any, kept bool) (facts []fact) {
	values, gone := splitAnswers(form, answers, kept)
	for i := range form.Fields {
		field := &form.Fields[i]
		if value := values[field.Name]; value != "" {
			facts = append(facts, fact{Name: field.ShortLabel(), Value: enrol.DisplayValue(form, field, value)})
		}
	}
	if len(gone) > 0 {
		facts = append(facts, fact{Name: "Answers to earlier questions", Value: lines(gone)})
	}
	return facts
}

// values returns a row's values by column, for JSON.
func (t Table) values(row Row, set *forms.Set) map[string]any {
	form, values := t.formOf(row, set), map[string]any{}
	for _, c := range row {
		values[c.Column] = c.Value
		if answers, are := c.Value.(map[string]any); are && form != nil {
			values[c.Column] = wireValues(form, answers, c.Column == answersColumn)
		}
	}
	return values
}

// wireValues converts answers to the names and formats of API calls: amounts in rupees, dates as day, month and year.
func wireValues(form *forms.Form, answers map[string]any, kept bool) map[string]any {
	values, all := splitAnswers(form, answers, kept)
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

// splitAnswers separates answers of the form's fields, as typed, from others.
func splitAnswers(form *forms.Form, answers map[string]any, kept bool) (values map[string]string, gone map[string]any) {
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

// formValue returns a column's value as typed in its form.
func formValue(c Cell) string {
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
