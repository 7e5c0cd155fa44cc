package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/minio/sio"

	"hiresure/admission"
	"hiresure/admission/document"
)

// bareSite is the bare server of files.
type bareSite struct{ address string }

func (*bareSite) rest() error { return nil }

func (b *bareSite) send(n int, body []byte) (took time.Duration, forget func() error, err error) {
	began := time.Now()
	header, err := asked(http.MethodPost, b.address+"/?registration="+applicantID(n%applicants), nil, http.StatusCreated)
	if err != nil {
		return 0, nil, err
	}
	header, err = asked(http.MethodPatch, b.address+header.Get("Location"), body, http.StatusNoContent)
	took = time.Since(began)
	return took, func() error {
		_, err := asked(http.MethodDelete, b.address+header.Get("Location"), nil, http.StatusNoContent)
		return err
	}, err
}

// bareUploads stores uploads as the site does, without sessions and rules. POST writes the upload's row. PATCH hashes and
// encrypts the body into a file, syncs it, and writes the piece and the upload in one transaction.
type bareUploads struct {
	folder   string
	master   cipher.AEAD
	database bareDatabase
}

func newBareFiles(folder string) (http.Handler, error) {
	database, err := openBare("sqlite://" + filepath.Join(folder, "bench.db"))
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(make([]byte, 32))
	if err != nil {
		return nil, err
	}
	master, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	b := &bareUploads{filepath.Join(folder, "files"), master, database}
	if err := os.Mkdir(b.folder, 0o700); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", answering(http.StatusCreated, b.begin))
	mux.HandleFunc("PATCH /{id}", answering(http.StatusNoContent, b.receive))
	mux.HandleFunc("DELETE /{id}/{object}", answering(http.StatusNoContent, b.forget))
	return mux, nil
}

func answering(status int, do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(status)
	}
}

func (b *bareUploads) begin(w http.ResponseWriter, r *http.Request) error {
	id, now := admission.NewID(), time.Now()
	w.Header().Set("Location", "/"+id)
	return b.database.keep(r.Context(), []bareRow{{
		`INSERT INTO uploads (id, registration_id, kind, name, type, size, hash, received, writer, state, refusal, document_id, judge_until, begun_at, expires_at)
			VALUES ($1, $2, $3, 'marks.pdf', 'application/pdf', $4, $5, 0, '', $6, '', '', 0, $7, $8)`,
		[]any{
			id, r.URL.Query().Get("registration"), string(document.Marksheet), document.MaxBytes, hex.EncodeToString(make([]byte, sha256.Size)), string(document.Receiving),
			now.UnixMicro(), now.AddDate(0, 0, 1).UnixMicro(),
		},
	}})
}

func (b *bareUploads) receive(w http.ResponseWriter, r *http.Request) error {
	id, key := r.PathValue("id"), make([]byte, 32)
	_, _ = rand.Read(key) // never returns an error
	object, err := b.store(r.Body, key)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/"+id+"/"+object)
	wrapped := base64.RawStdEncoding.EncodeToString(b.master.Seal(nil, nil, key, []byte(id)))
	return b.database.keep(r.Context(), []bareRow{
		{
			`INSERT INTO upload_pieces (upload_id, start, object, size, file_key, key_id) VALUES ($1, 0, $2, $3, $4, 'bare')`,
			[]any{id, object, r.ContentLength, wrapped},
		},
		{
			`UPDATE uploads SET received = $2, writer = $3, expires_at = $4 WHERE id = $1`,
			[]any{id, r.ContentLength, admission.NewID(), time.Now().AddDate(0, 0, 1).UnixMicro()},
		},
	})
}

// store encrypts a body into a file that is named by its hash, and returns the name once it is durable.
func (b *bareUploads) store(body io.Reader, key []byte) (object string, err error) {
	encrypted, err := sio.EncryptReader(body, sio.Config{Key: key, MinVersion: sio.Version20, CipherSuites: []byte{sio.AES_256_GCM}})
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(b.folder, "pending-")
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, hash), encrypted)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", err
	}
	object = hex.EncodeToString(hash.Sum(nil))
	if err := os.Rename(file.Name(), filepath.Join(b.folder, object)); err != nil {
		return "", err
	}
	within, err := os.Open(b.folder)
	if err != nil {
		return "", err
	}
	return object, errors.Join(within.Sync(), within.Close())
}

func (b *bareUploads) forget(_ http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := b.database.keep(r.Context(), []bareRow{
		{`DELETE FROM upload_pieces WHERE upload_id = $1`, []any{id}},
		{`DELETE FROM uploads WHERE id = $1`, []any{id}},
	}); err != nil {
		return err
	}
	return os.Remove(filepath.Join(b.folder, filepath.Base(r.PathValue("object"))))
}
