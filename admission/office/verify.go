package office

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// Verify compares the books with each other, and the files that rows name with the storage, and reports each difference as a
// sentence. A site may run meanwhile: each row and each object is looked at by itself.
func (s *Service) Verify(ctx context.Context, report func(difference string)) error {
	differences, err := s.Books.Verify(ctx, func(at time.Time) bool { return s.Supplier(at) != nil })
	for _, difference := range differences {
		report(difference)
	}
	if err != nil {
		return err
	}
	if err := s.verifyFiles(ctx, report); err != nil {
		return fmt.Errorf("verify files: %w", err)
	}
	if err := s.verifyOrphans(ctx, report); err != nil {
		return fmt.Errorf("verify objects: %w", err)
	}
	if err := s.verifyObjects(ctx, report); err != nil {
		return fmt.Errorf("verify objects: %w", err)
	}
	return nil
}

// verifyFiles reports rows whose object is missing.
func (s *Service) verifyFiles(ctx context.Context, report func(string)) error {
	for file, err := range s.Books.StoredFiles(ctx) {
		if err != nil {
			return err
		}
		object, err := s.Storage.Open(ctx, file.Object)
		if err == nil {
			if err := object.Close(); err != nil {
				return err
			}
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		named, err := s.named(ctx, []string{file.Object})
		if err != nil {
			return err
		}
		if named[file.Object] { // else the row was deleted just now
			report(fmt.Sprintf("file %s has lost its object %s", file.ID, file.Object))
		}
	}
	return nil
}

// orphanBatch is how many objects one transaction looks up.
const orphanBatch = 100

// verifyOrphans reports old objects that no row names.
func (s *Service) verifyOrphans(ctx context.Context, report func(string)) error {
	before := s.Clock().Add(-orphanAge)
	var batch []string
	check := func() error {
		named, err := s.named(ctx, batch)
		for _, object := range batch {
			if err == nil && !named[object] {
				report(fmt.Sprintf("object %s belongs to nothing", object))
			}
		}
		batch = batch[:0]
		return err
	}
	for object, err := range s.Storage.All(ctx) {
		if err != nil {
			return err
		}
		if !object.At.Before(before) {
			continue
		}
		if batch = append(batch, object.Name); len(batch) == orphanBatch {
			if err := check(); err != nil {
				return err
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return check()
}

// verifyObjects reports objects whose bytes have changed.
func (s *Service) verifyObjects(ctx context.Context, report func(string)) error {
	for object, err := range s.Storage.All(ctx) {
		if err != nil {
			return err
		}
		hash, err := s.hashOf(ctx, object.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted just now
		case err != nil:
			return err
		case hash != object.Name:
			report(fmt.Sprintf("object %s is not what it was stored as", object.Name))
		}
	}
	return nil
}

// named returns which of these objects a row names now.
func (s *Service) named(ctx context.Context, objects []string) (named map[string]bool, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		named, err = tx.ObjectsNamed(objects)
		return err
	})
	return named, err
}

func (s *Service) hashOf(ctx context.Context, name string) (string, error) {
	object, err := s.Storage.Open(ctx, name)
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
