package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"hiresure/admission"
)

// The bare servers are what anybody would write first, as processes of their own: this binary, with a name that nobody
// types as its first argument.
const (
	barePage   = "bare-page"   // ADDR FILE: answers every request with the page in the file
	bareInsert = "bare-insert" // ADDR URL: each POST inserts one row
)

func serveBare(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("%s takes an address and what to serve", args[0])
	}
	var handler http.Handler
	var err error
	if args[0] == barePage {
		handler, err = newBarePage(args[2])
	} else {
		handler, err = newBareInsert(args[2])
	}
	if err != nil {
		return err
	}
	return http.ListenAndServe(args[1], handler)
}

// A page is an answer as it goes over the wire, all its headers included.
type page struct {
	Header http.Header
	Body   []byte
}

func newBarePage(file string) (http.Handler, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p page
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), p.Header)
		_, _ = w.Write(p.Body) // an error means that the client has left
	}), json.Unmarshal(text, &p)
}

type bareEnquiry struct{ FullName, Email, Phone, CountryCode, Description, EnquiryType string }

// newBareInsert has the driver, the pragmas and the number of connections of package store.
func newBareInsert(url string) (http.Handler, error) {
	driver, source, connections, insert := "pgx", url, 16, "INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, source, connections = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate", 1
		insert = "INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, `CREATE TABLE bare (id TEXT PRIMARY KEY, reference TEXT, full_name TEXT, email TEXT, phone TEXT, country TEXT,
		description TEXT, type TEXT, created_at BIGINT)`); err != nil {
		return nil, err
	}
	statement, err := db.PrepareContext(ctx, insert)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var e bareEnquiry
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reference := admission.Reference("ENQ")
		if _, err := statement.ExecContext(r.Context(), admission.NewID(), reference, e.FullName, e.Email, e.Phone, e.CountryCode, e.Description, e.EnquiryType,
			time.Now().UnixMicro()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "reference_number": reference}) // an error means that the client has left
	})
	return mux, nil
}
