package commands

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiresure/admission/document"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

const nextFileKey = "2027:e51c0b79d3f8426a9570cb1de8a3f46207b9d45e8c13fa7062b8d9e04f71a35c"

func TestRotateKeysDuringUploads(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		environ := map[string]string{"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "STORAGE_KEYS": sitetest.FileKey, "RATE_LIMITS": "off"}
		with := func(keys string) map[string]string { environ["STORAGE_KEYS"] = keys; return environ }
		before := sitetest.New(t, environ)
		v := sitetest.Applicant(t, before)
		kept := sitetest.Upload(t, before, v, document.Photo, sitetest.Picture(240), 1<<20)
		want, err := sitetest.OpenDocument(t, before, v, kept.DocumentID)
		if err != nil || want == "" {
			t.Fatalf("the photo: %d bytes, %v", len(want), err)
		}
		long := sitetest.Picture(500)
		u, writer := sitetest.BeginUpload(t, before, v, document.IDProof, long)
		for u.Received < rotateBatch+20 { // more pieces than a batch
			if u, err = before.Business.Document.Append(t.Context(), u.ID, writer, u.Received, strings.NewReader(long[u.Received:u.Received+1])); err != nil {
				t.Fatal(err)
			}
		}
		files := sitetest.StoredFiles(t, filepath.Join(environ["DATA_DIR"], "files"))

		during := sitetest.New(t, with(nextFileKey+","+sitetest.FileKey))
		other := sitetest.Applicant(t, during)
		stop, ended := make(chan struct{}), make(chan []string, 1)
		go func() { // replaces a document repeatedly, in small pieces
			var ids []string
			defer func() { ended <- ids }()
			for n := 220; ; n++ {
				ids = append(ids, sitetest.Upload(t, during, other, document.Photo, sitetest.Picture(n), 20).DocumentID)
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
		var out bytes.Buffer
		err = Run(t.Context(), []string{"keys", "rotate"}, environ, &out)
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
		if err := Run(t.Context(), []string{"keys", "rotate"}, with(nextFileKey), &out); err != nil || !strings.HasSuffix(out.String(), ": 0\n") {
			t.Errorf("once more, without the old key, it says %q, %v", out.String(), err)
		}

		after := sitetest.New(t, environ) // the old key is gone
		if got, err := sitetest.OpenDocument(t, after, v, kept.DocumentID); err != nil || got != want {
			t.Errorf("the photo opens as %d bytes, %v", len(got), err)
		}
		if got, err := sitetest.OpenDocument(t, after, other, ids[len(ids)-1]); err != nil || got == "" {
			t.Errorf("what came meanwhile opens as %d bytes, %v", len(got), err)
		}
		if u = sitetest.Upload(t, after, v, document.IDProof, long, 1<<20); u.State != document.Accepted {
			t.Errorf("the upload that went on is %s: %s", u.State, u.Refusal)
		}
		err = Run(t.Context(), []string{"keys", "rotate"}, with("2028:"+sitetest.Key), io.Discard)
		if err == nil || !strings.Contains(err.Error(), `the master key "2027" is not configured`) {
			t.Errorf("without the key that wraps them: %v", err)
		}
		if got, err := sitetest.OpenDocument(t, after, v, kept.DocumentID); err != nil || got != want {
			t.Errorf("after a rotation that failed the photo opens as %d bytes, %v", len(got), err)
		}
		if err := Run(t.Context(), []string{"keys", "remove"}, with(nextFileKey), io.Discard); err == nil || err.Error() != "site keys takes rotate" {
			t.Errorf("another word: %v", err)
		}
	})
}
