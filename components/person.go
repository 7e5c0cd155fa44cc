package components

import (
	"context"
	"strings"
	"unicode"
)

// PersonProps is who is signed in, as the header of every signed-in page shows it.
type PersonProps struct {
	Home    string // where the logo leads
	Name    string // whole
	Address string // that signs in, as people read it: a phone or an e-mail
	Links   []PersonLink
	LogOut  LogOutProps
}

// PersonLink is an entry of the person's menu. The last one logs out.
type PersonLink struct {
	Text, Href string
	Sign       PersonSign
	Current    bool // it leads to the page that is open
}

// PersonSign names the drawing beside an entry.
type PersonSign string

// The signs of the menu.
const (
	SignPerson PersonSign = "M12 4.4a3.6 3.6 0 110 7.2 3.6 3.6 0 010-7.2zM5 20c.7-4 3.4-6 7-6s6.3 2 7 6"
	SignList   PersonSign = "M5 5h14v5H5zM5 14h14v5H5z"
	SignLock   PersonSign = "M6 11h12v8.5H6zM8.5 11V8a3.5 3.5 0 017 0v3"
	SignLeave  PersonSign = "M14 5H6v14h8M11 12h9M16.5 8.5L20 12l-3.5 3.5"
)

// LogOutProps is the question before somebody logs out.
type LogOutProps struct {
	Action  string // the form's address, whose page asks the same without scripts
	Address string // where the next code goes, as people read it
	Back    string // where Cancel leads without scripts
}

// LogOutID is the id of the dialog that Log out opens.
const LogOutID = "log-out"

// menuLetters is how much of a first or a last name the menu shows (spec §2).
const menuLetters = 8

// menuName is a name as the menu shows it: first and last name, each cut to eight letters.
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

// initials are the first letters of a first and a last name.
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

// LeavingProps says of whoever a page is for that the account will be deleted.
type LeavingProps struct {
	Text string // "Your account will be deleted on 28 Nov 2026."
	Keep string // where one takes it back
}

type leavingKey struct{}

// WithLeaving has every page that is rendered with the context say so.
func WithLeaving(ctx context.Context, p LeavingProps) context.Context {
	return context.WithValue(ctx, leavingKey{}, p)
}

func leavingOf(ctx context.Context) LeavingProps {
	p, _ := ctx.Value(leavingKey{}).(LeavingProps)
	return p
}

// PlateProps is the indigo head of a signed-in page.
type PlateProps struct {
	Eyebrow, Title string
}

// FootProps is the foot of signed-in pages: help, and what the law asks for.
type FootProps struct {
	Phone, Hours string // "+91 80 0000 0101", "Student support, Monday to Saturday, 10:00 to 18:00"
	Links        []Link
}
