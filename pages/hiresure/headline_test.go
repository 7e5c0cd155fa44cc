package hiresure

import (
	"encoding/json"
	"os"
	"testing"
)

func TestHeadlineEqualsTheIslands(t *testing.T) {
	text, err := os.ReadFile("../../islands/upload/testdata/headed.json") // also compared with the island
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		documentCount
		Title, Lede string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if title, lede := c.heading(); title != c.Title || lede != c.Lede {
			t.Errorf("%+v is headed\n%q, %q, want\n%q, %q", c.documentCount, title, lede, c.Title, c.Lede)
		}
	}
}
