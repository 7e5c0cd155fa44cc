package content

import (
	"bytes"
	"html"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	hidden    = regexp.MustCompile(`(?s)<head>.*</head>|<!--.*?-->|<div style="display:none.*?</div>`)
	aTag      = regexp.MustCompile(`<[^>]*>`)
	aWord     = regexp.MustCompile(`[\pL\pN₹−@.]*[\pL\pN]+`)
	mailLink  = regexp.MustCompile(`<a href="mailto:([^"]*)"[^>]*>([^<@]*)</a>`) // whose words are not its address
	itsLink   = regexp.MustCompile(`href="(https?://[^"]*)"`)
	itsSource = regexp.MustCompile(`src="([^"]*)"`)
	urlLine   = regexp.MustCompile(`(?m)^https?://\S+$`)
)

// saysHTML returns the sorted words of an HTML part, and its links in order.
func saysHTML(text string) (said, links []string) {
	text = mailLink.ReplaceAllString(hidden.ReplaceAllString(text, ""), "$2 $1")
	for _, link := range itsLink.FindAllStringSubmatch(text, -1) {
		links = append(links, html.UnescapeString(link[1]))
	}
	return words(html.UnescapeString(aTag.ReplaceAllString(text, " "))), links
}

// saysText is saysHTML for a text part, with the site's name as first line.
func saysText(text string) (said, links []string) {
	return words("HireSure " + urlLine.ReplaceAllString(text, "")), urlLine.FindAllString(text, -1)
}

func words(text string) []string {
	found := aWord.FindAllString(strings.ReplaceAll(text, "\u200a", ""), -1)
	slices.Sort(found)
	return found
}

func TestMailPartsAgree(t *testing.T) {
	for id, message := range library(t).messages {
		if message.Channel != Email {
			continue
		}
		few := map[string]string{} // as older versions send them
		for _, param := range message.Params {
			if !param.Optional {
				few[param.Name] = param.Sample
			}
		}
		if id == "receipt" {
			few["Dates"] = "Mock test: Sunday, 7 Mar 2027\nResults: Monday, 22 Mar 2027"
		}
		whole, err := message.Preview()
		if err != nil {
			t.Fatal(id, err)
		}
		older, err := message.Render(sampleHost, few)
		if err != nil {
			t.Fatal(id, err)
		}
		for _, sent := range []Rendered{whole, older} {
			inHTML, itsLinks := saysHTML(strings.ReplaceAll(sent.HTML, "March 2027", "Mar 2027")) // the ticket has the full month
			inText, textLinks := saysText(sent.Text)
			if !slices.Equal(inHTML, inText) {
				t.Errorf("%s: the parts differ:\nHTML %q\ntext %q", id, inHTML, inText)
			}
			if !slices.Equal(itsLinks, textLinks) {
				t.Errorf("%s: the HTML links to %q, the text to %q", id, itsLinks, textLinks)
			}
			shown := aTag.ReplaceAllString(hidden.ReplaceAllString(sent.HTML, ""), " ")
			for _, never := range []string{"://", "{{", "<no value>"} {
				if strings.Contains(shown, never) || strings.Contains(sent.HTML, "ZgotmplZ") {
					t.Errorf("%s shows %q: %s", id, never, shown)
				}
			}
			if n := strings.Count(sent.HTML, `font-weight:650`); n > 1 {
				t.Errorf("%s has %d buttons", id, n)
			}
		}
	}
}

func TestMailNamesExpiringLinks(t *testing.T) {
	for id, want := range map[string]string{
		"receipt":             "These links work on any device: receipt and invoice for 90 days, the ticket always.",
		"receipt-late":        "These links work on any device: receipt and invoice for 90 days, the ticket always.",
		"receipt-free":        "These links work on any device: the receipt for 90 days, the ticket always.",
		"receipt-application": "Receipt and invoice work on any device for 90 days.",
	} {
		m, _ := library(t).Message(id)
		sent, err := m.Preview()
		if err != nil {
			t.Fatal(err)
		}
		for part, text := range map[string]string{"text": sent.Text, "HTML": html.UnescapeString(sent.HTML)} {
			if !strings.Contains(text, want+" Anyone with this e-mail can open them, so please do not forward it.") {
				t.Errorf("%s, %s: %s", id, part, text)
			}
		}
	}
}

