package access

import (
	"testing"
	"time"
)

func TestASessionIsCountedByItsApplicantsPhone(t *testing.T) {
	noon := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		proven map[string]time.Time
		want   string
	}{
		{nil, ""},
		{map[string]time.Time{"phone+919876543210": noon}, "+919876543210"},
		{map[string]time.Time{"phone+919876543210": noon, "guardian+919123456780": noon.Add(time.Minute)}, "+919876543210"},
		{map[string]time.Time{"phone+919876543210": noon, "phone+919123456780": noon.Add(time.Minute)}, "+919123456780"},
		{map[string]time.Time{"phone+919876543210": noon, "phone+919123456780": noon}, "+919876543210"},
		{map[string]time.Time{"guardian+919123456780": noon}, "+919123456780"},
	} {
		if got := (&Session{Proven: test.proven}).countedPhone(); got != test.want {
			t.Errorf("%v: %q, want %q", test.proven, got, test.want)
		}
	}
}
