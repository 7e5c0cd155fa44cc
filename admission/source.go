package admission

import (
	"net/url"
	"regexp"
	"strings"
)

// Most of a visit's source that is read, and most figures that a campaign's name has: a phone number has more.
const (
	sourceMost  = 1000
	figuresMost = 7
)

var (
	campaignShape = regexp.MustCompile(`^[a-z0-9][a-z0-9 ._~-]{0,59}$`)
	hostShape     = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,20}$`)
	slugShape     = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}$`)
	figure        = regexp.MustCompile(`[0-9]`)
)

// sourceParts are what is kept of where a visit came from: nothing that names a person.
var sourceParts = map[string]func(value string) bool{
	"utm_source": isCampaign, "utm_medium": isCampaign, "utm_campaign": isCampaign, "utm_term": isCampaign, "utm_content": isCampaign,
	"referrer": func(host string) bool { return len(host) <= 100 && hostShape.MatchString(host) },
	"landing":  slugShape.MatchString,
}

func isCampaign(value string) bool {
	return campaignShape.MatchString(value) && len(figure.FindAllString(value, -1)) <= figuresMost
}

// Source is what is kept of where a visit came from, in the notation of a query and in one order, whatever was sent:
// "landing=hiresure-mgrow-2025&referrer=www.google.com&utm_source=poster". What has not the shape is left out, for no visitor
// can mend the link that led here.
func Source(sent string) string {
	if len(sent) > sourceMost {
		return ""
	}
	values, _ := url.ParseQuery(sent) // with what can be read of it
	kept := url.Values{}
	for name, fits := range sourceParts {
		if value := strings.ToLower(strings.TrimSpace(values.Get(name))); fits(value) {
			kept.Set(name, value)
		}
	}
	return kept.Encode()
}
