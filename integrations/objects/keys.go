package objects

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MasterKeys wrap the keys of files. The first wraps new ones; the others only open what they wrapped.
type MasterKeys struct {
	current string
	byID    map[string]cipher.AEAD
}

// ReadMasterKeys reads "id:64 hexadecimal digits", separated by commas, the current one first.
func ReadMasterKeys(text string) (MasterKeys, error) {
	keys := MasterKeys{byID: map[string]cipher.AEAD{}}
	for one := range strings.SplitSeq(text, ",") {
		id, digits, _ := strings.Cut(strings.TrimSpace(one), ":")
		key, err := hex.DecodeString(digits)
		if err != nil || len(key) != 32 || id == "" || len(id) > 20 {
			return MasterKeys{}, errors.New("must be a name, a colon and 64 hexadecimal digits (openssl rand -hex 32), the current key first, separated by commas")
		}
		if keys.byID[id] != nil {
			return MasterKeys{}, fmt.Errorf("the name %q stands there twice", id)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return MasterKeys{}, err
		}
		if keys.byID[id], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return MasterKeys{}, err
		}
		if keys.current == "" {
			keys.current = id
		}
	}
	return keys, nil
}

// Current names the key that wraps new files.
func (k MasterKeys) Current() string { return k.current }

// wrap seals a file's key for one id, under the current key: 60 bytes of 32.
func (k MasterKeys) wrap(key []byte, id string) (wrapped []byte, keyID string) {
	return k.byID[k.current].Seal(nil, nil, key, associated(k.current, id)), k.current
}

func (k MasterKeys) unwrap(wrapped []byte, keyID, id string) ([]byte, error) {
	master := k.byID[keyID]
	if master == nil {
		return nil, fmt.Errorf("the master key %q is not configured", keyID)
	}
	key, err := master.Open(nil, nil, wrapped, associated(keyID, id))
	if err != nil {
		return nil, fmt.Errorf("the key of %s: %w", id, err)
	}
	return key, nil
}

// associated binds a wrapped key to who wrapped it, and to the row it belongs to.
func associated(keyID, id string) []byte { return []byte(keyID + "\x00" + id) }
