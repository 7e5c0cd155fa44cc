package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"hiresure/admission/office"
	"hiresure/admission/status"
	"hiresure/store"
)

// searches are what staff look for. A %s is a random prefix of names, a %d a random person.
var searches = []struct {
	what string
	q    func(r *rand.Rand, people int) office.Query
	most float64 // ms at the 95th percentile; 0 for none
}{
	{"the list", func(*rand.Rand, int) office.Query { return office.Query{} }, 0},
	{"a filter: event", func(*rand.Rand, int) office.Query { return office.Query{Event: "KS_Campus"} }, 0},
	{"a filter: status", func(*rand.Rand, int) office.Query { return office.Query{Status: "Completed"} }, 0},
	{"a filter: coupon", func(*rand.Rand, int) office.Query { return office.Query{Coupon: "MGROW500"} }, 0},
	{"a filter: source", func(*rand.Rand, int) office.Query { return office.Query{Source: "instagram"} }, 0},
	{"a filter: payment", func(*rand.Rand, int) office.Query {
		return office.Query{Phases: []status.Phase{status.PaymentFailed, status.PaymentExpired, status.PaymentReturned}}
	}, 0},
	{"e-mail", func(r *rand.Rand, people int) office.Query {
		return office.Query{Text: fmt.Sprintf("person%d@example.com", 1+r.IntN(people))}
	}, 0},
	{"phone", func(r *rand.Rand, people int) office.Query {
		return office.Query{Text: fmt.Sprint(6000000000 + 1 + r.IntN(people))}
	}, 0},
	{"the last six digits", func(r *rand.Rand, _ int) office.Query {
		return office.Query{Text: fmt.Sprintf("%06d", r.IntN(1_000_000))}
	}, 0},
	{"a ticket", func(r *rand.Rand, people int) office.Query {
		return office.Query{Text: fmt.Sprintf("hs26-%d", 1+r.IntN(people))}
	}, 0},
	{"a word of 2 letters", func(r *rand.Rand, _ int) office.Query { return office.Query{Text: firstName(r)[:2]} }, 30},
	{"a word of 3 letters", func(r *rand.Rand, _ int) office.Query { return office.Query{Text: firstName(r)[:3]} }, 30},
	{"a word", func(r *rand.Rand, _ int) office.Query { return office.Query{Text: firstName(r)} }, 30},
	{"two words", func(r *rand.Rand, _ int) office.Query {
		return office.Query{Text: firstName(r) + " " + lastName(r)[:3]}
	}, 30},
	{"a word with event and status", func(r *rand.Rand, _ int) office.Query {
		return office.Query{Text: firstName(r), Event: "KS_Campus", Status: "Completed"}
	}, 60},
}

// names are syllables of first and last names. The first ones are frequent.
var syllables = []string{"a", "sha", "ra", "vi", "ku", "ma", "ri", "na", "de", "la", "ksh", "mi", "pra", "ti", "ja", "ya", "su", "re", "go", "pal", "man", "jit", "har", "ka", "ni", "dha", "ban", "bha", "ru", "the"}

// name returns the n-th name of two or three syllables.
func name(n int) string {
	text := syllables[n%len(syllables)] + syllables[n/3%len(syllables)] + "n"
	if n > 60 {
		text += syllables[n/7%len(syllables)]
	}
	return text
}

// rank returns a number below n; small ones are frequent, as names are.
func rank(r *rand.Rand, n int) int { return int(float64(n) * r.Float64() * r.Float64() * r.Float64()) }

func firstName(r *rand.Rand) string { return name(rank(r, 800)) }
func lastName(r *rand.Rand) string  { return name(2000 + rank(r, 1500)) }

