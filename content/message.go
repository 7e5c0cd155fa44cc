package content

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"
)

// The channels of a message.
const (
	SMS   = "sms"
	Email = "email"
)

// sampleHost has the maximum length of a host, for checking that a text fits into one SMS.
const sampleHost = "www.scholarships.hiresure.example"

// smsLimit is the length of one SMS in the GSM 7-bit alphabet.
const smsLimit = 160

// Message is the template of a message.
type Message struct {
	ID      string  `yaml:"id"`
	Channel string  `yaml:"channel"`
	Subject string  `yaml:"subject" words:"optional"` // of a mail
	Params  []Param `yaml:"params" words:"optional"`
	Text    string  `yaml:"text" words:"optional"`    // of an SMS
	Mail    []Block `yaml:"mail" words:"optional"`    // of a mail, in order
	Replies string  `yaml:"replies" words:"optional"` // mailbox for replies: support, privacy or grievance; "" if none are expected
	Staff   bool    `yaml:"staff"`                    // to staff
	site    Site
	parsed  *parsedMessage
}

// parsedMessage holds a message's parsed templates. They are parsed once, because messages are rendered within database
// transactions.
type parsedMessage struct {
	subject, text part
	footer        string
	version       string
}

// part is a parsed template, or its error.
type part struct {
	template *template.Template
	fault    error
}

func parsePart(text string) part {
	parsed, err := template.New("text").Option("missingkey=error").Funcs(template.FuncMap{"first": FirstName, "day": longDay, "within": within, "fours": fours}).Parse(text)
	return part{parsed, err}
}

func (p part) fill(values map[string]any) (string, error) {
	if p.fault != nil {
		return "", p.fault
	}
	var filled strings.Builder
	err := p.template.Execute(&filled, values)
	return filled.String(), err
}

// prepare parses the message with the shared footer.
func (m *Message) prepare(site Site, footer string) error {
	m.site = site
	facts, err := json.Marshal(site)
	if err != nil {
		return err
	}
	text := m.Text
	if m.Channel == Email {
		text = patternOf(m.Mail)
	}
	filled, err := parsePart(footer).fill(map[string]any{"Site": site, "Staff": m.Staff}) // without params
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %s", m.Channel, m.Subject, text, filled, facts))
	m.parsed = &parsedMessage{subject: parsePart(m.Subject), text: parsePart(text), footer: strings.TrimSpace(filled), version: fmt.Sprintf("%x", sum[:6])}
	return nil
}

// Version returns twelve hexadecimal digits that change with all of the message's texts, except for params.
func (m Message) Version() string { return m.parsed.version }

// mailboxes returns the mailboxes for replies.
func (m Message) mailboxes() map[string]string {
	return map[string]string{"support": m.site.Support.Email, "privacy": m.site.Privacy.Email, "grievance": m.site.Grievance.Email}
}

// ReplyTo returns the mailbox for replies; "" for the sender's.
func (m Message) ReplyTo() string { return m.mailboxes()[m.Replies] }

// within lower-cases a leading article, for use within a sentence.
func within(name string) string {
	if rest, found := strings.CutPrefix(name, "A "); found {
		return "a " + rest
	}
	return name
}

