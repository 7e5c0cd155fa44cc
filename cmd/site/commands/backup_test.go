package commands

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store/storetest"
)

// machine is a database and a folder of files.
type machine struct {
	t         *testing.T
	databases string // folders
	data      string
}

func newMachine(t *testing.T) machine { return machine{t, t.TempDir(), t.TempDir()} }

func (m machine) environ() []string {
	return []string{"DATABASE_URL", "sqlite://" + filepath.Join(m.databases, "site.db"), "DATA_DIR", m.data, "STORAGE_KEYS", sitetest.FileKey, "SECRET_KEY", sitetest.Key, "RATE_LIMITS", "off"}
}

func (m machine) perform(line string) {
	m.t.Helper()
	_, environ := sitetest.Development(m.t, m.environ()...)
	var out bytes.Buffer
	if err := Run(m.t.Context(), strings.Fields(line), environ, &out); err != nil {
		m.t.Errorf("site %s: %v\n%s", line, err, out.String())
	}
}

// copyFiles copies a folder of files as docs/operating.md describes: without incomplete files.
func (m machine) copyFiles(from, to string) {
	m.t.Helper()
	for path := range sitetest.StoredFiles(m.t, from) {
		within, err := filepath.Rel(from, path)
		if err != nil {
			m.t.Fatal(err)
		}
		if strings.HasPrefix(within, "pending") {
			continue
		}
		content, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(filepath.Join(to, filepath.Dir(within)), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, within), content, 0o600)
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
}

// backUp backs up first the database, then the files.
func (m machine) backUp() (folder string) {
	m.t.Helper()
	folder = m.t.TempDir()
	m.perform("backup " + filepath.Join(folder, "site.db"))
	m.copyFiles(filepath.Join(m.data, "files"), filepath.Join(folder, "files"))
	return folder
}

// restored opens a site on a new machine, restored from a backup, and expects site verify to find nothing.
func restored(t *testing.T, backup string) *reader {
	t.Helper()
	m := newMachine(t)
	m.copyFiles(filepath.Join(backup, "files"), filepath.Join(m.data, "files"))
	m.perform("restore " + filepath.Join(backup, "site.db"))
	m.perform("verify")
	return openSite(t, m.environ()...)
}

// contained returns the texts that a backup contains, in its database or as the name of a file.
func contained(t *testing.T, backup string, texts ...string) (held []string) {
	t.Helper()
	database, err := os.ReadFile(filepath.Join(backup, "site.db"))
	if err != nil {
		t.Fatal(err)
	}
	all := string(database)
	for path := range sitetest.StoredFiles(t, backup) {
		all += path + "\n"
	}
	for _, text := range texts {
		if strings.Contains(all, text) {
			held = append(held, text)
		}
	}
	return held
}

// applicantFiles is the files of an applicant: documents by URL, papers by kind, and an unfinished upload.
type applicantFiles struct {
	visitor   *e2e.Visitor
	documents map[string]string // address → bytes
	txn       string
	papers    map[paper.Kind]string
	uploader  admission.Visitor
	half      string // the file of the unfinished upload
	received  int64
}

func (r *reader) addFiles() applicantFiles {
	r.T.Helper()
	v := r.Visitor
	r.Site.Business.Papers.Printer = sitetest.Stamps{}
	r.SignUp(v)
	_, txn := r.Application(v)
	if err := v.Press(txn, "paid"); err != nil {
		r.T.Fatal(err)
	}
	h := applicantFiles{visitor: v, txn: txn, documents: map[string]string{}, uploader: r.SignedIn(v), half: sitetest.Picture(300)}
	for name, content := range map[string]string{"me.png": sitetest.Picture(240), "marks.pdf": sitetest.PDF("marks"), "income.pdf": sitetest.PDF("income")} {
		address, message := r.Upload(v, name, content)
		if address == "" {
			r.T.Fatalf("%s: %s", name, message)
		}
		h.documents[address] = r.Open(v, address).Text
	}
	u, writer := sitetest.BeginUpload(r.T, r.Site, h.uploader, document.Photo, h.half)
	for range 2 {
		var err error
		if u, err = r.Site.Business.Document.Append(r.T.Context(), u.ID, writer, u.Received, strings.NewReader(h.half[u.Received:u.Received+100])); err != nil {
			r.T.Fatal(err)
		}
	}
	h.received = u.Received
	r.Work()
	h.papers = r.printed(txn)
	if len(h.papers) < 2 || len(h.documents) != 3 || h.received != 200 {
		r.T.Fatalf("there are %d papers, %d documents and %d bytes on their way", len(h.papers), len(h.documents), h.received)
	}
	return h
}

