package content

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Source holds the current Library. Each request calls Current once and uses that Library to the end, so that no page
// mixes revisions. Nothing else keeps a Library or data derived from it (see Memo). It is safe for concurrent use.
type Source struct {
	checks     []func(*Library) error
	publishing sync.Mutex
	current    atomic.Pointer[Library]
}

// NewSource publishes the first library. checks are the program's further requirements for every library: one that fails
// is rejected, now and in Publish.
func NewSource(first *Library, checks ...func(*Library) error) (*Source, error) {
	s := &Source{checks: checks}
	return s, s.Publish(first)
}

// Current returns the last published library, with one atomic read.
func (s *Source) Current() *Library { return s.current.Load() }

// Publish replaces the current library. On errors of the checks, one line each, the current library stays.
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

// Memo caches a value derived from the current library. The zero value is ready to use and safe for concurrent use.
type Memo[T any] struct {
	making sync.Mutex
	kept   atomic.Pointer[memo[T]]
}

type memo[T any] struct {
	of    *Library
	value T
}

// Of returns make's value for l, which came from source. It caches the value of the current library only; requests that
// use an older one get an uncached value.
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
