package hiresure_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/store"
)

const filesPath = "/hiresure/upload-doc/files"

// calls sends a tus request; headers replace its own, "" removes one.
func (p *place) calls(method, address, body string, headers ...string) seen {
	p.t.Helper()
	r := httptest.NewRequest(method, origin+address, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Tus-Resumable", "1.0.0")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/offset+octet-stream")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if p.token != "" {
		r.AddCookie(&http.Cookie{Name: "hiresure", Value: p.token})
	}
	w := httptest.NewRecorder()
	p.echo.ServeHTTP(w, r)
	return seen{w, p.t, w.Body.String()}
}

// about returns the Upload-Metadata of a file.
func about(registration, kind, content string) string {
	sum := sha256.Sum256([]byte(content))
	var pairs []string
	for _, pair := range [][2]string{{"registration", registration}, {"kind", kind}, {"filename", "me.jpg"}, {"filetype", "image/jpeg"}, {"sha256", hex.EncodeToString(sum[:])}} {
		pairs = append(pairs, pair[0]+" "+base64.StdEncoding.EncodeToString([]byte(pair[1])))
	}
	return strings.Join(pairs, ",")
}

// begins starts an upload, and returns its address and offset.
func (p *place) begins(registration, kind, content string) (address, offset string) {
	p.t.Helper()
	got := p.calls(http.MethodPost, filesPath, "", "Upload-Length", strconv.Itoa(len(content)), "Upload-Metadata", about(registration, kind, content)).is(http.StatusCreated)
	return got.Header().Get("Location"), got.Header().Get("Upload-Offset")
}

// verdicts returns the result of a file.
func (p *place) verdicts(address string) (got struct{ State, Message, Document, DocumentAddress string }) {
	p.t.Helper()
	must(p.t, json.Unmarshal(p.get(address+"/verdict").is(http.StatusOK).Body.Bytes(), &got))
	return got
}

