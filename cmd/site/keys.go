package main

import (
	"context"
	"fmt"

	"hiresure/integrations/objects"
	"hiresure/store"
)

// keysCommand wraps the keys of all files under the current master key.
func keysCommand(ctx context.Context, db *store.Store, config *Config, c call) error {
	if c.args[0] != "rotate" {
		return errArguments
	}
	vault, err := openVault(config)
	if err != nil {
		return err
	}
	current := config.fileKeys.Current()
	wrapped, err := rotateKeys(ctx, db, vault, current)
	if _, printErr := fmt.Fprintf(c.out, "keys of files that are wrapped by %s now and were not: %d\n", current, wrapped); err == nil {
		err = printErr
	}
	return err
}

// rotateBatch is how many rows one transaction changes, so that others can write in between.
const rotateBatch = 100

// rotateKeys wraps under the current master key every file key that another one wraps. It changes rows, no file. A row that
// changes meanwhile keeps its change and is read again.
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
