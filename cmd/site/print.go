package main

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
	"sync"
	"syscall"
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/integrations/pdf"
)

var errPrintUsage = errors.New("site print takes --event E --from DAY --to DAY FILE.pdf")

// A printOrder is what site print is asked for.
type printOrder struct {
	event    string // as it was typed: a slug or a code
	code     string
	from, to time.Time // midnight of the first day and of the last, in Asia/Kolkata
	file     string
}

func (s *site) readPrintOrder(args []string) (o printOrder, err error) {
	flags := flag.NewFlagSet("print", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	event, from, to := flags.String("event", "", ""), flags.String("from", "", ""), flags.String("to", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 || *event == "" || *from == "" || *to == "" {
		return o, errPrintUsage
	}
	o.event, o.file = *event, flags.Arg(0)
	found, known := s.events.EventBySlug(o.event)
	if !known {
		found, known = s.events.EventByCode(o.event)
	}
	if !known {
		return o, fmt.Errorf("there is no event %s", o.event)
	}
	o.code = found.Code
	for _, day := range []struct {
		into *time.Time
		text string
	}{{&o.from, *from}, {&o.to, *to}} {
		if *day.into, err = time.ParseInLocation(time.DateOnly, day.text, admission.IST); err != nil {
			return o, fmt.Errorf("a day is written as 2026-11-21, not %q", day.text)
		}
	}
	if o.from.After(o.to) {
		return o, fmt.Errorf("--from %s is after --to %s", *from, *to)
	}
	if filepath.Ext(o.file) != ".pdf" {
		return o, fmt.Errorf("FILE ends in .pdf, unlike %q", o.file)
	}
	return o, free(o.file)
}

// free returns an error if there is something at path.
func free(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", path)
		}
		return err
	}
	return nil
}

// printInvoices merges the invoices of a period into one file. Papers that are made stay made, and copies that are taken out
// of the storage stay in a folder beside the file until it is there: whoever is broken off is run again, and goes on.
func (s *site) printInvoices(ctx context.Context, args []string, out io.Writer) error {
	o, err := s.readPrintOrder(args)
	if err != nil {
		return err
	}
	var issued []paper.Paper
	var numbers []string
	for i, err := range s.store.InvoicesIssued(ctx, o.code, o.from, o.to.AddDate(0, 0, 1)) {
		if err != nil {
			return err
		}
		issued = append(issued, paper.Paper{Kind: paper.Invoice, Ref: i.ID, RegistrationID: i.RegistrationID, TxnID: i.TxnID})
		numbers = append(numbers, i.Number)
	}
	if len(issued) == 0 {
		return fmt.Errorf("%s has no invoices from %s to %s", o.event, o.from.Format(time.DateOnly), o.to.Format(time.DateOnly))
	}
	targets := mergeTargets(o.file, len(issued), pdf.CanMerge(), pdf.MostSlowly)
	for _, t := range targets {
		if err := free(t.path); err != nil {
			return err
		}
	}
	folder := o.file + ".parts"
	if err := os.MkdirAll(folder, 0o700); err != nil { // it holds people's names
		return err
	}
	release, err := own(folder)
	if err != nil {
		return fmt.Errorf("%s is being made by somebody else: %w", o.file, err)
	}
	defer release()
	files, err := s.collect(ctx, issued, folder, out)
	if ctx.Err() != nil {
		return errors.New("broken off: run the same command again, and it goes on")
	}
	if err != nil {
		return err
	}
	if err := mergeInto(ctx, targets, files, folder); err != nil {
		return err
	}
	if !targets[0].whole {
		fmt.Fprintf(out, "pdfunite is not installed (Debian: poppler-utils): instead of one file there are %d, of at most %d invoices each\n", len(targets), pdf.MostSlowly)
	}
	for _, t := range targets {
		fmt.Fprintf(out, "%s: %d invoices, %s to %s\n", t.path, t.to-t.from, numbers[t.from], numbers[t.to-1])
	}
	return removeParts(folder)
}

// own keeps everybody else out of a folder of parts until release, or until this process ends, however it does.
func own(folder string) (release func(), err error) {
	held, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return func() { _ = held.Close() }, nil
}

// A mergeTarget is a file, and which invoices it is made of.
type mergeTarget struct {
	path     string
	from, to int
	whole    bool // it is all that was asked for
}