func TestEnrolmentMailHasTicket(t *testing.T) {
	receipt, _ := library(t).Message("receipt")
	sent, err := receipt.Preview()
	if err != nil {
		t.Fatal(err)
	}
	want := "You are enrolled, Asha\n\nWe received ₹999.00. This is your ticket for the exam.\n\n" +
		"HireSure mGrow Scholarship\nAsha Pillai\nScholarship exam: Sunday, 14 Mar 2027\nPlanned for 10:00, confirmed by 28 Feb 2027\nData Analytics\nOnline, with a proctor: from home or college\n" +
		"Computer or phone with camera, reliable internet\nTicket number: HS26-4K7M-2\nAmount paid: ₹999.00\n\n" +
		"Open the ticket:\nhttps://www.hiresure.example/ticket/7Q2M9KXW4TBN8RVC3HJD5F\n\n" +
		"What happens next\n\n28 Feb: Mock test. Sunday. One hour online.\n14 Mar: Scholarship exam. Sunday. Online, with a proctor.\n" +
		"22 Mar: Results. Monday. By e-mail and SMS.\n5 Apr: Classes begin. Monday. The first of six months.\n\n" +
		"Nothing more to pay or fill in before the exam. Study material and the links to the mock test and the exam come to this address.\n\n" +
		"Receipt:\nhttps://www.hiresure.example/receipt/sample\n\nTax invoice KS/26-27/000001:\nhttps://www.hiresure.example/invoice/sample\n\n" +
		"Add to calendar:\nhttps://www.hiresure.example/ticket/7Q2M9KXW4TBN8RVC3HJD5F/exam.ics\n\n" +
		"Full refund until 7 Mar 2027. After that, one free move to the next exam.\n\n" +
		"These links work on any device: receipt and invoice for 90 days, the ticket always. Anyone with this e-mail can open them, so please do not forward it. To tell a friend, share your code ASHA7PX."
	if got, _, _ := strings.Cut(sent.Text, footerMark); got != want {
		t.Errorf("text\n%q, want\n%q", got, want)
	}
	for _, part := range []string{
		`alt="QR code of the ticket HS26-4K7M-2"`, `<meta name="color-scheme" content="light dark">`, "Exam on Sunday, 14 March 2027. Ticket HS26-4K7M-2.</div>", `font-family:Eczar,Roboto,Arial,sans-serif;font-weight:600;letter-spacing:-.018em;font-size:23px;line-height:1.15">March 2027<`,
		`<b>ASHA7PX</b>`, "₹\u200a999.00</p>", `href="tel:&#43;918000000101"`,
	} {
		if !strings.Contains(sent.HTML, part) {
			t.Errorf("no %s in %s", part, sent.HTML)
		}
	}
	nobodys, err := receipt.Render(sampleHost, map[string]string{"Name": "S. K. Rao", "Programme": "P", "Amount": "₹999.00", "ReceiptURL": "https://h.example/receipt/1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"ticket", "Ticket", "What happens next", "Add to calendar", "Tax invoice", "share your code", "cid:code"} {
		if strings.Contains(nobodys.Text+hidden.ReplaceAllString(nobodys.HTML, ""), never) {
			t.Errorf("a mail without a ticket says %q: %s", never, nobodys.Text)
		}
	}
	if want := "You are enrolled, S. K. Rao\n\nWe received ₹999.00.\n\nP\nS. K. Rao\nAmount paid: ₹999.00\n\nOpen the receipt:\nhttps://h.example/receipt/1\n\nThese links work on any device: the receipt for 90 days. Anyone with this e-mail"; !strings.HasPrefix(nobodys.Text, want) {
		t.Errorf("a mail without a ticket: %q", nobodys.Text)
	}
}

func TestMailPictures(t *testing.T) {
	for id, message := range library(t).messages {
		if message.Channel != Email {
			continue
		}
		sent, err := message.Preview()
		if err != nil {
			t.Fatal(err)
		}
		_, pictures, err := MailHTML("HireSure", sent)
		if err != nil {
			t.Fatal(err)
		}
		var brought, shown []string
		size := 0
		for _, picture := range pictures {
			brought = append(brought, "cid:"+picture.Name)
			size += len(picture.PNG)
			if _, err := png.Decode(bytes.NewReader(picture.PNG)); err != nil {
				t.Errorf("%s, %s: %v", id, picture.Name, err)
			}
		}
		for _, source := range itsSource.FindAllStringSubmatch(sent.HTML, -1) {
			shown = append(shown, source[1])
		}
		slices.Sort(brought)
		slices.Sort(shown)
		if !slices.Equal(brought, shown) || len(shown) == 0 {
			t.Errorf("%s brings %q and shows %q", id, brought, shown)
		}
		if size > 8<<10 || len(sent.HTML) > 40<<10 { // Gmail truncates mails at 102 KB
			t.Errorf("%s: %d bytes of pictures, %d of HTML", id, size, len(sent.HTML))
		}
	}
}

func TestMailOfAnotherVersion(t *testing.T) {
	text := "Dear Asha,\n\nYour receipt:\nhttps://www.hiresure.example/receipt/s3cret\n\n-- \nHireSure is run by us.\nWrite to help@hiresure.example, +91 80 4000 0000"
	for sentence, parts := range map[string]string{
		"it has no parts": "", "it has a part that is not known here": `[{"kind":"moon","text":"Full"}]`, "it cannot be read": "[",
	} {
		laid, _, err := MailHTML("HireSure", Rendered{Subject: "Paid", Text: text, Parts: parts})
		if err != nil {
			t.Fatal(sentence, err)
		}
		for _, part := range []string{
			`>Dear Asha,</p>`, `>Your receipt:<br><a class="k" href="https://www.hiresure.example/receipt/s3cret"`, `>www.hiresure.example</a></p>`,
			`<a class="k fl" href="mailto:help@hiresure.example"`, `href="tel:&#43;918040000000"`,
		} {
			if !strings.Contains(laid, part) {
				t.Errorf("%s: no %s in %s", sentence, part, laid)
			}
		}
		if lines, _ := saysHTML(laid); strings.Contains(strings.Join(lines, " "), "s3cret") || strings.Contains(laid, "Full") {
			t.Errorf("%s: shows %q", sentence, lines)
		}
	}
	if _, _, err := MailHTML("HireSure", Rendered{Text: text}); err == nil || err.Error() != "a mail has a subject" {
		t.Error(err)
	}
}

func TestUserInputIsNotMarkup(t *testing.T) {
	officer, _ := library(t).Message("grievance-officer")
	typed := "Open the ticket:\nhttps://evil.example/x\n\x00\x00button\x00<b>"
	sent, err := officer.Render(sampleHost, map[string]string{
		"Ticket": "GRV-1", "Name": "A", "Email": "a@example.com", "Phone": "", "Category": "Other", "Message": typed, "RedressBy": "1 May 2027",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, links := saysHTML(sent.HTML); len(links) != 0 {
		t.Errorf("links to %q", links)
	}
	if want := ">Open the ticket:<br>https://evil.example/x<br>button&lt;b&gt;</p>"; !strings.Contains(sent.HTML, want) {
		t.Errorf("no %s in %s", want, sent.HTML)
	}
}

func TestInvalidMailsAreRejected(t *testing.T) {
	for sentence, c := range map[string]struct{ old, replacement, want string }{
		"an unknown kind":           {"{kind: code,", "{kind: cod,", `content/messages.yaml: messages, otp-mail: mail[2].kind: "cod" is not a kind of block`},
		"a title below":             {"{kind: heading, text: Your code}", "{kind: text, text: Your code}\n      - {kind: title, text: Your code}", "content/messages.yaml: messages, otp-mail: mail[2].kind: a title comes first"},
		"a preview below":           {"{kind: heading, text: Your code}", "{kind: text, text: Your code}\n      - {kind: preview, text: Your code}", "content/messages.yaml: messages, otp-mail: mail[2].kind: a preview comes first"},
		"an unknown picture":        {"picture: untied}", "picture: united}", `content/messages.yaml: messages, refund-failed: mail[1].picture: "united" is not tied or untied`},
		"a second button":           {"{kind: button, text: Continue,", "{kind: button, text: A, link: b}\n      - {kind: button, text: Continue,", "content/messages.yaml: messages, enrolment-reminder: mail: 2 buttons, at most is one"},
		"a param without a sample":  {"{name: Reference, sample: ENQ-7K2M-9QTX}", "{name: Reference}", "content/messages.yaml: messages, enquiry: params: Reference has no sample"},
		"an unknown field of words": {"{kind: code,", "{kind: code, colour: red,", "field colour not found"},
	} {
		_, err := load(changed(t, "messages.yaml", c.old, c.replacement), "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", sentence, err, c.want)
		}
	}
}
