package components

import (
	"context"
	"strings"
	"unicode"
)

// PersonProps is the header of signed-in pages.
type PersonProps struct {
	Home    string // target of the logo
	Name    string // full
	Address string // phone or e-mail of the sign-in, formatted
	Links   []PersonLink
	LogOut  LogOutProps
}

// PersonLink is an entry of the person's menu. The last one logs out.
type PersonLink struct {
	Text, Href string
	Sign       PersonSign
	Current    bool // links to the open page
}

// PersonSign is the path of an entry's icon.
type PersonSign string

// Icons of the menu.
const (
	SignPerson PersonSign = "M12 4.4a3.6 3.6 0 110 7.2 3.6 3.6 0 010-7.2zM5 20c.7-4 3.4-6 7-6s6.3 2 7 6"
	SignList   PersonSign = "M5 5h14v5H5zM5 14h14v5H5z"
	SignLock   PersonSign = "M6 11h12v8.5H6zM8.5 11V8a3.5 3.5 0 017 0v3"
	SignLeave  PersonSign = "M14 5H6v14h8M11 12h9M16.5 8.5L20 12l-3.5 3.5"
)

// LogOutProps is the confirmation of a log-out.
type LogOutProps struct {
	Action  string // address of the form, and of its page without scripts
	Address string // address that the next code goes to, formatted
	Back    string // target of Cancel without scripts
}

// LogOutID is the id of the dialog of Log out.
const LogOutID = "log-out"

// menuLetters limits a first or last name in the menu (spec §2).
const menuLetters = 8

// menuName returns first and last name, each cut to eight letters.
func menuName(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	for i, word := range words {
		if letters := []rune(word); len(letters) > menuLetters {
			words[i] = string(letters[:menuLetters]) + "…"
		}
	}
	return strings.Join(words, " ")
}

// initials returns the first letters of first and last name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	var initials []rune
	for _, word := range words {
		initials = append(initials, unicode.ToUpper([]rune(word)[0]))
	}
	return string(initials)
}

// DeletionProps announces the deletion of the account.
type DeletionProps struct {
	Text string // "Your account will be deleted on 28 Nov 2026."
	Keep string // page that withdraws it
}

type deletionKey struct{}

// WithDeletion makes all pages rendered with the context announce the deletion.
func WithDeletion(ctx context.Context, p DeletionProps) context.Context {
	return context.WithValue(ctx, deletionKey{}, p)
}

func deletionOf(ctx context.Context) DeletionProps {
	p, _ := ctx.Value(deletionKey{}).(DeletionProps)
	return p
}

// PageHeadProps is the heading of a signed-in page.
type PageHeadProps struct {
	Eyebrow, Title string
}

// FootProps is the footer of signed-in pages: help and legal links.
type FootProps struct {
	Phone, Hours string // "+91 80 0000 0101", "Student support, Monday to Saturday, 10:00 to 18:00"
	Links        []Link
}
