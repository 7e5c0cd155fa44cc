package content

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"
)

// The two channels of a message.
const (
	SMS   = "sms"
	Email = "email"
)

// sampleHost is as long as hosts get: a registered text must fit into one SMS with it.
const sampleHost = "www.scholarships.hiresure.example"

// smsLimit is the length of one SMS in the GSM 7-bit alphabet.
const smsLimit = 160

// Message is the template of a message.
type Message struct {
	ID      string  `yaml:"id"`
	Channel string  `yaml:"channel"`
	Subject string  `yaml:"subject" words:"optional"` // of a mail
	Params  []Param `yaml:"params"`
	Text    string  `yaml:"text" words:"optional"`    // of an SMS
	Mail    []Block `yaml:"mail" words:"optional"`    // of a mail, in order
	Replies string  `yaml:"replies" words:"optional"` // whom an answer to the mail reaches: support, privacy or grievance; "" where it asks for none
	Staff   bool    `yaml:"staff"`                    // it goes to one of us
	site    Site
	parsed  *parsedMessage
}

// parsedMessage is what a message is rendered with. It is made once, for that takes longer than the rest, and messages are
// rendered while the database waits.
type parsedMessage struct {
	subject, text part
	footer        string
	version       string
}

// part is a template, or why it is none.
type part struct {
	template *template.Template
	fault    error
}

func parsePart(text string) part {
	parsed, err := template.New("text").Option("missingkey=error").Funcs(template.FuncMap{"first": FirstName, "day": longDay, "within": within}).Parse(text)
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

// prepare gives the message what all messages share, and parses it.
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
	filled, err := parsePart(footer).fill(map[string]any{"Site": site, "Staff": m.Staff}) // of no param
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %s", m.Channel, m.Subject, text, filled, facts))
	m.parsed = &parsedMessage{subject: parsePart(m.Subject), text: parsePart(text), footer: strings.TrimSpace(filled), version: fmt.Sprintf("%x", sum[:6])}
	return nil
}

// Version returns twelve hexadecimal digits that change with everything a message's words are made of, its params aside.
func (m Message) Version() string { return m.parsed.version }

// mailboxes are those that read answers.
func (m Message) mailboxes() map[string]string {
	return map[string]string{"support": m.site.Support.Email, "privacy": m.site.Privacy.Email, "grievance": m.site.Grievance.Email}
}

// ReplyTo is the mailbox that an answer to the mail reaches; "" is the one that sent it.
func (m Message) ReplyTo() string { return m.mailboxes()[m.Replies] }

// within is what begins with an article as it stands inside of a sentence.
func within(name string) string {
	if rest, found := strings.CutPrefix(name, "A "); found {
		return "a " + rest
	}
	return name
}

// Param is a value that the sender gives, with a sample for checks and previews.
type Param struct {
	Name     string `yaml:"name"`
	Sample   string `yaml:"sample" words:"optional"`
	Optional bool   `yaml:"optional"` // may be left out; then it is empty
}

// Rendered is a message ready to send. An SMS has only Text. The HTML of a mail is laid out of its Parts, which say what Text
// says.
type Rendered struct {
	Subject, Text, HTML, Parts string
}

// Render fills a message that leaves from the site's host, as Words does, and lays out a mail.
func (m Message) Render(host string, params map[string]string) (Rendered, error) {
	words, err := m.Words(host, params)
	if err == nil && m.Channel == Email {
		words.HTML, _, err = MailHTML(m.site.Name, words)
	}
	return words, err
}

// Words fills a message that leaves from the site's host; its HTML is left empty. A missing param is an error; one that
// the template does not name is left out, for the sender may be of another version. An SMS must fit into one part.
func (m Message) Words(host string, params map[string]string) (Rendered, error) {
	values := map[string]any{"Site": m.site, "Host": host}
	for _, param := range m.Params {
		value, given := params[param.Name]
		if !given && !param.Optional {
			return Rendered{}, fmt.Errorf("message %s: the param %s is missing", m.ID, param.Name)
		}
		if m.Channel == Email && param.Name == nameParam {
			value = unlinked(value)
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
	// A name with a line break must not become a header of its own.
	subject = strings.Join(strings.Fields(subject), " ")
	blocks := filledBlocks(m.Mail, text)
	parts, err := encodeBlocks(blocks)
	return Rendered{Subject: subject, Text: plainMail(blocks) + footerMark + m.parsed.footer + "\n", Parts: parts}, err
}

// nameParam is what somebody calls himself, and nobody has proven: whoever knows a mailbox can have us greet it.
const nameParam = "Name"

var dotInWord = regexp.MustCompile(`\.([\pL\pM])`)

// unlinked puts a space behind each dot of a name that has none, as in "S. K. Rao": mail programs would make a link of
// "www.evil.example".
func unlinked(name string) string { return dotInWord.ReplaceAllString(name, ". $1") }

// footerMark stands between the text of a mail and its footer; the line is the usual one before a signature.
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
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf("messages, %s: %s", m.ID, fmt.Sprintf(format, args...)))
		}
	}
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
		variables += used // the host is the same in every message, so part of the registered text
	}
	refuse(m.Channel == SMS && variables > 2, "text: %d variables; a registered SMS text has at most two (TRAI, 18 November 2025)", variables)
	if _, err := m.Preview(); err != nil {
		faults = append(faults, err)
	}
	return faults
}

const (
	gsmBasic    = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtended = "^{}\\[~]|€" // two places each
)

// gsmLength counts a text in the GSM 7-bit alphabet; false if it holds anything else.
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
