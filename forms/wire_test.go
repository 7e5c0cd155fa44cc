package forms

import (
	"maps"
	"reflect"
	"testing"
)

func TestToWire(t *testing.T) {
	for _, row := range []struct {
		sentence     string
		values, back map[string]string // nil: unchanged
		wire         map[string]any
	}{
		{"a text by its wire name", map[string]string{"zip": "570001"}, nil, map[string]any{"zip_code": "570001"}},
		{"a text that is empty", map[string]string{"zip": ""}, nil, map[string]any{"zip_code": ""}},
		{"yes", map[string]string{"received_other_scholarship": "true"}, nil, map[string]any{"received_other_scholarship": true}},
		{"no", map[string]string{"received_other_scholarship": "false"}, nil, map[string]any{"received_other_scholarship": false}},
		{"no answer", map[string]string{"received_other_scholarship": ""}, map[string]string{}, map[string]any{}},
		{"choices", map[string]string{"consents": "marketing,reminders"}, nil, map[string]any{"consents": []string{"marketing", "reminders"}}},
		{"no choice", map[string]string{"consents": ""}, nil, map[string]any{"consents": []string{}}},
		{"what is not the form's", map[string]string{"shoe_size": "40"}, map[string]string{}, map[string]any{}},
	} {
		form := Get("hiresure")
		got := form.ToWire(row.values)
		if !reflect.DeepEqual(got, row.wire) {
			t.Errorf("%s: %v, want %v", row.sentence, got, row.wire)
		}
		sent := map[string]string{}
		for name, value := range got {
			switch value := value.(type) {
			case string:
				sent[name] = value
			case bool:
				sent[name] = map[bool]string{true: "true", false: "false"}[value]
			case []string:
				for i, one := range value {
					if i > 0 {
						sent[name] += ","
					}
					sent[name] += one
				}
				if len(value) == 0 {
					sent[name] = ""
				}
			}
		}
		if row.back == nil {
			row.back = row.values
		}
		if back := form.FromWire(sent); !maps.Equal(back, row.back) {
			t.Errorf("%s: comes back as %v", row.sentence, back)
		}
	}
}
