package simulators

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"math/big"
	"net/http"
	"sync"
	"time"
)

const paypalCertificatePath = "/v1/notifications/certs/"

// paypalSigner is the key that signs webhooks, with its certificate chain.
type paypalSigner struct {
	key   *rsa.PrivateKey
	chain []byte // PEM
	root  *x509.Certificate
}

// paypalSigners creates one signer per process, as keys are slow to generate.
var paypalSigners = sync.OnceValue(func() paypalSigner {
	must := func(err error) {
		if err != nil {
			panic(err) // no randomness
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	from, until := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2050, 1, 1, 0, 0, 0, 0, time.UTC)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Simulated root"}, NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	must(err)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "messageverificationcerts.sandbox.paypal.com"}, NotBefore: from, NotAfter: until,
		DNSNames: []string{"messageverificationcerts.sandbox.paypal.com"}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, key.Public(), rootKey)
	must(err)
	root, err = x509.ParseCertificate(rootDER)
	must(err)
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leafDER})
	return paypalSigner{key, append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER})...), root}
})

// Root returns the root certificate of the webhooks' chain.
func (s *PayPal) Root() *x509.Certificate { return paypalSigners().root }

func (s *PayPal) serveCertificate(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != paypalCertificatePath+"CERT-360caa42-fca2a594-a5cafa77" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/x-pem-file")
	_, _ = w.Write(paypalSigners().chain)
}

// notify adds a signed webhook.
func (s *PayPal) notify(name, of string, resource any) {
	body, _ := json.Marshal(map[string]any{ // text and numbers always marshal
		"id": s.next("WH-"), "event_version": "1.0", "create_time": paypalAt(s.keys.Clock()), "resource_type": of, "resource_version": "2.0",
		"event_type": name, "summary": name, "resource": resource,
	})
	s.events = append(s.events, s.signed(body))
}

// Sign returns an event with any body, signed now.
func (s *PayPal) Sign(body []byte) Event {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(body)
}

// signed signs the transmission's id and time, the webhook's id and the body's CRC32, with RSA and SHA-256.
func (s *PayPal) signed(body []byte) Event {
	id, at := fmt.Sprintf("69cd13f0-d67a-11e5-baa3-%012d", len(s.events)), paypalAt(s.keys.Clock())
	sum := sha256.Sum256(paypalMessage(id, at, s.keys.WebhookID, body))
	signature, err := rsa.SignPKCS1v15(rand.Reader, paypalSigners().key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // no randomness
	}
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set("PAYPAL-TRANSMISSION-ID", id)
	header.Set("PAYPAL-TRANSMISSION-TIME", at)
	header.Set("PAYPAL-TRANSMISSION-SIG", base64.StdEncoding.EncodeToString(signature))
	header.Set("PAYPAL-CERT-URL", s.base+paypalCertificatePath+"CERT-360caa42-fca2a594-a5cafa77")
	header.Set("PAYPAL-AUTH-ALGO", "SHA256withRSA")
	return Event{header, body}
}

func paypalMessage(id, at, webhookID string, body []byte) []byte {
	return fmt.Appendf(nil, "%s|%s|%s|%d", id, at, webhookID, crc32.ChecksumIEEE(body))
}

// verifyWebhook is PayPal's check of a webhook, whose event the client has encoded again.
func (s *PayPal) verifyWebhook(c paypalCall) (func() any, error) {
	signature, err := base64.StdEncoding.DecodeString(textOf(c.body["transmission_sig"]))
	body, jsonErr := json.Marshal(c.body["webhook_event"])
	if err != nil || jsonErr != nil {
		return nil, paypalBad("INVALID_PARAMETER_SYNTAX", "transmission_sig")
	}
	sum := sha256.Sum256(paypalMessage(textOf(c.body["transmission_id"]), textOf(c.body["transmission_time"]), textOf(c.body["webhook_id"]), body))
	verdict := "SUCCESS"
	if rsa.VerifyPKCS1v15(&paypalSigners().key.PublicKey, crypto.SHA256, sum[:], signature) != nil {
		verdict = "FAILURE"
	}
	return func() any { return map[string]any{"verification_status": verdict} }, nil
}
