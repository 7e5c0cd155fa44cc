package admission

import (
	"net/url"
	"regexp"
	"strings"
)

// Limits of a visit's source in bytes, and of digits in a campaign's name: a phone number has more.
const (
	maxSourceLength = 1000
	maxDigits       = 7
)

var (
	campaignShape = regexp.MustCompile(`^[a-z0-9][a-z0-9 ._~-]{0,59}$`)
	hostShape     = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,20}$`)
	slugShape     = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}$`)
	digit         = regexp.MustCompile(`[0-9]`)
)

// sourceParts are the stored parts of a visit's source. None identifies a person.
var sourceParts = map[string]func(value string) bool{
	"utm_source": isCampaign, "utm_medium": isCampaign, "utm_campaign": isCampaign, "utm_term": isCampaign, "utm_content": isCampaign,
	"referrer": func(host string) bool { return len(host) <= 100 && hostShape.MatchString(host) },
	"landing":  slugShape.MatchString,
}

func isCampaign(value string) bool {
	return campaignShape.MatchString(value) && len(digit.FindAllString(value, -1)) <= maxDigits
}

// Source normalizes the source of a visit as a sorted query string:
// "landing=hiresure-mgrow-2025&referrer=www.google.com&utm_source=poster". It drops invalid parts without an error,
// because the visitor cannot correct the link.
func Source(sent string) string {
	if len(sent) > maxSourceLength {
		return ""
	}
	values, _ := url.ParseQuery(sent) // also partly valid queries
	kept := url.Values{}
	for name, fits := range sourceParts {
		if value := strings.ToLower(strings.TrimSpace(values.Get(name))); fits(value) {
			kept.Set(name, value)
		}
	}
	return kept.Encode()
}
