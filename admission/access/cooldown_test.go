package access

import (
	"testing"
	"time"
)

func TestCooldown(t *testing.T) {
	noon := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]time.Duration{
		time.Hour: 0, time.Minute: 0, 59 * time.Second: time.Second, 0: time.Minute,
		-time.Second:     time.Minute, // another copy's clock is ahead
		-5 * time.Second: time.Minute,
		-6 * time.Second: 0, // the clock has been set back
		-24 * time.Hour:  0,
	} {
		if got := cooldown(noon.Add(-ago), noon); got != want {
			t.Errorf("a code sent %s ago: %s, want %s", ago, got, want)
		}
	}
}
