package store

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of a look-up of similar texts: words that are compared for one that was typed, and texts that are searched.
const (
	maxCompared = 300
	maxSearched = 8
)

// numberLetters are the letters and digits of tickets, papers and payments.
const numberLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func (t *tx) SimilarTexts(text string, most int) (similar []string, err error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "@") {
		return nil, nil
	}
	if strings.ContainsAny(text, "0123456789") {
		return t.similarNumbers(text, most)
	}
	words := searchWords(text)
	words = words[:min(len(words), maxNameWords)]
	searched := 0
	for i, word := range words {
		others, err := t.similarWords(word)
		if err != nil {
			return nil, err
		}
		for _, other := range others {
			if searched++; searched > maxSearched || len(similar) == most {
				return similar, nil
			}
			changed := slices.Clone(words)
			changed[i] = other
			candidate := strings.Join(changed, " ")
			s, err := t.searchTerms(search{selects: "SELECT ", from: "registrations r", at: "r.modified_at", id: "r.id", where: conditions{[]string{"r.erased_at = 0"}, nil}}, candidate)
			if err != nil {
				return nil, err
			}
			found, err := t.positions(s, nil, false, 1)
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				similar = append(similar, candidate)
			}
		}
	}
	return similar, nil
}

// similarWords returns words of names that begin like a word and differ from it by one edit.
func (t *tx) similarWords(word string) (similar []string, err error) {
	letters := []rune(word)
	if len(letters) < 3 {
		return nil, nil
	}
	for _, n := range []int{1, 2, max(3, len(letters)/2)} { // more letters where too many words begin with few
		words, err := t.wordsBeginning(string(letters[:n]))
		if err != nil {
			return nil, err
		}
		similar = nil
		for _, other := range words {
			if other != word && oneEdit(letters, []rune(other)) {
				similar = append(similar, other)
			}
		}
		if len(words) < maxCompared {
			break
		}
	}
	return similar, nil
}

// wordsBeginning returns at most maxCompared words of names, each by one step through the index.
func (t *tx) wordsBeginning(prefix string) (words []string, err error) {
	first := "substr(MIN(term), 1, instr(MIN(term) || ' ', ' ') - 1)"
	if t.db.Name() == "postgres" {
		first = "split_part(MIN(term), ' ', 1)"
	}
	err = t.db.Raw(`WITH RECURSIVE w(word) AS (
			SELECT `+first+` FROM search_terms WHERE term >= @from AND term < @to
			UNION ALL
			SELECT (SELECT `+first+` FROM search_terms WHERE term > w.word || @skip AND term < @to) FROM w WHERE w.word IS NOT NULL
		) SELECT word FROM w WHERE word IS NOT NULL LIMIT @most`,
		map[string]any{"from": prefix, "to": prefix + string(unicode.MaxRune), "skip": " " + string(unicode.MaxRune), "most": maxCompared}).Scan(&words).Error
	return words, wrap("find similar words", err)
}

// similarNumbers returns numbers that differ by one character, or by two that changed places.
func (t *tx) similarNumbers(text string, most int) (similar []string, err error) {
	number := strings.ToUpper(text)
	if n := len(number); n < 6 || n > 24 || strings.ContainsFunc(number, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, nil
	}
	phones := []string{""}
	if digits := phoneDigits(text); len(digits) == 10 {
		for _, other := range variants(digits) {
			phones = append(phones, "+"+other)
		}
	}
	err = t.db.Raw(`SELECT number FROM (
			SELECT ticket AS number FROM registrations WHERE ticket IN @numbers AND ticket <> ''
			UNION SELECT number FROM invoices WHERE number IN @numbers
			UNION SELECT number FROM credit_notes WHERE number IN @numbers
			UNION SELECT means_reference FROM transactions WHERE means_reference IN @numbers AND means_reference <> ''
			UNION SELECT substr(term, 2) FROM search_terms WHERE term IN @phones
		) AS found ORDER BY number LIMIT @most`, map[string]any{"numbers": variants(number), "phones": phones, "most": most}).Scan(&similar).Error
	return similar, wrap("find similar numbers", err)
}

// variants returns a number with each of its characters replaced, and with each two neighbours swapped.
func variants(number string) (all []string) {
	for i := range len(number) {
		if !strings.Contains(numberLetters, number[i:i+1]) {
			continue
		}
		for _, letter := range numberLetters {
			if byte(letter) != number[i] {
				all = append(all, number[:i]+string(letter)+number[i+1:])
			}
		}
		if i > 0 && number[i] != number[i-1] {
			all = append(all, number[:i-1]+number[i:i+1]+number[i-1:i]+number[i+1:])
		}
	}
	return all
}

// oneEdit reports whether two words differ by one letter that was added, left out or replaced, or by two that changed places.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i == len(a) || slices.Equal(a[i+1:], b[i+1:]) ||
			i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
	case 1:
		return slices.Equal(a[i:], b[i+1:])
	}
	return false
}
