package content

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Source is where the program gets its words from: it holds the one Library that is current, until another is published.
// Whoever answers a request asks it once and works with that answer to the end, so that no page mixes two revisions; nobody
// keeps a Library, or anything made of one, for longer (see Memo). It is safe for concurrent use.
type Source struct {
	checks     []func(*Library) error
	publishing sync.Mutex
	current    atomic.Pointer[Library]
}

// NewSource publishes the first library. The checks are what the rest of the program demands of each library, beside what
// loading has judged: one that fails any of them is refused, now and later.
func NewSource(first *Library, checks ...func(*Library) error) (*Source, error) {
	s := &Source{checks: checks}
	return s, s.Publish(first)
}

// Current returns the library that was published last. It costs one atomic read.
func (s *Source) Current() *Library { return s.current.Load() }

// Publish replaces the current library as a whole: each request that begins after it returns sees nothing of the one before.
// Its error has one line per fault that a check found; then the current library stays.
func (s *Source) Publish(l *Library) error {
	if l == nil {
		return errors.New("there is no library to publish")
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	var faults []error
	for _, check := range s.checks {
		faults = append(faults, check(l))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	s.current.Store(l)
	return nil
}

// Memo keeps what was made of a library for as long as that one is current. Its zero value is ready, and it is safe for
// concurrent use.
type Memo[T any] struct {
	making sync.Mutex
	kept   atomic.Pointer[memo[T]]
}

type memo[T any] struct {
	of    *Library
	value T
}

// Of returns what make makes of l, which came from source: made once, kept in the place of what was made of the library
// before. A request that still works with an older library than the current one gets a value of its own, which nobody else
// ever sees.
func (m *Memo[T]) Of(source *Source, l *Library, make func(*Library) T) T {
	if kept := m.kept.Load(); kept != nil && kept.of == l {
		return kept.value
	}
	m.making.Lock()
	defer m.making.Unlock()
	if kept := m.kept.Load(); kept != nil && kept.of == l {
		return kept.value
	}
	value := make(l)
	if source.Current() == l {
		m.kept.Store(&memo[T]{l, value})
	}
	return value
}
