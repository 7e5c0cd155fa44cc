package pdf

import (
	"strings"
	"testing"
	"time"
)

func TestSameBytesKeepsLength(t *testing.T) {
	made := time.Date(2026, 11, 23, 18, 1, 2, 0, time.FixedZone("IST", 19800))
	for _, test := range []struct{ sentence, file, want string }{
		{"the times of making are the page's", "/CreationDate (D:20261123180712+00'00')\n/ModDate (D:20261123180712-05'30')>>", "/CreationDate (D:20261123123102+00'00')\n/ModDate (D:20261123123102+00'00')>>"},
		{"ids are counted from one, in the order of the page, wherever they are named, and their list is sorted",
			"/ID (node00000087)>>\n/ID (node00000018)>>\n/Headers [(node00000087) (node00000018)]>>\n<</Limits [(node00000018) (node00000087)]\n/Names [(node00000018) 27 0 R (node00000087) 29 0 R]>>",
			"/ID (node00000001)>>\n/ID (node00000002)>>\n/Headers [(node00000001) (node00000002)]>>\n<</Limits [(node00000001) (node00000002)]\n/Names [(node00000001) 29 0 R (node00000002) 27 0 R]>>"},
		{"of several lists each keeps its ids, which are counted in their own order",
			"/ID (node00000087)>>\n/ID (node00000018)>>\n/Names [(node00000018) 27 0 R]>>\n/Names [(node00000087) 29 0 R]>>",
			"/ID (node00000002)>>\n/ID (node00000001)>>\n/Names [(node00000001) 27 0 R]>>\n/Names [(node00000002) 29 0 R]>>"},
		{"texts that look like them stay", "/ID (node00000087)>>\n/Alt (node00000087)\n/Title (/ID \\(node00000087\\))\n/Alt (D:20261123180712+00'00')", "/ID (node00000001)>>\n/Alt (node00000087)\n/Title (/ID \\(node00000087\\))\n/Alt (D:20261123180712+00'00')"},
		{"a name of another table that is no id stays", "/ID (node00000087)>>\n/Names [(node00000003) 1 0 R]", "/ID (node00000001)>>\n/Names [(node00000003) 1 0 R]"},
		{"what a stream holds stays", "<</Length 18>> stream\n/ID (node00000087)\nendstream\n/ID (node00000009)", "<</Length 18>> stream\n/ID (node00000087)\nendstream\n/ID (node00000001)"},
		{"a stream that is cut ends it", "/ID (node00000087)\n<</Length 99>> stream\n/ID (node00000087)", "/ID (node00000001)\n<</Length 99>> stream\n/ID (node00000087)"},
	} {
		if got := string(sameBytes([]byte(test.file), made)); got != test.want || len(got) != len(test.file) {
			t.Errorf("%s:\n%s\nwant\n%s", test.sentence, got, test.want)
		}
	}
	if got := string(sameBytes([]byte("/ModDate (D:20261123180712+00'00')"), time.Time{})); got != "/ModDate (D:19700101000000+00'00')" {
		t.Errorf("no time: %s", got)
	}
}

func TestNewRejectsInvalidOptions(t *testing.T) {
	const wrongURL, wrongFigures = "the URL of a browser must be ws://host:port or http://host:port", "a printer has at least one tab, and some time for each page"
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{}, ""},
		{Options{URL: "ws://chrome:9222"}, ""},
		{Options{URL: "https://chrome.example"}, ""},
		{Options{URL: "chrome:9222"}, wrongURL},
		{Options{URL: "file:///usr/bin/chromium"}, wrongURL},
		{Options{URL: "http://"}, wrongURL},
		{Options{Tabs: -1}, wrongFigures},
		{Options{Time: -1}, wrongFigures},
	} {
		p, err := New(test.options)
		if got := message(err); got != test.want || (p == nil) != (test.want != "") {
			t.Errorf("%+v: %q, want %q", test.options, got, test.want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimSpace(err.Error())
}
