package hiresure_test

import (
	"bytes"
	"context"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
)

// inspector accepts files, except those beginning with "bad".
type inspector struct{ businesstest.AcceptAll }

func (i *inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (document.Found, string, error) {
	start := make([]byte, 3)
	if n, _ := io.ReadFull(in, start); n == 3 && string(start) == "bad" {
		return document.Found{}, u.Kind.Rules().Refusal(document.HEIC), nil
	}
	return i.AcceptAll.Inspect(ctx, who, u, io.MultiReader(bytes.NewReader(start), in), out)
}

// field is a field of a posted form; with a file name, a file.
type field struct{ name, file, content string }

func (p *place) sends(fields ...field) seen {
	p.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		if f.file != "" {
			to, err := form.CreateFormFile(f.name, f.file)
			must(p.t, err)
			_, err = io.WriteString(to, f.content)
			must(p.t, err)
			continue
		}
		must(p.t, form.WriteField(f.name, f.content))
	}
	must(p.t, form.Close())
	r := httptest.NewRequest(http.MethodPost, origin+"/hiresure/upload-doc", &body)
	if p.unsized {
		r.ContentLength = -1
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.AddCookie(&http.Cookie{Name: "hiresure", Value: p.token})
	w := httptest.NewRecorder()
	p.echo.ServeHTTP(w, r)
	return seen{w, p.t, strings.Join(strings.Fields(html.UnescapeString(tagged.ReplaceAllString(w.Body.String(), " "))), " ")}
}

var (
	photo     = field{"photo", "asha.jpg", "a photo"}
	studentID = field{"idProof", "आशा id.pdf", "an id"}
	marksheet = field{"marksheet", "marks.pdf", "a marksheet"}
	submits   = field{name: "do", content: "submit"}
	documents = regexp.MustCompile(`/hiresure/documents/([a-z0-9]+)`)
)

// paid has a paid application that waits for its documents.
func paid(t *testing.T) (*place, enrol.Registration) {
	p := newPlace(t)
	return p, p.has(ofApplication, enrol.StepPaid, "", answering(fullAnswers))
}

func TestTheDocumentsPageOpensAtItsStep(t *testing.T) {
	p := newPlace(t)
	p.get("/hiresure/upload-doc").leadsTo("/hiresure/verify")
	r := p.has(ofApplication, enrol.StepAgreed, "", answering(fullAnswers))
	p.get("/hiresure/upload-doc").leadsTo("/hiresure/payment")
	p.sends(photo).leadsTo("/hiresure/payment")
	p.change(func(tx store.Tx) error { r.Step = enrol.StepPaid; return tx.SaveRegistration(&r) })
	p.get("/hiresure/upload-doc").is(http.StatusOK, "Three documents, a\u00a0fourth if you have it", "Step 6 of 6", "(Max. File size: 2 MB, File type: JPG, JPEG, PNG)", "School, college or employee ID. None? A letter from your last school or your employer.",
		"PDF, PNG, JPG or JPEG, up\u00a0to\u00a02\u00a0MB", "Family Income Certificate (optional)", `enctype="multipart/form-data"`, `name="photo" accept="image/jpeg,image/png"`,
		`class="button button-outline" name="do" value="submit"`).without("error-summary", "Uploaded 1", "Four documents", "is optional", "of 3")
	p.token = ""
	p.get("/hiresure/upload-doc").leadsTo("/account/sign-in?next=%2Fhiresure%2Fupload-doc")
}

func TestUploadedDocumentsAreKeptForLater(t *testing.T) {
	p, _ := paid(t)
	p.sends(photo).leadsTo("/hiresure/upload-doc")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "Two documents to go Your uploads are kept. Continue later on any phone or computer.")
}

func TestValidDocumentsAreKeptIfOthersFail(t *testing.T) {
	p, _ := paid(t)
	p.sends(field{"photo", "asha.heic", "bad photo"}, studentID, field{"marksheet", "all.pdf", strings.Repeat("x", document.MaxBytes+1)}, submits).leadsTo("/hiresure/upload-doc")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "Two documents to fix", "2 to fix", "Please check again", "Only JPG, JPEG, or PNG files are allowed", "This phone saved HEIC",
		"Marksheet must be less than or equal to 2MB", "The limit is 2,048 KB.", `href="#f-photo"`, `href="#f-marksheet"`, `aria-describedby="rule-photo wrong-photo"`, "आशा id.pdf, 1 KB", "Uploaded 1", "Two documents to fix").without("Photo is required")
	p.sends(photo, marksheet).leadsTo("/hiresure/upload-doc")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "All three are in Check each one. We start reading after SUBMIT.", `class="button" name="do" value="submit"`).without("error-summary", "to fix")
}