// search compares what staff look for among many registrations with the same among a thousand, and judges the slower searches by a bound.
func (b *bench) search(s *setup) (err error) {
	if *only != "" && *only != "search" {
		return nil
	}
	many, err := b.filledStore(s, *searched)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.Close()) }()
	few, err := b.filledStore(s, fewRegistrations)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.Close()) }()
	const runs = 200
	for _, search := range searches {
		took := map[*store.Store][]float64{}
		for run := range runs {
			for of, n := range map[*store.Store]int{many: *searched, few: fewRegistrations} {
				q := search.q(rand.New(rand.NewPCG(1, uint64(run))), n)
				began := time.Now()
				if err := look(of, q); err != nil {
					return fmt.Errorf("%s: %w", search.what, err)
				}
				took[of] = append(took[of], float64(time.Since(began).Microseconds())/1000)
			}
		}
		what := search.what + ", " + s.name
		if search.most > 0 {
			slices.Sort(took[many])
			p95 := took[many][runs*95/100]
			b.table.add(row{what: what + ", p95", unit: "ms", site: p95, digits: 1, target: fmt.Sprintf("< %.0f", search.most), met: p95 < search.most})
			continue
		}
		b.table.compare(what+", many beside a thousand", "ms", comparison{site: []float64{median(took[many])}, bare: []float64{median(took[few])}}, atMost(3))
	}
	return nil
}

// look reads the first page of a query and its count, as the list does.
func look(s *store.Store, q office.Query) error {
	return s.View(context.Background(), func(tx store.Tx) error {
		if _, err := tx.FindRegistrations(q, "", false, 25); err != nil {
			return err
		}
		_, err := tx.CountRegistrations(q, office.MostCounted)
		return err
	})
}

// filledStore returns a store with a number of registrations, whose terms it has written as after a migration.
func (b *bench) filledStore(s *setup, n int) (*store.Store, error) {
	url, err := s.newURL()
	if err != nil {
		return nil, err
	}
	filled, err := store.Open(context.Background(), store.Config{URL: url, Secret: make([]byte, 32), Migrate: true, Timeout: time.Minute})
	if err != nil {
		return nil, err
	}
	if err := inDatabase(url, func(db *sql.DB) error { return addPeople(db, n, strings.HasPrefix(url, "postgres")) }); err != nil {
		return nil, errors.Join(err, filled.Close())
	}
	for after := ""; ; {
		if after, err = filled.RenewEveryPhase(context.Background(), after); err != nil || after == "" {
			break
		}
	}
	if err == nil {
		err = inDatabase(url, func(db *sql.DB) error { _, err := db.Exec("ANALYZE"); return err })
	}

	return filled, err
}

func addPeople(db *sql.DB, n int, postgres bool) error {
	const batch = 500
	r := rand.New(rand.NewPCG(7, 7))
	events := []string{"KS_Mgrow", "KS_Mgrow", "KS_Mgrow", "KS_Campus"}
	for from := 1; from <= n; from += batch {
		var rows []string
		var values []any
		for i := from; i < min(from+batch, n+1); i++ {
			full := firstName(r) + " " + lastName(r)
			if i%5 == 0 {
				full += " " + lastName(r)
			}
			step, paid, coupon, source := 7, "", "", ""
			if i%3 == 0 {
				step, paid = 8, fmt.Sprint("paid", i)
			}
			if i%50 == 0 {
				coupon, source = "MGROW500", "instagram"
			}
			at := time.Now().Add(-time.Duration(n-i) * time.Second).UnixMicro()
			values = append(values, fmt.Sprintf("bench%021d", i), events[i%4], full, fmt.Sprintf("person%d@example.com", i), fmt.Sprint("+91", 6000000000+i), coupon, step, paid, at, at, fmt.Sprint("HS26-", i), source)
			rows = append(rows, "(?, '', ?, '', ?, ?, ?, '', '29', '', '', ?, TRUE, '', '', ?, ?, '', '', 0, FALSE, ?, ?, ?, ?)")
		}
		statement := `INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult,
			guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, ticket, source) VALUES ` + strings.Join(rows, ", ")
		if postgres {
			statement = numberedMarks(statement)
		}
		if _, err := db.Exec(statement, values...); err != nil {
			return fmt.Errorf("add people: %w", err)
		}
	}
	return nil
}

// numberedMarks replaces each ? by $1, $2, …
func numberedMarks(statement string) string {
	var out strings.Builder
	n := 0
	for _, letter := range statement {
		if letter == '?' {
			n++
			fmt.Fprintf(&out, "$%d", n)
		} else {
			out.WriteRune(letter)
		}
	}
	return out.String()
}
