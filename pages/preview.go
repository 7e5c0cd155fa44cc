package pages

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/web"
)

// Preview is what messengers and social media show of a page: a picture with these words, of 1200 × 630.
type Preview struct {
	Name     string // of the file, without its version
	Eyebrow  string
	Headline string
	Lines    [2]string             // below the headline; may be empty
	Braid    components.BraidProps // none where it has no months
}

// drawing is a number for the way in which previews are drawn. Another one gives each picture another address.
const drawing = 3

// PreviewOf is that of an event.
func PreviewOf(page *content.Landing) Preview {
	event := page.Event
	fee := admission.Money{Minor: event.FeeMinor, Currency: event.Currency}
	return Preview{
		Name: event.Slug, Eyebrow: event.Title, Headline: Headline(page),
		Lines: [2]string{fee.Short() + " registration fee", "Exam on " + event.Exam.Short()},
		Braid: components.BraidProps{N: event.Months, Done: 2 * event.TrainingMonths},
	}
}

// Headline is an event's in one line.
func Headline(page *content.Landing) string {
	return page.Headline.Before + page.Headline.Braid + page.Headline.After
}

// PreviewOfHome is that of the home. An event's slug has no underscore.
func PreviewOfHome(site content.Site) Preview {
	return Preview{Name: "page_home", Eyebrow: site.Home.Eyebrow, Headline: site.Home.Title, Lines: [2]string{site.Academy}}
}

// PreviewOfLegal is that of a legal page.
func PreviewOfLegal(site content.Site, page content.Page) Preview {
	return Preview{Name: "page_" + page.Slug, Eyebrow: site.Academy, Headline: page.Title, Lines: [2]string{"In force since " + page.Updated.Short()}}
}

// Path is the address of the picture. It names a version, because messengers keep for long what they have once fetched.
func (p Preview) Path() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %#v", drawing, p))
	return web.PicturePath(p.Name, fmt.Sprintf("%x", sum[:4]))
}

// Alt is the picture in words.
func (p Preview) Alt() string {
	text := p.Eyebrow + ": " + p.Headline + "."
	for _, line := range p.Lines {
		if line != "" {
			text += " " + strings.TrimSuffix(line, ".") + "."
		}
	}
	return text
}
