package commands

import (
	"context"
	"fmt"

	"hiresure/cmd/site/config"
	"hiresure/cmd/site/site"
	"hiresure/integrations/objects"
	"hiresure/store"
)

// keysCommand wraps all file keys with the current master key.
func keysCommand(ctx context.Context, db *store.Store, cfg *config.Config, c call) error {
	if c.args[0] != "rotate" {
		return errArguments
	}
	vault, err := site.OpenVault(cfg)
	if err != nil {
		return err
	}
	current := cfg.FileKeys.Current()
	wrapped, err := rotateKeys(ctx, db, vault, current)
	if _, printErr := fmt.Fprintf(c.out, "keys of files that are wrapped by %s now and were not: %d\n", current, wrapped); err == nil {
		err = printErr
	}
	return err
}

// rotateBatch limits the rows per transaction, so that other writers get their turn.
const rotateBatch = 100

// rotateKeys wraps every file key with the current master key. It changes rows only, not files, and retries rows that others
// change meanwhile.
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
			if batch = append(batch, store.Rewrapped{FileRow: file, New: now}); len(batch) == rotateBatch {
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