func TestHeadlineCountsRequiredDocuments(t *testing.T) {
	p, _ := paid(t)
	optional := field{"incomeCert", "income.heic", "bad income"}
	p.sends(field{"photo", "asha.heic", "bad photo"})
	p.get("/hiresure/upload-doc").is(http.StatusOK, "One to fix, two missing", "1 to fix")
	p.sends(photo, studentID, optional)
	p.get("/hiresure/upload-doc").is(http.StatusOK, "One document is missing", "1 to fix")
	p.sends(marksheet)
	p.get("/hiresure/upload-doc").is(http.StatusOK, "All three are in", "We could not take the optional file; it says why. You can SUBMIT without it.", "This phone saved HEIC")
	p.sends(submits).leadsTo("/hiresure/upload-doc?done")
}

func TestSubmittedTooEarlyEachMissingDocumentIsNamed(t *testing.T) {
	p, r := paid(t)
	p.sends(marksheet, submits).leadsTo("/hiresure/upload-doc?open")
	p.get("/hiresure/upload-doc?open").is(http.StatusOK, "Two documents are missing", "2 missing", "Error: Step 6 of 6: Upload Documents", "Photo is required", "ID Proof is required", `href="#f-idProof"`, "marks.pdf, 1 KB").without("Marksheet is required", "to fix")
	p.sends(field{"photo", "asha.heic", "bad photo"}, submits)
	p.get("/hiresure/upload-doc?open").is(http.StatusOK, "1 to fix, 1 missing")
	p.sends(photo, studentID)
	p.get("/hiresure/upload-doc?open").is(http.StatusOK, "All three are in").without("error-summary")
	p.sends(submits).leadsTo("/hiresure/upload-doc?done")
	p.get("/hiresure/upload-doc?done").is(http.StatusOK, "Documents Uploaded successfully!", "You get our answer by 21 December 2026, by ", `data-leave="/hiresure"`, "Your HireSure page opens in 5 s.", "Stay", "Continue",
		"Last Academic Marksheet").without("Family Income Certificate")
	p.get("/hiresure/upload-doc").leadsTo("/hiresure/registration/" + r.ID)
	p.sends(photo).leadsTo("/hiresure/registration/" + r.ID + "?late")
}

func TestOutdatedPageChangesNothingAndSaysSo(t *testing.T) {
	const changedNothing = "You have already submitted your documents. Nothing was sent again."
	p, r := paid(t)
	own := "/hiresure/registration/" + r.ID
	p.sends(photo, studentID, marksheet)
	p.get(own + "?late").is(http.StatusOK).without(changedNothing)
	id := documents.FindStringSubmatch(p.get("/hiresure/upload-doc").Body.String())[1]
	p.sends(submits)
	p.sends(field{name: "delete", content: id}).leadsTo(own + "?late")
	p.get(own+"?late").is(http.StatusOK, changedNothing, "3 of 3 uploaded", "Documents sent")
	p.get(own).is(http.StatusOK).without(changedNothing)
	p.get("/hiresure/documents/" + id).is(http.StatusOK)

	p.sends(field{"idProof", "later.pdf", strings.Repeat("x", 8<<20)}).leadsTo(own + "?late")
	p.get(own).is(http.StatusOK, "आशा id.pdf").without("later.pdf")
}

func TestPreviewIsNotRecordedAsOpening(t *testing.T) {
	p, r := paid(t)
	p.sends(photo)
	views := func() int {
		o, err := p.kit.MyData.Overview(t.Context(), admission.Visitor{AccountID: p.me})
		must(t, err)
		return len(o.Views)
	}
	var address string
	for _, page := range []string{"/hiresure/upload-doc", "/hiresure/registration/" + r.ID} {
		picture := regexp.MustCompile(`<img class="document-sheet" src="([^"]+)"`).FindStringSubmatch(p.get(page).Body.String())
		if picture == nil {
			t.Fatalf("%s shows no photo", page)
		}
		address = picture[1]
		p.get(address).is(http.StatusOK)
		if n := views(); n != 0 {
			t.Errorf("%s counts as %d openings", page, n)
		}
	}
	p.get(strings.TrimSuffix(address, "?thumbnail")).is(http.StatusOK)
	if n := views(); n != 1 {
		t.Errorf("opened once, it was opened %d times", n)
	}
	p.calls(http.MethodGet, address, "", "Authorization", "Bearer good").is(http.StatusOK)
	if n := views(); n != 2 {
		t.Errorf("a client of the API has opened it too, and it was opened %d times", n)
	}
	refusal := `{"success":false,"isOk":false,"code":401,"message":"Something went wrong, Please login"}`
	p.calls(http.MethodGet, address, "", "Authorization", "Bearer bad").is(http.StatusUnauthorized, refusal)
	p.changeOwner(documents.FindStringSubmatch(address)[1])
	p.get(address).is(http.StatusNotFound)
}

func TestADocumentIsDeletedAndReplaced(t *testing.T) {
	p, _ := paid(t)
	p.sends(marksheet, studentID)
	ids := documents.FindAllStringSubmatch(p.get("/hiresure/upload-doc").Body.String(), -1)
	if len(ids) != 2 {
		t.Fatalf("%d documents to open", len(ids))
	}
	p.sends(field{name: "delete", content: ids[0][1]}, photo).leadsTo("/hiresure/upload-doc")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "One document to go", "asha.jpg", "marks.pdf").without("आशा")
	p.get("/hiresure/documents/" + ids[0][1]).is(http.StatusNotFound)
	p.sends(field{"marksheet", "new.pdf", "a newer one"})
	p.get("/hiresure/upload-doc").is(http.StatusOK, "new.pdf").without("marks.pdf")
}