// printed returns the papers of a payment.
func (r *reader) printed(txn string) map[paper.Kind]string {
	r.T.Helper()
	found := map[paper.Kind]string{}
	for _, p := range r.Papers(txn) {
		content, err := r.Site.Business.Papers.Open(r.T.Context(), p)
		if err != nil {
			r.T.Errorf("the %s does not open: %v", p.Kind, err)
			continue
		}
		all, err := io.ReadAll(content)
		if err := content.Close(); err != nil {
			r.T.Error(err)
		}
		if found[p.Kind] = string(all); err != nil || sitetest.Hash(all) != p.Hash {
			r.T.Errorf("the %s is not what was printed: %d bytes, %v", p.Kind, len(all), err)
		}
	}
	return found
}

// mustOpen expects all files to open and the upload to continue.
func (r *reader) mustOpen(h applicantFiles) {
	r.T.Helper()
	h.visitor.Base = r.Base
	for address, want := range h.documents {
		if got := r.Open(h.visitor, address); got.Status != http.StatusOK || got.Text != want {
			r.T.Errorf("%s opens with %d, %d bytes of %d", address, got.Status, len(got.Text), len(want))
		}
	}
	for kind, got := range r.printed(h.txn) {
		if want := h.papers[kind]; got != want || want == "" {
			r.T.Errorf("the %s is %q, want %q", kind, got, want)
		}
	}
	if u, _ := sitetest.BeginUpload(r.T, r.Site, h.uploader, document.Photo, h.half); u.Received != h.received {
		r.T.Errorf("of the upload %d bytes have arrived, want %d", u.Received, h.received)
	}
	if u := sitetest.Upload(r.T, r.Site, h.uploader, document.Photo, h.half, 1<<20); u.State != document.Accepted {
		r.T.Errorf("the upload that went on is %s: %s", u.State, u.Refusal)
	}
}

func TestBackupRestoresAllFiles(t *testing.T) {
	m := newMachine(t)
	r := openSite(t, m.environ()...)
	h := r.addFiles()
	before := m.backUp()

	var deleted string
	for address := range h.documents {
		deleted = address
		break
	}
	var id, object, key string
	if err := storetest.SQL(t, m.environ()[1]).QueryRow("SELECT id, object, file_key FROM documents WHERE id = $1", filepath.Base(deleted)).Scan(&id, &object, &key); err != nil {
		t.Fatal(err)
	}
	gone := []string{id, object, key}
	if found := contained(t, before, gone...); len(found) != len(gone) {
		t.Errorf("the backup of before holds only %q", found)
	}
	r.Delete(h.visitor, deleted)
	r.Work()
	after := m.backUp()
	if found := contained(t, after, object, key); len(found) != 0 {
		t.Errorf("a backup that is made later holds %q of a deleted document", found)
	}
	for path := range sitetest.StoredFiles(t, m.data) {
		if strings.Contains(path, object) {
			t.Errorf("%s is left", path)
		}
	}

	restored(t, before).mustOpen(h)
	delete(h.documents, deleted)
	later := restored(t, after)
	later.mustOpen(h)
	if got := later.Open(h.visitor, deleted); got.Status != http.StatusNotFound {
		t.Errorf("the deleted document opens with %d where a later backup was restored", got.Status)
	}
}

func TestVerifyReportsAllMissingFiles(t *testing.T) {
	m := newMachine(t)
	r := openSite(t, m.environ()...)
	h := r.addFiles()
	backup, alone := m.backUp(), newMachine(t)
	alone.perform("restore " + filepath.Join(backup, "site.db"))
	_, environ := sitetest.Development(t, alone.environ()...)
	var out bytes.Buffer
	err := Run(t.Context(), []string{"verify"}, environ, &out)
	const pieces = 2
	want := len(h.documents) + len(h.papers) + pieces
	if lost := strings.Count(out.String(), " has lost its object "); err == nil || lost != want || strings.Count(out.String(), "\n") != want {
		t.Errorf("site verify: %v, and names %d of %d files:\n%s", err, lost, want, out.String())
	}
}
