package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/document"
	"hiresure/api"
	"hiresure/integrations/objects"
	"hiresure/store/storetest"
)

// storage is a vault on disk.
func storage(t *testing.T) *objects.Vault {
	t.Helper()
	disk, err := objects.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keys, err := objects.ReadMasterKeys("2026:" + strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	return objects.NewVault(disk, keys)
}

// storing adds a storage to a site, and an inspector that trusts names and refuses files beginning with "bad".
func storing(vault *objects.Vault) setting {
	return func(n *business.Config, _ *api.Config) { n.Files, n.Inspector = vault, byName{} }
}

type byName struct{}

func (byName) Inspect(_ context.Context, _ string, u document.Upload, in io.Reader, out io.Writer) (found document.Found, refusal string, err error) {
	all, err := io.ReadAll(in)
	if strings.HasPrefix(string(all), "bad") {
		return found, u.Kind.Rules().Refusal(document.WrongType), err
	}
	if strings.HasPrefix(string(all), "crash") {
		return found, "", errors.New("the inspector crashed")
	}
	found.ContentType = map[string]string{".pdf": "application/pdf"}[path.Ext(u.Name)]
	if found.ContentType == "" {
		found.ContentType = "image/jpeg"
	}
	_, err = out.Write(all)
	return found, "", err
}

// part is a part of a multipart body; with a file name, a file.
type part struct{ name, file, content string }

// multi returns a multipart body and its type.
func multi(t *testing.T, parts ...part) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q`, p.name)}}
		if p.file != "" {
			header.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename=%q`, p.name, p.file))
			header.Set("Content-Type", "application/octet-stream")
		}
		to, err := form.CreatePart(header)
		if err == nil {
			_, err = io.WriteString(to, p.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), form.FormDataContentType()
}

// uploads sends a file as clients of the specification do.
func (b *browser) uploads(name, content string) reply {
	b.t.Helper()
	body, contentType := multi(b.t, part{"file", name, content})
	return b.with("Content-Type", contentType).send(http.MethodPost, uploadPath, body)
}

// papers uploads the three required documents and returns the body that submits them.
func (b *browser) papers() object {
	b.t.Helper()
	body := object{"scholarship_code": "hiresure", "profile_step": 8}
	for field, name := range map[string]string{"passport_photo_url": "me.jpg", "id_proof_url": "id.pdf", "academic_marksheet_url": "marks.pdf"} {
		body[field] = b.uploads(name, "of "+field).text("fileInfo", "url")
	}
	return body
}

func changed(body object, changes object) object {
	other := object{}
	for _, from := range []object{body, changes} {
		for name, value := range from {
			other[name] = value
			if value == nil {
				delete(other, name)
			}
		}
	}
	return other
}

// works deletes the bytes of deleted documents.
func (s *site) works() {
	s.t.Helper()
	rows, err := storetest.SQL(s.t, s.url).Query("SELECT ref FROM jobs WHERE kind = '" + document.JobRemove + "'")
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var object string
		if err := errors.Join(rows.Scan(&object), s.services.Document.RemoveObject(s.t.Context(), object)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
}

// fullOr is a storage that rejects everything.
type fullOr struct {
	*objects.Vault
	err error
}

func (f fullOr) Put(_ context.Context, _ string, r io.Reader) (admission.StoredFile, error) {
	_, _ = io.CopyN(io.Discard, r, 3)
	return admission.StoredFile{}, f.err
}
