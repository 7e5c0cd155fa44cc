// Package content holds all texts of the product as embedded YAML, validated at start.
//
// Figures are written once, in an event's record. Other texts refer to them as {{.Fee}}, so that pages cannot contradict
// each other.
package content

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed *.yaml *.gohtml events legal logos mail
var files embed.FS

// Files returns the embedded content, as LoadFrom expects it.
func Files() fs.FS { return files }

// Library is one immutable revision of the content. It is safe for concurrent use; its methods return copies.
type Library struct {
	version     string
	site        Site
	application Application
	status      statusWords
	suppliers   []Supplier // in order of From
	rates       []Rate
	sample      bool // some content is fictitious or not confirmed
	coupons     []Coupon
	referrals   []Referral

	events   map[string]eventFile
	slugs    []string
	shared   shared
	pages    map[string]Page
	messages map[string]Message
	logos    map[string]string

	mutex    sync.Mutex
	landings map[pricedPage]cachedLanding // the last one requested of each
}

// Load returns the embedded content. Its error has one line per fault with file and field: an unknown key, a missing
// field, an unknown placeholder, disallowed markup, a dangling reference.
func Load() (*Library, error) { return LoadFor("") }

// LoadFor is Load for another human check, recaptcha or turnstile, which the privacy notice names.
func LoadFor(humanCheck string) (*Library, error) {
	once, _ := builtIn.LoadOrStore(humanCheck, sync.OnceValues(func() (*Library, error) { return load(files, humanCheck) }))
	return once.(func() (*Library, error))()
}

// builtIn caches the results of LoadFor by human check.
var builtIn sync.Map

// LoadFrom is LoadFor for other files: a revision to be published.
func LoadFrom(files fs.FS, humanCheck string) (*Library, error) { return load(files, humanCheck) }

func load(files fs.FS, humanCheck string) (*Library, error) {
	l := &Library{
		events: map[string]eventFile{}, pages: map[string]Page{}, messages: map[string]Message{}, logos: map[string]string{},
		landings: map[pricedPage]cachedLanding{},
	}
	var faults []error
	l.version = version(files, &faults)
	l.site = read[Site](files, "site.yaml", &faults)
	faults = append(faults, inFile("site.yaml", l.site.check()))
	l.suppliers = read[struct {
		Suppliers []Supplier `yaml:"suppliers" words:"optional"`
	}](files, "supplier.yaml", &faults).Suppliers
	faults = append(faults, inFile("supplier.yaml", checkSuppliers(l.suppliers, l.site)))
	l.rates = read[struct {
		Rates []Rate `yaml:"rates" words:"optional"`
	}](files, "rates.yaml", &faults).Rates
	faults = append(faults, inFile("rates.yaml", checkRates(l.rates)))
	l.shared = loadShared(files, &faults)
	faults = append(faults, l.loadEvents(files), l.loadLogos(files))
	l.coupons = read[struct {
		Coupons []Coupon `yaml:"coupons" words:"optional"`
	}](files, "coupons.yaml", &faults).Coupons
	faults = append(faults, inFile("coupons.yaml", checkCoupons(l.coupons, l.events)))
	l.referrals = read[struct {
		Referrals []Referral `yaml:"referrals" words:"optional"`
	}](files, "referrals.yaml", &faults).Referrals
	faults = append(faults, inFile("referrals.yaml", checkReferrals(l.referrals)))
	l.application = read[Application](files, "application.yaml", &faults)
	l.status = read[statusWords](files, "status.yaml", &faults)
	faults = append(faults, inFile("status.yaml", l.status.check()), l.loadPages(files, humanCheck),
		inFile("application.yaml", l.application.check(l.pages["terms"])), l.loadMessages(files))
	for _, part := range []any{l.site, l.application, l.shared, slices.Collect(maps.Values(l.events))} {
		l.sample = l.sample || hasSample(reflect.ValueOf(part))
	}
	if errors.Join(faults...) == nil { // incomplete records cannot be composed into pages
		faults = append(faults, l.checkLandings())
	}
	return l, errors.Join(faults...)
}

