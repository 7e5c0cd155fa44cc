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

// ErrNoMerger is returned by Merge where the program that merges is not installed.
var ErrNoMerger = errors.New("pdfunite is not in PATH")

// mergeAtOnce is how many files the program is given at a time: it keeps all of them open, of which a process may usually
// have 1,024.
const mergeAtOnce = 250

// MostSlowly is how many files MergeSlowly takes. For so many invoices it needs some 200 MB; for four times as many, four times
// as much.
const MostSlowly = 250

// CanMerge reports whether the program that merges is installed.
func CanMerge() bool {
	_, err := exec.LookPath("pdfunite")
	return err == nil
}

// Merge writes the pages of files, in their order, into a new file by poppler's pdfunite, which takes some 40 MB however
// many there are. What is between lies in folder. Errors: ErrNoMerger.
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

// MergeSlowly is Merge without the program, for at most MostSlowly files.
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