// fours groups an id by four characters.
func fours(id string) string {
	var groups []string
	for group := range slices.Chunk([]rune(id), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

// Param is a value set by the sender, with a sample for checks and previews.
type Param struct {
	Name     string `yaml:"name"`
	Sample   string `yaml:"sample" words:"optional"`
	Optional bool   `yaml:"optional"` // may be left out; then it is empty
	Fixed    bool   `yaml:"fixed"`    // of an SMS: one value per event, with which the text is registered
}

// Rendered is a message ready to send. An SMS has only Text. Parts are a mail's blocks, with the same content as Text.
type Rendered struct {
	Subject, Text, HTML, Parts string
}

// Render is Words with the HTML of a mail. host is the site's host.
func (m Message) Render(host string, params map[string]string) (Rendered, error) {
	words, err := m.Words(host, params)
	if err == nil && m.Channel == Email {
		words.HTML, _, err = MailHTML(m.site.Name, words)
	}
	return words, err
}

// Words fills in a message, without HTML. A missing param is an error; an unknown one is ignored, because the sender may
// be of another version. An SMS must fit into one part.
func (m Message) Words(host string, params map[string]string) (Rendered, error) {
	values := map[string]any{"Site": m.site, "Host": host}
	for _, param := range m.Params {
		value, given := params[param.Name]
		if !given && !param.Optional {
			return Rendered{}, fmt.Errorf("message %s: the param %s is missing", m.ID, param.Name)
		}
		if m.Channel == Email && param.Name == nameParam {
			value = withoutLinks(value)
		}
		values[param.Name] = strings.ReplaceAll(value, fieldEnd, "")
	}
	text, err := m.parsed.text.fill(values)
	if err != nil {
		return Rendered{}, fmt.Errorf("message %s, text: %w", m.ID, err)
	}
	if m.Channel == SMS {
		text = strings.TrimSpace(text)
		if length, plain := gsmLength(text); !plain || length > smsLimit {
			return Rendered{}, fmt.Errorf("message %s does not fit into one SMS: %d characters", m.ID, length)
		}
		return Rendered{Text: text}, nil
	}
	subject, err := m.parsed.subject.fill(values)
	if err != nil {
		return Rendered{}, fmt.Errorf("message %s, subject: %w", m.ID, err)
	}
	// A line break in a name must not start another header.
	subject = strings.Join(strings.Fields(subject), " ")
	blocks := filledBlocks(m.Mail, text)
	parts, err := encodeBlocks(blocks)
	return Rendered{Subject: subject, Text: plainMail(blocks) + footerMark + m.parsed.footer + "\n", Parts: parts}, err
}

// nameParam is a person's name, which is unverified: anybody can make us greet any mailbox with it.
const nameParam = "Name"

var dotInWord = regexp.MustCompile(`\.([\pL\pM])`)

// withoutLinks inserts a space after dots within a name, as in "S. K. Rao", so that mail programs do not link
// "www.evil.example".
func withoutLinks(name string) string { return dotInWord.ReplaceAllString(name, ". $1") }

// footerMark separates a mail's text from its footer, with the usual signature line.
const footerMark = "\n\n-- \n"

// Preview renders the message with its samples.
func (m Message) Preview() (Rendered, error) {
	samples := map[string]string{}
	for _, param := range m.Params {
		samples[param.Name] = param.Sample
	}
	return m.Render(sampleHost, samples)
}

func (m Message) check() (faults []error) {
	refuse := refuser(&faults, "messages, "+m.ID+": ")
	refuse(m.Channel != SMS && m.Channel != Email, "channel: %q is not sms or email", m.Channel)
	refuse((m.Channel == Email) != (m.Subject != ""), "subject: a mail has one, an SMS has none")
	refuse((m.Channel == Email) != (len(m.Mail) > 0) || (m.Channel == Email) == (m.Text != ""), "a mail has blocks under mail, an SMS has a text")
	refuse(m.Replies != "" && m.ReplyTo() == "", "replies: %q is not support, privacy or grievance", m.Replies)
	m.checkMail(refuse)
	words := m.Subject + m.Text + patternOf(m.Mail)
	variables := 0
	for _, param := range m.Params {
		used := strings.Count(words, "."+param.Name)
		refuse(used == 0, "params: %s is not used", param.Name)
		refuse(param.Sample == "" && !param.Optional, "params: %s has no sample", param.Name)
		if !param.Fixed { // as the host is
			variables += used
		}
	}
	refuse(m.Channel == SMS && variables > 2, "text: %d variables; a registered SMS text has at most two (TRAI, 18 November 2025)", variables)
	if _, err := m.Preview(); err != nil {
		faults = append(faults, err)
	}
	return faults
}

const (
	gsmBasic    = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "^{}\\[~]|€" // two characters each
)

// gsmLength returns the length of a text in the GSM 7-bit alphabet; false if it has other characters.
func gsmLength(text string) (length int, plain bool) {
	for _, letter := range text {
		switch {
		case strings.ContainsRune(gsmBasic, letter):
			length++
		case strings.ContainsRune(gsmExtended, letter):
			length += 2
		default:
			return utf8.RuneCountInString(text), false
		}
	}
	return length, true
}
