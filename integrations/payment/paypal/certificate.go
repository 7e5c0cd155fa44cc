package paypal

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"hiresure/admission/payment/method"
)

const (
	mostCertificate = 64 << 10 // bytes; a chain has a few kilobytes
	mostKept        = 8        // certificates; PayPal uses one at a time
)

// certificates caches the certificates that sign webhooks, while they are valid.
type certificates struct {
	config Config
	places []string // trusted addresses, without the file name

	mutex sync.Mutex
	kept  map[string]*x509.Certificate
}

// newCertificates trusts PayPal's hosts of the environment, and the base.
func newCertificates(n Config) *certificates {
	hosts := []string{"https://api.paypal.com", defaultBase}
	if n.BaseURL == sandboxBase {
		hosts = []string{"https://api.sandbox.paypal.com"}
	}
	c := &certificates{config: n, kept: map[string]*x509.Certificate{}}
	for _, host := range append(hosts, n.BaseURL) {
		c.places = append(c.places, host+"/v1/notifications/certs/")
	}
	return c
}

var certificateName = regexp.MustCompile(`^[A-Za-z0-9-]{1,100}$`)

// isGood reports whether an address is one of a PayPal certificate. No other address is ever fetched.
func (c *certificates) isGood(address string) bool {
	for _, place := range c.places {
		if name, found := strings.CutPrefix(address, place); found && certificateName.MatchString(name) {
			return true
		}
	}
	return false
}

// key returns the public key of the certificate at an address; ErrSignature if it is not PayPal's, ErrUnknown if it could not be
// downloaded.
func (c *certificates) key(ctx context.Context, address string) (*rsa.PublicKey, error) {
	if !c.isGood(address) {
		return nil, method.ErrSignature
	}
	c.mutex.Lock()
	kept := c.kept[address]
	c.mutex.Unlock()
	now := c.config.Clock()
	if kept == nil || now.After(kept.NotAfter) || now.Before(kept.NotBefore) {
		text, err := c.download(ctx, address)
		if err != nil {
			return nil, err
		}
		if kept, err = c.verify(text, strings.HasPrefix(address, c.config.BaseURL+"/") && c.config.BaseURL != defaultBase && c.config.BaseURL != sandboxBase); err != nil {
			return nil, fmt.Errorf("%w: certificate: %w", method.ErrSignature, err)
		}
		c.keep(address, kept)
	}
	key, isRSA := kept.PublicKey.(*rsa.PublicKey)
	if !isRSA {
		return nil, method.ErrSignature
	}
	return key, nil
}

func (c *certificates) keep(address string, certificate *x509.Certificate) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.kept) >= mostKept {
		clear(c.kept)
	}
	c.kept[address] = certificate
}

// download fetches an address. It follows no redirect, which could lead to an untrusted host.
func (c *certificates) download(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, method.ErrSignature
	}
	client := http.Client{Transport: c.config.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: certificate: %w", method.ErrUnknown, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, mostCertificate))
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests || status >= 500: // temporary
		return nil, fmt.Errorf("%w: certificate: status %d", method.ErrUnknown, status)
	case status != http.StatusOK:
		return nil, method.ErrSignature
	case err != nil:
		return nil, fmt.Errorf("%w: certificate: %w", method.ErrUnknown, err)
	}
	return text, nil
}

// verify returns the first certificate of a chain if it is PayPal's for webhooks, currently valid, and trusted by a root. With a
// base that is not PayPal's, such as a simulator's, the chain includes its root: that server is trusted for all payments
// anyway.
func (c *certificates) verify(text []byte, own bool) (*x509.Certificate, error) {
	var chain []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		chain = append(chain, certificate)
	}
	if len(chain) == 0 {
		return nil, errors.New("none")
	}
	// messageverificationcerts.paypal.com or messageverificationcerts.sandbox.paypal.com
	if name := chain[0].Subject.CommonName; !strings.HasPrefix(name, "messageverificationcerts.") || !strings.HasSuffix(name, ".paypal.com") {
		return nil, fmt.Errorf("of %q", name)
	}
	options := x509.VerifyOptions{Roots: c.config.Roots, Intermediates: x509.NewCertPool(), CurrentTime: c.config.Clock(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
	for _, certificate := range chain[1:] {
		options.Intermediates.AddCert(certificate)
	}
	if own && options.Roots == nil {
		options.Roots = x509.NewCertPool()
		options.Roots.AddCert(chain[len(chain)-1])
	}
	_, err := chain[0].Verify(options)
	return chain[0], err
}
