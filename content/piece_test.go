package content

import (
	"regexp"
	"strings"
	"testing"
)

func TestContactsAreLinked(t *testing.T) {
	for sentence, c := range map[string]struct {
		block Block
		want  string // of the HTML
	}{
		"a number of ours": {
			Block{Kind: "text", Text: "If it was not, call +91 80 0000 0101 at once.", Contact: "+91 80 0000 0101"},
			`call <a class="k" href="tel:&#43;918000000101" style="color:#2645a6;text-decoration:underline;padding:4px 0;white-space:nowrap">&#43;91 80 0000 0101</a> at once.</p>`,
		},
		"a number in a note": {
			Block{Kind: "note", Text: "Call +91 80 0000 0101.", Contact: "+91 80 0000 0101"}, `<a class="k" href="tel:&#43;918000000101"`,
		},
		"a mailbox that somebody typed adds no recipients": {
			Block{Kind: "fact", Text: "E-mail", More: "a?bcc=b@example.com", Contact: "a?bcc=b@example.com"}, `href="mailto:a%3Fbcc=b@example.com"`,
		},
		"what is neither":    {Block{Kind: "fact", Text: "Phone", More: "javascript:1", Contact: "javascript:1"}, `<span style="overflow-wrap:anywhere;">javascript:1</span>`},
		"a number in a name": {Block{Kind: "text", Text: "Dear +91 80 0000 0101,"}, `>Dear &#43;91 80 0000 0101,</p>`},
		"a quote": {
			Block{Kind: "quote", Text: "Call +91 80 0000 0101 by 21 Dec 2026, GRV-4T8X-NPQR", Contact: "+91 80 0000 0101"},
			`>Call &#43;91 80 0000 0101 by 21 Dec 2026, GRV-4T8X-NPQR</p>`,
		},
		"a date, an hour and a reference stand in one line": {
			Block{Kind: "text", Text: "By 21 Dec 2026, 18:00 IST, or 5 Jan: GRV-4T8X-NPQR, HS26-4K7M-2."},
			strings.NewReplacer("[", `<span style="white-space:nowrap">`, "]", "</span>").Replace("By [21 Dec 2026], [18:00 IST], or [5 Jan]: [GRV-4T8X-NPQR], [HS26-4K7M-2].</p>"),
		},
		"a bold reference too": {
			Block{Kind: "text", Text: "It is ENQ-7K2M-9QTX.", Strong: "ENQ-7K2M-9QTX"}, `It is <b style="white-space:nowrap">ENQ-7K2M-9QTX</b>.</p>`,
		},
	} {
		parts, err := encodeBlocks([]Block{c.block})
		if err != nil {
			t.Fatal(err)
		}
		laid, _, err := MailHTML("HireSure", Rendered{Subject: "Paid", Text: "-", Parts: parts})
		if err != nil || !strings.Contains(laid, c.want) {
			t.Errorf("%s: %v, no %s in %s", sentence, err, c.want, laid)
		}
	}
}

func TestHoursHaveNoLineBreak(t *testing.T) {
	if sent, want := previewed(t, "enquiry"), `Monday to Saturday, <span style="white-space:nowrap">10:00 to 18:00</span></p>`; !strings.Contains(strings.ReplaceAll(sent.HTML, "<br>", "</p>"), want) {
		t.Errorf("no %s in %s", want, sent.HTML)
	}
}

// Georgia, the fallback of the display face, has old-style figures.
func TestHeadingTypeface(t *testing.T) {
	for id, want := range map[string]string{
		"refund-bounced": `<h1 class="h1" style="margin:0;font-family:Eczar,Roboto,Arial`, "grievance-officer": `<h2 class="i" style="margin:0;font-family:Eczar,Roboto,Arial`,
		"receipt": `<h1 class="h1" style="margin:0;font-family:Eczar,Georgia`,
	} {
		if sent := previewed(t, id); !strings.Contains(sent.HTML, want) {
			t.Errorf("%s: no %s in %s", id, want, sent.HTML)
		}
	}
}

func TestTitleWidthWithPicture(t *testing.T) {
	for id, narrow := range map[string]bool{"payment-missing": false, "refunded-review": false, "refunded": true, "receipt": false} {
		if sent := previewed(t, id); strings.Contains(sent.HTML, "max-width:306px") != narrow {
			t.Errorf("%s: narrow is to be %t", id, narrow)
		}
	}
}

