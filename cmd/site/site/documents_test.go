package site_test

import (
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
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/integrations/objects/objectstest"
	"hiresure/integrations/scan/scantest"
	"hiresure/store/storetest"
)

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
		r.SignUp(v)
		_, txn := r.Application(v)
		if err := v.Press(txn, "paid"); err != nil {
			t.Fatal(err)
		}
		expectObjects := func(want int, sentence string) {
			t.Helper()
			r.Work()
			if got := inBucket(t, filepath.Join(gateway.Folder, bucket)); got != want {
				t.Errorf("%s: %d objects are in the bucket, want %d", sentence, got, want)
			}
		}
		photo, message := r.Upload(v, "me.png", sitetest.Picture(300))
		if got := r.Open(v, photo); message != "Your document is uploaded." || got.Status != http.StatusOK || !strings.HasPrefix(got.Text, "\xff\xd8") {
			t.Errorf("a clean file: %s, opens with %d", message, got.Status)
		}
		expectObjects(1, "a clean file")

		const harmful = "This file was refused because it may do harm. Please send another one, such as a photo of the paper."
		if address, message := r.Upload(v, "id.pdf", sitetest.PDF(scantest.Harm)); address != "" || message != harmful {
			t.Errorf("a harmful file is at %q: %s", address, message)
		}
		expectObjects(1, "a harmful file")

		clamd.Stop()
		paper, message := r.Upload(v, "marks.pdf", sitetest.PDF("marks"))
		hidden, _ := r.Upload(v, "id.pdf", sitetest.PDF(scantest.Harm))
		if message != "Your document is uploaded, and being checked. Please submit in a minute." {
			t.Errorf("without clamd: %s", message)
		}
		for minutes := range 3 {
			r.Passes(time.Minute)
			r.Work()
			for _, address := range []string{paper, hidden} {
				if got := r.Open(v, address); got.Status != http.StatusConflict || strings.Contains(got.Text, "%PDF") || !strings.Contains(got.Text, "is being checked.") {
					t.Errorf("without clamd it opens after %d minutes with %d", minutes, got.Status)
				}
			}
		}
		clamd.Run(all)
		r.Passes(time.Minute)
		expectObjects(2, "with clamd again")
		if got := r.Open(v, paper); got.Status != http.StatusOK || got.Text != sitetest.PDF("marks") {
			t.Errorf("with clamd it opens with %d", got.Status)
		}
		if got := r.Open(v, hidden); got.Status != http.StatusNotFound {
			t.Errorf("what is harmful opens with %d", got.Status)
		}

		const full = "We have no room for this file now and did not keep it. We know about it. Please send it again in an hour."
		for room, sentence := range []string{"no room for the upload", "no room for its redrawn copy"} {
			before.room.Store(int64(room))
			if address, message := r.Upload(v, "id.png", sitetest.Picture(250)); address != "" || message != full {
				t.Errorf("%s: at %q: %s", sentence, address, message)
			}
			before.room.Store(-1)
			expectObjects(2, sentence)
		}
		r.Delete(v, photo)
		expectObjects(1, "a deleted one")
		r.leaves(v)
		expectObjects(0, "a deleted person's")
		if rows := storetest.Rows(t, databaseURL); rows["documents"]+rows["upload_pieces"]+rows["uploads"] != 0 {
			t.Errorf("remaining rows: %v", rows)
		}
	})
}

// leaves deletes the visitor's account, seven days later.
func (r *reader) leaves(v *e2e.Visitor) {
	r.T.Helper()
	if err := r.Site.Business.MyData.RequestDeletion(r.T.Context(), r.SignedIn(v)); err != nil {
		r.T.Fatal(err)
	}
	r.Passes(7*24*time.Hour + time.Minute)
	r.Work()
}