func TestDocumentOpensForItsOwnerOnly(t *testing.T) {
	p, _ := paid(t)
	p.sends(studentID)
	id := documents.FindStringSubmatch(p.get("/hiresure/upload-doc").Body.String())[1]
	got := p.get("/hiresure/documents/" + id).is(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Security-Policy": "sandbox; default-src 'none'", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "private, no-store",
		"X-Content-Type-Options": "nosniff", "Content-Disposition": `attachment; filename="___ id.pdf"; filename*=UTF-8''%E0%A4%86%E0%A4%B6%E0%A4%BE%20id.pdf`,
	} {
		if got.Header().Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header().Get(name), want)
		}
	}
	if got.Body.String() != "an id" {
		t.Errorf("%q", got.Body.String())
	}
	p.sends(field{"photo", "me.png", "a photo"})
	shown := p.get("/hiresure/documents/" + documents.FindStringSubmatch(p.get("/hiresure/upload-doc").Body.String())[1]).is(http.StatusOK)
	if is := shown.Header().Get("Content-Disposition"); is != `inline; filename="me.jpg"; filename*=UTF-8''me.jpg` {
		t.Errorf("a photo is %s", is)
	}
	other := *p
	other.me, other.token = admission.NewID(), ""
	other.get("/hiresure/documents/" + id).leadsTo("/account/sign-in?next=%2Fhiresure%2Fdocuments%2F" + id)
	p.changeOwner(id)
	p.get("/hiresure/documents/" + id).is(http.StatusNotFound).without("an id")
	p.get("/hiresure/documents/" + admission.NewID()).is(http.StatusNotFound)
}

// changeOwner gives the application of a document to another account.
func (p *place) changeOwner(documentID string) {
	p.t.Helper()
	p.change(func(tx store.Tx) error {
		d, err := tx.Document(documentID)
		must(p.t, err)
		r, err := tx.Registration(d.RegistrationID)
		must(p.t, err)
		r.AccountID, r.Phone = "other", "+919000000001"
		return tx.SaveRegistration(r)
	})
}

// away is a storage that returns errors.
type away struct {
	admission.Files
	err error
}

func (a away) Put(context.Context, string, io.Reader) (admission.StoredFile, error) {
	return admission.StoredFile{}, a.err
}

func TestStorageErrorMessage(t *testing.T) {
	for err, says := range map[error]string{
		admission.ErrStorageFull:        "We have no room for this file now and did not keep it. We know about it. Please send it again in an hour.",
		admission.ErrStorageUnavailable: "This file could not be stored at the moment, so nothing of it was kept. Please send it again in a few minutes.",
	} {
		p, _ := paid(t)
		files := p.kit.Document.Files
		p.kit.Document.Files = away{files, err}
		p.sends(photo, marksheet, submits).is(http.StatusServiceUnavailable, says, `href="#f-photo"`, `href="#f-marksheet"`).without("ID Proof is required", "Uploaded 1")
		p.kit.Document.Files = files
		p.get("/hiresure/upload-doc").is(http.StatusOK, "Three documents, a\u00a0fourth if you have it").without("error-summary", "begun")
	}
}

func TestTooLargeFormKeepsReceivedDocuments(t *testing.T) {
	p, _ := paid(t)
	huge := field{"marksheet", "huge.pdf", strings.Repeat("x", 10<<20)}
	p.sends(photo, huge).leadsTo("/hiresure/upload-doc")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "asha.jpg, 1 KB", "Marksheet must be less than or equal to 2MB", "One to fix, one missing")
	p.unsized = true
	p.sends(photo, huge, huge, huge, huge).is(http.StatusUnprocessableEntity, "These files are too large together.", "asha.jpg, 1 KB")
	p.sends(field{name: "registration", content: admission.NewID()}, studentID).is(http.StatusConflict, "This page was opened in another account.")
	p.get("/hiresure/upload-doc").is(http.StatusOK, "Two documents to go").without("आशा")
}

func TestTheRegistrationShowsTheDocumentsOnceOneIsThere(t *testing.T) {
	p, r := paid(t)
	p.get("/hiresure/registration/" + r.ID).is(http.StatusOK).without("Uploaded Documents")
	p.sends(photo, studentID)
	p.get("/hiresure/registration/"+r.ID).is(http.StatusOK, "Uploaded Documents 2 of 3 uploaded", `<img class="document-sheet" src="/hiresure/documents/`, "Open Doc : Student ID", "Last Academic Marksheet Needed Not uploaded",
		"Family Income Certificate Optional Not uploaded")
	r.Step, r.Refunded = enrol.StepPaid, true
	p.change(func(tx store.Tx) error { return tx.SaveRegistration(&r) })
	p.get("/hiresure/registration/"+r.ID).is(http.StatusOK, "Uploaded Documents 2 of 3 uploaded", "Open Doc : Student ID") // they are stored, and say so
}
