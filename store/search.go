package store

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
)

// Staff find registrations by rows of search_terms. A name has a term for each ordered pair of its words ("asha verma" and "verma asha"), so
// that one or two words are a single range of the index; a name of one word is its own term. An e-mail address follows @, a phone
// number +, and its digits from the last to the first #.

// maxNameWords limits the words of a name that are searched; n words have n·(n-1) terms.
const maxNameWords = 6

// searchWords returns the words of a name or of a search, in lower case.
func searchWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFC.String(text)), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsControl(r)
	})
}

func nameTerms(name string) (terms []string) {
	words := searchWords(name)
	words = words[:min(len(words), maxNameWords)]
	if len(words) == 1 {
		return words
	}
	for i, first := range words {
		for j, second := range words {
			if i != j {
				terms = append(terms, first+" "+second)
			}
		}
	}
	return terms
}

func phoneTerms(phone string) []string {
	digits := strings.TrimPrefix(phone, "+91")
	if digits == "" || strings.Trim(digits, "0123456789") != "" { // an erased one
		return nil
	}
	return []string{"+" + digits, "#" + backwards(digits)}
}

func backwards(digits string) string {
	letters := []byte(digits)
	slices.Reverse(letters)
	return string(letters)
}

// termsOf returns the terms of a registration, sorted; an erased one has none.
func termsOf(r *enrol.Registration) []string {
	if !r.HasPerson() {
		return nil
	}
	terms := slices.Concat(nameTerms(r.FullName), phoneTerms(r.Phone), phoneTerms(r.GuardianPhone))
	if r.Email != "" {
		terms = append(terms, "@"+strings.ToLower(r.Email))
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// setTerms stores the terms of a registration, and deletes the others that it had.
func (t *tx) setTerms(r *enrol.Registration) error {
	terms := termsOf(r)
	if err := t.exec("DELETE FROM search_terms WHERE registration_id = ? AND term NOT IN ?", r.ID, append([]string{""}, terms...)); err != nil {
		return wrap("delete search terms", err)
	}
	return t.addTerms(r, terms)
}

// addTerms adds the terms that a registration does not have yet.
func (t *tx) addTerms(r *enrol.Registration, terms []string) error {
	if len(terms) == 0 {
		return nil
	}
	var values []any
	for _, term := range terms {
		values = append(values, r.ID, term, toMicros(r.CreatedAt))
	}
	rows := strings.TrimSuffix(strings.Repeat("(?, ?, ?), ", len(terms)), ", ")
	return wrap("add search terms", t.exec("INSERT INTO search_terms (registration_id, term, created_at) VALUES "+rows+" ON CONFLICT DO NOTHING", values...))
}

// renewTerms corrects the terms of registrations that a version without them has written.
func (t *tx) renewTerms(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	var stored []struct{ RegistrationID, Term string }
	if err := t.db.Raw("SELECT registration_id, term FROM search_terms WHERE registration_id IN ? ORDER BY registration_id, term", ids).Scan(&stored).Error; err != nil {
		return wrap("read search terms", err)
	}
	has := map[string][]string{}
	for _, row := range stored {
		has[row.RegistrationID] = append(has[row.RegistrationID], row.Term)
	}
	var rows []registrationRow
	if err := t.db.Select("id", "full_name", "email", "phone", "guardian_phone", "created_at", "erased_at").Find(&rows, "id IN ?", ids).Error; err != nil {
		return wrap("read registrations", err)
	}
	for i := range rows {
		r := enrol.Registration(rows[i])
		if slices.Equal(has[r.ID], termsOf(&r)) {
			continue
		}
		if err := t.setTerms(&r); err != nil {
			return err
		}
	}
	return nil
}

// conditions are parts of a WHERE clause on registrations r, joined by AND.
type conditions struct {
	sql    []string
	values []any
}

func (c *conditions) add(sql string, values ...any) {
	c.sql = append(c.sql, sql)
	c.values = append(c.values, values...)
}

func (c conditions) clause() string { return strings.Join(c.sql, " AND ") }

// manyTerms is the number of registrations in a range of terms above which a search walks the registrations from the newest: a
// frequent word fills a page soon, and a rare one is sorted soon.
const manyTerms = 5000

// A search is the statement that reads the registrations of a query, the latest first.
type search struct {
	selects      string // SELECT, or SELECT DISTINCT where a registration has several rows
	from, at, id string // the table, and the columns of the order
	where        conditions
	many         *terms // it walks all registrations for those with these terms
	filtered     bool   // by more than a text
}

// phoneDigits returns the digits of a phone number as typed, without +91 or a leading 0; "" if the text is something else or has fewer
// than three.
func phoneDigits(text string) string {
	digits := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", "\u00a0", "").Replace(text)
	if rest, plus := strings.CutPrefix(digits, "+"); plus {
		digits = strings.TrimPrefix(rest, "91")
	} else if len(digits) > 10 {
		digits = strings.TrimPrefix(strings.TrimPrefix(digits, "0"), "91")
	}
	if len(digits) < 3 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}

// searchFor returns the statement for a query. Without a text it follows the indexes of registrations by their last change.
func (t *tx) searchFor(q office.Query) (search, error) {
	all := search{selects: "SELECT ", from: "registrations r", at: "r.modified_at", id: "r.id"}
	all.where.add("r.erased_at = 0")
	all.where.filter(q)
	all.filtered = len(all.where.sql) > 1
	text := strings.TrimSpace(q.Text)
	if text == "" {
		return all, nil
	}
	numbered, err := t.numbered(text)
	if err != nil {
		return search{}, err
	}
	if len(numbered) > 0 {
		all.where.add("r.id IN ?", numbered)
		return all, nil
	}
	return t.searchTerms(all, text)
}

// searchTerms adds the terms of a text to the statement for all registrations. If few registrations have them, it reads those from the
// index of terms; otherwise it walks all from the newest.
func (t *tx) searchTerms(all search, text string) (search, error) {
	choices, words := choicesFor(text)
	for _, choice := range choices {
		condition, values := choice.condition("s")
		var n int64
		if err := t.db.Raw("SELECT COUNT(*) FROM (SELECT 1 FROM search_terms s WHERE "+condition+" LIMIT ?) AS found", append(values, manyTerms+1)...).Scan(&n).Error; err != nil {
			return search{}, wrap("count search terms", err)
		}
		if n == 0 || n > manyTerms && choice.partial {
			continue
		}
		all.filtered = all.filtered || len(words) > 0
		for _, word := range words {
			has, values := word.condition("o")
			all.where.add("EXISTS (SELECT 1 FROM search_terms o WHERE o.registration_id = r.id AND "+has+")", values...)
		}
		if n > manyTerms {
			all.at, all.many = "r.created_at", &choice
			all.where.add("EXISTS (SELECT 1 FROM search_terms s WHERE s.registration_id = r.id AND "+condition+")", values...)
			return all, nil
		}
		few := search{selects: "SELECT DISTINCT ", from: "search_terms s", at: "s.created_at", id: "s.registration_id"}
		few.where.add(condition, values...)
		if all.filtered { // an erased registration has no terms
			few.where.add("EXISTS (SELECT 1 FROM registrations r WHERE r.id = s.registration_id AND "+all.where.clause()+")", all.where.values...)
		}
		return few, nil
	}
	all.where.add("FALSE")
	return all, nil
}

// terms are those that begin with one of some prefixes.
type terms struct {
	prefixes []string
	partial  bool // a word of several: a registration that has it may lack the others
}

// condition returns the condition that the term of a table is one of them.
func (t terms) condition(table string) (sql string, values []any) {
	for _, prefix := range t.prefixes {
		sql += " OR " + table + ".term >= ? AND " + table + ".term < ?"
		values = append(values, prefix, prefix+string(unicode.MaxRune))
	}
	return "(" + strings.TrimPrefix(sql, " OR ") + ")", values
}

// choicesFor returns the terms by which registrations with a text may be read, the best first, and the words of the text, each of which they
// must have too.
func choicesFor(text string) (choices, words []terms) {
	if strings.Contains(text, "@") {
		return []terms{{prefixes: []string{"@" + strings.ToLower(strings.TrimPrefix(text, "@"))}}}, nil
	}
	if digits := phoneDigits(text); digits != "" {
		return []terms{{prefixes: []string{"+" + digits, "#" + backwards(digits)}}}, nil
	}
	typed := searchWords(text)
	typed = typed[:min(len(typed), maxNameWords)]
	if len(typed) == 1 {
		return []terms{{prefixes: typed}}, nil
	}
	for _, word := range typed {
		words = append(words, terms{prefixes: []string{word}, partial: true})
	}
	if len(typed) > 1 {
		choices = append(choices, terms{prefixes: []string{typed[0] + " " + typed[1]}}) // "asha ver"; the others are for "ash ver"
	}
	return append(choices, words...), words
}

// filter adds the conditions of a query's filters.
func (c *conditions) filter(q office.Query) {
	for _, f := range []struct{ column, value string }{
		{"r.event_code", q.Event}, {"r.profile_status", q.Status}, {"r.coupon_code", q.Coupon}, {"r.source", q.Source},
	} {
		if f.value != "" {
			c.add(f.column+" = ? AND "+f.column+" <> ''", f.value)
		}
	}
	if q.Phases != nil {
		c.add("r.phase IN ?", q.Phases)
	}
	if q.Only != nil {
		c.add("r.id IN ?", q.Only)
	}
	if q.College != "" {
		c.add(`lower(r.college) LIKE ? ESCAPE '\'`, likeLiteral(strings.ToLower(q.College))+"%")
	}
	if !q.PaidFrom.IsZero() {
		c.add("EXISTS (SELECT 1 FROM transactions t WHERE t.id = r.paid_txn_id AND t.settled_at >= ?)", toMicros(q.PaidFrom))
	}
	if !q.PaidUntil.IsZero() {
		c.add("EXISTS (SELECT 1 FROM transactions t WHERE t.id = r.paid_txn_id AND t.settled_at < ?)", toMicros(q.PaidUntil))
	}
}

// maxNumbered limits the registrations that a number may belong to.
const maxNumbered = 50

// numbered returns the registrations that a number belongs to: of a ticket, an invoice, a credit note, a payment, a refund, or the bank's
// reference. A payment's own id may be incomplete.
func (t *tx) numbered(text string) (ids []string, err error) {
	upper := strings.ToUpper(text)
	statements := []string{
		"SELECT id FROM registrations WHERE ticket = @upper AND ticket <> ''",
		"SELECT registration_id FROM invoices WHERE number = @upper",
		"SELECT registration_id FROM credit_notes WHERE number = @upper",
		"SELECT registration_id FROM transactions WHERE means_reference = @text AND means_reference <> ''",
		"SELECT t.registration_id FROM refunds f JOIN transactions t ON t.id = f.txn_id WHERE f.provider_id = @text AND f.provider_id <> ''",
	}
	for _, column := range []string{"ref", "payment_id", "merchant_ref"} { // each has an index by gateway
		filled := "FROM transactions WHERE " + column + " <> ''"
		gateways := "WITH RECURSIVE g(gateway) AS (SELECT MIN(gateway) " + filled + " UNION ALL SELECT (SELECT MIN(gateway) " + filled + " AND gateway > g.gateway) FROM g WHERE g.gateway IS NOT NULL) SELECT gateway FROM g"
		statements = append(statements, "SELECT registration_id "+filled+" AND gateway IN ("+gateways+") AND "+column+" = @text")
	}
	values := map[string]any{"text": text, "upper": upper, "most": maxNumbered}
	if admission.IsID(strings.ToLower(text)) {
		statements = append(statements, "SELECT id FROM registrations WHERE id = @id")
		values["id"] = strings.ToLower(text)
	}
	if beginning := admission.ParseIDPrefix(text); beginning != "" {
		statements = append(statements, "SELECT registration_id FROM transactions WHERE id >= @from AND id < @to")
		values["from"], values["to"] = beginning, beginning+"~"
	}
	err = t.db.Raw("SELECT id FROM ("+strings.Join(statements, " UNION ")+") AS found LIMIT @most", values).Scan(&ids).Error
	return ids, wrap("find registrations by a number", err)
}

// foundRow is the position of a registration in what a search has found.
type foundRow struct {
	At int64
	ID string
}

var foundList = list[foundRow]{
	name: "found registrations", columns: []string{"at", "id"}, position: func(row *foundRow) []any { return []any{row.At, row.ID} },
}

// positions returns at most limit positions behind a place, nil for the beginning; newer ones in reverse.
func (t *tx) positions(s search, place []any, newer bool, limit int) (rows []foundRow, err error) {
	sign, direction := "<", "DESC"
	if newer {
		sign, direction = ">", "ASC"
	}
	if place != nil {
		s.where.add("("+s.at+", "+s.id+") "+sign+" (?, ?)", place...)
	}
	err = t.db.Raw(s.selects+s.at+" AS at, "+s.id+" AS id FROM "+s.from+" WHERE "+s.where.clause()+
		" ORDER BY at "+direction+", id "+direction+" LIMIT ?", append(slices.Clone(s.where.values), limit)...).Scan(&rows).Error
	return rows, wrap("search registrations", err)
}

func (t *tx) FindRegistrations(q office.Query, cursor string, newer bool, limit int) (found office.Found, err error) {
	of := q
	if of.Only != nil {
		of.Only = []string{} // which they are changes while somebody reads on
	}
	scope, err := json.Marshal(of)
	if err != nil {
		return found, wrap("search registrations", err)
	}
	s, err := t.searchFor(q)
	if err != nil {
		return found, err
	}
	rows, newerPage, olderPage, err := foundList.eitherWay(t.sealer, string(scope), cursor, newer, limit, func(place []any, limit int) ([]foundRow, error) {
		return t.positions(s, place, newer, limit)
	})
	if err != nil || len(rows) == 0 {
		return found, err
	}
	found.Newer, found.Older = newerPage, olderPage
	found.Registrations, err = t.registrationsAt(rows)
	return found, err
}

// registrationsAt returns registrations in the order of positions.
func (t *tx) registrationsAt(at []foundRow) (all []enrol.Registration, err error) {
	ids := make([]string, len(at))
	for i, row := range at {
		ids[i] = row.ID
	}
	var rows []registrationRow
	if err := t.db.Find(&rows, "id IN ?", ids).Error; err != nil {
		return nil, wrap("read found registrations", err)
	}
	slices.SortFunc(rows, func(a, b registrationRow) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return toRegistrations(rows), nil
}

func (t *tx) CountRegistrations(q office.Query, most int) (counts office.Counts, err error) {
	s, err := t.searchFor(q)
	if err != nil {
		return counts, err
	}
	switch {
	case s.many != nil && s.filtered && most <= manyTerms: // counting them would read all
		return office.Counts{Unknown: true}, nil
	case s.many != nil && !s.filtered:
		condition, values := s.many.condition("s")
		s = search{selects: "SELECT DISTINCT ", from: "search_terms s", id: "s.registration_id", where: conditions{[]string{condition}, values}}
	}
	some := s.selects + s.id + " AS id FROM " + s.from + " WHERE " + s.where.clause() + " LIMIT ?"
	values := append(slices.Clone(s.where.values), most)
	if err := t.db.Raw("SELECT COUNT(*) FROM ("+some+") AS found", values...).Scan(&counts.All).Error; err != nil || counts.All == most || most > manyTerms {
		return counts, wrap("count registrations", err)
	}
	var rows []struct {
		ProfileStatus string
		N             int
	}
	err = t.db.Raw("SELECT profile_status, COUNT(*) AS n FROM registrations WHERE id IN ("+some+") GROUP BY profile_status", values...).Scan(&rows).Error
	counts.ByStatus = map[string]int{}
	for _, row := range rows {
		counts.ByStatus[row.ProfileStatus] = row.N
	}
	return counts, wrap("count registrations by status", err)
}

// FoundRegistrations returns the registrations of a query in batches, each from its own View. They are in the order of their ids: those that
// change meanwhile keep their place. It ends with the first error.
func (s *Store) FoundRegistrations(ctx context.Context, q office.Query) iter.Seq2[[]enrol.Registration, error] {
	return func(yield func([]enrol.Registration, error) bool) {
		for after := ""; ; {
			var batch []enrol.Registration
			err := s.view(ctx, func(t *tx) (err error) {
				batch, err = t.foundAfter(q, after)
				return err
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if len(batch) > 0 && !yield(batch, nil) || len(batch) < listBatch {
				return
			}
			after = batch[len(batch)-1].ID
		}
	}
}

// foundAfter returns the next listBatch registrations of a query after an id.
func (t *tx) foundAfter(q office.Query, id string) ([]enrol.Registration, error) {
	s, err := t.searchFor(q)
	if err != nil {
		return nil, err
	}
	s.where.add(s.id+" > ?", id)
	var rows []foundRow
	err = t.db.Raw(s.selects+s.id+" AS id FROM "+s.from+" WHERE "+s.where.clause()+" ORDER BY "+s.id+" LIMIT ?", append(slices.Clone(s.where.values), listBatch)...).Scan(&rows).Error
	if err != nil {
		return nil, wrap("search registrations", err)
	}
	return t.registrationsAt(rows)
}
