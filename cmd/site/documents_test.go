package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/e2e"
	"hiresure/integrations/objects/objectstest"
	"hiresure/integrations/scan/scantest"
	"hiresure/store/storetest"
)

// paperWith returns a PDF with one empty page and a comment.
func paperWith(comment string) string {
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

// limitedBucket is a proxy for a gateway that rejects objects beyond a number; below zero it accepts any number.
type limitedBucket struct {
	*httptest.Server
	room atomic.Int64
}

func newLimitedBucket(t *testing.T, gateway *objectstest.Gateway) *limitedBucket {
	t.Helper()
	target, err := url.Parse(gateway.Address)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }} // the host is signed
	c := new(limitedBucket)
	c.room.Store(-1)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && c.room.Load() >= 0 && c.room.Add(-1) < 0 {
			c.room.Store(0)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusInsufficientStorage)
			_, _ = w.Write([]byte(`<Error><Code>QuotaExceeded</Code><Message>There is no room.</Message></Error>`))
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

// works runs all due jobs.
func (r *reader) works() {
	r.t.Helper()
	for done := 1; done > 0; {
		done = 0
		for _, worker := range r.site.workers {
			n, err := worker.RunDue(r.t.Context())
			if err != nil {
				r.t.Fatal(err)
			}
			done += n
		}
	}
}

// uploads sends a file by the API and returns the document's address and the message.
func (r *reader) uploads(v *e2e.Visitor, name, content string) (address, message string) {
	r.t.Helper()
	got := r.ask(v, "POST /v2scholarship/v1/upload-document-file", recordRequest{
		body: "--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\n" + content + "\r\n--part--\r\n",
	})
	var answer struct {
		Message  string
		FileInfo struct{ URL string }
	}
	if err := json.Unmarshal([]byte(got.text), &answer); err != nil {
		r.t.Fatalf("%d %s: %v", got.status, got.text, err)
	}
	return answer.FileInfo.URL, answer.Message
}

func (r *reader) opens(v *e2e.Visitor, address string) routeAnswer {
	r.t.Helper()
	return r.ask(v, "GET "+address, recordRequest{})
}

// inBucket counts the objects in a bucket's folder.
func inBucket(t *testing.T, folder string) (n int) {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && admission.IsHash(filepath.Base(path)) {
			n++
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDocumentsInABucketScannedByClamd(t *testing.T) {
	clamd, gateway := scantest.Start(t), objectstest.Start(t)
	buckets, all := 0, t // clamd is for both databases
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		buckets++
		bucket := fmt.Sprint("papers", buckets)
		before := newLimitedBucket(t, gateway)
		address := strings.Replace(gateway.Bucket(t, bucket), gateway.Address, before.URL, 1)
		r := openSite(t, "DATABASE_URL", databaseURL, "STORAGE_URL", address, "S3_ACCESS_KEY", objectstest.Access, "S3_SECRET_KEY", objectstest.Secret, "CLAMD_URL", clamd.Address, "RATE_LIMITS", "off")
		v := r.Visitor
		r.signsUp(v)
		_, txn := r.applicationOf(v)
		if err := v.Press(txn, "paid"); err != nil {
			t.Fatal(err)
		}
		lies := func(want int, sentence string) {
			t.Helper()
			r.works()
			if got := inBucket(t, filepath.Join(gateway.Folder, bucket)); got != want {
				t.Errorf("%s: %d objects lie in the bucket, want %d", sentence, got, want)
			}
		}
		photo, message := r.uploads(v, "me.png", picture(40))
		if got := r.opens(v, photo); message != "Your document is uploaded." || got.status != http.StatusOK || !strings.HasPrefix(got.text, "\xff\xd8") {
			t.Errorf("a clean file: %s, opens with %d", message, got.status)
		}
		lies(1, "a clean file")

		const harmful = "This file was refused because it may do harm. Please send another one, such as a photo of the paper."
		if address, message := r.uploads(v, "id.pdf", paperWith(scantest.Harm)); address != "" || message != harmful {
			t.Errorf("a harmful file is at %q: %s", address, message)
		}
		lies(1, "a harmful file")

		clamd.Stop()
		paper, message := r.uploads(v, "marks.pdf", paperWith("marks"))
		hidden, _ := r.uploads(v, "id.pdf", paperWith(scantest.Harm))
		if message != "Your document is uploaded, and being checked. Please submit in a minute." {
			t.Errorf("without clamd: %s", message)
		}
		for minutes := range 3 {
			r.passes(time.Minute)
			r.works()
			for _, address := range []string{paper, hidden} {
				if got := r.opens(v, address); got.status != http.StatusConflict || strings.Contains(got.text, "%PDF") || !strings.Contains(got.text, "is being checked.") {
					t.Errorf("without clamd it opens after %d minutes with %d", minutes, got.status)
				}
			}
		}
		clamd.Run(all)
		r.passes(time.Minute)
		lies(2, "with clamd again")
		if got := r.opens(v, paper); got.status != http.StatusOK || got.text != paperWith("marks") {
			t.Errorf("with clamd it opens with %d", got.status)
		}
		if got := r.opens(v, hidden); got.status != http.StatusNotFound {
			t.Errorf("what is harmful opens with %d", got.status)
		}

		const full = "There is no room for this file at the moment, so nothing of it was kept. We were told. Please send it again in an hour."
		for room, sentence := range []string{"no room for what was sent", "no room for what is kept of it"} {
			before.room.Store(int64(room))
			if address, message := r.uploads(v, "id.png", picture(50)); address != "" || message != full {
				t.Errorf("%s: at %q: %s", sentence, address, message)
			}
			before.room.Store(-1)
			lies(2, sentence)
		}
		r.deletes(v, photo)
		lies(1, "a deleted one")
		r.leaves(v)
		lies(0, "a deleted person's")
		if rows := storetest.Rows(t, databaseURL); rows["documents"]+rows["upload_pieces"]+rows["uploads"] != 0 {
			t.Errorf("rows that are left: %v", rows)
		}
	})
}

func (r *reader) deletes(v *e2e.Visitor, address string) {
	r.t.Helper()
	if got := r.ask(v, "POST /v2scholarship/v1/delete-uploaded-document-file", recordRequest{body: `{"fileUrl":"` + address + `"}`}); got.status != http.StatusOK {
		r.t.Errorf("deleting answers %d %s", got.status, got.text)
	}
	if got := r.opens(v, address); got.status != http.StatusNotFound {
		r.t.Errorf("what is deleted opens with %d", got.status)
	}
}

// leaves deletes the visitor's account, seven days later.
func (r *reader) leaves(v *e2e.Visitor) {
	r.t.Helper()
	if err := r.site.business.MyData.RequestDeletion(r.t.Context(), r.signedIn(v)); err != nil {
		r.t.Fatal(err)
	}
	r.passes(7*24*time.Hour + time.Minute)
	r.works()
}
