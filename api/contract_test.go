package api_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// ofShape are the refusals that the document declares.
var ofShape = []string{"This field is unknown.", "This must be text.", "This must be true or false.", "This must be a list of texts.", "This must be a whole number."}

// agree checks a request and its response against openapi.yaml.
func agree(t *testing.T, described openAPI, r *http.Request, body string, got reply) {
	t.Helper()
	asked, err := http.NewRequest(r.Method, r.URL.RequestURI(), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	asked.Header = r.Header
	route, pathParams, err := described.router.FindRoute(asked)
	if err != nil {
		if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not in the document and answers %d", r.Method, r.URL.Path, got.status)
		}
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: asked, PathParams: pathParams, Route: route, Options: &openapi3filter.Options{
		ExcludeRequestBody: strings.HasPrefix(r.URL.Path, "/payments/webhook/"), IncludeResponseStatus: true, AuthenticationFunc: hasCredential,
	}}
	requestErr := openapi3filter.ValidateRequest(t.Context(), in)
	if got.status < 300 && requestErr != nil {
		t.Errorf("%s %s: the document refuses what the handler takes: %v", r.Method, r.URL.Path, requestErr)
	}
	for name, message := range got.errors() {
		if slices.Contains(ofShape, message) && requestErr == nil {
			t.Errorf("%s %s: the document takes what the handler refuses: %s: %s", r.Method, r.URL.Path, name, message)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: got.status, Header: got.header, Options: in.Options}
	answer.SetBodyBytes(got.raw)
	if err := openapi3filter.ValidateResponse(t.Context(), answer); err != nil {
		t.Errorf("%s %s: the answer is not as documented: %v\n%s", r.Method, r.URL.Path, err, got.raw)
	}
	if got.body != nil && got.text("code") != "" && got.text("code") != strconv.Itoa(got.status) {
		t.Errorf("%s %s: code %s with status %d", r.Method, r.URL.Path, got.text("code"), got.status)
	}
}

// hasCredential reports whether a request has the credential of a security scheme in the document.
func hasCredential(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	r := in.RequestValidationInput.Request
	if scheme := in.SecurityScheme; scheme.In == "cookie" {
		_, err := r.Cookie(scheme.Name)
		return err
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		return errors.New("no bearer token")
	}
	return nil
}

type openAPI struct {
	doc    *openapi3.T
	router routers.Router
}

var loadDocument = sync.OnceValues(func() (openAPI, error) {
	raw, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return openAPI{}, err
	}
	return parseDocument(raw)
})

func parseDocument(raw []byte) (openAPI, error) {
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return openAPI{}, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return openAPI{}, err
	}
	openapi3filter.RegisterBodyDecoder("application/yaml", openapi3filter.PlainBodyDecoder)
	router, err := legacy.NewRouter(doc)
	return openAPI{doc, router}, err
}

func theDocument(t *testing.T) openAPI {
	t.Helper()
	found, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	return found
}
