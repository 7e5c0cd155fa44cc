package businesstest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
)

// PaidApplication returns an applicant at the documents step, with real storage.
func (w *World) PaidApplication() *Person { return w.ApplicantAt(enrol.StepPaid) }

// NewFile announces a PDF with a content, named after its kind.
func NewFile(kind document.Kind, content string) document.NewFile {
	sum := sha256.Sum256([]byte(content))
	return document.NewFile{Kind: kind, Name: string(kind) + ".pdf", Type: "application/pdf", Size: int64(len(content)), Hash: hex.EncodeToString(sum[:])}
}

// Upload uploads a file in pieces of a size and returns the resulting upload.
func (p *Person) Upload(kind document.Kind, content string, piece int) document.Upload {
	p.T.Helper()
	u, err := p.Document.Begin(p.Ctx, p.Visitor, NewFile(kind, content))
	p.Must(err)
	writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, u.Received)
	p.Must(err)
	for u.State == document.Receiving {
		next := content[u.Received:min(int(u.Received)+piece, len(content))]
		u, err = p.Document.Append(p.Ctx, u.ID, writer, u.Received, strings.NewReader(next))
		p.Must(err)
	}
	p.Must(p.Document.Judge(p.Ctx, u.ID))
	u, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
	p.Must(err)
	return u
}

// OpenDocument returns the content of a document.
func (p *Person) OpenDocument(id string) string {
	p.T.Helper()
	_, content, err := p.Document.Open(p.Ctx, p.Visitor, id)
	p.Must(err)
	defer content.Close()
	all, err := io.ReadAll(content)
	p.Must(err)
	return string(all)
}

// Timeline returns the names of the registration's entries, oldest first.
func (p *Person) Timeline() string {
	p.T.Helper()
	return strings.Join(p.Texts("SELECT what FROM entries WHERE registration_id = $1 ORDER BY at, what", p.RegistrationID), ", ")
}

// Application returns the person's application.
func (p *Person) Application() enrol.Registration {
	p.T.Helper()
	standing, err := p.Apply.Standing(p.Ctx, p.Visitor)
	p.Must(err)
	return *standing.Registration
}

// SaveStep saves a step of the application with changes to the good answers, whatever version is stored.
func (p *Person) SaveStep(step string, changes Fields) (apply.Standing, error) {
	return p.Apply.SaveStep(p.Ctx, p.Visitor, step, Typed(step, changes), apply.AnyVersion)
}

// AgreeTerms agrees to the terms of the application, with optional consents.
func (p *Person) AgreeTerms(consents string) (apply.Standing, error) {
	return p.Apply.AgreeTerms(p.Ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "true", "consents": consents}, "")
}

// ExpectStep expects the person's application to be at a step.
func (p *Person) ExpectStep(step enrol.Step) apply.Standing {
	p.T.Helper()
	standing, err := p.Apply.Standing(p.Ctx, p.Visitor)
	p.Must(err)
	Equal(p.T, "step", standing.Step, step)
	return standing
}

// ApplicantAt returns somebody who has signed up and reached a step.
func (w *World) ApplicantAt(to enrol.Step) *Person {
	w.T.Helper()
	p := w.Somebody()
	p.SignUp(p.Email)
	done := func(standing apply.Standing, err error) {
		w.T.Helper()
		w.Must(err)
		p.RegistrationID = standing.Registration.ID
	}
	way := []func(){
		func() { done(p.Apply.Begin(p.Ctx, p.Visitor, "", "")) },
		func() { done(p.SaveStep("personal", nil)) },
		func() { done(p.SaveStep("academic", nil)) },
		func() { done(p.SaveStep("scholarship", nil)) },
		func() { done(p.AgreeTerms("")) },
		func() { p.MustStart("") },
	}
	for step := enrol.StepVerified; step <= min(to, enrol.StepPaying); step++ {
		way[step]()
	}
	switch to {
	case enrol.StepUnpaid:
		p.ReturnWith(sandbox.Failed)
	case enrol.StepPaid, enrol.StepComplete:
		p.ReturnWith(sandbox.Paid)
	}
	if to == enrol.StepComplete {
		w.Must(p.SubmitDocuments())
	}
	p.ExpectStep(to)
	return p
}

// SubmitDocuments submits the application with the required documents, which it uploads if the application is paid.
func (p *Person) SubmitDocuments() error {
	if standing, err := p.Apply.Standing(p.Ctx, p.Visitor); err != nil || standing.Step == enrol.StepPaid {
		p.Must(err)
		for _, kind := range []document.Kind{document.Photo, document.IDProof, document.Marksheet} {
			p.Upload(kind, "a paper", 100)
		}
	}
	return p.Document.Submit(p.Ctx, p.Visitor, nil)
}

// UploadWhole sends a file without announcing it, like a form without scripts.
func (p *Person) UploadWhole(kind document.Kind, r io.Reader) (document.Upload, error) {
	return p.Document.UploadFile(p.Ctx, p.Visitor, document.NewFile{Kind: kind, Name: string(kind) + ".pdf"}, r)
}
