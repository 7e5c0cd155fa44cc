package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/inspect"
	"hiresure/integrations/scan/scantest"
	"hiresure/store"
	"hiresure/store/storetest"
)

// applicant returns a visitor whose application accepts documents.
func applicant(t *testing.T, s *site) admission.Visitor {
	t.Helper()
	v := admission.Visitor{AccountID: admission.NewID(), SessionID: admission.NewID()}
	if err := s.store.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(
			tx.AddAccount(&account.Account{ID: v.AccountID, Email: v.AccountID + "@example.com"}),
			tx.AddSession(&access.Session{ID: v.SessionID, TokenHash: v.SessionID, AccountID: v.AccountID, ExpiresAt: s.clock().Add(240 * time.Hour)}),
			tx.AddRegistration(&enrol.Registration{ID: admission.NewID(), AccountID: v.AccountID, Phone: v.AccountID, EventCode: enrol.ApplicationCode, Step: enrol.StepPaid}),
		)
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

// picture returns a square PNG.
func picture(side int) string {
	var body bytes.Buffer
	_ = png.Encode(&body, image.NewGray(image.Rect(0, 0, side, side)))
	return body.String()
}

// beginUpload starts the upload of a PNG.
func beginUpload(t *testing.T, s *site, v admission.Visitor, kind document.Kind, content string) (u document.Upload, writer string) {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	u, err := s.business.Document.Begin(t.Context(), v, document.NewFile{Kind: kind, Name: "paper.png", Type: "image/png", Size: int64(len(content)), Hash: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	if writer, err = s.business.Document.StartPiece(t.Context(), v, u.ID, u.Received); err != nil {
		t.Fatal(err)
	}
	return u, writer
}

// upload uploads a PNG in pieces, and inspects it.
func upload(t *testing.T, s *site, v admission.Visitor, kind document.Kind, content string, piece int) document.Upload {
	t.Helper()
	u, writer := beginUpload(t, s, v, kind, content)
	for u.State == document.Receiving {
		var err error
		if u, err = s.business.Document.Append(t.Context(), u.ID, writer, u.Received, strings.NewReader(content[u.Received:min(int(u.Received)+piece, len(content))])); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.business.Document.Judge(t.Context(), u.ID); err != nil {
		t.Fatal(err)
	}
	u, err := s.business.Document.Status(t.Context(), v, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// openDocument returns a document's content, or the reason why it does not open.
func openDocument(t *testing.T, s *site, v admission.Visitor, id string) (string, error) {
	t.Helper()
	_, content, err := s.business.Document.Open(t.Context(), v, id)
	if err != nil {
		return "", err
	}
	defer content.Close()
	all, err := io.ReadAll(content)
	return string(all), err
}

// storedFiles returns the files of a storage on disk with their modification times.
func storedFiles(t *testing.T, folder string) map[string]time.Time {
	t.Helper()
	found := map[string]time.Time{}
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			found[path] = info.ModTime()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

const nextFileKey = "2027:e51c0b79d3f8426a9570cb1de8a3f46207b9d45e8c13fa7062b8d9e04f71a35c"

func TestRotateKeysDuringUploads(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		environ := map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "STORAGE_KEYS": goodFileKey, "RATE_LIMITS": "off"}
		with := func(keys string) map[string]string { environ["STORAGE_KEYS"] = keys; return environ }
		before := newSite(t, environ)
		v := applicant(t, before)
		kept := upload(t, before, v, document.Photo, picture(40), 1<<20)
		want, err := openDocument(t, before, v, kept.DocumentID)
		if err != nil || want == "" {
			t.Fatalf("the photo: %d bytes, %v", len(want), err)
		}
		long := picture(500)
		u, writer := beginUpload(t, before, v, document.IDProof, long)
		for u.Received < rotateBatch+20 { // more pieces than a batch
			if u, err = before.business.Document.Append(t.Context(), u.ID, writer, u.Received, strings.NewReader(long[u.Received:u.Received+1])); err != nil {
				t.Fatal(err)
			}
		}
		files := storedFiles(t, filepath.Join(environ["DATA_DIR"], "files"))

		during := newSite(t, with(nextFileKey+","+goodFileKey))
		other := applicant(t, during)
		stop, ended := make(chan struct{}), make(chan []string, 1)
		go func() { // replaces a document repeatedly, in small pieces
			var ids []string
			defer func() { ended <- ids }()
			for n := 20; ; n++ {
				ids = append(ids, upload(t, during, other, document.Photo, picture(n), 20).DocumentID)
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
		var out bytes.Buffer
		err = command(t.Context(), []string{"keys", "rotate"}, environ, &out)
		close(stop)
		ids := <-ended
		if len(ids) == 0 {
			t.Fatal("nothing was uploaded meanwhile")
		}
		if wrapped := fmt.Sprintf("keys of files that are wrapped by 2027 now and were not: %d\n", rotateBatch+20+1); err != nil || out.String() != wrapped {
			t.Errorf("output %q, %v, want %q", out.String(), err, wrapped)
		}
		for path, at := range files {
			if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(at) {
				t.Errorf("%s was touched: %v", path, err)
			}
		}
		out.Reset()
		if err := command(t.Context(), []string{"keys", "rotate"}, with(nextFileKey), &out); err != nil || !strings.HasSuffix(out.String(), ": 0\n") {
			t.Errorf("once more, without the old key, it says %q, %v", out.String(), err)
		}

		after := newSite(t, environ) // the old key is gone
		if got, err := openDocument(t, after, v, kept.DocumentID); err != nil || got != want {
			t.Errorf("the photo opens as %d bytes, %v", len(got), err)
		}
		if got, err := openDocument(t, after, other, ids[len(ids)-1]); err != nil || got == "" {
			t.Errorf("what came meanwhile opens as %d bytes, %v", len(got), err)
		}
		if u = upload(t, after, v, document.IDProof, long, 1<<20); u.State != document.Accepted {
			t.Errorf("the upload that went on is %s: %s", u.State, u.Refusal)
		}
		err = command(t.Context(), []string{"keys", "rotate"}, with("2028:"+goodKey), io.Discard)
		if err == nil || !strings.Contains(err.Error(), `the master key "2027" is not configured`) {
			t.Errorf("without the key that wraps them: %v", err)
		}
		if got, err := openDocument(t, after, v, kept.DocumentID); err != nil || got != want {
			t.Errorf("after a rotation that failed the photo opens as %d bytes, %v", len(got), err)
		}
		if err := command(t.Context(), []string{"keys", "remove"}, with(nextFileKey), io.Discard); err == nil || err.Error() != "site keys takes rotate" {
			t.Errorf("another word: %v", err)
		}
	})
}

func TestVerifyReportsMissingFiles(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		environ := map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "RATE_LIMITS": "off"}
		folder := filepath.Join(environ["DATA_DIR"], "files")
		s := newSite(t, environ)
		v := applicant(t, s)
		says := func() (lines []string, err error) {
			var out bytes.Buffer
			err = command(t.Context(), []string{"verify"}, environ, &out)
			lines = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			slices.Sort(lines)
			return lines, err
		}
		upload(t, s, v, document.Photo, picture(40), 1<<20)
		lost := upload(t, s, v, document.IDProof, picture(50), 1<<20)
		for path := range storedFiles(t, folder) { // as the jobs delete the pieces of inspected uploads
			object := filepath.Base(path)
			var named map[string]bool
			if err := s.store.View(t.Context(), func(tx store.Tx) (err error) {
				named, err = tx.ObjectsNamed([]string{object})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if !named[object] {
				if err := s.business.Document.RemoveObject(t.Context(), object); err != nil {
					t.Fatal(err)
				}
			}
		}
		var photo, id string
		if err := s.store.Update(t.Context(), func(tx store.Tx) error {
			d, err := tx.Document(lost.DocumentID)
			if err != nil {
				return err
			}
			r, err := tx.RegistrationForUpdate(d.RegistrationID)
			if err != nil {
				return err
			}
			id, r.Step = d.Object, enrol.StepPersonal // the database has no payment
			return tx.SaveRegistration(r)
		}); err != nil {
			t.Fatal(err)
		}
		if lines, err := says(); err != nil || lines[0] != "" {
			t.Fatalf("without faults: output %q, %v", lines, err)
		}

		for path := range storedFiles(t, folder) {
			if filepath.Base(path) != id {
				photo = filepath.Base(path)
			}
		}
		young, old := strings.Repeat("a", 64), strings.Repeat("b", 64)
		if err := errors.Join(
			os.Remove(filepath.Join(folder, id[:2], id)), os.WriteFile(filepath.Join(folder, photo[:2], photo), []byte("another"), 0o600),
			os.MkdirAll(filepath.Join(folder, "aa"), 0o700), os.MkdirAll(filepath.Join(folder, "bb"), 0o700),
			os.WriteFile(filepath.Join(folder, "aa", young), nil, 0o600), os.WriteFile(filepath.Join(folder, "bb", old), nil, 0o600),
			os.Chtimes(filepath.Join(folder, "bb", old), time.Time{}, time.Now().Add(-25*time.Hour)),
		); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"file " + lost.DocumentID + " has lost its object " + id, "object " + old + " belongs to nothing",
			"object " + old + " is not what it was stored as", "object " + photo + " is not what it was stored as", "object " + young + " is not what it was stored as",
		}
		slices.Sort(want)
		lines, err := says()
		if err == nil || err.Error() != "5 differences" || !slices.Equal(lines, want) {
			t.Errorf("output %q, %v, want %q", lines, err, want)
		}
		if err := s.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		left := storedFiles(t, folder)
		if _, there := left[filepath.Join(folder, "bb", old)]; there || len(left) != 2 {
			t.Errorf("after the hourly sweep there are %v", left)
		}
	})
}

func TestReadyzChecksStorageAndClamd(t *testing.T) {
	now := time.Now()
	folder := filepath.Join(t.TempDir(), "files")
	config, err := readConfig(map[string]string{"DATA_DIR": t.TempDir(), "STORAGE_URL": "file://" + folder, "CLAMD_URL": "unix://" + filepath.Join(t.TempDir(), "clamd.ctl")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(context.WithoutCancel(t.Context())) })
	ready := func() string {
		now = now.Add(time.Minute) // the cached result is too old
		answer := get(s, "/readyz")
		return fmt.Sprint(answer.Code, " ", strings.TrimSpace(answer.Body.String()))
	}
	if got := ready(); got != "200 ready, but for clamd" {
		t.Errorf("without clamd: %s", got)
	}
	if err := os.Rename(folder, folder+".gone"); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != fmt.Sprint(http.StatusServiceUnavailable, " not ready: storage") {
		t.Errorf("without its storage: %s", got)
	}
	if err := os.Rename(folder+".gone", folder); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != "200 ready, but for clamd" {
		t.Errorf("with its storage again: %s", got)
	}
	if got := get(newSite(t, nil), "/readyz"); got.Code != http.StatusOK || got.Body.String() != "ready\n" {
		t.Errorf("where nobody looks for harm: %d %s", got.Code, got.Body)
	}
}

func TestDocumentWaitsForClamd(t *testing.T) {
	clamd := scantest.Start(t)
	clamd.Stop()
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		now := time.Now()
		config, err := readConfig(map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "CLAMD_URL": clamd.Address})
		if err != nil {
			t.Fatal(err)
		}
		s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.close(context.WithoutCancel(t.Context())) })
		v := applicant(t, s)
		u := upload(t, s, v, document.Photo, picture(40), 1<<20)
		if _, err := openDocument(t, s, v, u.DocumentID); err == nil || err.Error() != "conflict: paper.png is being checked. Please try again in a minute." {
			t.Errorf("without clamd it opens with %v", err)
		}
		scans := func() (time.Duration, error) {
			now = now.Add(time.Minute)
			return s.documentJobs()[document.JobScan](t.Context(), admission.Job{Kind: document.JobScan, Ref: u.DocumentID})
		}
		if again, err := scans(); again != time.Minute || err != nil {
			t.Errorf("its job comes again in %s, %v", again, err)
		}
		clamd.Run(t)
		if again, err := scans(); again != 0 || err != nil {
			t.Errorf("with clamd its job comes again in %s, %v", again, err)
		}
		if got, err := openDocument(t, s, v, u.DocumentID); err != nil || got == "" {
			t.Errorf("with clamd it opens with %v", err)
		}
		clamd.Stop()
	})
}

