package content

import (
	"fmt"
	"strings"
)

// Span is a piece of text in one weight.
type Span struct {
	Text string
	Bold bool
}

var boldTags = []struct {
	tag   string
	opens bool
}{{"<b>", true}, {"</b>", false}, {"<strong>", true}, {"</strong>", false}}

// Bold splits text into spans. Only <b>, </b>, <strong> and </strong> in exactly this spelling are markup; everything
// else, other tags included, is literal text that the page escapes.
func Bold(text string) []Span {
	spans, _ := cutBold(text)
	return spans
}

// cutBold is Bold, and reports whether tags are unclosed, unopened or nested.
func cutBold(text string) (spans []Span, unbalanced bool) {
	bold, start := false, 0
	add := func(end int) {
		if end == start {
			return
		}
		if last := len(spans) - 1; last >= 0 && spans[last].Bold == bold {
			spans[last].Text += text[start:end]
			return
		}
		spans = append(spans, Span{text[start:end], bold})
	}
	for at := 0; at < len(text); {
		length := 0
		for _, known := range boldTags {
			if strings.HasPrefix(text[at:], known.tag) {
				add(at)
				unbalanced = unbalanced || bold == known.opens
				bold, length = known.opens, len(known.tag)
				start = at + length
				break
			}
		}
		at += max(length, 1)
	}
	add(len(text))
	return spans, unbalanced || bold
}

// checkMarkup rejects markup that Bold would read as literal text.
func checkMarkup(text string, boldAllowed bool) error {
	if !boldAllowed {
		if strings.ContainsAny(text, "<>") {
			return fmt.Errorf("markup is not allowed here: %q", text)
		}
		return nil
	}
	spans, unbalanced := cutBold(text)
	if unbalanced {
		return fmt.Errorf("bold markup does not open and close in turn: %q", text)
	}
	for _, span := range spans {
		if strings.ContainsAny(span.Text, "<>") {
			return fmt.Errorf("only <b> and <strong> are allowed: %q", text)
		}
	}
	return nil
}
