package pages

import (
	"context"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/web"
)

func TestKitAtChangesOnlyTheClock(t *testing.T) {
	moment := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	kit := &Kit{
		Services: &business.Services{}, Events: struct{ admission.Catalogue }{}, Forms: &forms.Set{}, Content: &content.Source{}, Session: &web.Manager{},
		Issuer: struct{ account.Issuer }{}, BaseURL: "https://x.example", DefaultEvent: "mgrow", Clock: time.Now, Log: slog.New(slog.DiscardHandler), Ticket: func(time.Time, admission.Visitor) string { return "ticket" },
		Draw: func(context.Context, []byte) ([]byte, error) { return nil, nil },
	}
	then := kit.At(moment)
	if got := then.Clock(); got != moment {
		t.Errorf("its clock shows %v", got)
	}
	before, after := reflect.ValueOf(kit).Elem(), reflect.ValueOf(then).Elem()
	for i := range before.NumField() {
		field := before.Type().Field(i)
		if !field.IsExported() || field.Name == "Clock" {
			continue
		}
		if before.Field(i).IsZero() {
			t.Errorf("this test does not set %s", field.Name)
		}
		if field.Type.Kind() == reflect.Func {
			if after.Field(i).Pointer() != before.Field(i).Pointer() {
				t.Errorf("%s has changed", field.Name)
			}
		} else if !reflect.DeepEqual(after.Field(i).Interface(), before.Field(i).Interface()) {
			t.Errorf("%s has changed", field.Name)
		}
	}
}
