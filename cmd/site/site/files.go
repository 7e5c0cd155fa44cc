package site

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"hiresure/admission/document"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/telemetry"
	"hiresure/integrations/objects"
	"hiresure/integrations/scan"
)

// files is the storage of documents and their virus scanner.
type files struct {
	vault   *objects.Vault
	storage *telemetry.Probe[struct{}] // fails if the vault cannot be read and written
	clamd   *scan.Clamd                // nil if uploads are not scanned
	scanner *telemetry.Probe[struct{}] // fails if clamd does not respond; nil without clamd
}

// openFiles connects to the storage and to the virus scanner.
func openFiles(c *config.Config, clock func() time.Time) (*files, error) {
	vault, err := OpenVault(c)
	if err != nil {
		return nil, err
	}
	f := &files{vault: vault, storage: telemetry.NewProbe(clock, func(ctx context.Context) (struct{}, error) { return struct{}{}, vault.Check(ctx) })}
	if c.ClamdURL == "" || c.ClamdURL == "off" {
		return f, nil
	}
	if f.clamd, err = scan.New(c.ClamdURL); err != nil {
		return nil, fmt.Errorf("CLAMD_URL: %w", err)
	}
	f.scanner = telemetry.NewProbe(clock, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.clamd.Ready(ctx) })
	return f, nil
}

// OpenVault connects to the configured storage.
func OpenVault(c *config.Config) (*objects.Vault, error) {
	bucket, err := objects.Connect(c.StorageURL, filepath.Join(c.DataDir, "spool"), objects.S3Keys{Access: c.S3AccessKey, Secret: c.S3SecretKey})
	if err != nil {
		return nil, fmt.Errorf("STORAGE_URL: %w", err)
	}
	return objects.NewVault(bucket, c.FileKeys), nil
}

// documentScanner returns nil if uploads are not scanned.
func (f *files) documentScanner() document.Scanner {
	if f.clamd == nil {
		return nil
	}
	return f.clamd
}

// scannerDown reports whether uploads wait for clamd.
func (f *files) scannerDown() bool {
	if f.scanner == nil {
		return false
	}
	_, err := f.scanner.Get()
	return err != nil
}
