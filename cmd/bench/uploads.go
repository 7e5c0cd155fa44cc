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

// uploads compares the upload of almost 2 MB, until it is durable, with a bare server that also hashes, encrypts and syncs the
// file and writes the same rows. The last byte is not sent, because a complete file is also checked.
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
			goal = atLeast(0.75)
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

// uploads is a server of files. send uploads the n-th file of a turn, and returns the time until it was durable and a function
// that deletes it. rest waits until the server has nothing left to do.
type uploads interface {
	send(n int, body []byte) (took time.Duration, forget func() error, err error)
	rest() error
}

// uploadsTo repeats uploads with a number of clients. took is the sum of their times. The files are deleted after the turn.
func uploadsTo(to uploads, clients int) timed {
	return func(lasting time.Duration) (done int, took time.Duration, err error) {
		var mutex sync.Mutex
		var all sync.WaitGroup
		var forgets []func() error
		began := time.Now()
		for client := range clients {
			all.Go(func() {
				body := bytes.Repeat([]byte{byte(client)}, document.MaxBytes-1)
				for n := client; time.Since(began) < lasting; n += clients {
					lasted, forget, fault := to.send(n, body)
					mutex.Lock()
					done, took, err, forgets = done+1, took+lasted, errors.Join(err, fault), append(forgets, forget)
					mutex.Unlock()
					if fault != nil {
						return
					}
				}
			})
		}
		all.Wait()
		if err != nil {
			return 0, 0, err
		}
		for _, forget := range forgets {
			err = errors.Join(err, forget())
		}
		return done, took, errors.Join(err, to.rest())
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

// uploadSite is the site, with applicants who must upload documents.
type uploadSite struct {
	*process
	url    string // of the database
	tokens []string
}

func (b *bench) startUploads(s *setup, clients int) (*uploadSite, error) {
	name := fmt.Sprint("uploads-", clients)
	url := "sqlite://" + filepath.Join(b.folder, name+".db")
	site, err := b.startSite(s, url, name)
	if err != nil {
		return nil, err
	}
	u := &uploadSite{process: site, url: url}
	for range applicants {
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

// send uploads as another applicant for each n, because a new upload replaces an unfinished one.
func (u *uploadSite) send(n int, body []byte) (took time.Duration, forget func() error, err error) {
	n %= len(u.tokens)
	sum := sha256.Sum256([]byte(admission.NewID())) // different for each file
	about := ""
	for i, pair := range [][2]string{{"registration", applicantID(n)}, {"kind", string(document.Marksheet)}, {"sha256", hex.EncodeToString(sum[:])}, {"filename", "marks.pdf"}, {"filetype", "application/pdf"}} {
		if i > 0 {
			about += ","
		}
		about += pair[0] + " " + base64.StdEncoding.EncodeToString([]byte(pair[1]))
	}
	cookie := "hiresure=" + u.tokens[n]
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

// rest waits until the deleted files are removed.
func (u *uploadSite) rest() error {
	return inDatabase(u.url, func(db *sql.DB) error {
		return soon(func() (bool, error) {
			var left int
			err := db.QueryRow("SELECT COUNT(*) FROM jobs WHERE kind = $1", document.JobRemove).Scan(&left)
			return left == 0, err
		})
	})
}