// mergeTargets is one file, or files of at most so many invoices where the program that merges many is missing.
func mergeTargets(file string, n int, canMerge bool, most int) (targets []mergeTarget) {
	if canMerge {
		return []mergeTarget{{file, 0, n, true}}
	}
	for from := 0; from < n; from += most {
		path := fmt.Sprintf("%s-%d.pdf", strings.TrimSuffix(file, ".pdf"), len(targets)+1)
		targets = append(targets, mergeTarget{path, from, min(from+most, n), false})
	}
	return targets
}

// tellEach is after how many invoices the progress is a line.
const tellEach = 50

// collect copies each invoice out of the storage into a folder, and has those printed that nobody has printed yet. It returns
// the copies' paths in the invoices' order. After an error the invoices that are begun are finished.
func (s *site) collect(ctx context.Context, issued []paper.Paper, folder string, out io.Writer) ([]string, error) {
	going, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	files, next := make([]string, len(issued)), make(chan int)
	var mutex sync.Mutex
	done, kept := 0, 0
	var working sync.WaitGroup
	for range printers {
		working.Go(func() {
			for i := range next {
				file, was, err := s.part(ctx, issued[i], folder)
				mutex.Lock()
				if files[i] = file; err != nil {
					stop(err)
				} else if done++; done%tellEach == 0 || done == len(issued) {
					fmt.Fprintf(out, "%d of %d invoices\n", done, len(issued))
				}
				if was {
					kept++
				}
				mutex.Unlock()
			}
		})
	}
	for i := range issued {
		if going.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	working.Wait()
	if err := context.Cause(going); err != nil {
		if errors.Is(err, paper.ErrNoPrinter) {
			err = fmt.Errorf("%d of %d invoices are made, and no browser prints the others now: run the same command again when one does", done, len(issued))
		}
		return nil, err
	}
	if kept > 0 {
		fmt.Fprintf(out, "%d of them were there from before\n", kept)
	}
	return files, nil
}

// part is the copy of one invoice; was reports that it had been made before. What a kill has cut off is made anew.
func (s *site) part(ctx context.Context, want paper.Paper, folder string) (file string, was bool, err error) {
	papers := s.business.Papers
	p, err := papers.Find(ctx, want)
	if err == nil && !p.Printed {
		within, end := context.WithTimeout(ctx, time.Minute) // as the job has
		again, failed := papers.Print(within, p.ID)
		end()
		if failed == nil && again > 0 {
			failed = paper.ErrNoPrinter
		}
		if failed != nil {
			return "", false, failed
		}
		p, err = papers.Find(ctx, want)
	}
	if err != nil {
		return "", false, err
	}
	file = filepath.Join(folder, p.ID+".pdf")
	if content, err := os.ReadFile(file); err == nil && hashed(content) == p.Hash {
		return file, true, nil
	}
	stored, err := papers.Open(ctx, p)
	if err != nil {
		return "", false, err
	}
	content, err := io.ReadAll(stored)
	if err = errors.Join(err, stored.Close()); err != nil {
		return "", false, fmt.Errorf("read %s %s: %w", p.Kind, p.Ref, err)
	}
	if hashed(content) != p.Hash {
		return "", false, fmt.Errorf("%s %s is not what was printed: see site verify", p.Kind, p.Ref)
	}
	return file, false, os.WriteFile(file, content, 0o600)
}

func hashed(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// memoryToMerge is what merging without pdfunite may take before garbage is collected more often.
const memoryToMerge = 320 << 20

// mergeInto makes all files in the folder, and only then puts them into their places: each is whole or not there.
func mergeInto(ctx context.Context, targets []mergeTarget, files []string, folder string) error {
	made := func(i int) string { return filepath.Join(folder, fmt.Sprintf("merged-%d.pdf", i+1)) }
	if !targets[0].whole && os.Getenv("GOMEMLIMIT") == "" { // the limit of a site that serves would have it collect garbage all the time
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
		if err := keepForGood(made(i)); err != nil {
			return err
		}
	}
	for i, t := range targets {
		if err := free(t.path); err != nil { // somebody's who was faster
			return err
		}
		if err := os.Rename(made(i), t.path); err != nil {
			return err
		}
	}
	return syncPath(filepath.Dir(targets[0].path))
}

// keepForGood lets nobody else read a file, and waits until the disk has it: else a power cut could leave an empty one.
func keepForGood(path string) error {
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

func syncPath(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// mergedParts are the names of the files beside the copies, which have the papers' ids, that we make in the folder of parts.
var mergedParts = regexp.MustCompile(`^(merged-\d+|round-\d+-\d+)\.pdf$`)

// removeParts takes away what printing has made. A folder in which somebody has put something else stays.
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
