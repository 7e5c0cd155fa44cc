package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	steps "hiresure/admission/enrol"
)

const (
	uploading = 32 // clients at once
	bareFiles = "bare-upload"
	filesPath = "/hiresure/upload-doc/files"
	paidStep  = `UPDATE registrations SET step = $1`
)

// uploads compares the upload of almost 2 MB, until it is durable, with a bare server that streams the body to a file and
// syncs it. The last byte is not sent, because a complete file is also checked.
func (b *bench) uploads() (err error) {
	s := setup{name: "SQLite"}
	sites := map[int]*uploadSite{} // one per number of clients, so that each has its own peak of memory
	for _, clients := range []int{1, uploading} {
		if sites[clients], err = b.startUploads(&s, clients); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sites[clients].end()) }()
	}
	folder := filepath.Join(b.folder, "bare-files")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	bare, err := b.startBare(bareFiles, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.end()) }()
	plain := &bareSite{"http://" + bare.addr}
	for _, clients := range []int{1, uploading} {
		each, err := inTurns(uploadsTo(sites[clients], clients), uploadsTo(plain, clients), func(done int, seconds float64) float64 {
			return float64(clients*done) / seconds
		})
		if err != nil {
			return err
		}
		goal := unjudged
		if clients == uploading {
			goal = atLeast(0.8)
		}
		b.table.compare(fmt.Sprintf("upload of 2 MB, until durable, %d clients", clients), "uploads/s", each, goal)
	}
	alone, err := sites[1].memory("VmHWM:")
	if err != nil {
		return err
	}
	many, err := sites[uploading].memory("VmHWM:")
	b.table.add(row{what: fmt.Sprintf("memory of site at its peak, %d uploads beside one", uploading), unit: "of one", site: many / alone, digits: 2, target: "≤ 1.30", met: many/alone <= 1.3})
	return err
}

// uploads is a server of files: send returns the time until the file was durable, and forget deletes it.
type uploads interface {
	send(client int, body []byte) (took time.Duration, forget func() error, err error)
}

// uploadsTo repeats uploads with a number of clients. took is the sum of their times.
func uploadsTo(to uploads, clients int) timed {
	return func(lasting time.Duration) (done int, took time.Duration, err error) {
		var mutex sync.Mutex
		var all sync.WaitGroup
		began := time.Now()
		for client := range clients {
			all.Go(func() {
				body := bytes.Repeat([]byte{byte(client)}, document.MaxBytes-1)
				for time.Since(began) < lasting {
					lasted, forget, fault := to.send(client, body)
					if fault == nil {
						fault = forget()
					}
					mutex.Lock()
					done, took, err = done+1, took+lasted, errors.Join(err, fault)
					mutex.Unlock()
					if fault != nil {
						return
					}
				}
			})
		}
		all.Wait()
		return done, took, err
	}
}

// asked sends a request, and fails unless the status is as wanted.
func asked(method, address string, body []byte, want int, headers ...string) (http.Header, error) {
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := uploader.Do(request)
	if err != nil {
		return nil, err
	}
	said, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != want {
		err = fmt.Errorf("%s %s answers %s: %.200s", method, address, answer.Status, said)
	}
	return answer.Header, errors.Join(err, answer.Body.Close())
}

var uploader = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * uploading}}

// uploadSite is the site, with an applicant per client who must upload documents.
type uploadSite struct {
	*process
	tokens []string
}

func (b *bench) startUploads(s *setup, clients int) (*uploadSite, error) {
	name := fmt.Sprint("uploads-", clients)
	url := "sqlite://" + filepath.Join(b.folder, name+".db")
	site, err := b.startSite(s, url, name)
	if err != nil {
		return nil, err
	}
	u := &uploadSite{process: site}
	for range clients {
		u.tokens = append(u.tokens, admission.NewToken())
	}
	if err := inDatabase(url, func(db *sql.DB) error {
		if err := fillApplicants(db, u.tokens); err != nil {
			return err
		}
		_, err := db.Exec(paidStep, int(steps.StepPaid))
		return err
	}); err != nil {
		return nil, errors.Join(err, site.end())
	}
	return u, nil
}

func (u *uploadSite) send(client int, body []byte) (took time.Duration, forget func() error, err error) {
	sum := sha256.Sum256([]byte(admission.NewID())) // different for each file
	about := ""
	for i, pair := range [][2]string{{"registration", applicantID(client)}, {"kind", string(document.Marksheet)}, {"sha256", hex.EncodeToString(sum[:])}, {"filename", "marks.pdf"}, {"filetype", "application/pdf"}} {
		if i > 0 {
			about += ","
		}
		about += pair[0] + " " + base64.StdEncoding.EncodeToString([]byte(pair[1]))
	}
	cookie := "hiresure=" + u.tokens[client]
	began := time.Now()
	header, err := asked(http.MethodPost, "http://"+u.addr+filesPath, nil, http.StatusCreated,
		"Cookie", cookie, "Tus-Resumable", "1.0.0", "Upload-Length", fmt.Sprint(document.MaxBytes), "Upload-Metadata", about)
	if err != nil {
		return 0, nil, err
	}
	here := "http://" + u.addr + header.Get("Location")
	_, err = asked(http.MethodPatch, here, body, http.StatusNoContent, "Cookie", cookie, "Tus-Resumable", "1.0.0", "Upload-Offset", "0", "Content-Type", "application/offset+octet-stream")
	took = time.Since(began)
	return took, func() error {
		_, err := asked(http.MethodDelete, here, nil, http.StatusNoContent, "Cookie", cookie, "Tus-Resumable", "1.0.0")
		return err
	}, err
}

// bareSite is the bare server.
type bareSite struct{ address string }

func (b *bareSite) send(_ int, body []byte) (took time.Duration, forget func() error, err error) {
	began := time.Now()
	header, err := asked(http.MethodPost, b.address+"/", body, http.StatusNoContent)
	took = time.Since(began)
	return took, func() error {
		_, err := asked(http.MethodDelete, b.address+"/"+header.Get("Location"), nil, http.StatusNoContent)
		return err
	}, err
}

// newBareFiles streams each body to a new file in a folder, and responds once it is synced.
func newBareFiles(folder string) (http.Handler, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		name, err := keepBare(folder, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Location", name)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("DELETE /{name}", func(w http.ResponseWriter, r *http.Request) {
		if err := os.Remove(filepath.Join(folder, filepath.Base(r.PathValue("name")))); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return mux, nil
}

func keepBare(folder string, body io.Reader) (name string, err error) {
	file, err := os.CreateTemp(folder, "pending-")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, body)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", err
	}
	name = admission.NewID()
	if err := os.Rename(file.Name(), filepath.Join(folder, name)); err != nil {
		return "", err
	}
	within, err := os.Open(folder)
	if err != nil {
		return "", err
	}
	return name, errors.Join(within.Sync(), within.Close())
}
