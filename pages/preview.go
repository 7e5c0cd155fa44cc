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

// Preview is the picture of a page in messengers and social media: 1200 × 630 px with these words.
type Preview struct {
	Name     string // of the file, without its version
	Eyebrow  string
	Headline string
	Lines    [2]string             // below the headline; may be empty
	Braid    components.BraidProps // none without months
}

// drawing is the version of the drawing. Changing it changes the address of every picture.
const drawing = 3

// PreviewOf returns the preview of an event.
func PreviewOf(page *content.Landing) Preview {
	event := page.Event
	fee := admission.Money{Minor: event.FeeMinor, Currency: event.Currency}
	return Preview{
		Name: event.Slug, Eyebrow: event.Title, Headline: Headline(page),
		Lines: [2]string{fee.Short() + " exam fee", "Exam on " + event.Exam.Short()},
		Braid: components.BraidProps{N: event.Months, Done: 2 * event.TrainingMonths},
	}
}

// Headline returns an event's headline as one line.
func Headline(page *content.Landing) string {
	return page.Headline.Before + page.Headline.Braid + page.Headline.After
}

// PreviewOfHome returns the preview of the home page. Its name has an underscore, which no event's slug has.
func PreviewOfHome(site content.Site) Preview {
	return Preview{Name: "page_home", Eyebrow: site.Home.Eyebrow, Headline: site.Home.Title, Lines: [2]string{site.Academy}}
}

// PreviewOfLegal returns the preview of a legal page.
func PreviewOfLegal(site content.Site, page content.Page) Preview {
	return Preview{Name: "page_" + page.Slug, Eyebrow: site.Academy, Headline: page.Title, Lines: [2]string{"In force since " + page.Updated.Short()}}
}

// Path returns the address of the picture with a version, because messengers cache pictures for long.
func (p Preview) Path() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %#v", drawing, p))
	return web.PicturePath(p.Name, fmt.Sprintf("%x", sum[:4]))
}

// Alt returns the picture's alternative text.
func (p Preview) Alt() string {
	text := p.Eyebrow + ": " + p.Headline + "."
	for _, line := range p.Lines {
		if line != "" {
			text += " " + strings.TrimSuffix(line, ".") + "."
		}
	}
	return text
}
