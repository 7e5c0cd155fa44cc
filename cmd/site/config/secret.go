package config

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"hiresure/integrations/objects"
)

// loadStorageKey loads the storage key from the data directory, or creates one there.
func (c *Config) loadStorageKey() error {
	key, err := loadSecret(c.DataDir, "storage.key")
	if err == nil {
		c.FileKeys, err = objects.ReadMasterKeys("development:" + hex.EncodeToString(key))
	}
	return err
}

// parseSecret parses 64 hexadecimal digits.
func parseSecret(text string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != 32 {
		return nil, errors.New("must be 64 hexadecimal digits (openssl rand -hex 32)")
	}
	return key, nil
}

// loadSecret loads a key from the data directory, or creates one there.
func loadSecret(dataDir, name string) ([]byte, error) {
	file := filepath.Join(dataDir, name)
	kept, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return createSecret(dataDir, name)
	}
	if err != nil {
		return nil, err
	}
	return parseSecret(strings.TrimSpace(string(kept)))
}

func createSecret(dataDir, name string) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dataDir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) { // another process was faster
		return loadSecret(dataDir, name)
	}
	if err != nil {
		return nil, err
	}
	_, writeErr := f.WriteString(hex.EncodeToString(key) + "\n")
	return key, errors.Join(writeErr, f.Sync(), f.Close())
}