func TestAFileArrivesByTus(t *testing.T) {
	p, r := paid(t)
	const content = "a photo in two parts"
	address, offset := p.begins(r.ID, "photo", content)
	if !strings.HasPrefix(address, filesPath+"/") || offset != "0" {
		t.Errorf("begun at %s, %s", address, offset)
	}
	first := p.calls(http.MethodPatch, address, content[:7], "Upload-Offset", "0").is(http.StatusNoContent)
	again, offset := p.begins(r.ID, "photo", content)
	if again != address || offset != "7" || first.Header().Get("Upload-Offset") != "7" || first.Header().Get("Tus-Resumable") != "1.0.0" {
		t.Errorf("the same file goes on at %s, %s", again, offset)
	}
	head := p.calls(http.MethodHead, address, "").is(http.StatusOK)
	for name, want := range map[string]string{
		"Upload-Offset": "7", "Upload-Length": "20", "Cache-Control": "private, no-store", "Tus-Resumable": "1.0.0", "Upload-Metadata": about(r.ID, "photo", content),
	} {
		if got := head.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := p.verdicts(address); got.State != "receiving" {
		t.Errorf("halfway: %+v", got)
	}
	p.get(filesPath).is(http.StatusOK, `"registration":"`+r.ID+`"`, `"received":7,"state":"receiving"`, `"documents":[]`)
	p.calls(http.MethodPatch, address, content[7:], "Upload-Offset", "7").is(http.StatusNoContent)
	got := p.verdicts(address)
	if got.State != "ready" || got.DocumentAddress != "/hiresure/documents/"+got.Document || p.get(got.DocumentAddress).is(http.StatusOK).Body.String() != content {
		t.Errorf("at the end: %+v", got)
	}
	p.get(filesPath).is(http.StatusOK, `"uploads":[]`, `"name":"me.jpg","type":"image/jpeg","size":20,"state":"ready","address":"`+got.DocumentAddress+`"`)
	if head := p.calls(http.MethodHead, address, "").is(http.StatusOK).Header(); head.Get("Upload-Offset") != "20" {
		t.Errorf("what is kept has arrived: %s", head.Get("Upload-Offset"))
	}

	refused, _ := p.begins(r.ID, "marksheet", "bad paper")
	p.calls(http.MethodPatch, refused, "bad paper", "Upload-Offset", "0").is(http.StatusNoContent)
	const heic = "Only JPG, JPEG, PDF, or PNG files are allowed. This phone saved HEIC, which cannot be read here. Set Camera, Formats, Most Compatible, and take the photo again."
	if got := p.verdicts(refused); got.State != "refused" || got.Message != heic || got.Document != "" {
		t.Errorf("a bad one: %+v", got)
	}
	p.get(filesPath).is(http.StatusOK, `"state":"refused","message":"`+heic+`"`)
	p.calls(http.MethodDelete, refused, "").is(http.StatusNoContent)
	p.calls(http.MethodHead, refused, "").is(http.StatusNotFound)
	p.get(filesPath).is(http.StatusOK, `"uploads":[]`)
	p.send(http.MethodOptions, filesPath).is(http.StatusNoContent)
}

func TestTusRefuses(t *testing.T) {
	p, r := paid(t)
	open, _ := p.begins(r.ID, "photo", "an open file")
	good := about(r.ID, "idProof", "an id")
	gone := filesPath + "/" + admission.NewID()
	foreign, _ := p.begins(r.ID, "incomeCert", "of another")
	p.change(func(tx store.Tx) error {
		u, err := tx.Upload(strings.TrimPrefix(foreign, filesPath+"/"))
		must(t, err)
		other := r
		other.ID, other.AccountID, other.Phone = admission.NewID(), "other", "+919000000001"
		must(t, tx.AddRegistration(&other))
		u.RegistrationID = other.ID
		return tx.SaveUpload(u)
	})
	const patch, post = http.MethodPatch, http.MethodPost
	for _, row := range []struct {
		sentence, method, address string
		headers                   []string
		status                    int
		says                      string
	}{
		{"another version", post, filesPath, []string{"Tus-Resumable", "0.2.2"}, 412, "Tus-Resumable must be 1.0.0."},
		{"no length", post, filesPath, []string{"Upload-Metadata", good}, 400, "Upload-Length must count bytes."},
		{"a length below nothing", post, filesPath, []string{"Upload-Metadata", good, "Upload-Length", "-1"}, 400, "Upload-Length must count bytes."},
		{"no metadata", post, filesPath, []string{"Upload-Length", "5"}, 400, "Upload-Metadata cannot be read."},
		{"no base64", post, filesPath, []string{"Upload-Length", "5", "Upload-Metadata", "kind ***"}, 400, "Upload-Metadata cannot be read."},
		{"a key twice", post, filesPath, []string{"Upload-Length", "5", "Upload-Metadata", "kind YQ==,kind YQ=="}, 400, "Upload-Metadata cannot be read."},
		{"no text", post, filesPath, []string{"Upload-Length", "5", "Upload-Metadata", good + ",more AA=="}, 400, "This request cannot be read."},
		{"a page of another account", post, filesPath, []string{"Upload-Length", "5", "Upload-Metadata", about(admission.NewID(), "idProof", "an id")}, 409, "This page was opened in another account. Sign in with that account to send it. Nothing was saved."},
		{"no such kind", post, filesPath, []string{"Upload-Length", "5", "Upload-Metadata", about(r.ID, "passport", "an id")}, 422, "There is no such document."},
		{"nothing", post, filesPath, []string{"Upload-Length", "0", "Upload-Metadata", good}, 422, `"errors":{"idProof":"The selected file is empty. Please choose another one, or photograph the paper."}`},
		{"too much", post, filesPath, []string{"Upload-Length", strconv.Itoa(document.MaxBytes + 1), "Upload-Metadata", good}, 413, `"errors":{"idProof":"ID Proof must be less than or equal to 2MB"}`},
		{"from another site", post, filesPath, []string{"Sec-Fetch-Site", "cross-site", "Upload-Length", "5", "Upload-Metadata", good}, 403, `"We blocked this because it came from another site. Please use our own page."`},
		{"by another method", post, open, []string{"X-HTTP-Method-Override", "PATCH", "Upload-Offset", "0"}, 405, "This address does not take that method."},
		{"no kind of body", patch, open, []string{"Content-Type", "text/plain", "Upload-Offset", "0"}, 415, "Content-Type must be application/offset+octet-stream."},
		{"no offset", patch, open, nil, 400, "Upload-Offset must count bytes."},
		{"ahead", patch, open, []string{"Upload-Offset", "5"}, 409, "This is not the next part of the file."},
		{"longer than it said", patch, open, []string{"Upload-Offset", "0"}, 413, "This is larger than the file that you chose first. Please choose it again."},
		{"from another site, too", patch, open, []string{"Sec-Fetch-Site", "cross-site", "Upload-Offset", "0"}, 403, "We blocked this because it came from another site."},
		{"what is gone", patch, gone, []string{"Upload-Offset", "0"}, 404, "Document not found."},
		{"what is gone", http.MethodDelete, gone, nil, 404, "Document not found."},
		{"a path for an id", http.MethodDelete, filesPath + "/..%2f..%2fetc", nil, 404, "ot found."},
		{"another's", patch, foreign, []string{"Upload-Offset", "0"}, 404, "Document not found."},
		{"another's", http.MethodDelete, foreign, nil, 404, "Document not found."},
		{"another's verdict", http.MethodGet, foreign + "/verdict", nil, 404, "Document not found."},
	} {
		got := p.calls(row.method, row.address, "thirteen bytes", row.headers...)
		if got.Code != row.status || !strings.Contains(got.text, row.says) || !strings.HasPrefix(got.Header().Get("Content-Type"), "application/json") {
			t.Errorf("%s, %s: %d %s", row.method, row.sentence, got.Code, got.text)
		}
	}
	p.calls(http.MethodHead, foreign, "").is(http.StatusNotFound)
	if head := p.calls(http.MethodHead, open, "").Header(); head.Get("Upload-Offset") != "0" {
		t.Errorf("%s bytes of what was refused are kept", head.Get("Upload-Offset"))
	}
	p.get(filesPath).is(http.StatusOK).without("idProof", "incomeCert")
	p.token = ""
	p.calls(http.MethodHead, open, "").is(http.StatusUnauthorized)
	p.calls(post, filesPath, "").is(http.StatusUnauthorized, `"code":401`)
}

// patch is a PATCH on a real connection, sent at a test's pace.
type patch struct {
	net.Conn
	p *place
}

func (p *place) patches(server *httptest.Server, address, offset string, length int) patch {
	p.t.Helper()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	must(p.t, err)
	p.t.Cleanup(func() { _ = connection.Close() })
	_, err = fmt.Fprintf(connection, "PATCH %s HTTP/1.1\r\nHost: x\r\nCookie: hiresure=%s\r\nSec-Fetch-Site: same-origin\r\nTus-Resumable: 1.0.0\r\n"+
		"Content-Type: application/offset+octet-stream\r\nUpload-Offset: %s\r\nContent-Length: %d\r\n\r\n", address, p.token, offset, length)
	must(p.t, err)
	return patch{connection, p}
}

func (c patch) sends(text string) {
	c.p.t.Helper()
	_, err := io.WriteString(c.Conn, text)
	must(c.p.t, err)
}

// until waits for an upload's offset.
func (p *place) until(address string, received int64) {
	p.t.Helper()
	for p.t.Context().Err() == nil {
		var u *document.Upload
		must(p.t, p.store.View(p.t.Context(), func(tx store.Tx) (err error) {
			u, err = tx.Upload(strings.TrimPrefix(address, filesPath+"/"))
			return err
		}))
		if u.Received >= received {
			return
		}
	}
}

func (c patch) answers(status int, says string) {
	c.p.t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(c.Conn), nil)
	must(c.p.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(c.p.t, err)
	if answer.StatusCode != status || !strings.Contains(string(body), says) {
		c.p.t.Errorf("%d %s, want %d %s", answer.StatusCode, body, status, says)
	}
}

func TestUploadNeedsMultipartForm(t *testing.T) {
	p, _ := paid(t)
	got := p.calls(http.MethodPost, "/hiresure/upload-doc", "do=submit", "Content-Type", "application/x-www-form-urlencoded")
	got.is(http.StatusUnsupportedMediaType, "This kind of content is not taken here.")
}

func TestUploadNeedsAnApplication(t *testing.T) {
	p := newPlace(t)
	for _, registration := range []string{"", admission.NewID()} {
		got := p.calls(http.MethodPost, filesPath, "", "Upload-Length", "5", "Upload-Metadata", about(registration, "photo", "a face"))
		if got.Code != http.StatusConflict {
			t.Errorf("%q: %d %s", registration, got.Code, got.Body)
		}
	}
}

func TestThreeCutsSendHardlyAnythingTwice(t *testing.T) {
	p, r := paid(t)
	server := httptest.NewServer(p.echo)
	defer server.Close()
	content := strings.Repeat("nineteen bytes long", 100_000) // 1.9 MB
	address, _ := p.begins(r.ID, "photo", content)
	sent := 0
	for range 3 {
		offset := p.calls(http.MethodHead, address, "").Header().Get("Upload-Offset")
		at, _ := strconv.Atoi(offset)
		c := p.patches(server, address, offset, len(content)-at)
		const some = 500_000
		c.sends(content[at : at+some])
		sent += some
		p.until(address, int64(at+some)) // a phone standing still in a tunnel
		_ = c.Close()
	}
	offset := p.calls(http.MethodHead, address, "").Header().Get("Upload-Offset")
	at, _ := strconv.Atoi(offset)
	c := p.patches(server, address, offset, len(content)-at)
	c.sends(content[at:])
	c.answers(http.StatusNoContent, "")
	sent += len(content) - at
	if twice := sent - len(content); twice > len(content)/20 {
		t.Errorf("%d bytes were sent twice", twice)
	}
	if got := p.verdicts(address); got.State != "ready" || p.get(got.DocumentAddress).Body.String() != content {
		t.Errorf("%+v", got)
	}
}

func TestNewerOfTwoUploadsContinues(t *testing.T) {
	p, r := paid(t)
	server := httptest.NewServer(p.echo)
	defer server.Close()
	const content = "one two three"
	address, _ := p.begins(r.ID, "photo", content)
	older := p.patches(server, address, "0", len(content))
	older.sends("one ")
	p.until(address, 4)
	newer := p.patches(server, address, "4", len(content)-4)
	newer.sends("two ")
	p.until(address, 8)
	older.sends("TWO ")
	older.answers(http.StatusLocked, "This upload continues in another tab or on another device.")
	newer.sends("three")
	newer.answers(http.StatusNoContent, "")
	if got := p.verdicts(address); got.State != "ready" || p.get(got.DocumentAddress).Body.String() != content {
		t.Errorf("%+v", got)
	}
}

func TestStorageErrorKeepsReceivedBytes(t *testing.T) {
	p, r := paid(t)
	address, _ := p.begins(r.ID, "photo", "one two")
	p.calls(http.MethodPatch, address, "one ", "Upload-Offset", "0").is(http.StatusNoContent)
	files := p.kit.Document.Files
	p.kit.Document.Files = away{files, admission.ErrStorageFull}
	p.calls(http.MethodPatch, address, "two", "Upload-Offset", "4").is(http.StatusServiceUnavailable, "We cannot store the rest of this file now. The first part is kept. Please continue in a few minutes.")
	p.kit.Document.Files = files
	p.calls(http.MethodPatch, address, "two", "Upload-Offset", "4").is(http.StatusNoContent)
	if got := p.verdicts(address); got.State != "ready" {
		t.Errorf("%+v", got)
	}
}
