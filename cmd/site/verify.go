package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"hiresure/admission/document"
	"hiresure/content"
	"hiresure/integrations/objects"
	"hiresure/store"
)

// verify compares the books with each other, and the documents with the storage; each difference is a line.
func verify(ctx context.Context, config *Config, db *store.Store, out io.Writer) error {
	words, err := content.Load()
	if err != nil {
		return err
	}
	source, err := content.NewSource(words)
	if err != nil {
		return err
	}
	db.UseEvents(&catalogue{words: source})
	faults, err := db.Verify(ctx, func(at time.Time) bool { _, invoices := words.SupplierAt(at); return invoices })
	for _, fault := range faults {
		fmt.Fprintln(out, fault)
	}
	if err != nil {
		return err
	}
	found := len(faults)
	vault, err := openVault(config)
	if err != nil {
		return err
	}
	if err := verifyFiles(ctx, db, vault.Bucket, time.Now(), func(fault string) {
		found++
		fmt.Fprintln(out, fault)
	}); err != nil {
		return err
	}
	if found > 0 {
		return fmt.Errorf("%d differences", found)
	}
	return nil
}

// verifyFiles looks for rows that have lost their objects, for objects that no row names, and for objects that are not what
// was stored. Each row and each object is looked at by itself, while a site runs.
func verifyFiles(ctx context.Context, db *store.Store, bucket objects.Bucket, now time.Time, tell func(fault string)) error {
	for file, err := range db.Files(ctx, "") {
		if err != nil {
			return fmt.Errorf("verify files: %w", err)
		}
		lost, err := isLost(ctx, bucket, file.Object)
		if err != nil {
			return fmt.Errorf("verify files: %w", err)
		}
		if !lost {
			continue
		}
		named, err := namedNow(ctx, db, []string{file.Object})
		if err != nil {
			return err
		}
		if named[file.Object] { // else it was deleted in this moment
			tell(fmt.Sprintf("file %s has lost its object %s", file.ID, file.Object))
		}
	}
	before := now.Add(-document.OrphanAge)
	err := inBatches(ctx, bucket, 100, func(o objects.Object) bool { return o.At.Before(before) }, func(old []string) error {
		named, err := namedNow(ctx, db, old)
		for _, name := range old {
			if err == nil && !named[name] {
				tell(fmt.Sprintf("object %s belongs to nothing", name))
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("verify objects: %w", err)
	}
	for object, err := range bucket.All(ctx) {
		if err != nil {
			return fmt.Errorf("verify objects: %w", err)
		}
		hash, err := hashOf(ctx, bucket, object.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was deleted in this moment
		case err != nil:
			return fmt.Errorf("verify objects: %w", err)
		case hash != object.Name:
			tell(fmt.Sprintf("object %s is not what it was stored as", object.Name))
		}
	}
	return nil
}

func isLost(ctx context.Context, bucket objects.Bucket, name string) (bool, error) {
	object, err := bucket.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, object.Close()
}

func namedNow(ctx context.Context, db *store.Store, names []string) (named map[string]bool, err error) {
	err = db.View(ctx, func(tx store.Tx) (err error) {
		named, err = tx.ObjectsNamed(names)
		return err
	})
	return named, err
}

func hashOf(ctx context.Context, bucket objects.Bucket, name string) (string, error) {
	object, err := bucket.Open(ctx, name)
	if err != nil {
		return "", err
	}
	defer object.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, object); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
