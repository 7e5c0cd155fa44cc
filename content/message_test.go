package content

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	l := library(t)
	for id, message := range l.messages {
		sent, err := message.Preview()
		if err != nil {
			t.Error(err)
		}
		if message.Channel == SMS {
			lines := strings.Split(sent.Text, "\n")
			has := func(name string) bool {
				return slices.ContainsFunc(message.Params, func(p Param) bool { return p.Name == name })
			}
			brings := has("Code") && !has("Student") && !has("Key") // a guardian tells the student the code, and an SMS with an address has no room
			if length, plain := gsmLength(sent.Text); !plain || length > 160 || brings != regexp.MustCompile(`^@[a-z.]+ #123456$`).MatchString(lines[len(lines)-1]) {
				t.Errorf("%s, %d characters: %q", id, length, sent.Text)
			}
			continue
		}
		for _, contact := range []string{"support@hiresure.example", "privacy@hiresure.example", "grievance@hiresure.example"} {
			own := message.Staff && contact == "grievance@hiresure.example" // the officer's own mails need no contact
			if strings.Contains(sent.Text, contact) == own || strings.Contains(sent.HTML, contact) == own {
				t.Errorf("%s: names %s: %t", id, contact, own)
			}
		}
		if !regexp.MustCompile(`^[A-Z₹]`).MatchString(sent.Text) {
			t.Errorf("%s does not begin with a capital or an amount: %q", id, sent.Text)
		}
	}

	guardian, _ := l.Message("guardian-otp-told")
	longest := map[string]string{"Student": "Venkatanarasim", "Day": "14 Mar 2027", "Fee": "149900", "Code": "004217"}
	consent, err := guardian.Render("127.0.0.1", longest)
	if want := "Venkatanarasim asks you to agree to the HireSure exam, 14 Mar 2027, Rs 149900. If yes, tell only your child 004217. Valid 10 minutes. We never call for it."; err != nil || consent.Text != want {
		t.Errorf("%q, %v", consent.Text, err)
	}

	otp, _ := l.Message("otp")
	sms, err := otp.Render("127.0.0.1", map[string]string{"Code": "004217"})
	if want := "004217 is your HireSure code, valid for 10 minutes. We never call to ask for it.\n\n@127.0.0.1 #004217"; err != nil || sms.Text != want {
		t.Errorf("%q, %v", sms.Text, err)
	}
	if _, err := otp.Render("127.0.0.1", nil); err == nil || err.Error() != "message otp: the param Code is missing" {
		t.Errorf("a missing param: %v", err)
	}
	if got, err := otp.Render("127.0.0.1", map[string]string{"Code": "004217", "Name": "Asha"}); err != nil || got != sms {
		t.Errorf("a param of a later version: %q, %v", got.Text, err)
	}
	if _, err := otp.Render(strings.Repeat("a", 90), map[string]string{"Code": "004217"}); err == nil || err.Error() != "message otp does not fit into one SMS: 181 characters" {
		t.Errorf("a host that is too long: %v", err)
	}

	receipt, _ := l.Message("receipt")
	paid, err := receipt.Render("127.0.0.1", map[string]string{
		"Name": "<img src=x>", "Programme": "A\r\nBcc: x@example.com", "Amount": "₹999.00", "Transaction": "KS1",
		"ReceiptURL": "https://www.hiresure.example/receipt/1?a=1&b=2",
	})
	if err != nil {
		t.Fatal(err)
	}
	if paid.Subject != "You are enrolled: A Bcc: x@example.com" {
		t.Errorf("subject %q", paid.Subject)
	}
	if strings.Contains(paid.HTML, "<img src=x") || !strings.Contains(paid.HTML, `<a href="https://www.hiresure.example/receipt/1?a=1&amp;b=2"`) {
		t.Errorf("HTML %s", paid.HTML)
	}
}

func TestNamesAreNotLinked(t *testing.T) {
	l := library(t)
	for _, id := range []string{"enquiry", "grievance", "enrolment-reminder"} { // anybody can send these to anybody
		message, _ := l.Message(id)
		params := map[string]string{}
		for _, param := range message.Params {
			params[param.Name] = param.Sample
		}
		params["Name"] = "Win at www.evil.example S.K.Rao, St. John"
		sent, err := message.Render("127.0.0.1", params)
		if err != nil {
			t.Fatal(err)
		}
		if want := "Dear Win at www. evil. example S. K. Rao, St. John,"; !strings.Contains(sent.Text, "\n\n"+want+"\n\n") || !strings.Contains(sent.HTML, want) {
			t.Errorf("%s: %.100q", id, sent.Text)
		}
	}
}

func TestComplaintMailQuotesInput(t *testing.T) {
	message, _ := library(t).Message("grievance-officer")
	for _, c := range []struct{ sentence, phone, typed, text, html string }{
		{
			"paragraphs and lines", "+91 98123 45670", "I paid twice.\nNobody answers.\n\nPlease help.",
			"Phone: +91 98123 45670\nCategory: Payment or refund\n|I paid twice.\nNobody answers.\n\nPlease help.",
			`<a class="k" href="tel:&#43;919812345670" style="color:#2645a6;text-decoration:underline;padding:4px 0;white-space:nowrap">&#43;91 98123 45670</a></span>|` +
				`Please write to <a class="k" href="mailto:asha@example.com"|>asha@example.com</a></span>|` + ">Payment or refund</span>|>I paid twice.<br>Nobody answers.</p>|>Please help.</p>",
		},
		{
			"no phone, and what would be a header, a placeholder or markup elsewhere", "", "Subject: Settled\nBcc: x@example.com\n{{.Site.Name}} <img src=x>",
			"Phone: not given\nCategory: Payment or refund\n|Subject: Settled\nBcc: x@example.com\n{{.Site.Name}} <img src=x>",
			">not given</span>|>Subject: Settled<br>Bcc: x@example.com<br>{{.Site.Name}} &lt;img src=x&gt;</p>",
		},
	} {
		sent, err := message.Render("127.0.0.1", map[string]string{
			"Ticket": "GRV-4T8X-NPQR", "Name": "Asha Verma", "Email": "asha@example.com", "Phone": c.phone, "Category": "Payment or refund",
			"Message": c.typed, "RedressBy": "21 Dec 2026",
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := "Complaint GRV-4T8X-NPQR: decide by 21 Dec 2026"; sent.Subject != want {
			t.Errorf("%s: subject %q, want %q", c.sentence, sent.Subject, want)
		}
		facts, words, _ := strings.Cut(c.text, "|")
		want := "Decide by 21 Dec 2026\n\nDear Revathi Menon,\n\nA complaint has arrived, and its writer has been told that it has reached you. It must be redressed by 21 Dec 2026 at the latest.\n\n" +
			"Ticket: GRV-4T8X-NPQR\nName: Asha Verma\nE-mail: asha@example.com\n" + facts +
			"\nPlease write to asha@example.com, with the complaint number in the subject: an answer to this mail does not reach the writer.\n\n" +
			"In the writer's words:\n\n" + words
		if text, _, _ := strings.Cut(sent.Text, "\n\n-- \n"); text != want {
			t.Errorf("%s: text\n%q, want\n%q", c.sentence, text, want)
		}
		for part := range strings.SplitSeq(c.html, "|") {
			if !strings.Contains(sent.HTML, part) {
				t.Errorf("%s: no %q in %s", c.sentence, part, sent.HTML)
			}
		}
	}
}
