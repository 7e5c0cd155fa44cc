package site_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var dataOf = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// addressesOf returns the addresses of pages in structured data.
func addressesOf(value any) (all []string) {
	switch value := value.(type) {
	case []any:
		for _, part := range value {
			all = append(all, addressesOf(part)...)
		}
	case map[string]any:
		for name, part := range value {
			if address, text := part.(string); text && (name == "url" || name == "item") {
				all = append(all, address)
			}
			all = append(all, addressesOf(part)...)
		}
	}
	return all
}

// Every address in structured data is a page's canonical one; what follows # is on that page.
func TestStructuredDataNamesCanonicalPages(t *testing.T) {
	r := openSite(t)
	const event = "/scholarship/hiresure-mgrow-2025"
	seen := map[string]bool{}
	for _, path := range []string{event, event + "/exam", event + "/courses", event + "/courses/data-analytics", "/scholarship/hiresure-campus-2026"} {
		_, body := r.Fetch(path)
		blocks := dataOf.FindAllStringSubmatch(body, -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no structured data", path)
		}
		for _, block := range blocks {
			var entity any
			if err := json.Unmarshal([]byte(block[1]), &entity); err != nil {
				t.Fatal(err)
			}
			for _, address := range addressesOf(entity) {
				seen[address] = true
			}
		}
	}
	for address := range seen {
		page, anchor, _ := strings.Cut(address, "#")
		answer, body := r.Fetch(strings.TrimPrefix(page, r.Base))
		canonical := canonicalOf.FindStringSubmatch(body)
		if answer.StatusCode != http.StatusOK || canonical == nil || canonical[1] != page || anchor != "" && !strings.Contains(body, ` id="`+anchor+`"`) {
			t.Errorf("%s answers %d, its canonical address is %v", address, answer.StatusCode, canonical)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d addresses", len(seen))
	}
}