// Sample reports whether some content is fictitious or not confirmed. Public pages then say so.
func (l *Library) Sample() bool { return l.sample }

// hasSample reports whether v has a Sample that is true, names Samples, or quotes sample evidence.
func hasSample(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if hasSample(v.Index(i)) {
				return true
			}
		}
	case reflect.Pointer:
		return !v.IsNil() && hasSample(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Field(i)
			switch v.Type().Field(i).Name {
			case "Sample":
				if field.Kind() == reflect.Bool && field.Bool() {
					return true
				}
			case "Samples":
				if field.Len() > 0 {
					return true
				}
			case "Evidence":
				if strings.HasPrefix(field.String(), "Sample:") {
					return true
				}
			}
			if hasSample(field) {
				return true
			}
		}
	}
	return false
}

// Version returns a short hash of all files, equal on every machine.
func (l *Library) Version() string { return l.version }

// Site returns the operator of the site.
func (l *Library) Site() Site { return clone(l.site) }

// Suppliers returns all past, current and future suppliers, in order of From. Without one, receipts have no tax.
func (l *Library) Suppliers() []Supplier { return clone(l.suppliers) }

// Coupons returns the coupons to seed.
func (l *Library) Coupons() []Coupon { return clone(l.coupons) }

// Referrals returns the referral codes to seed.
func (l *Library) Referrals() []Referral { return clone(l.referrals) }

// Event returns an event by slug; false for an unknown one.
func (l *Library) Event(slug string) (Event, bool) {
	file, known := l.events[slug]
	return clone(file.Event), known
}

// HasEvent reports whether an event with the slug exists.
func (l *Library) HasEvent(slug string) bool { return l.events[slug].Event.Slug != "" }

// HasPage reports whether a legal page with the slug exists.
func (l *Library) HasPage(slug string) bool { return l.pages[slug].Slug != "" }

// Enrolment returns the state of an event's enrolment at a time, without copying; false for an unknown slug.
func (l *Library) Enrolment(slug string, at time.Time) (EnrolmentState, bool) {
	file, known := l.events[slug]
	return file.Event.Enrolment(at), known
}

// EventByCode returns the event with a scholarship_code; false if there is none.
func (l *Library) EventByCode(scholarshipCode string) (Event, bool) {
	for _, event := range l.Events() {
		if event.ScholarshipCode == scholarshipCode {
			return event, true
		}
	}
	return Event{}, false
}

// Events returns all events, ordered by slug.
func (l *Library) Events() []Event {
	events := make([]Event, len(l.slugs))
	for i, slug := range l.slugs {
		events[i] = clone(l.events[slug].Event)
	}
	return events
}

// Page returns a legal page, filled in; false for an unknown slug.
func (l *Library) Page(slug string) (Page, bool) {
	page, known := l.pages[slug]
	return clone(page), known
}

// Pages returns all legal pages in the order of the footer.
func (l *Library) Pages() []Page {
	var pages []Page
	for _, link := range l.site.Footer.Legal {
		pages = append(pages, clone(l.pages[path.Base(link.Href)]))
	}
	return pages
}

// Message returns a message template; false for an unknown id.
func (l *Library) Message(id string) (Message, bool) {
	message, known := l.messages[id]
	return clone(message), known
}

// Messages returns all message templates, ordered by id.
func (l *Library) Messages() []Message {
	var messages []Message
	for _, id := range slices.Sorted(maps.Keys(l.messages)) {
		messages = append(messages, clone(l.messages[id]))
	}
	return messages
}

// Logo returns a logo's inline SVG in currentColor; "" for an unknown file.
func (l *Library) Logo(file string) string { return l.logos[file] }

