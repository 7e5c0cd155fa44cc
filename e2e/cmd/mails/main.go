// Command mails prints the HTML of every mail as a JSON object by name, with its samples and with the longest parameters, for
// tests in TypeScript.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"

	"hiresure/content"
)

// longest contains params of the forms' maximum lengths, unbreakable, and a title of two lines.
var longest = map[string]string{
	"Name":      strings.Repeat("Venka", 10),
	"Email":     strings.Repeat("a", 48) + "@example.com",
	"Message":   strings.Repeat("a", 2000),
	"Programme": "HireSure Scholarship for Artificial Intelligence and Data Analytics Engineers",
}

func main() {
	log.SetFlags(0)
	mails, err := mails()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(mails)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func mails() (map[string]string, error) {
	library, err := content.Load()
	if err != nil {
		return nil, err
	}
	mails := map[string]string{}
	for _, message := range library.Messages() {
		if message.Channel != content.Email {
			continue
		}
		short, long := map[string]string{}, map[string]string{}
		for _, param := range message.Params {
			short[param.Name], long[param.Name] = param.Sample, param.Sample
			if text, known := longest[param.Name]; known {
				long[param.Name] = text
			}
		}
		for name, params := range map[string]map[string]string{message.ID: short, message.ID + ", longest": long} {
			mail, err := message.Render("www.hiresure.example", params)
			if err != nil {
				return nil, err
			}
			mails[name] = mail.HTML
		}
	}
	return mails, nil
}
