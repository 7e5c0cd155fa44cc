package message_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// world is the notifier, which is outside of this repository, and what became of it all.
type world struct {
	*message.Service
	store   *store.Store
	fault   error // of rendering
	refusal error // of sending
	sent    []message.Message
	alerts  []string
}

func (w *world) Render(m *message.Message) error {
	if w.fault == nil {
		m.Content, m.TemplateVersion = message.Content{Text: m.Template + " for " + m.Params["Name"]}, "v1"
	}
	return w.fault
}

func (w *world) Send(_ context.Context, m message.Message) error {
	if w.refusal == nil {
		w.sent = append(w.sent, m)
	}
	return w.refusal
}

func each(t *testing.T, test func(*testing.T, *world)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := &world{store: s}
		w.Service = &message.Service{Needs: message.Needs{
			Store: s.Areas().Message, Notifier: w, Clock: func() time.Time { return noon },
			Log: slog.New(slog.DiscardHandler), Alert: func(what string) { w.alerts = append(w.alerts, what) },
		}}
		test(t, w)
	})
}

// write writes a message to Asha, and returns its id and the kind of its job.
func (w *world) write(t *testing.T, channel message.Channel) (id, kind string) {
	t.Helper()
	if err := w.store.Update(t.Context(), func(tx store.Tx) error {
		return w.Service.Send(tx, message.Message{Cause: string(channel), Channel: channel, To: "asha", Template: "receipt", Params: map[string]string{"Name": "Asha"}})
	}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"sms", "mail", "text", "deliver"} {
		found, err := w.store.ClaimJobs(t.Context(), []string{kind}, noon, time.Minute, 2)
		if err != nil || len(found) > 1 {
			t.Fatal(found, err)
		}
		if len(found) == 1 {
			return found[0].Ref, kind
		}
	}
	t.Fatal("no job delivers it")
	return "", ""
}

func TestAMessageIsRenderedWhenItIsWritten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, kind := w.write(t, message.Email)
		if _, sms := w.write(t, message.SMS); kind != "mail" || sms != "sms" {
			t.Errorf("jobs of the kinds %s and %s; the version before does text and deliver", kind, sms)
		}
		w.fault = errors.New("no such template any more")
		if err := w.Deliver(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if len(w.sent) != 1 || w.sent[0].Content.Text != "receipt for Asha" || w.sent[0].TemplateVersion != "v1" || !w.sent[0].CreatedAt.Equal(noon) {
			t.Errorf("sent %+v", w.sent)
		}
		if err := w.Deliver(t.Context(), id); err != nil || len(w.sent) != 1 {
			t.Errorf("delivered again: %v, %d sent", err, len(w.sent))
		}
		if w.alerts != nil {
			t.Errorf("alerts %q", w.alerts)
		}
	})
}

func TestAMessageThatCannotBeRenderedIsStoredForLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fault = errors.New("no such template yet")
		id, _ := w.write(t, message.Email)
		if want := []string{"message cannot be rendered: receipt"}; !slices.Equal(w.alerts, want) {
			t.Errorf("alerts %q, want %q", w.alerts, want)
		}
		w.refusal = w.fault
		if err := w.Deliver(t.Context(), id); !errors.Is(err, w.fault) {
			t.Errorf("delivered: %v", err)
		}
		w.refusal = nil
		if err := w.Deliver(t.Context(), id); err != nil || len(w.sent) != 1 || w.sent[0].Content != (message.Content{}) || w.sent[0].Params["Name"] != "Asha" {
			t.Errorf("sent %+v, %v", w.sent, err)
		}
	})
}

func TestAMessageThatIsNotThereIsDelivered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if err := w.Deliver(t.Context(), "purged"); err != nil || w.sent != nil {
			t.Errorf("%v, sent %+v", err, w.sent)
		}
	})
}
