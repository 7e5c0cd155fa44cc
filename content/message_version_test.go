package content

import "testing"

func TestMessageVersion(t *testing.T) {
	version := func(l *Library, id string) string {
		t.Helper()
		message, known := l.Message(id)
		if !known || len(message.Version()) != 12 {
			t.Fatalf("message %s has version %q", id, message.Version())
		}
		return message.Version()
	}
	before := library(t)
	for _, c := range []struct {
		sentence, file, old, replacement string
		enquiry, otp                     bool // whether their versions change
	}{
		{"a comment", "messages.yaml", "# Params are", "# The params are", false, false},
		{"a sample", "messages.yaml", "ENQ-7K2M-9QTX", "ENQ-222222", false, false},
		{"the text of one", "messages.yaml", "Thank you for writing to us.", "Thank you for writing.", true, false},
		{"the subject of one", "messages.yaml", "We have your question:", "Your question:", true, false},
		{"the text of another", "messages.yaml", "is your HireSure code, valid", "is your HireSure code. It is valid", false, true},
		{"the footer of all", "messages.yaml", "Not happy with our reply?", "Not happy with the reply?", true, true},
		{"the support's number", "site.yaml", before.Site().Support.Phone, "+91 80 4000 0000", true, true},
	} {
		after, err := load(changed(t, c.file, c.old, c.replacement), "")
		if err != nil {
			t.Fatal(c.sentence, err)
		}
		if got := version(after, "enquiry") != version(before, "enquiry"); got != c.enquiry {
			t.Errorf("%s: the enquiry's version changes: %t", c.sentence, got)
		}
		if got := version(after, "otp") != version(before, "otp"); got != c.otp {
			t.Errorf("%s: the code's version changes: %t", c.sentence, got)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	l, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	for _, id := range []string{"enquiry", "receipt", "otp"} {
		message, _ := l.Message(id)
		samples := map[string]string{}
		for _, param := range message.Params {
			samples[param.Name] = param.Sample
		}
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				if _, err := message.Words(sampleHost, samples); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
