package content

import (
	"fmt"
	"strings"
)

// Run is a piece of text in one weight.
type Run struct {
	Text string
	Bold bool
}

var boldTags = []struct {
	tag   string
	opens bool
}{{"<b>", true}, {"</b>", false}, {"<strong>", true}, {"</strong>", false}}

// Bold splits text into runs. Only <b>, </b>, <strong> and </strong> in exactly this spelling are markup; everything
// else, other tags included, is literal text that the page escapes.
func Bold(text string) []Run {
	runs, _ := cutBold(text)
	return runs
}

// cutBold is Bold, and reports whether tags are unclosed, unopened or nested.
func cutBold(text string) (runs []Run, unbalanced bool) {
	bold, start := false, 0
	add := func(end int) {
		if end == start {
			return
		}
		if last := len(runs) - 1; last >= 0 && runs[last].Bold == bold {
			runs[last].Text += text[start:end]
			return
		}
		runs = append(runs, Run{text[start:end], bold})
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
	return runs, unbalanced || bold
}

// checkMarkup rejects markup that Bold would read as literal text.
func checkMarkup(text string, boldAllowed bool) error {
	if !boldAllowed {
		if strings.ContainsAny(text, "<>") {
			return fmt.Errorf("markup is not allowed here: %q", text)
		}
		return nil
	}
	runs, unbalanced := cutBold(text)
	if unbalanced {
		return fmt.Errorf("bold markup does not open and close in turn: %q", text)
	}
	for _, run := range runs {
		if strings.ContainsAny(run.Text, "<>") {
			return fmt.Errorf("only <b> and <strong> are allowed: %q", text)
		}
	}
	return nil
}
