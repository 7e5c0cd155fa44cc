// Command bench compares the built site, with its logs, metrics and security headers, with bare servers on the same machine.
// Each is a process. Rounds alternate, so that other load slows both. It prints one table, and fails only if it cannot
// measure.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hiresure/store/storetest"
)

const rounds = 5

var (
	lasting  = flag.Duration("round", 3*time.Second, "length of one round")
	binary   = flag.String("site", "bin/site", "path of the built site")
	only     = flag.String("only", "", "measure only landing, enquiry, existence, registrations, search, step, webhooks, papers or uploads")
	searched = flag.Int("people", 1_000_000, "registrations that are searched")
	onlyOn   = flag.String("on", "", "measure only on sqlite or postgres")
)

func main() {
	var err error
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "bare-") {
		err = serveBare(os.Args[1:])
	} else {
		flag.Parse()
		err = measure(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is shared by all measurements.
type bench struct {
	folder string // of all files
	site   string // the binary
	table  table
}

func measure(out io.Writer) (err error) {
	b := &bench{}
	if b.site, err = filepath.Abs(*binary); err != nil {
		return err
	}
	if _, err := os.Stat(b.site); err != nil {
		return fmt.Errorf("the site is not built (./task build): %w", err)
	}
	if b.folder, err = os.MkdirTemp("", "hiresure-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	defer func() { err = errors.Join(err, b.table.print(out)) }()
	if *onlyOn == "" && (*only == "" || *only == "papers") {
		if err := b.papers(); err != nil {
			return fmt.Errorf("papers: %w", err)
		}
	}
	if *onlyOn == "" && (*only == "" || *only == "uploads") {
		if err := b.uploads(); err != nil {
			return fmt.Errorf("uploads: %w", err)
		}
	}
	if *only == "papers" || *only == "uploads" {
		return nil
	}
	if *onlyOn != "postgres" {
		if err := b.onSQLite(); err != nil {
			return fmt.Errorf("SQLite: %w", err)
		}
	}
	if *onlyOn == "sqlite" {
		return nil
	}
	switch err := b.onPostgres(); {
	case errors.Is(err, storetest.ErrMissing):
		b.table.note("PostgreSQL was not measured: %v", err)
	case err != nil:
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	return nil
}

func (b *bench) onSQLite() (err error) {
	newURL := func() (string, error) {
		folder, err := os.MkdirTemp(b.folder, "sqlite")
		return "sqlite://" + filepath.Join(folder, "bench.db"), err
	}
	return b.on(setup{name: "SQLite", newURL: newURL, enquiries: 0.9, steps: 0.5}, b.existence, b.landing, b.enquiry, b.step, b.webhooks, b.registrations, b.search)
}

func (b *bench) onPostgres() (err error) {
	if err := os.Unsetenv("STORETEST_FSYNC"); err != nil { // tests without fsync must not affect measurements
		return err
	}
	cluster, err := storetest.StartCluster()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	return b.on(setup{name: "PostgreSQL", newURL: cluster.NewDatabase, enquiries: 0.6, steps: 0.75}, b.existence, b.enquiry, b.step, b.webhooks, b.registrations, b.search)
}

// setup is a site on one kind of database.
type setup struct {
	name      string // of the database
	newURL    func() (string, error)
	enquiries float64 // lowest ratio of site to bare server
	steps     float64 // the same, of saved steps
	site      *process
}

func (b *bench) on(s setup, measurements ...func(*setup) error) (err error) {
	url, err := s.newURL()
	if err != nil {
		return err
	}
	if s.site, err = b.startSite(&s, url, ""); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.site.end()) }()
	for _, measurement := range measurements {
		if err := measurement(&s); err != nil {
			return err
		}
	}
	memory, err := s.site.memory("VmHWM:")
	b.table.add(row{what: "memory of site at its peak, " + s.name, unit: "MB", site: memory, digits: 1, target: "< 100", met: memory < 100})
	return err
}

const landingPath = "/scholarship/hiresure-mgrow-2025"

// landing compares the landing page with a bare server of the same bytes, headers included.
func (b *bench) landing(s *setup) (err error) {
	if *only != "" && *only != "landing" {
		return nil
	}
	p, err := fetch("http://" + s.site.addr + landingPath)
	if err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	file := filepath.Join(b.folder, "landing.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	bare, err := b.startBare(barePage, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.end()) }()
	pairing := pairing{
		site: server{s.site, always(get(s.site.addr, landingPath))}, bare: server{bare, always(get(bare.addr, landingPath))}, clients: 32,
	}
	result, err := pairing.run()
	what := fmt.Sprintf("landing page, %.1f KB, 32 clients", float64(len(p.Body))/1e3)
	b.table.compare(what, "requests/s", result.perSecond, atLeast(0.9))
	b.table.compare(what, "µs of CPU each", result.cpuEach, atMost(1.2))
	return err
}

const enquiry = `{"fullname":"Asha Rao","email":"asha.rao@example.com","phone":"9876543210","countryCode":"in","description":` +
	`"How long does the programme take, and may I work beside it?","enquiryType":"KS_SCHOLARSHIP"}`

// enquiry compares an enquiry, checked and stored with its message and job, with a bare server that stores the same rows in
// one batch on PostgreSQL, and only the enquiry on SQLite.
func (b *bench) enquiry(s *setup) (err error) {
	if *only != "" && *only != "enquiry" {
		return nil
	}
	url, err := s.newURL()
	if err != nil {
		return err
	}
	bare, err := b.startBare(barePosts, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.end()) }()
	const path = "/ks-website/create-enquiry"
	for _, clients := range []int{8, 64} {
		pairing := pairing{
			site: server{s.site, always(post(s.site.addr, path, "", enquiry))}, bare: server{bare, always(post(bare.addr, path, "", enquiry))}, clients: clients,
		}
		result, err := pairing.run()
		if err != nil {
			return err
		}
		b.table.compare(fmt.Sprintf("enquiry, %s, %d clients", s.name, clients), "enquiries/s", result.perSecond, atLeast(s.enquiries))
	}
	return nil
}

// startSite starts the site on a database, with further variables. what names its folder.
func (b *bench) startSite(s *setup, url, what string, variables ...string) (*process, error) {
	return start(b.folder, b.site, nil, append([]string{
		"APP_ENV=development", "CAPTCHA=off", "RATE_LIMITS=off", "ADDR=%ADDR%", "DATABASE_URL=" + url, "DATA_DIR=" + filepath.Join(b.folder, s.name+what),
	}, variables...))
}

func (b *bench) startBare(kind, what string) (*process, error) {
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(b.folder, binary, []string{kind, "%ADDR%", what}, nil)
}

// pair is the site and a bare server, each on a new database of the same kind.
type pair struct {
	site, bare       *process
	siteURL, bareURL string
}

func (b *bench) startPair(s *setup, what, bareKind string, variables ...string) (p pair, err error) {
	if p.siteURL, err = s.newURL(); err != nil {
		return p, err
	}
	if p.bareURL, err = s.newURL(); err != nil {
		return p, err
	}
	if p.site, err = b.startSite(s, p.siteURL, what, variables...); err != nil {
		return p, err
	}
	if p.bare, err = b.startBare(bareKind, p.bareURL); err != nil {
		return p, errors.Join(err, p.site.end())
	}
	return p, nil
}

func (p *pair) end() error { return errors.Join(p.site.end(), p.bare.end()) }

// fetch returns a page as a browser gets it.
func fetch(url string) (p page, err error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return p, err
	}
	request.Header.Set("Accept-Encoding", "br")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return p, err
	}
	p.Header = answer.Header
	p.Header.Del("Date") // net/http's own
	p.Body, err = io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusOK || p.Header.Get("Content-Encoding") != "br") {
		err = fmt.Errorf("%s answered %s, Content-Encoding %q", url, answer.Status, p.Header.Get("Content-Encoding"))
	}
	return p, errors.Join(err, answer.Body.Close())
}
