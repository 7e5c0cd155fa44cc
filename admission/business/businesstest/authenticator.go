package businesstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
)

// Authenticator is a browser with a device that has one passkey. Tests change its fields to make it lie.
type Authenticator struct {
	ID       []byte // of the credential
	Key      *ecdsa.PrivateKey
	Handle   []byte // of the account; set by Create
	Counter  uint32 // of signatures
	Origin   string
	Site     string // RP ID
	Verifies bool   // whether a finger or a PIN was checked

	t testing.TB
}

// NewAuthenticator returns an honest authenticator at a site's origin.
func NewAuthenticator(t testing.TB, origin string) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	site, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	a := &Authenticator{t: t, Key: key, ID: make([]byte, 32), Origin: origin, Site: site.Hostname(), Verifies: true}
	rand.Read(a.ID)
	return a
}

// Create returns the response to a request for a new passkey.
func (a *Authenticator) Create(options *protocol.CredentialCreation) string {
	a.t.Helper()
	switch handle := options.Response.User.ID.(type) {
	case protocol.URLEncodedBase64:
		a.Handle = handle
	case string: // read from JSON
		var err error
		if a.Handle, err = base64.RawURLEncoding.DecodeString(handle); err != nil {
			a.t.Fatal(err)
		}
	}
	point, err := a.Key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	cose := a.cbor(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]}) // ES256
	attested := append(binary.BigEndian.AppendUint16(make([]byte, 16), uint16(len(a.ID))), append(a.ID, cose...)...)
	return a.answer(map[string]any{
		"clientDataJSON":    encode(a.client("create", options.Response.Challenge)),
		"attestationObject": encode(a.cbor(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": a.data(attested...)})),
	})
}

// Sign returns the response to a request to use the passkey.
func (a *Authenticator) Sign(options *protocol.CredentialAssertion) string {
	a.t.Helper()
	a.Counter++
	data, client := a.data(), a.client("get", options.Response.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.Key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(a.data()), "signature": encode(signature), "userHandle": encode(a.Handle),
	})
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// data returns authenticator data; attested is the credential, when it is created.
func (a *Authenticator) data(attested ...byte) []byte {
	hash, flags := sha256.Sum256([]byte(a.Site)), byte(protocol.FlagUserPresent)
	if a.Verifies {
		flags |= byte(protocol.FlagUserVerified)
	}
	if len(attested) > 0 {
		flags |= byte(protocol.FlagAttestedCredentialData)
	}
	return append(binary.BigEndian.AppendUint32(append(hash[:], flags), a.Counter), attested...)
}

func (a *Authenticator) client(kind string, challenge protocol.URLEncodedBase64) []byte {
	return a.json(map[string]any{"type": "webauthn." + kind, "challenge": challenge.String(), "origin": a.Origin, "crossOrigin": false})
}

func (a *Authenticator) answer(response map[string]any) string {
	return string(a.json(map[string]any{"id": encode(a.ID), "rawId": encode(a.ID), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}}))
}

func (a *Authenticator) json(value any) []byte {
	a.t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		a.t.Fatal(err)
	}
	return raw
}

func (a *Authenticator) cbor(value any) []byte {
	a.t.Helper()
	raw, err := webauthncbor.Marshal(value)
	if err != nil {
		a.t.Fatal(err)
	}
	return raw
}
