package sitetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/cmd/site/site"
	"hiresure/store"
)

// PDF returns a PDF with one empty page and a comment.
func PDF(comment string) string {
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n%" + comment + "\n")
	var at []int
	for i, object := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>"} {
		at = append(at, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	xref := out.Len()
	out.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, offset := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", xref)
	return out.String()
}

// Applicant returns a visitor whose application accepts documents.
func Applicant(t *testing.T, s *site.Site) admission.Visitor {
	t.Helper()
	v := admission.Visitor{AccountID: admission.NewID(), SessionID: admission.NewID()}
	if err := s.Store.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(
			tx.AddAccount(&account.Account{ID: v.AccountID, Email: v.AccountID + "@example.com"}),
			tx.AddSession(&access.Session{ID: v.SessionID, TokenHash: v.SessionID, AccountID: v.AccountID, ExpiresAt: s.Clock().Add(240 * time.Hour)}),
			tx.AddRegistration(&enrol.Registration{ID: admission.NewID(), AccountID: v.AccountID, Phone: v.AccountID, EventCode: enrol.ApplicationCode, Step: enrol.StepPaid}),
		)
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

// Picture returns a square PNG.
func Picture(side int) string {
	var body bytes.Buffer
	_ = png.Encode(&body, image.NewGray(image.Rect(0, 0, side, side)))
	return body.String()
}

// BeginUpload starts the upload of a PNG.
func BeginUpload(t *testing.T, s *site.Site, v admission.Visitor, kind document.Kind, content string) (u document.Upload, writer string) {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	u, err := s.Business.Document.Begin(t.Context(), v, document.NewFile{Kind: kind, Name: "paper.png", Type: "image/png", Size: int64(len(content)), Hash: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	if writer, err = s.Business.Document.StartPiece(t.Context(), v, u.ID, u.Received); err != nil {
		t.Fatal(err)
	}
	return u, writer
}

// Upload uploads a PNG in pieces, and inspects it.
func Upload(t *testing.T, s *site.Site, v admission.Visitor, kind document.Kind, content string, piece int) document.Upload {
	t.Helper()
	u, writer := BeginUpload(t, s, v, kind, content)
	for u.State == document.Receiving {
		var err error
		if u, err = s.Business.Document.Append(t.Context(), u.ID, writer, u.Received, strings.NewReader(content[u.Received:min(int(u.Received)+piece, len(content))])); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Business.Document.Judge(t.Context(), u.ID); err != nil {
		t.Fatal(err)
	}
	u, err := s.Business.Document.Status(t.Context(), v, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// OpenDocument returns a document's content, or the reason why it does not open.
func OpenDocument(t *testing.T, s *site.Site, v admission.Visitor, id string) (string, error) {
	t.Helper()
	_, content, err := s.Business.Document.Open(t.Context(), v, id)
	if err != nil {
		return "", err
	}
	defer content.Close()
	all, err := io.ReadAll(content)
	return string(all), err
}

// StoredFiles returns the files of a storage on disk with their modification times.
func StoredFiles(t *testing.T, folder string) map[string]time.Time {
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

// Hash returns the SHA-256 of a file's content.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
