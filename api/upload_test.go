package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

const (
	uploadPath = "/v2scholarship/v1/upload-document-file"
	deletePath = "/v2scholarship/v1/delete-uploaded-document-file"
)

func TestDocumentsAreUploadedNamedAndSubmitted(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		vault := storage(t)
		s := newSiteOn(t, databaseURL, storing(vault))
		b, registration := s.applies(enrol.StepPaid)
		photo := b.uploads("आशा.png", "a photo")
		want(t, photo, http.StatusOK, "Your document is uploaded.")
		for name, wanted := range map[string]string{"name": "आशा.jpg", "size": "7", "content_type": "image/jpeg"} {
			if got := photo.text("fileInfo", name); got != wanted {
				t.Errorf("%s is %q, want %q", name, got, wanted)
			}
		}
		body := b.papers()
		body["passport_photo_url"] = baseURL + photo.text("fileInfo", "url") // whole, as a client may store it
		body["income_certificate_url"] = ""
		got := b.post(detailsPath, body)
		want(t, got, http.StatusOK, "Documents Uploaded successfully!")
		for name, wanted := range map[string]string{"profile_step": "8", "profile_status": "Completed", "next": "/hiresure/registration/" + registration} {
			if got.text(name) != wanted {
				t.Errorf("%s is %q, want %q", name, got.text(name), wanted)
			}
		}
		record := reply{body: b.get(ownPath).records()[0]}
		one := reply{body: b.get(ownPath + "?scholarship_requested_id=" + registration).records()[0]}
		for field, wanted := range map[string]string{
			"passport_photo_url": photo.text("fileInfo", "url"), "id_proof_url": body["id_proof_url"].(string),
			"academic_marksheet_url": body["academic_marksheet_url"].(string), "income_certificate_url": "",
		} {
			if record.text(field) != wanted || one.text(field) != wanted {
				t.Errorf("%s is read back as %q and %q, want %q", field, record.text(field), one.text(field), wanted)
			}
		}
		// as on a page, which is no view of the document
		if thumbnail := b.get(profilePath).text("scholarshipRequestedData", "profile_assets", "thumbnail_url"); thumbnail != photo.text("fileInfo", "url")+"?"+web.ThumbnailQuery {
			t.Errorf("the thumbnail is %q", thumbnail)
		}
		want(t, b.post(detailsPath, body), http.StatusConflict, businesstest.NotEditable)
		want(t, b.uploads("late.pdf", "late"), http.StatusConflict, businesstest.NotEditable)
		want(t, b.post(deletePath, object{"fileUrl": body["id_proof_url"]}), http.StatusConflict, businesstest.NotEditable)
		other, _ := s.applies(enrol.StepPaid)
		if (reply{body: other.get(ownPath).records()[0]}).text("passport_photo_url") != "" {
			t.Error("another's record tells a photo")
		}
	})
}

func TestSubmittedDocumentsAreCheckedByField(t *testing.T) {
	s := newSite(t, storing(storage(t)))
	b, _ := s.applies(enrol.StepPaid)
	other, _ := s.applies(enrol.StepPaid)
	body, otherBody := b.papers(), other.papers()
	const unknown = "/hiresure/documents/aaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, c := range []struct {
		sentence, field, message string
		status                   int
		body                     object
	}{
		{"no photo", "passport_photo_url", "Photo is required", 422, changed(body, object{"passport_photo_url": nil})},
		{"an ID that was cleared", "id_proof_url", "ID Proof is required", 422, changed(body, object{"id_proof_url": ""})},
		{"no marksheet", "academic_marksheet_url", "Marksheet is required", 422, changed(body, object{"academic_marksheet_url": nil})},
		{"a photo that is a PDF", "passport_photo_url", "Only JPG, JPEG, or PNG files are allowed", 422, changed(body, object{"passport_photo_url": body["id_proof_url"], "id_proof_url": body["passport_photo_url"]})},
		{"one document for two", "academic_marksheet_url", "You have chosen this document already. Please send another one here.", 422, changed(body, object{"academic_marksheet_url": body["id_proof_url"]})},
		{"another site's address", "id_proof_url", "This is not the address of a document.", 422, changed(body, object{"id_proof_url": "https://evil.example" + unknown})},
		{"an address that leads elsewhere", "id_proof_url", "This is not the address of a document.", 422, changed(body, object{"id_proof_url": "/hiresure/documents/../../etc/passwd"})},
		{"a field of a step", "gender", "This field belongs to another step.", 422, changed(body, object{"gender": "F"})},
		{"an address with a step", "id_proof_url", "This field belongs to another step.", 422, details(enrol.StepPersonal, object{"id_proof_url": body["id_proof_url"]})},
		{"an address that is none of text", "id_proof_url", "This must be text.", 422, changed(body, object{"id_proof_url": 7})},
		{"no programme", "scholarship_code", "Programme is required.", 422, changed(body, object{"scholarship_code": nil})},
		{"what there is not", "", "Document not found.", 404, changed(body, object{"id_proof_url": unknown})},
		{"what is another's", "", "Document not found.", 404, changed(body, object{"id_proof_url": otherBody["id_proof_url"]})},
	} {
		got := b.post(detailsPath, c.body)
		if got.status != c.status || got.message() != c.message || got.errors()[c.field] != map[bool]string{true: c.message}[c.field != ""] {
			t.Errorf("%s: %d %s", c.sentence, got.status, got.raw)
		}
	}
	if missing := b.post(detailsPath, object{"scholarship_code": "hiresure", "profile_step": 8}).errors(); fmt.Sprint(missing) != "map[academic_marksheet_url:Marksheet is required id_proof_url:ID Proof is required passport_photo_url:Photo is required]" {
		t.Errorf("nothing is named: %v", missing)
	}
	if step := b.get(profilePath).text("scholarshipRequestedData", "profile_step"); step != "6" {
		t.Errorf("refused, the application comes to step %s", step)
	}
	if record := (reply{body: b.get(ownPath).records()[0]}); record.text("id_proof_url") != "" {
		t.Errorf("refused, and named all the same: %v", record.body)
	}
	want(t, other.post(detailsPath, otherBody), http.StatusOK, "Documents Uploaded successfully!")
	want(t, b.post(detailsPath, body), http.StatusOK, "Documents Uploaded successfully!")
}

