package payment

import "testing"

func TestEndEntriesAreComplete(t *testing.T) {
	ends := 0
	for _, m := range Moves {
		if m.Event != EventFailed && m.Event != EventTimeout && m.Event != EventStartRefused {
			continue
		}
		ends++
		if endEntries[m.To] == "" {
			t.Errorf("%s, %s: %s has no entry", m.From, m.Event, m.To)
		}
	}
	if ends == 0 {
		t.Error("no attempt ends")
	}
}
