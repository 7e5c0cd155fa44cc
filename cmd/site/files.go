package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/inspect"
	"hiresure/integrations/objects"
	"hiresure/integrations/scan"
	"hiresure/jobs"
)

// readStorage parses the storage of files, its keys and the virus scanner.
func (c *Config) readStorage(f *faults) {
	if c.StorageURL == "" {
		folder, err := filepath.Abs(filepath.Join(c.DataDir, "files"))
		f.refuse(err != nil, "DATA_DIR: %v", err)
		c.StorageURL = (&url.URL{Scheme: "file", Path: folder}).String()
	}
	u, err := objects.ParseAddress(c.StorageURL)
	f.refuse(err != nil, "%v", err)
	f.refuse(err == nil && u.Scheme == "s3" && (c.S3AccessKey == "" || c.S3SecretKey == ""), "STORAGE_URL=s3://… needs S3_ACCESS_KEY and S3_SECRET_KEY")
	if c.StorageKeys != "" {
		c.fileKeys, err = objects.ReadMasterKeys(c.StorageKeys)
		f.refuse(err != nil, "STORAGE_KEYS: %v", err)
	}
	if c.ClamdURL != "" && c.ClamdURL != "off" {
		_, err := scan.New(c.ClamdURL)
		f.refuse(err != nil, "CLAMD_URL: %v", err)
	}
}

// loadStorageKey loads the storage key from the data directory, or creates one there.
func (c *Config) loadStorageKey() error {
	key, err := loadSecret(c.DataDir, "storage.key")
	if err == nil {
		c.fileKeys, err = objects.ReadMasterKeys("development:" + hex.EncodeToString(key))
	}
	return err
}

// isStoragePlaintext reports whether the site connects to a remote bucket without TLS.
func isStoragePlaintext(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" {
		return false
	}
	endpoint, err := url.Parse(u.Query().Get("endpoint"))
	return err == nil && endpoint.Scheme == "http" && !isLoopback(endpoint.Hostname())
}

// openVault connects to the configured storage.
func openVault(c *Config) (*objects.Vault, error) {
	bucket, err := objects.Connect(c.StorageURL, filepath.Join(c.DataDir, "spool"), objects.S3Keys{Access: c.S3AccessKey, Secret: c.S3SecretKey})
	if err != nil {
		return nil, fmt.Errorf("STORAGE_URL: %w", err)
	}
	return objects.NewVault(bucket, c.fileKeys), nil
}

// openFiles connects to the storage and to the virus scanner.
func (s *site) openFiles() (err error) {
	if s.vault, err = openVault(s.config); err != nil {
		return err
	}
	s.storage = &probe[struct{}]{clock: s.clock, query: func(ctx context.Context) (struct{}, error) { return struct{}{}, s.vault.Check(ctx) }}
	if s.config.ClamdURL == "" || s.config.ClamdURL == "off" {
		return nil
	}
	if s.clamd, err = scan.New(s.config.ClamdURL); err != nil {
		return fmt.Errorf("CLAMD_URL: %w", err)
	}
	s.scanner = &probe[struct{}]{clock: s.clock, query: func(ctx context.Context) (struct{}, error) { return struct{}{}, s.clamd.Ready(ctx) }}
	return nil
}

// documentScanner returns nil if uploads are not scanned.
func (s *site) documentScanner() document.Scanner {
	if s.clamd == nil {
		return nil
	}
	return s.clamd
}

// inspector inspects uploads in child processes.
type inspector struct{ *inspect.Inspector }

// faultsOf maps the inspector's reasons to document faults. faultOf adds those about size.
var faultsOf = map[inspect.Reason]document.Fault{
	inspect.Empty: document.Empty, inspect.WrongType: document.WrongType, inspect.HEIC: document.HEIC, inspect.Damaged: document.Damaged,
	inspect.Encrypted: document.Encrypted, inspect.Active: document.Active,
}

func faultOf(refused *inspect.Refusal) document.Fault {
	if fault, known := faultsOf[refused.Reason]; known {
		return fault
	}
	switch refused.Detail {
	case "bytes":
		return document.TooLarge
	case "pages", "pixels":
		return document.TooMany
	default:
		return document.TooLong
	}
}

// inspectRetry is when a sender with too many waiting files may retry.
const inspectRetry = 5 * time.Second

func (j inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (found document.Found, refusal string, err error) {
	kind := u.Kind.Rules()
	file, err := j.Judge(ctx, who, inspect.Want{PDF: kind.PDF}, in, out)
	if refused, is := errors.AsType[*inspect.Refusal](err); is {
		return document.Found{}, kind.Refusal(faultOf(refused)), nil
	}
	if errors.Is(err, inspect.ErrTooMany) {
		return document.Found{}, "", admission.TooManyProblem("", inspectRetry)
	}
	if err != nil {
		return document.Found{}, "", err
	}
	if !inspect.Agree(u.Name, u.Type, file.Found) {
		return document.Found{}, kind.Refusal(document.WrongType), nil
	}
	return document.Found{ContentType: file.ContentType, Width: file.Width, Height: file.Height, Pages: file.Pages}, "", nil
}

// documentJobs returns the handlers of document jobs.
func (s *site) documentJobs() map[string]jobs.Handler {
	d := s.business.Document
	return map[string]jobs.Handler{
		document.JobJudge: jobs.Once(d.Judge), document.JobRemove: jobs.Once(d.RemoveObject),
		document.JobScan: jobs.ByRef(func(ctx context.Context, id string) (time.Duration, error) {
			if s.scanner != nil {
				if _, err := s.scanner.get(); err != nil { // unavailable: not a failure of this job, and /readyz reports it
					return scanRetry, nil
				}
			}
			return 0, d.ScanAgain(ctx, id)
		}),
	}
}

// scanRetry is how often waiting documents retry while clamd is unavailable.
const scanRetry = time.Minute

// sweep deletes expired uploads, and objects of the storage that have no row.
func (s *site) sweep(ctx context.Context) error {
	return s.business.Document.Sweep(ctx, func(ctx context.Context, batch int, each func(objects []string) error) error {
		before := s.clock().Add(-document.OrphanAge)
		return inBatches(ctx, s.vault.Bucket, batch, func(o admission.StoredObject) bool { return o.At.Before(before) }, each)
	})
}

// inBatches passes the names of the objects that match counts to each, in batches.
func inBatches(ctx context.Context, bucket objects.Bucket, batch int, counts func(admission.StoredObject) bool, each func(names []string) error) error {
	var names []string
	for object, err := range bucket.All(ctx) {
		if err != nil {
			return err
		}
		if !counts(object) {
			continue
		}
		if names = append(names, object.Name); len(names) == batch {
			if err := each(names); err != nil {
				return err
			}
			names = names[:0]
		}
	}
	if len(names) == 0 {
		return nil
	}
	return each(names)
}