func TestInvalidDocumentIsRejectedAtItsField(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	for _, c := range []struct {
		sentence, field, message string
		status                   int
		parts                    []part
	}{
		{"nothing", "file", "Please choose a file.", 422, nil},
		{"a field in its place", "file", "This must be a file.", 422, []part{{"file", "", "a text"}}},
		{"another field", "photo", "This field is unknown.", 422, []part{{"photo", "me.jpg", "a photo"}}},
		{"an empty file", "file", "The selected file is empty. Please choose another one, or photograph the paper.", 422, []part{{"file", "me.jpg", ""}}},
		{"a file of another type", "file", "Only JPG, JPEG, PDF, or PNG files are allowed", 422, []part{{"file", "me.gif", "bad"}}},
		{"a byte too many", "file", "File size is too big", 413, []part{{"file", "me.jpg", strings.Repeat("x", document.MaxBytes+1)}}},
		{"a photo as phones take it", "file", "File size is too big", 413, []part{{"file", "me.jpg", strings.Repeat("x", 6<<20)}}},
		{"more than a photo", "", "This request is too large.", 413, []part{{"file", "me.jpg", strings.Repeat("x", 8<<20)}}},
	} {
		body, contentType := multi(t, c.parts...)
		got := b.with("Content-Type", contentType).send(http.MethodPost, uploadPath, body)
		if got.status != c.status || got.message() != c.message || got.errors()[c.field] != map[bool]string{true: c.message}[c.field != ""] {
			t.Errorf("%s: %d %s", c.sentence, got.status, got.raw)
		}
	}
	body, contentType := multi(t, part{"file", "me.jpg", "a photo"})
	want(t, b.with("Content-Type", contentType).send(http.MethodPost, uploadPath, body[:len(body)-30]), http.StatusBadRequest, "This request cannot be read.")
	want(t, b.send(http.MethodPost, uploadPath, "{}"), http.StatusUnsupportedMediaType, "This kind of content is not taken here.")
	got := b.uploads("me.jpg", "crash")
	if got.status != http.StatusInternalServerError || got.text("fileInfo", "url") != "" {
		t.Errorf("a fault of ours: %d %s", got.status, got.raw)
	}
	s.works()
	for object, err := range vault.All(t.Context()) {
		t.Errorf("there lies %s, %v", object.Name, err)
	}
	wantSignedOut(t, "uploading", s.browser().uploads("me.jpg", "a photo"))
	wantSignedOut(t, "deleting", s.browser().post(deletePath, object{"fileUrl": "/hiresure/documents/a"}))
	if exact := b.uploads("me.jpg", strings.Repeat("x", document.MaxBytes)); exact.status != http.StatusOK {
		t.Errorf("as large as may be: %d %s", exact.status, exact.raw)
	}
	unproven := s.byMail()
	want(t, unproven.uploads("me.jpg", "a photo"), http.StatusConflict, businesstest.VerifyFirst)
}

