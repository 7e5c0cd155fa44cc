package commands

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/integrations/pdf"
)

// A printOrder is the arguments of site print.
type printOrder struct {
	event       string // its slug or code
	first, last time.Time
	file        string
}

func readPrintOrder(args []string) (o printOrder, err error) {
	flags := flag.NewFlagSet("print", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	event, from, to := flags.String("event", "", ""), flags.String("from", "", ""), flags.String("to", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 || *event == "" || *from == "" || *to == "" {
		return o, errArguments
	}
	o.event, o.file = *event, flags.Arg(0)
	if o.first, err = parseDay(*from); err != nil {
		return o, err
	}
	if o.last, err = parseDay(*to); err != nil {
		return o, err
	}
	if o.first.After(o.last) {
		return o, fmt.Errorf("--from %s is after --to %s", *from, *to)
	}
	if filepath.Ext(o.file) != ".pdf" {
		return o, fmt.Errorf("FILE must end in .pdf, unlike %q", o.file)
	}
	return o, checkFree(o.file)
}

// checkFree returns an error if path exists.
func checkFree(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s exists already", path)
		}
		return err
	}
	return nil
}

// printCommand merges the invoices of a period into one file. Copies of the papers stay in a folder beside the file until it is
// complete, so that an interrupted command continues where it stopped.
func printCommand(ctx context.Context, o *office.Service, c call) error {
	order, err := readPrintOrder(c.args)
	if err != nil {
		return err
	}
	invoices, err := o.InvoicesOf(ctx, order.event, order.first, order.last)
	if err != nil {
		return err
	}
	targets := mergeTargets(order.file, len(invoices), pdf.CanMerge(), pdf.MostSlowly)
	for _, t := range targets {
		if err := checkFree(t.path); err != nil {
			return err
		}
	}
	folder := order.file + ".parts"
	if err := os.MkdirAll(folder, 0o700); err != nil { // it contains people's names
		return err
	}
	release, err := lockFolder(folder)
	if err != nil {
		return fmt.Errorf("another process makes %s: %w", order.file, err)
	}
	defer release()
	files, err := collect(ctx, o, invoices, parts(folder), c.out)
	if ctx.Err() != nil {
		return errors.New("interrupted: run the same command again to continue")
	}
	if err != nil {
		return err
	}
	if err := mergeInto(ctx, targets, files, folder); err != nil {
		return err
	}
	if !targets[0].whole {
		fmt.Fprintf(c.out, "pdfunite is not installed (Debian: poppler-utils): instead of one file there are %d, of at most %d invoices each\n", len(targets), pdf.MostSlowly)
	}
	for _, t := range targets {
		fmt.Fprintf(c.out, "%s: %d invoices, %s to %s\n", t.path, t.to-t.from, invoices[t.from].Number, invoices[t.to-1].Number)
	}
	return removeParts(folder)
}

// lockFolder locks a folder of parts until release, or until this process ends.
func lockFolder(folder string) (release func(), err error) {
	held, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return func() { _ = held.Close() }, nil
}

// A mergeTarget is a file and the range of invoices in it.
type mergeTarget struct {
	path     string
	from, to int
	whole    bool // it contains all invoices
}

// mergeTargets returns one file, or files of at most limit invoices where pdfunite is missing.
func mergeTargets(file string, n int, canMerge bool, limit int) (targets []mergeTarget) {
	if canMerge {
		return []mergeTarget{{file, 0, n, true}}
	}
	for from := 0; from < n; from += limit {
		path := fmt.Sprintf("%s-%d.pdf", strings.TrimSuffix(file, ".pdf"), len(targets)+1)
		targets = append(targets, mergeTarget{path, from, min(from+limit, n), false})
	}
	return targets
}

// progressEach is after how many invoices the progress is printed.
const progressEach = 50

// collect copies the invoices into the folder of parts and returns the copies' paths in order.
func collect(ctx context.Context, o *office.Service, invoices []office.Invoice, into parts, out io.Writer) (files []string, err error) {
	done := 0
	papers, complete, err := o.Collect(ctx, invoices, into, func() {
		if done++; done%progressEach == 0 || done == len(invoices) {
			fmt.Fprintf(out, "%d of %d invoices\n", done, len(invoices))
		}
	})
	if errors.Is(err, paper.ErrNoPrinter) {
		return nil, fmt.Errorf("%d of %d invoices are ready, and no browser prints the others now: run the same command again when one does", done, len(invoices))
	}
	if err != nil {
		return nil, err
	}
	if complete > 0 {
		fmt.Fprintf(out, "%d of them from before\n", complete)
	}
	for _, p := range papers {
		files = append(files, into.path(p.ID))
	}
	return files, nil
}

// parts is the folder of the copies.
type parts string

var _ office.Copies = parts("")

func (p parts) path(paperID string) string { return filepath.Join(string(p), paperID+".pdf") }

func (p parts) Has(paperID, hash string) bool {
	content, err := os.ReadFile(p.path(paperID))
	sum := sha256.Sum256(content)
	return err == nil && hex.EncodeToString(sum[:]) == hash
}

func (p parts) Keep(paperID string, content []byte) error {
	return os.WriteFile(p.path(paperID), content, 0o600)
}

// memoryToMerge is the memory limit while invoices are merged without pdfunite.
const memoryToMerge = 320 << 20

// mergeInto makes all files in the folder and then renames them to their targets: each is complete or absent.
func mergeInto(ctx context.Context, targets []mergeTarget, files []string, folder string) error {
	made := func(i int) string { return filepath.Join(folder, fmt.Sprintf("merged-%d.pdf", i+1)) }
	if !targets[0].whole && os.Getenv("GOMEMLIMIT") == "" { // under the limit of a serving site it would collect garbage all the time
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryToMerge))
	}
	for i, t := range targets {
		merge := func() error { return pdf.MergeSlowly(files[t.from:t.to], made(i)) }
		if t.whole {
			merge = func() error { return pdf.Merge(ctx, files, folder, made(i)) }
		}
		if err := merge(); err != nil {
			return err
		}
		if err := syncPDF(made(i)); err != nil {
			return err
		}
	}
	for i, t := range targets {
		if err := checkFree(t.path); err != nil { // another process was faster
			return err
		}
		if err := os.Rename(made(i), t.path); err != nil {
			return err
		}
	}
	return syncPath(filepath.Dir(targets[0].path))
}

// syncPDF makes a file private and syncs it: otherwise a power cut could leave it empty.
func syncPDF(path string) error {
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	content, err := os.Open(path)
	if err != nil {
		return err
	}
	var begins [5]byte
	_, err = io.ReadFull(content, begins[:])
	if err == nil && !bytes.Equal(begins[:], []byte("%PDF-")) {
		err = fmt.Errorf("%s is no PDF", path)
	}
	return errors.Join(err, content.Sync(), content.Close())
}

// syncPath syncs a folder.
func syncPath(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// mergedParts matches the names of the files in the folder of parts that are no copies, which have the papers' ids.
var mergedParts = regexp.MustCompile(`^(merged-\d+|round-\d+-\d+)\.pdf$`)

// removeParts deletes the parts, and the folder unless it contains other files.
func removeParts(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	others := false
	for _, e := range entries {
		if id, _ := strings.CutSuffix(e.Name(), ".pdf"); !admission.IsID(id) && !mergedParts.MatchString(e.Name()) {
			others = true
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if others {
		return nil
	}
	return os.Remove(folder)
}
