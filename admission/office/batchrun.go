package office

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
)

// JobBatch is the kind of the job that makes a batch's file; its ref is the batch.
const JobBatch = "print-batch"

const (
	partPapers  = 50               // papers of a part of the file
	partTime    = 25 * time.Second // after which a part has fewer
	batchRetry  = 15 * time.Second // while no browser prints
	batchWaits  = time.Minute      // behind another batch, whose end wakes it
	batchLife   = 7 * 24 * time.Hour
	atOnce      = time.Millisecond
	noBrowser   = "No browser prints at the moment. We try again every 15 seconds."
	pieceBuffer = 64 << 10
)

// RunBatch handles JobBatch. Each run stores a part of the file with the next papers in the transaction that counts them as done, so that a batch
// goes on after an interruption and has each paper once; the last run puts the parts together. The oldest open batch goes first: the later ones
// then know which papers are duplicates.
func (s *Service) RunBatch(ctx context.Context, id string) (again time.Duration, err error) {
	var b *Batch
	var items []BatchItem
	first := false
	err = s.Store.View(ctx, func(tx Tx) error {
		open, err := tx.OpenBatches()
		if err != nil {
			return err
		}
		first = len(open) > 0 && open[0].ID == id
		if b, err = tx.Batch(id); err != nil || b == nil || !first {
			return err
		}
		items, err = tx.BatchItems(id, b.Done, partPapers)
		return err
	})
	switch {
	case err != nil:
		return 0, err
	case b == nil || b.State != BatchOpen:
		return 0, nil
	case !first:
		return batchWaits, nil
	case len(items) == 0:
		return 0, s.finishBatch(ctx, *b)
	}
	return s.addPart(ctx, *b, items)
}

// addPart collects the next papers of a batch and stores them as a part of its file.
func (s *Service) addPart(ctx context.Context, b Batch, items []BatchItem) (again time.Duration, err error) {
	began := s.Clock()
	var wanted []NumberedPaper
	for _, item := range items {
		wanted = append(wanted, item.paper())
	}
	copies := heldCopies{content: map[string][]byte{}}
	within, cancel := context.WithTimeout(ctx, partTime)
	papers, _, failure := s.Collect(within, wanted, &copies, func() {})
	cancel()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	n := 0
	for n < len(papers) && copies.content[papers[n].ID] != nil {
		items[n].Issue = papers[n].Issue
		n++
	}
	if n > 0 {
		failure = s.storePart(ctx, b, items[:n], papers, &copies, began)
		if failure == nil {
			return atOnce, nil
		}
	}
	return s.waitOrFail(ctx, b, failure)
}

// errUnreadable means that a stored file cannot be merged.
var errUnreadable = errors.New("it cannot be merged")

// waitOrFail decides what a failure of a paper means for its batch.
func (s *Service) waitOrFail(ctx context.Context, b Batch, failure error) (again time.Duration, err error) {
	var of *PaperError
	if !errors.As(failure, &of) {
		return 0, failure
	}
	why := ""
	switch problem := admission.AsProblem(failure); {
	case errors.Is(failure, paper.ErrNoPrinter):
		return batchRetry, s.changeBatch(ctx, b, func(_ Tx, b *Batch) error {
			b.Trouble = noBrowser
			return nil
		})
	case errors.Is(failure, paper.ErrNoFont):
		why = " has a character that no font prints. Ask an engineer to install one, then start again."
	case errors.Is(failure, errUnreadable):
		why = " cannot be merged with others. Ask an engineer to look at the file."
	case errors.Is(failure, errAltered):
		why = " is not what we stored. Ask an engineer: site verify names the file."
	case errors.Is(failure, fs.ErrNotExist):
		why = " is lost in the storage. Ask an engineer: site verify names the file."
	case problem != nil && problem.Kind == admission.NotFound:
		why = " belongs to a person whose data was deleted. Start again without it."
	default:
		return 0, failure
	}
	return 0, s.changeBatch(ctx, b, func(tx Tx, b *Batch) error { return s.endBatch(tx, b, BatchFailed, of.Number+why) })
}