func TestAnUploadThatIsSentAgainIsOneDocument(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	keyed := b.with("Idempotency-Key", "photo")
	first := keyed.uploads("me.jpg", "a photo")
	want(t, first, http.StatusOK, "Your document is uploaded.")
	written := s.ledger.written()
	if again := keyed.uploads("me.jpg", "a photo"); string(again.raw) != string(first.raw) { // with another boundary
		t.Errorf("the same again answers %s, want %s", again.raw, first.raw)
	}
	for sentence, again := range map[string]reply{"another file": keyed.uploads("me.jpg", "another"), "another name": keyed.uploads("id.jpg", "a photo")} {
		if again.status != http.StatusUnprocessableEntity || again.message() != "This Idempotency-Key was used for another request." {
			t.Errorf("%s: %d %s", sentence, again.status, again.raw)
		}
	}
	wantWritten(t, s, written, nil)
	refused := b.with("Idempotency-Key", "bad")
	want(t, refused.uploads("me.jpg", "bad"), http.StatusUnprocessableEntity, "Only JPG, JPEG, PDF, or PNG files are allowed")
	want(t, refused.uploads("me.jpg", "good"), http.StatusOK, "Your document is uploaded.") // a refusal is not stored
}

// An upload may take minutes: a retry meanwhile gets the remaining time, and makes no second document.
func TestAnUploadUnderAKeyIsOneDocumentHoweverSlow(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		vault := storage(t)
		s := newSiteOn(t, databaseURL, storing(vault))
		b, _ := s.applies(enrol.StepPaid)
		body, contentType := multi(t, part{"file", "me.jpg", "a photo"})
		keyed := b.with("Idempotency-Key", "photo").with("Content-Type", contentType)
		half := len(body) - 80
		slow := keyed.sendAs(http.MethodPost, uploadPath, body, io.MultiReader(strings.NewReader(body[:half]), meanwhile(func() {
			s.clock.Pass(62 * time.Second)
			again := keyed.send(http.MethodPost, uploadPath, body)
			want(t, again, http.StatusConflict, "This request is being worked on. Please try again in 5 minutes.")
			if got := again.header.Get("Retry-After"); got != "268" {
				t.Errorf("Retry-After %s", got)
			}
		}), strings.NewReader(body[half:])))
		want(t, slow, http.StatusOK, "Your document is uploaded.")
		if again := keyed.send(http.MethodPost, uploadPath, body); string(again.raw) != string(slow.raw) {
			t.Errorf("again answers %s, want %s", again.raw, slow.raw)
		}
		s.works()
		lying := 0
		for range vault.All(t.Context()) {
			lying++
		}
		if lying != 1 {
			t.Errorf("there lie %d documents", lying)
		}
	})
}

// Work that ends after its claim expired overwrites nothing of its successor.
func TestAnUploadBehindItsClaimLeavesTheKeyToTheOther(t *testing.T) {
	s := newSite(t, storing(storage(t)))
	b, _ := s.applies(enrol.StepPaid)
	body, contentType := multi(t, part{"file", "me.jpg", "a photo"})
	keyed := b.with("Idempotency-Key", "photo").with("Content-Type", contentType)
	half := len(body) - 80
	var other reply
	keyed.sendAs(http.MethodPost, uploadPath, body, io.MultiReader(strings.NewReader(body[:half]), meanwhile(func() {
		s.clock.Pass(5*time.Minute + 30*time.Second)
		other = keyed.send(http.MethodPost, uploadPath, body)
		want(t, other, http.StatusOK, "Your document is uploaded.")
	}), strings.NewReader(body[half:])))
	if again := keyed.send(http.MethodPost, uploadPath, body); string(again.raw) != string(other.raw) {
		t.Errorf("again answers %s, want %s", again.raw, other.raw)
	}
}

// meanwhile is an empty reader that runs a function during Read.
type meanwhile func()

func (m meanwhile) Read([]byte) (int, error) { m(); return 0, io.EOF }

func TestADocumentIsDeletedByItsAddress(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	other, _ := s.applies(enrol.StepPaid)
	url := b.uploads("id.pdf", "an id").text("fileInfo", "url")
	want(t, other.post(deletePath, object{"fileUrl": url}), http.StatusNotFound, "Document not found.")
	want(t, b.post(deletePath, object{"fileUrl": "/etc/passwd"}), http.StatusUnprocessableEntity, "This is not the address of a document.")
	want(t, b.post(deletePath, object{"fileUrl": url}), http.StatusOK, "Your document is deleted.")
	want(t, b.post(deletePath, object{"fileUrl": url}), http.StatusNotFound, "Document not found.")
	s.works()
	for object, err := range vault.All(t.Context()) {
		t.Errorf("there lies %s, %v", object.Name, err)
	}
}

