package paypal_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net/http"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paypal"
)

// A text signed by another program, and the key to verify it.
const (
	published = `{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"3C679366HH908993F","status":"COMPLETED","amount":{"currency_code":"USD","value":"18.00"},"custom_id":"T1"}}`
	signature = "qLNl8MIe+0SXU4PsCLAX9j4qz5oB0piVgSVVvjIGsEKzkcpCIgGCcOxEvDNCCrLCvqQQjgbge6Xg4Q8EH+zux0wW/TjyvgAbduMMtY3R8Ac2Ib/V7s5f/hmEtDIyEhEGJEGFgyzYMO7Pjc5w11X+k4LayKnHXcNhSbtBOW1oaiRXvUkK+aNeKT4GiM/R/RN8WcCrrwWy4rKwPEQNEDmpYZZrOu0MF75LRrzVE2L2SVZtbrEvZqXHL6qch1ZhbEMI3vzgDiAXOyv7tg2tb4k5XeWMPTWHQ7rk8UeqjGP+HtxkfHS0wdfA1ZO7d3fw+XyGuvMi+TeHB2fn+4JFFgoVlA=="
	publicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1AD12Wxh86y6qeLW/goa
cH0czixiHASCYKzAi2/AC/zI6jBEbqS1HvhvYUz5CDwj0L/VOmBTv1nHBEMCQzHQ
JQaqzoMijTqBQ57ajwipV3fLsCVWqZxcbfvyZH0QURJPjDKOBbwTrmodiJa/5ggt
/9cmJSPWMVrPlK+2nuGgaCyW9GOT+YovejrFceXKUwVcbIYEwfA0gMmiOPM1QNVa
sMHUMwcBURvI6f/2vDyTNNOdxTPawX/wihOko8GPdTMg6gELDA2Bksmi2o6jbkzd
wRLKPqfOvL1MBj/sJeksVUwgUqvDJSrBHhmZ0dlL/is4+Ai141RSigQxJ3crykU/
MwIDAQAB
-----END PUBLIC KEY-----`
	certURL = "https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-df8cd2d5"
)

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "A root"}, NotBefore: noon.AddDate(-1, 0, 0), NotAfter: noon.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if root, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return authority{root, key}
}

// vouch returns a certificate chain for a key.
func (a authority) vouch(t *testing.T, name string, until time.Time, key any) []byte {
	t.Helper()
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: noon.AddDate(-1, 0, 0), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.certificate, key, a.key)
	if err != nil {
		t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})...)
}

// certs serves certificates. asked has the requested addresses.
type certs struct {
	chain  []byte
	status int
	err    error
	asked  []string
}

func (c *certs) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.asked = append(c.asked, r.URL.String()); c.err != nil {
		return nil, c.err
	}
	return &http.Response{StatusCode: c.status, Header: http.Header{"Location": {certURL}}, Body: io.NopCloser(bytes.NewReader(c.chain)), Request: r}, nil
}

func signedKey(t *testing.T) *rsa.PublicKey {
	t.Helper()
	block, _ := pem.Decode([]byte(publicKey))
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(*rsa.PublicKey)
}

// hook is a webhook with the authority of its certificate and the configuration of its receiver.
type hook struct {
	header http.Header
	body   string
	name   string
	until  time.Time
	config paypal.Config
	age    time.Duration
	certs  certs
}

func TestWebhookSignature(t *testing.T) {
	key, trusted, stranger := signedKey(t), newAuthority(t), newAuthority(t)
	roots := x509.NewCertPool()
	roots.AddCert(trusted.certificate)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	const good, bad, unknown = "", "payment: bad signature", "payment: outcome unknown"
	set := func(name, value string) func(*hook) { return func(h *hook) { h.header.Set(name, value) } }
	for _, c := range []struct {
		sentence string
		change   func(h *hook)
		want     string
		asked    int // how many certificates
	}{
		{"as it was signed", func(*hook) {}, good, 1},
		{"the older of two webhooks", func(h *hook) { h.config.WebhookIDs = []string{"8XY12345", webhookID} }, good, 1},
		{"another webhook", func(h *hook) { h.config.WebhookIDs = []string{"8XY12345"} }, bad, 1},
		{"a bit flipped", func(h *hook) { h.body = "z" + h.body[1:] }, bad, 1},
		{"reformatted", func(h *hook) { h.body = h.body[:len(h.body)-1] + " }" }, bad, 1},
		{"an empty body", func(h *hook) { h.body = "" }, bad, 1},
		{"another transmission", set("PAYPAL-TRANSMISSION-ID", "79cd13f0-d67a-11e5-baa3-778b53f4ae55"), bad, 1},
		{"another time", set("PAYPAL-TRANSMISSION-TIME", "2026-01-02T03:04:06Z"), bad, 1},
		{"another's signature", set("PAYPAL-TRANSMISSION-SIG", "lmI95Jx3Y9nhR5SJWlHVIWpg4AgFk7n9bCHSRxbrd8A9zrhdu2rMyFrmz+Zjh3s3boXB07VXCXUZy/UFzUlnGJn0wDugt7FlSvdKeIJenLRemUxYCPVoEZzg9VFNqOa48gMkvF+XTpxBeUx/kWy6B5cp7GkT2+pOowfRK7OaynuxUoKW3JcMWw272VKjLTtTAShncla7tGF+55rxyt2KNZIIqxNMJ48RDZheGU5w1npu9dZHnPgTXB9iomeVRoD8O/jhRpnKsGrDschyNdkeh81BJJMH4Ctc6lnCCquoP/GzCzz33MMsNdid7vL/NIWaCsekQpW26FpWPi/tfj8nLA=="), bad, 1},
		{"no signature", func(h *hook) { h.header.Del("PAYPAL-TRANSMISSION-SIG") }, bad, 0},
		{"a signature that is no base64", set("PAYPAL-TRANSMISSION-SIG", "paid!"), bad, 0},
		{"two signatures", func(h *hook) { h.header.Add("PAYPAL-TRANSMISSION-SIG", signature) }, bad, 0},
		{"no header", func(h *hook) { h.header = http.Header{} }, bad, 0},
		{"an id with a bar", set("PAYPAL-TRANSMISSION-ID", "a|b"), bad, 0},
		{"another algorithm", set("PAYPAL-AUTH-ALGO", "SHA1withRSA"), bad, 0},
		{"four days later", func(h *hook) { h.age = 4 * 24 * time.Hour }, good, 1},
		{"more than four days later", func(h *hook) { h.age = 4*24*time.Hour + time.Second }, bad, 0},
		{"a clock ten minutes behind", func(h *hook) { h.age = -10 * time.Minute }, good, 1},
		{"a clock further behind", func(h *hook) { h.age = -10*time.Minute - time.Second }, bad, 0},

		{"a certificate at the host of the API", set("PAYPAL-CERT-URL", "https://api-m.paypal.com/v1/notifications/certs/CERT-1"), good, 1},
		{"at no address", func(h *hook) { h.header.Del("PAYPAL-CERT-URL") }, bad, 0},
		{"at a stranger's host", set("PAYPAL-CERT-URL", "https://api.paypal.com.example.com/v1/notifications/certs/CERT-1"), bad, 0},
		{"with PayPal as the user of a stranger's host", set("PAYPAL-CERT-URL", "https://api.paypal.com@example.com/v1/notifications/certs/CERT-1"), bad, 0},
		{"in clear", set("PAYPAL-CERT-URL", "http://api.paypal.com/v1/notifications/certs/CERT-1"), bad, 0},
		{"at another host of PayPal's", set("PAYPAL-CERT-URL", "https://www.paypal.com/v1/notifications/certs/CERT-1"), bad, 0},
		{"at the sandbox's host", set("PAYPAL-CERT-URL", "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1"), bad, 0},
		{"at another port", set("PAYPAL-CERT-URL", "https://api.paypal.com:8443/v1/notifications/certs/CERT-1"), bad, 0},
		{"at another path", set("PAYPAL-CERT-URL", "https://api.paypal.com/v1/notifications/certs/../../../uploads/CERT-1"), bad, 0},
		{"with a query", set("PAYPAL-CERT-URL", certURL+"?next=https://example.com"), bad, 0},
		{"at the sandbox's host, in the sandbox", func(h *hook) {
			h.config.BaseURL = "https://api-m.sandbox.paypal.com"
			h.header.Set("PAYPAL-CERT-URL", "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1")
		}, good, 1},
		{"at the live host, in the sandbox", func(h *hook) { h.config.BaseURL = "https://api-m.sandbox.paypal.com" }, bad, 0},
		{"at the base, which a proxy reaches", func(h *hook) {
			h.config.BaseURL = "https://paypal.proxy.example"
			h.header.Set("PAYPAL-CERT-URL", "https://paypal.proxy.example/v1/notifications/certs/CERT-1")
		}, good, 1},

		{"a certificate of another name", func(h *hook) { h.name = "www.paypal.com" }, bad, 1},
		{"a name that only begins so", func(h *hook) { h.name = "messageverificationcerts.paypal.com.example.com" }, bad, 1},
		{"an expired certificate", func(h *hook) { h.until = noon.Add(time.Hour) }, bad, 1},
		{"an unknown authority", func(h *hook) { h.config.Roots = nil }, bad, 1},
		{"no certificate", func(h *hook) { h.certs.chain = []byte("paid!") }, bad, 1},
		{"an invalid certificate", func(h *hook) {
			h.certs.chain = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("paid!")})
		}, bad, 1},
		{"there is none", func(h *hook) { h.certs.status = http.StatusNotFound }, bad, 1},
		{"it redirects", func(h *hook) { h.certs.status = http.StatusFound }, bad, 1},
		{"its host is broken", func(h *hook) { h.certs.status = http.StatusBadGateway }, unknown, 1},
		{"its host has too many questions", func(h *hook) { h.certs.status = http.StatusTooManyRequests }, unknown, 1},
		{"its host refuses access", func(h *hook) { h.certs.status = http.StatusForbidden }, unknown, 1},
		{"its host takes us for a stranger", func(h *hook) { h.certs.status = http.StatusUnauthorized }, unknown, 1},
		{"its host is down", func(h *hook) { h.certs.err = errors.New("no route") }, unknown, 1},
		{"another key", func(h *hook) {
			h.certs.chain = trusted.vouch(t, "messageverificationcerts.paypal.com", noon.AddDate(0, 6, 0), other.Public())
		}, bad, 1},
		{"a key of another kind", func(h *hook) {
			h.certs.chain = trusted.vouch(t, "messageverificationcerts.paypal.com", noon.AddDate(0, 6, 0), stranger.key.Public())
		}, bad, 1},
		{"signed by an untrusted authority", func(h *hook) {
			h.certs.chain = stranger.vouch(t, "messageverificationcerts.paypal.com", noon.AddDate(0, 6, 0), key)
		}, bad, 1},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			h := &hook{header: http.Header{}, body: published, name: "messageverificationcerts.paypal.com", until: noon.AddDate(0, 6, 0), certs: certs{status: http.StatusOK}}
			for name, value := range map[string]string{
				"PAYPAL-TRANSMISSION-ID": "69cd13f0-d67a-11e5-baa3-778b53f4ae55", "PAYPAL-TRANSMISSION-TIME": "2026-01-02T03:04:05Z",
				"PAYPAL-TRANSMISSION-SIG": signature, "PAYPAL-CERT-URL": certURL, "PAYPAL-AUTH-ALGO": "SHA256withRSA",
			} {
				h.header.Set(name, value)
			}
			h.config = paypal.Config{ClientID: "app1", Secrets: []string{secret}, WebhookIDs: []string{webhookID}, Roots: roots, Transport: &h.certs}
			c.change(h)
			h.config.Clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(h.age) }
			if h.certs.chain == nil {
				h.certs.chain = trusted.vouch(t, h.name, h.until, key)
			}
			g, err := paypal.New(h.config)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // a certificate that is good is kept
				e, err := g.Webhook(t.Context(), h.header, []byte(h.body), nil)
				if got := summary(method.Status{}, err); err != nil && got != c.want || err == nil && (c.want != good || e.Kind != method.EventIgnored || e.ID != "WH-1") { // T1 is no id of ours
					t.Errorf("%+v, %v; want %q", e, err, c.want)
				}
			}
			if asked := len(h.certs.asked); asked < c.asked || c.want == good && asked != c.asked || c.asked == 0 && asked > 0 {
				t.Errorf("asked for %v, want %d", h.certs.asked, c.asked)
			}
		})
	}
}
