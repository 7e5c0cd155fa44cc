package main

import (
	"context"
	"fmt"
	"io"

	"hiresure/integrations/objects"
	"hiresure/store"
)

// keys runs the commands on the master keys of files.
func keys(ctx context.Context, config *Config, db *store.Store, what string, out io.Writer) error {
	if what != "rotate" {
		return fmt.Errorf("keys can be rotated: site keys rotate, not %q", what)
	}
	vault, err := openVault(config)
	if err != nil {
		return err
	}
	current := config.fileKeys.Current()
	wrapped, err := rotateKeys(ctx, db, vault, current)
	if _, told := fmt.Fprintf(out, "keys of files that are wrapped by %s now and were not: %d\n", current, wrapped); err == nil {
		err = told
	}
	return err
}

// rotateBatch is how many rows one transaction changes: others write in between.
const rotateBatch = 100

// rotateKeys wraps under the current master key whatever another has wrapped, until nothing is left. No file is touched. A
// row that changes meanwhile keeps what it has then, and is looked at again.
func rotateKeys(ctx context.Context, db *store.Store, vault *objects.Vault, current string) (wrapped int, err error) {
	for {
		var batch []store.Rewrapped
		for file, err := range db.Files(ctx, current) {
			if err != nil {
				return wrapped, err
			}
			now, err := vault.Rewrap(file.ID, file.StoredFile)
			if err != nil {
				return wrapped, fmt.Errorf("rotate keys: %w", err)
			}
			if batch = append(batch, store.Rewrapped{KeptFile: file, Now: now}); len(batch) == rotateBatch {
				break
			}
		}
		if len(batch) == 0 {
			return wrapped, nil
		}
		n, err := db.SaveKeys(ctx, batch)
		wrapped += n
		if err != nil {
			return wrapped, err
		}
	}
}
