package commands

import (
	"bufio"
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
	if err := merge(files, folder, order.file); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %d invoices, %s to %s\n", order.file, len(invoices), invoices[0].Number, invoices[len(invoices)-1].Number)
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

// progressEach is after how many invoices the progress is printed.
const progressEach = 50

// collect copies the invoices into the folder of parts and returns the copies' paths in order.
func collect(ctx context.Context, o *office.Service, invoices []office.NumberedPaper, into parts, out io.Writer) (files []string, err error) {
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

// merge makes the file in the folder and then renames it: it is complete or absent.
func merge(files []string, folder, into string) (err error) {
	made, err := os.OpenFile(filepath.Join(folder, mergedName), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(stack(files, made), made.Sync(), made.Close()); err != nil { // without the sync a power cut could leave it empty
		return err
	}
	if err := checkFree(into); err != nil { // another process was faster
		return err
	}
	if err := os.Rename(made.Name(), into); err != nil {
		return err
	}
	return syncPath(filepath.Dir(into))
}

func stack(files []string, to io.Writer) error {
	buffered := bufio.NewWriter(to)
	all := pdf.NewStack(buffered)
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := all.Add(content, "", false); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return errors.Join(all.Close(), buffered.Flush())
}

// syncPath syncs a folder.
func syncPath(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// mergedName is the name of the merged file in the folder of parts. The others are copies, which have the papers' ids.
const mergedName = "merged.pdf"

// removeParts deletes the parts, and the folder unless it contains other files.
func removeParts(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	others := false
	for _, e := range entries {
		if id, _ := strings.CutSuffix(e.Name(), ".pdf"); !admission.IsID(id) && e.Name() != mergedName {
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