// storePart stores copies as the next part of a batch's file and counts their papers as done.
func (s *Service) storePart(ctx context.Context, b Batch, items []BatchItem, papers []paper.Paper, copies *heldCopies, began time.Time) error {
	var duplicates map[int]bool
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		duplicates, err = tx.PrintedItems(items)
		return err
	}); err != nil {
		return err
	}
	var file bytes.Buffer
	to := s.binder(b, &file)
	for i := range items {
		item := &items[i]
		item.Duplicate = duplicates[item.Position]
		if err := to.add(*item, copies.content[papers[i].ID]); err != nil {
			return &PaperError{item.Number, fmt.Errorf("%w: %w", errUnreadable, err)}
		}
	}
	if err := to.close(); err != nil {
		return err
	}
	part := BatchPart{ID: admission.NewID(), BatchID: b.ID, Position: items[0].Position}
	stored, err := s.Papers.Files.Put(ctx, part.ID, &file)
	if err != nil {
		return err
	}
	part.StoredFile = stored
	kept := false
	err = s.changeBatch(ctx, b, func(tx Tx, b *Batch) error {
		kept = true
		b.Done += len(items)
		b.Duplicates += len(duplicates)
		b.Sheets += to.sheets()
		b.Trouble = ""
		if b.StartedAt.IsZero() {
			b.StartedAt = began
		}
		if err := tx.SaveBatchItems(items); err != nil {
			return err
		}
		return tx.AddBatchPart(&part)
	})
	if err == nil && !kept { // after an error the row may exist, so the sweep decides
		err = s.Papers.Files.Remove(context.WithoutCancel(ctx), stored.Object)
	}
	return err
}

// changeBatch changes a batch unless it has changed since it was read: it was stopped, or another worker was faster.
func (s *Service) changeBatch(ctx context.Context, read Batch, change func(Tx, *Batch) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		b, err := tx.BatchForUpdate(read.ID)
		if err != nil || b == nil || b.State != BatchOpen || b.Done != read.Done {
			return err
		}
		if err := change(tx, b); err != nil {
			return err
		}
		return tx.SaveBatch(b)
	})
}

// endBatch ends a batch: its parts are deleted, and the next one begins.
func (s *Service) endBatch(tx Tx, b *Batch, as BatchState, trouble string) error {
	now := s.Clock()
	b.State, b.Trouble, b.EndedAt = as, trouble, now
	if err := tx.SaveBatch(b); err != nil {
		return err
	}
	if err := tx.DeleteBatchParts(b.ID, now); err != nil {
		return err
	}
	open, err := tx.OpenBatches()
	if err != nil || len(open) == 0 {
		return err
	}
	return tx.AddJob(admission.Job{Kind: JobBatch, Ref: open[0].ID, DueAt: now})
}

// finishBatch puts the parts of a batch together, one in memory at a time.
func (s *Service) finishBatch(ctx context.Context, b Batch) error {
	var parts []BatchPart
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		parts, err = tx.BatchParts(b.ID)
		return err
	}); err != nil {
		return err
	}
	pieces, to := io.Pipe()
	var writing sync.WaitGroup
	writing.Go(func() { to.CloseWithError(s.joinParts(ctx, b, parts, to)) })
	stored, err := s.Papers.Files.Put(ctx, b.ID, pieces)
	_ = pieces.Close()
	writing.Wait()
	if err != nil {
		return err
	}
	kept := false
	err = s.changeBatch(ctx, b, func(tx Tx, b *Batch) error {
		kept = true
		b.StoredFile, b.ExpiresAt = stored, s.Clock().Add(batchLife)
		return s.endBatch(tx, b, BatchReady, "")
	})
	if err == nil && !kept {
		err = s.Papers.Files.Remove(context.WithoutCancel(ctx), stored.Object)
	}
	return err
}

func (s *Service) joinParts(ctx context.Context, b Batch, parts []BatchPart, into io.Writer) error {
	buffered := bufio.NewWriterSize(into, pieceBuffer)
	to := s.binder(b, buffered)
	for _, part := range parts {
		stored, err := s.Papers.Files.Open(ctx, part.ID, part.StoredFile)
		if err != nil {
			return err
		}
		content, err := io.ReadAll(stored)
		if err := errors.Join(err, stored.Close()); err != nil {
			return fmt.Errorf("read part %d of print %s: %w", part.Position, b.ID, err)
		}
		if err := to.addPart(content); err != nil {
			return fmt.Errorf("join part %d of print %s: %w", part.Position, b.ID, err)
		}
	}
	return errors.Join(to.close(), buffered.Flush())
}

// heldCopies holds copies of papers in memory.
type heldCopies struct {
	mutex   sync.Mutex
	content map[string][]byte // by paper
}

var _ Copies = (*heldCopies)(nil)

// Has reports false: a paper is collected once.
func (*heldCopies) Has(string, string) bool { return false }

// Keep holds a copy.
func (c *heldCopies) Keep(paperID string, content []byte) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.content[paperID] = content
	return nil
}