func loadShared(files fs.FS, faults *[]error) shared {
	s := shared{
		words:          read[Words](files, "landing.yaml", faults),
		exam:           read[ExamWords](files, "exam.yaml", faults),
		programmes:     read[[]Programme](files, "programmes.yaml", faults),
		courses:        read[CourseWords](files, "courses.yaml", faults),
		faq:            read[[]Question](files, "faq.yaml", faults),
		testimonials:   read[[]Testimonial](files, "testimonials.yaml", faults),
		press:          read[Press](files, "press.yaml", faults),
		hiringPartners: read[[]Partner](files, "hiring_partners.yaml", faults),
		mentors:        read[[]Mentor](files, "mentors.yaml", faults),
	}
	*faults = append(*faults, inFile("landing.yaml", checkAsked(s.words, s.faq)), inFile("programmes.yaml", s.checkProgrammes()))
	return s
}

func (l *Library) loadEvents(files fs.FS) error {
	names, err := fs.Glob(files, "events/*.yaml")
	faults := []error{err}
	codes := map[string]string{}
	for _, name := range names {
		file, err := decode[eventFile](files, name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		faults = append(faults, inFile(name, file.check()))
		slug := strings.TrimSuffix(path.Base(name), ".yaml")
		if file.Event.Slug != slug {
			faults = append(faults, fmt.Errorf("content/%s: event.slug: %q is not the name of the file", name, file.Event.Slug))
		}
		if other, taken := codes[file.Event.ScholarshipCode]; taken {
			faults = append(faults, fmt.Errorf("content/%s: event.scholarship_code: %s has it already", name, other))
		}
		codes[file.Event.ScholarshipCode] = slug
		for _, code := range file.Event.Courses {
			programme := l.programme(code)
			if programme.Code == "" {
				faults = append(faults, fmt.Errorf("content/%s: event.courses: no programme %q", name, code))
			} else if months := len(programme.Months); months != file.Event.TrainingMonths {
				faults = append(faults, fmt.Errorf("content/%s: event.training_months: %d, but %s has %d months", name, file.Event.TrainingMonths, code, months))
			}
		}
		l.events[slug] = file
		l.slugs = append(l.slugs, slug)
	}
	return errors.Join(faults...)
}

func (l *Library) loadLogos(files fs.FS) error {
	names, err := fs.Glob(files, "logos/*.svg")
	faults := []error{err}
	for _, name := range names {
		drawing, err := fs.ReadFile(files, name)
		svg := strings.TrimSpace(string(drawing))
		if err == nil && (!strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, "currentColor") || strings.Contains(svg, "<script") || strings.Contains(svg, "style=")) {
			err = errors.New("not a plain SVG in currentColor")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("content/%s: %w", name, err))
		}
		l.logos[path.Base(name)] = svg
	}
	need := func(file, field, logo string) {
		if l.logos[logo] == "" {
			faults = append(faults, fmt.Errorf("content/%s: %s: no file logos/%s", file, field, logo))
		}
	}
	for slug, event := range l.events {
		file := "events/" + slug + ".yaml"
		need(file, "event.company_logo", event.Event.CompanyLogo)
		for _, partner := range event.Event.Partners {
			need(file, "event.partners", partner.Logo)
		}
		if college := event.Event.PartnerCollege; college != nil {
			need(file, "event.partner_college", college.Logo)
		}
	}
	for _, partner := range l.shared.hiringPartners {
		need("hiring_partners.yaml", "logo", partner.Logo)
	}
	return errors.Join(faults...)
}

