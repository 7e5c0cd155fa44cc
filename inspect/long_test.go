//go:build long

package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func init() { mutations = 1000 }

// Twenty people send what takes longest, as fast as they may, and applicants send four documents each. What an applicant
// waits for is the one file that is being looked at, and that has less than 2 s of a processor. A clock would tell how
// busy the machine is otherwise.
func TestBombSendersDelayNobody(t *testing.T) {
	i := New(Options{})
	var looked, longest atomic.Int64
	i.ended = func(state *os.ProcessState) {
		looked.Add(1)
		longest.Store(max(longest.Load(), int64(state.UserTime()+state.SystemTime())))
	}
	bombs := [][]byte{blank(5000, 5000, 16, 6), progressive(5000, 5000, 32), heavy(5000, 5000), asPDF(page("", repeated(stream("/Filter/FlateDecode", zeros(nil, 30<<20)), 10)...))}
	ctx, stop := context.WithCancel(t.Context())
	var senders, first sync.WaitGroup
	for n := range 20 {
		first.Add(1)
		done := sync.OnceFunc(first.Done)
		senders.Go(func() {
			for ctx.Err() == nil {
				_, _ = i.Judge(ctx, fmt.Sprint("bomber ", n), either, bytes.NewReader(bombs[n%len(bombs)]), io.Discard)
				done()
			}
		})
	}
	first.Wait() // a first-time sender
	document := asJPEG(quarters(1200, 1600))
	for n := range 12 {
		before, began := looked.Load(), time.Now()
		if _, err := i.Judge(t.Context(), fmt.Sprint("applicant ", n/4), either, bytes.NewReader(document), io.Discard); err != nil {
			t.Fatal(err)
		}
		// The document itself, the bomb before it, and one that may have ended between counting and queueing.
		if others := looked.Load() - before - 1; others > 2 {
			t.Errorf("document %d waited for %d bombs", n, others)
		}
		t.Logf("document %d: %v", n, time.Since(began))
	}
	stop()
	senders.Wait()
	if took := time.Duration(longest.Load()); took >= 2*time.Second {
		t.Errorf("a bomb took %v of a processor", took)
	}
}