func TestThereAreFourDocumentsAtMost(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	session := b.cookieSession()
	v := admission.Visitor{SessionID: session.ID, AccountID: session.AccountID}
	lying := func() (n int) {
		s.works()
		for range vault.All(t.Context()) {
			n++
		}
		return n
	}
	var urls []string
	for n := range 6 {
		urls = append(urls, b.uploads("id.pdf", fmt.Sprint("paper ", n)).text("fileInfo", "url"))
		s.clock.Pass(time.Second)
	}
	if got := lying(); got != 4 {
		t.Errorf("of six there lie %d", got)
	}
	body := object{"scholarship_code": "hiresure", "profile_step": 8, "passport_photo_url": b.uploads("me.jpg", "me").text("fileInfo", "url"), "id_proof_url": urls[0], "academic_marksheet_url": urls[5]}
	want(t, b.post(detailsPath, body), http.StatusNotFound, "Document not found.")
	for _, fact := range document.Kinds { // by the page
		if _, err := s.services.Document.UploadFile(t.Context(), v, document.NewFile{Kind: fact.Kind, Name: "page.jpg"}, strings.NewReader("from the page")); err != nil {
			t.Fatal(err)
		}
	}
	if got := lying(); got != 4 {
		t.Errorf("with those of the page there lie %d", got)
	}
	want(t, b.uploads("id.pdf", "one more"), http.StatusConflict, "All four documents are here already. Please delete one first.")
	record := reply{body: b.get(ownPath).records()[0]}
	want(t, b.post(deletePath, object{"fileUrl": record.text("id_proof_url")}), http.StatusOK, "Your document is deleted.")
	newer := b.uploads("id.pdf", "one more")
	want(t, newer, http.StatusOK, "Your document is uploaded.")
	submits := object{
		"scholarship_code": "hiresure", "profile_step": 8, "id_proof_url": newer.text("fileInfo", "url"), // two of the page swapped
		"passport_photo_url": record.text("academic_marksheet_url"), "academic_marksheet_url": record.text("passport_photo_url"),
	}
	want(t, b.post(detailsPath, submits), http.StatusOK, "Documents Uploaded successfully!")
	now := reply{body: b.get(ownPath).records()[0]}
	for _, field := range []string{"id_proof_url", "passport_photo_url", "academic_marksheet_url"} {
		if now.text(field) != submits[field] {
			t.Errorf("%s is %q, want %q", field, now.text(field), submits[field])
		}
	}
	if now.text("income_certificate_url") != record.text("income_certificate_url") || lying() != 4 {
		t.Errorf("what was not named is %q, %d lie there", now.text("income_certificate_url"), lying())
	}
}

func TestStorageErrorMessage(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	for err, message := range map[error]string{
		admission.ErrStorageFull:        "We have no room for this file now and did not keep it. We know about it. Please send it again in an hour.",
		admission.ErrStorageUnavailable: "This file could not be stored at the moment, so nothing of it was kept. Please send it again in a few minutes.",
	} {
		s.services.Document.Files = fullOr{vault, fmt.Errorf("store: %w", err)}
		got := b.uploads("me.jpg", "a photo")
		if got.status != http.StatusServiceUnavailable || got.message() != message || got.errors()["file"] != message {
			t.Errorf("%v: %d %s", err, got.status, got.raw)
		}
		if !strings.Contains(s.logs.String(), err.Error()) {
			t.Errorf("nobody is told of %v", err)
		}
	}
	s.services.Document.Files = vault
	want(t, b.uploads("me.jpg", "a photo"), http.StatusOK, "Your document is uploaded.")
}

func TestAFileIsReadAsItArrives(t *testing.T) {
	vault := storage(t)
	s := newSite(t, storing(vault))
	b, _ := s.applies(enrol.StepPaid)
	head, contentType := multi(t, part{"file", "me.jpg", "half a photo"})
	r, err := http.NewRequest(http.MethodPost, baseURL+uploadPath, io.MultiReader(strings.NewReader(head[:len(head)-80]), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = b.with("Content-Type", contentType).headers
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	got := httptest.NewRecorder()
	b.echo.ServeHTTP(got, r)
	if got.Code != http.StatusBadRequest {
		t.Errorf("broken off: %d %s", got.Code, got.Body)
	}
	s.works()
	for object, err := range vault.All(t.Context()) {
		t.Errorf("there lies %s, %v", object.Name, err)
	}
	var uploads int
	s.update(func(tx store.Tx) error {
		r, err := tx.ApplicationOf(b.cookieSession().AccountID)
		if err != nil {
			return err
		}
		all, err := tx.UploadsOf(r.ID)
		uploads = len(all)
		return err
	})
	if uploads != 0 {
		t.Errorf("%d uploads stand", uploads)
	}
}
