package message_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// world is a fake Notifier that records messages.
type world struct {
	*message.Service
	store   *store.Store
	fault   error // of rendering
	refusal error // of sending
	now     time.Time
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
		w := &world{store: s, now: noon}
		w.Service = &message.Service{Config: message.Config{
			Store: s.Areas().Message, Notifier: w, Clock: func() time.Time { return w.now },
			Log: slog.New(slog.DiscardHandler), Alert: func(what string) { w.alerts = append(w.alerts, what) },
		}}
		test(t, w)
	})
}

// write writes a message to Asha and returns its id and its job's kind.
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

func TestMessageIsRenderedOnSend(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, kind := w.write(t, message.Email)
		if _, sms := w.write(t, message.SMS); kind != "mail" || sms != "sms" {
			t.Errorf("jobs of the kinds %s and %s; the version before does text and deliver", kind, sms)
		}
		w.fault = errors.New("no such template any more")
		if _, err := w.Deliver(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if len(w.sent) != 1 || w.sent[0].Content.Text != "receipt for Asha" || w.sent[0].TemplateVersion != "v1" || !w.sent[0].CreatedAt.Equal(noon) {
			t.Errorf("sent %+v", w.sent)
		}
		if _, err := w.Deliver(t.Context(), id); err != nil || len(w.sent) != 1 {
			t.Errorf("delivered again: %v, %d sent", err, len(w.sent))
		}
		if w.alerts != nil {
			t.Errorf("alerts %q", w.alerts)
		}
	})
}

func TestUnrenderableMessageIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fault = errors.New("no such template yet")
		id, _ := w.write(t, message.Email)
		if want := []string{"message cannot be rendered: receipt"}; !slices.Equal(w.alerts, want) {
			t.Errorf("alerts %q, want %q", w.alerts, want)
		}
		w.refusal = w.fault
		if _, err := w.Deliver(t.Context(), id); !errors.Is(err, w.fault) {
			t.Errorf("delivered: %v", err)
		}
		w.refusal = nil
		if _, err := w.Deliver(t.Context(), id); err != nil || len(w.sent) != 1 || w.sent[0].Content != (message.Content{}) || w.sent[0].Params["Name"] != "Asha" {
			t.Errorf("sent %+v, %v", w.sent, err)
		}
	})
}

func TestDeliverMissingMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if _, err := w.Deliver(t.Context(), "purged"); err != nil || w.sent != nil {
			t.Errorf("%v, sent %+v", err, w.sent)
		}
	})
}

func TestMailWaitsForPapers(t *testing.T) {
	ticket := admission.Attachment{Name: "ticket.pdf", Type: "application/pdf", Content: []byte("%PDF-")}
	away := errors.New("the storage is away")
	each(t, func(t *testing.T, w *world) {
		for _, test := range []struct {
			is      string
			after   time.Duration
			printed []admission.Attachment
			waits   bool
			fault   error
			again   time.Duration
			brings  int
		}{
			{is: "one of them is being printed, a moment ago", after: time.Second, printed: []admission.Attachment{ticket}, waits: true, again: 2 * time.Second},
			{is: "it has waited longer", after: 40 * time.Second, waits: true, again: 20 * time.Second},
			{is: "it has waited for almost all of its time", after: 117 * time.Second, waits: true, again: 3 * time.Second},
			{is: "it has waited for all of its time", after: 2 * time.Minute, printed: []admission.Attachment{ticket}, waits: true, brings: 1},
			{is: "the storage does not open", after: time.Minute, fault: away, again: 30 * time.Second},
			{is: "the storage has not opened in time", after: 2 * time.Minute, fault: away},
			{is: "the clock was set back", after: -time.Hour, waits: true},
			{is: "nothing prints", after: 0},
			{is: "all are printed", after: 0, printed: []admission.Attachment{ticket, ticket}, brings: 2},
		} {
			w.sent, w.now = nil, noon
			if err := w.store.Update(t.Context(), func(tx store.Tx) error {
				return w.Service.Send(tx, message.Message{Cause: test.is, Channel: message.Email, To: "asha", Template: "receipt", Papers: []string{"invoice:i", "ticket:t"}})
			}); err != nil {
				t.Fatal(err)
			}
			jobs, err := w.store.ClaimJobs(t.Context(), []string{message.JobMail}, noon, time.Minute, 2)
			if err != nil || len(jobs) != 1 {
				t.Fatal(jobs, err)
			}
			w.now = noon.Add(test.after)
			w.Service.Papers = func(_ context.Context, names []string) ([]admission.Attachment, bool, error) {
				if !slices.Equal(names, []string{"invoice:i", "ticket:t"}) {
					t.Errorf("%s: asked for %q", test.is, names)
				}
				return test.printed, test.waits, test.fault
			}
			again, err := w.Deliver(t.Context(), jobs[0].Ref)
			if err != nil || again != test.again || len(w.sent) != map[bool]int{true: 0, false: 1}[test.again > 0] {
				t.Errorf("%s: again in %s, %v, want %s; %d sent", test.is, again, err, test.again, len(w.sent))
			}
			if len(w.sent) == 1 && len(w.sent[0].Attachments) != test.brings {
				t.Errorf("%s: it brings %d papers, want %d", test.is, len(w.sent[0].Attachments), test.brings)
			}
			if again, err = w.Deliver(t.Context(), jobs[0].Ref); test.again == 0 && (err != nil || again != 0 || len(w.sent) != 1) {
				t.Errorf("%s: a second time it is sent %d times, %v", test.is, len(w.sent), err)
			}
		}
	})
}
