package admission

import "testing"

func TestKilobytes(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 KB", 1: "1 KB", 1024: "1 KB", 1025: "2 KB", 999 << 10: "999 KB", 2 << 20: "2,048 KB", 1 << 30: "1,048,576 KB"} {
		if got := Kilobytes(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}
