package pdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// ErrNoMerger is returned by Merge if pdfunite is not installed.
var ErrNoMerger = errors.New("pdfunite is not in PATH")

// mergeAtOnce is how many files pdfunite gets at a time: it opens all of them, and the usual limit is 1,024 per process.
const mergeAtOnce = 250

// MostSlowly is the limit of MergeSlowly. For so many invoices it needs about 200 MB, growing linearly.
const MostSlowly = 250

// CanMerge reports whether pdfunite is installed.
func CanMerge() bool {
	_, err := exec.LookPath("pdfunite")
	return err == nil
}

// Merge writes the pages of files in order into a new file, with poppler's pdfunite, which needs about 40 MB for any number.
// Intermediate files are in folder. It returns ErrNoMerger without pdfunite.
func Merge(ctx context.Context, files []string, folder, into string) error {
	program, err := exec.LookPath("pdfunite")
	if err != nil {
		return ErrNoMerger
	}
	for round := 1; len(files) > mergeAtOnce; round++ {
		var merged []string
		for from := 0; from < len(files); from += mergeAtOnce {
			path := filepath.Join(folder, fmt.Sprintf("round-%d-%05d.pdf", round, len(merged)+1))
			if err := unite(ctx, program, files[from:min(from+mergeAtOnce, len(files))], path); err != nil {
				return err
			}
			merged = append(merged, path)
		}
		files = merged
	}
	return unite(ctx, program, files, into)
}

func unite(ctx context.Context, program string, files []string, into string) error {
	said, err := exec.CommandContext(ctx, program, append(append([]string{}, files...), into)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("pdfunite: %w: %.500s", errors.Join(err, ctx.Err()), said)
	}
	return nil
}

// MergeSlowly is Merge without pdfunite, for at most MostSlowly files.
func MergeSlowly(files []string, into string) (err error) {
	if len(files) > MostSlowly {
		return fmt.Errorf("merge %d files: at most %d at a time", len(files), MostSlowly)
	}
	api.DisableConfigDir()
	file, err := os.OpenFile(into, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	config := model.NewDefaultConfiguration()
	config.CreateBookmarks = false
	err = api.Merge("", files, file, config, false)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	return nil
}
