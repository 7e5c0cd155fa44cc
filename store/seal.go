package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// A sealer encrypts columns with AES-256-GCM, bound to their table and id.
type sealer struct {
	aead   cipher.AEAD
	logKey []byte // of the seals in the log of staff
}

func newSealer(secret []byte) (sealer, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "hiresure store columns", 32)
	if err != nil {
		return sealer{}, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return sealer{}, err
	}
	logKey, err := hkdf.Key(sha256.New, secret, nil, "hiresure staff log", 32)
	return sealer{aead, logKey}, err
}

func (s sealer) seal(table, id string, clear []byte) string {
	return base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, clear, []byte(table+"/"+id)))
}

func (s sealer) open(table, id, sealed string) ([]byte, error) {
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, unreadable{fmt.Errorf("open %s of %s: %w", id, table, err)}
	}
	clear, err := s.aead.Open(nil, nil, raw, []byte(table+"/"+id))
	if err != nil {
		return nil, unreadable{fmt.Errorf("open %s of %s: %w", id, table, err)}
	}
	return clear, nil
}

// openJSON decodes sealed JSON into a value; "" leaves it unchanged.
func (s sealer) openJSON(table, id, sealed string, into any) error {
	if sealed == "" {
		return nil
	}
	clear, err := s.open(table, id, sealed)
	if err != nil {
		return err
	}
	return wrap("read "+id+" of "+table, json.Unmarshal(clear, into))
}

// unreadable is the error for a value that is damaged or sealed with another secret. It is permanent, so that jobs give up.
type unreadable struct{ error }

func (u unreadable) Unwrap() error { return u.error }
func (unreadable) Permanent() bool { return true }