func (l *Library) loadPages(files fs.FS, humanCheck string) error {
	names, err := fs.Glob(files, "legal/*.yaml")
	faults := []error{err}
	known := pageFacts{Site: l.site, HumanCheck: humanCheck, application: l.application}
	if last := len(l.suppliers) - 1; last >= 0 {
		known.GSTIN = l.suppliers[last].GSTIN
	}
	for _, name := range names {
		page, err := decode[Page](files, name)
		filled, wrong := fillPage(page, known)
		faults = append(faults, err, inFile(name, wrong))
		slug := strings.TrimSuffix(path.Base(name), ".yaml")
		if page.Slug != slug {
			faults = append(faults, fmt.Errorf("content/%s: slug: %q is not the name of the file", name, page.Slug))
		}
		l.pages[slug] = filled
	}
	for _, link := range l.site.Footer.Legal {
		if slug, below := strings.CutPrefix(link.Href, "/legal/"); !below || l.pages[slug].Slug == "" {
			faults = append(faults, fmt.Errorf("content/site.yaml: footer.legal: no page at %s", link.Href))
		}
	}
	faults = append(faults, l.checkSection(l.shared.words.Sources.Href, "landing.yaml: sources.href"))
	for _, slug := range l.slugs {
		if wanted := l.events[slug].Event.TermsVersion; wanted != l.pages["terms"].Version {
			faults = append(faults, fmt.Errorf("content/events/%s.yaml: event.terms_version: %s, but legal/terms.yaml is %s", slug, wanted, l.pages["terms"].Version))
		}
	}
	return errors.Join(faults...)
}

func (l *Library) loadMessages(files fs.FS) error {
	file, err := decode[struct {
		Footer   string    `yaml:"footer"`
		Messages []Message `yaml:"messages"`
	}](files, "messages.yaml")
	if err != nil {
		return err
	}
	var faults []error
	for _, message := range file.Messages {
		if err := message.prepare(l.site, file.Footer); err != nil {
			return err
		}
		if _, twice := l.messages[message.ID]; twice {
			faults = append(faults, fmt.Errorf("messages, %s: appears twice", message.ID))
		}
		faults = append(faults, message.check()...)
		l.messages[message.ID] = message
	}
	return inFile("messages.yaml", faults)
}

// checkLandings composes each page on the first day of enrolment and on a day when every claim has expired.
func (l *Library) checkLandings() error {
	var faults []error
	for _, slug := range l.slugs {
		file := l.events[slug]
		last := file.Event.ClassesBegin.Time
		for _, claim := range file.Claims {
			if claim.ValidUntil.After(last) {
				last = claim.ValidUntil.Time
			}
		}
		for _, at := range []time.Time{file.Event.EnrolmentOpens, last.AddDate(0, 0, 1)} {
			_, wrong := l.compose(file, at)
			faults = append(faults, wrong...)
		}
	}
	faults = append(faults, l.checkAnswers()...)
	for _, state := range []EnrolmentState{EnrolmentNotYetOpen, EnrolmentOver, EnrolmentSoldOut, EnrolmentUnpublished} {
		if !slices.ContainsFunc(l.shared.words.Notices, func(notice Notice) bool { return notice.State == state }) {
			faults = append(faults, fmt.Errorf("content/landing.yaml: notices: none for %s", state))
		}
	}
	return errors.Join(faults...)
}

// checkAnswers rejects references to unknown questions.
func (l *Library) checkAnswers() (faults []error) {
	check := func(file, field string, place int, answer string) {
		if answer != "" && !slices.ContainsFunc(l.shared.faq, func(q Question) bool { return q.ID == answer }) {
			faults = append(faults, fmt.Errorf("content/%s: %s[%d].answer: no question %q", file, field, place, answer))
		}
	}
	for _, slug := range l.slugs {
		name := "events/" + slug + ".yaml"
		for i, claim := range l.events[slug].Claims {
			check(name, "claims", i, claim.Answer)
		}
		for i, item := range l.events[slug].Words.Inclusions {
			check(name, "words.inclusions", i, item.Answer)
		}
	}
	return faults
}

func version(files fs.FS, faults *[]error) string {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := fs.ReadFile(files, name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(source), source)
		return err
	})
	*faults = append(*faults, err)
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