func TestReplyTo(t *testing.T) {
	asks := regexp.MustCompile(`(?i)\b(?:answer this mail|tell us|write to us)\b`)
	for id, message := range library(t).messages {
		if message.Channel != Email {
			continue
		}
		text, _, _ := strings.Cut(previewed(t, id).Text, footerMark)
		if asked := asks.MatchString(text); asked != (message.ReplyTo() != "") {
			t.Errorf("%s asks for an answer: %t, which reaches %q", id, asked, message.ReplyTo())
		}
	}
	for id, want := range map[string]string{
		"grievance": "grievance@hiresure.example", "export-failed": "privacy@hiresure.example", "enrolment-reminder": "support@hiresure.example",
	} {
		if message, _ := library(t).Message(id); message.ReplyTo() != want {
			t.Errorf("%s: answers reach %q", id, message.ReplyTo())
		}
	}
}

func TestMailPreviews(t *testing.T) {
	preview := regexp.MustCompile(`<div style="display:none[^>]*>([^<]+)</div>`)
	for id, message := range library(t).messages {
		if message.Channel != Email {
			continue
		}
		if sent := previewed(t, id); preview.FindStringSubmatch(sent.HTML) == nil || strings.Contains(sent.Subject, preview.FindStringSubmatch(sent.HTML)[1]) {
			t.Errorf("%s, %q, is previewed by %q", id, sent.Subject, preview.FindStringSubmatch(sent.HTML))
		}
	}
}

func TestMailsHavePlaceAndTime(t *testing.T) {
	for id, want := range map[string]string{
		"new-device":           "Your account was opened on 24 Nov 2026, 18:04 IST from a browser on Windows, with",
		"address-changed":      "was changed on 24 Nov 2026, 18:04 IST, after",
		"deletion-asked":       "We do so on 1 Dec 2026, 18:00 IST. Until",
		"refresh-reused":       "out on a browser\n\nDear Asha Pillai,\n\nA sign-in key",
		"payment-missing":      "only the payment of ₹1,234.00 is missing.\n\nCheck your bank or UPI app first. Any amount deducted will be refunded in 3-4 business days.\n\nContinue to pay:\nhttps://www.hiresure.example/pay\n\nPayment ID (on the phone, give the first 8 characters): pt0c a8xb bfd8 mgn8 c4ms c6ky 74\n\n",
		"refunded-review":      "and you can pay now.\n\nContinue to pay:\nhttps://www.hiresure.example/pay\n\nPayment ID (on the phone, give the first 8 characters): pt0c a8xb bfd8 mgn8 c4ms c6ky 74\n\n",
		"refund-bounced":       "by Tuesday, 1 December.\n\nPlease send no card, UPI or account number by e-mail.\n\nPayment ID (on the phone, give the first 8 characters): pt0c a8xb bfd8 mgn8 c4ms c6ky 74\n\nWrite to us:\nsupport@hiresure.example\n\nDebit note KSD/26-27/000001:\nhttps://",
		"receipt-free":         "Ticket number: HS26-4K7M-2\nFee: Nothing to pay\n\nOpen",
		"receipt-late":         "late. The payment is complete, and this is your ticket.\n\n",
		"enquiry":              "ENQ-7K2M-9QTX. We answer within two working days.",
		"application-reminder": "Continue the application:\nhttps://",
	} {
		if sent := previewed(t, id); !strings.Contains(sent.Text, want) {
			t.Errorf("%s: no %q in %q", id, want, sent.Text)
		}
	}
	device, _ := library(t).Message("new-device")
	older, err := device.Render(sampleHost, map[string]string{"Name": "Asha", "Device": "Chrome on Android", "AccountURL": "https://h.example/account"})
	if want := "Your account was just opened from Chrome on Android, with"; err != nil || !strings.Contains(older.Text, want) || older.Subject != "Signed in from Chrome on Android" {
		t.Errorf("of an older sender: %v, %q, %q", err, older.Subject, older.Text)
	}
}

func previewed(t *testing.T, id string) Rendered {
	t.Helper()
	words, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	message, known := words.Message(id)
	if !known {
		t.Fatalf("no message %s", id)
	}
	sent, err := message.Preview()
	if err != nil {
		t.Fatal(id, err)
	}
	return sent
}
