package site_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/cmd/site/commands"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/inspect"
	"hiresure/integrations/scan/scantest"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestVerifyReportsMissingFiles(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		environ := map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "RATE_LIMITS": "off"}
		folder := filepath.Join(environ["DATA_DIR"], "files")
		s := sitetest.New(t, environ)
		v := sitetest.Applicant(t, s)
		says := func() (lines []string, err error) {
			var out bytes.Buffer
			err = commands.Run(t.Context(), []string{"verify"}, environ, &out)
			lines = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			slices.Sort(lines)
			return lines, err
		}
		sitetest.Upload(t, s, v, document.Photo, sitetest.Picture(300), 1<<20)
		lost := sitetest.Upload(t, s, v, document.IDProof, sitetest.Picture(250), 1<<20)
		for path := range sitetest.StoredFiles(t, folder) { // as the jobs delete the pieces of inspected uploads
			object := filepath.Base(path)
			var named map[string]bool
			if err := s.Store.View(t.Context(), func(tx store.Tx) (err error) {
				named, err = tx.ObjectsNamed([]string{object})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if !named[object] {
				if err := s.Business.Document.RemoveObject(t.Context(), object); err != nil {
					t.Fatal(err)
				}
			}
		}
		var photo, id string
		if err := s.Store.Update(t.Context(), func(tx store.Tx) error {
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

		for path := range sitetest.StoredFiles(t, folder) {
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
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		left := sitetest.StoredFiles(t, folder)
		if _, there := left[filepath.Join(folder, "bb", old)]; there || len(left) != 2 {
			t.Errorf("after the hourly sweep there are %v", left)
		}
	})
}

func TestReadyzChecksStorageAndClamd(t *testing.T) {
	now := time.Now()
	folder := filepath.Join(t.TempDir(), "files")
	cfg, err := config.Read(map[string]string{"DATA_DIR": t.TempDir(), "STORAGE_URL": "file://" + folder, "CLAMD_URL": "unix://" + filepath.Join(t.TempDir(), "clamd.ctl")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
	ready := func() string {
		now = now.Add(time.Minute) // the cached result is too old
		answer := sitetest.Get(s, "/readyz")
		return fmt.Sprint(answer.Code, " ", strings.TrimSpace(answer.Body.String()))
	}
	if got := ready(); got != "200 degraded: clamd" {
		t.Errorf("without clamd: %s", got)
	}
	if err := os.Rename(folder, folder+".gone"); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != "200 degraded: storage, clamd" {
		t.Errorf("without its storage: %s", got)
	}
	if err := os.Rename(folder+".gone", folder); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != "200 degraded: clamd" {
		t.Errorf("with its storage again: %s", got)
	}
	if got := sitetest.Get(sitetest.New(t, nil), "/readyz"); got.Code != http.StatusOK || got.Body.String() != "ready\n" {
		t.Errorf("where nobody looks for harm: %d %s", got.Code, got.Body)
	}
}

func TestDocumentWaitsForClamd(t *testing.T) {
	clamd := scantest.Start(t)
	clamd.Stop()
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		now := time.Now()
		cfg, err := config.Read(map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "CLAMD_URL": clamd.Address})
		if err != nil {
			t.Fatal(err)
		}
		s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
		v := sitetest.Applicant(t, s)
		u := sitetest.Upload(t, s, v, document.Photo, sitetest.Picture(300), 1<<20)
		if _, err := sitetest.OpenDocument(t, s, v, u.DocumentID); err == nil || err.Error() != "conflict: paper.png is being checked. Please try again in a minute." {
			t.Errorf("without clamd it opens with %v", err)
		}
		scans := func() (time.Duration, error) {
			now = now.Add(time.Minute)
			return s.ScanAgain(t.Context(), u.DocumentID)
		}
		if again, err := scans(); again != time.Minute || err != nil {
			t.Errorf("its job comes again in %s, %v", again, err)
		}
		clamd.Run(t)
		if again, err := scans(); again != 0 || err != nil {
			t.Errorf("with clamd its job comes again in %s, %v", again, err)
		}
		if got, err := sitetest.OpenDocument(t, s, v, u.DocumentID); err != nil || got == "" {
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
		{"a PNG", document.Photo, "me.png", "image/png", sitetest.Picture(300), ""},
		{"a PNG of which nobody says what it is", document.Photo, "me.PNG", "", sitetest.Picture(300), ""},
		{"a PNG that is called a JPEG", document.Photo, "me.jpg", "image/png", sitetest.Picture(300), types},
		{"a PNG that is said to be a PDF", document.Marksheet, "me.png", "application/pdf", sitetest.Picture(300), papers},
		{"a GIF", document.IDProof, "me.png", "image/png", "GIF89a", papers},
		{"a photo of an iPhone", document.Photo, "me.jpg", "image/jpeg", heic, types + ". This phone saved HEIC, which cannot be read here. Set Camera, Formats, Most Compatible, and take the photo again."},
		{"half a PNG", document.Photo, "me.png", "image/png", sitetest.Picture(300)[:60], "This file cannot be read. Save it again and send the new file, or take another one."},
		{"a picture as small as an icon", document.Photo, "me.png", "image/png", sitetest.Picture(199), "This picture is too small to read: it needs 200 × 200 pixels at least. Please choose another one, or take another one."},
		{"nothing", document.Marksheet, "me.png", "image/png", "", "The selected file is empty. Please choose another one, or photograph the paper."},
		{"too many bytes", document.Marksheet, "me.png", "image/png", sitetest.Picture(300) + strings.Repeat("\x00", document.MaxBytes), "Marksheet must be less than or equal to 2MB"},
		{"too many pixels", document.Photo, "me.png", "image/png", sitetest.Picture(12_000), "This file has too many pages or pixels. Choose the page that is asked for only, or take another one."},
	} {
		var out bytes.Buffer
		found, refusal, err := site.Inspector{inspect.New(inspect.Options{})}.Inspect(t.Context(), "somebody", document.Upload{Kind: row.kind, Name: row.name, Type: row.said}, strings.NewReader(row.content), &out)
		if refusal != row.want || err != nil || (found.ContentType == "image/jpeg") != (row.want == "") {
			t.Errorf("%s: %q, %v, %+v; want %q", row.sentence, refusal, err, found, row.want)
		}
	}
	marksheet, _ := document.Marksheet.Fact()
	for reason, want := range map[inspect.Refusal]string{
		{Reason: inspect.Encrypted}:                    "This PDF is password protected. Save it without a password, or photograph the paper.",
		{Reason: inspect.Active, Detail: "JavaScript"}: "This PDF contains more than pages. Print it into a new PDF, or photograph the paper.",
		{Reason: inspect.TooLarge, Detail: "pages"}:    "This file has too many pages or pixels. Choose the page that is asked for only, or photograph the paper.",
		{Reason: inspect.TooLarge, Detail: "memory"}:   "This file takes too long to read. Save it again and send the new file, or photograph the paper.",
		{Reason: inspect.Reason("of a later version")}: "This file takes too long to read. Save it again and send the new file, or photograph the paper.",
	} {
		if got := marksheet.Refusal(site.FaultOf(&reason)); got != want {
			t.Errorf("%v: %q, want %q", reason, got, want)
		}
	}
}
