package objects

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MasterKeys wrap the keys of files. The first wraps new keys; the others only unwrap.
type MasterKeys struct {
	current string
	byID    map[string]cipher.AEAD
}

// ReadMasterKeys parses "id:64 hexadecimal digits", separated by commas, the current key first.
func ReadMasterKeys(text string) (MasterKeys, error) {
	keys := MasterKeys{byID: map[string]cipher.AEAD{}}
	for one := range strings.SplitSeq(text, ",") {
		id, digits, _ := strings.Cut(strings.TrimSpace(one), ":")
		key, err := hex.DecodeString(digits)
		if err != nil || len(key) != 32 || id == "" || len(id) > 20 {
			return MasterKeys{}, errors.New("must be a name, a colon and 64 hexadecimal digits (openssl rand -hex 32), the current key first, separated by commas")
		}
		if keys.byID[id] != nil {
			return MasterKeys{}, fmt.Errorf("duplicate name %q", id)
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

// Current returns the id of the key that wraps new files.
func (k MasterKeys) Current() string { return k.current }

// wrap encrypts the 32-byte key of the file with this id under the current key, to 60 bytes.
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
		return nil, fmt.Errorf("unwrap the key of %s: %w", id, err)
	}
	return key, nil
}

// associated binds a wrapped key to its master key and its row.
func associated(keyID, id string) []byte { return []byte(keyID + "\x00" + id) }