func TestRefusalMessages(t *testing.T) {
	const types, papers = "Only JPG, JPEG, or PNG files are allowed", "Only JPG, JPEG, PDF, or PNG files are allowed"
	heic := "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"
	for _, row := range []struct {
		sentence   string
		kind       document.Kind
		name, said string
		content    string
		want       string
	}{
		{"a PNG", document.Photo, "me.png", "image/png", picture(40), ""},
		{"a PNG of which nobody says what it is", document.Photo, "me.PNG", "", picture(40), ""},
		{"a PNG that is called a JPEG", document.Photo, "me.jpg", "image/png", picture(40), types},
		{"a PNG that is said to be a PDF", document.Marksheet, "me.png", "application/pdf", picture(40), papers},
		{"a GIF", document.IDProof, "me.png", "image/png", "GIF89a", papers},
		{"a photo of an iPhone", document.Photo, "me.jpg", "image/jpeg", heic, types + ". This phone saved HEIC, which cannot be read here. Set Camera, Formats, Most Compatible, and take the photo again."},
		{"half a PNG", document.Photo, "me.png", "image/png", picture(40)[:60], "This file cannot be read. Save it anew and send that, or take another one."},
		{"nothing", document.Marksheet, "me.png", "image/png", "", "The selected file is empty. Please choose another one, or photograph the paper."},
		{"too many bytes", document.Marksheet, "me.png", "image/png", picture(40) + strings.Repeat("\x00", document.MaxBytes), "Marksheet must be less than or equal to 2MB"},
		{"too many pixels", document.Photo, "me.png", "image/png", picture(12_000), "This file has too many pages or pixels. Choose the page that is asked for only, or take another one."},
	} {
		var out bytes.Buffer
		found, refusal, err := inspector{inspect.New(inspect.Options{})}.Inspect(t.Context(), "somebody", document.Upload{Kind: row.kind, Name: row.name, Type: row.said}, strings.NewReader(row.content), &out)
		if refusal != row.want || err != nil || (found.ContentType == "image/jpeg") != (row.want == "") {
			t.Errorf("%s: %q, %v, %+v; want %q", row.sentence, refusal, err, found, row.want)
		}
	}
	marksheet, _ := document.Marksheet.Fact()
	for reason, want := range map[inspect.Refusal]string{
		{Reason: inspect.Encrypted}:                    "This PDF is password protected. Save it without a password, or photograph the paper.",
		{Reason: inspect.Active, Detail: "JavaScript"}: "This PDF holds more than pages. Print it into a new PDF, or photograph the paper.",
		{Reason: inspect.TooLarge, Detail: "pages"}:    "This file has too many pages or pixels. Choose the page that is asked for only, or photograph the paper.",
		{Reason: inspect.TooLarge, Detail: "memory"}:   "This file takes too long to read. Save it anew and send that, or photograph the paper.",
		{Reason: inspect.Reason("of a later version")}: "This file takes too long to read. Save it anew and send that, or photograph the paper.",
	} {
		if got := marksheet.Refusal(faultOf(&reason)); got != want {
			t.Errorf("%v: %q, want %q", reason, got, want)
		}
	}
}
