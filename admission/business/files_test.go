package business_test

import (
	"context"
	"io"
	"strings"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/integrations/objects"
)

// files is a storage on disk.
type files struct {
	*objects.Vault
	w *world
}

func (w *world) newFiles() *files {
	w.t.Helper()
	disk, err := objects.NewDisk(w.t.TempDir())
	w.must(err)
	keys, err := objects.ReadMasterKeys("2026:" + strings.Repeat("5a", 32))
	w.must(err)
	return &files{objects.NewVault(disk, keys), w}
}

// objects lists the stored objects.
func (f *files) objects() (names []string) {
	f.w.t.Helper()
	for object, err := range f.All(f.w.ctx) {
		f.w.must(err)
		names = append(names, object.Name)
	}
	return names
}

// inspector accepts everything unless a test says otherwise.
type inspector struct {
	businesstest.AcceptAll
	refuses string
	fails   error
}

func (i *inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (document.Found, string, error) {
	if i.refuses != "" || i.fails != nil {
		_, _ = io.WriteString(out, "half of it")
		return document.Found{}, i.refuses, i.fails
	}
	return i.AcceptAll.Inspect(ctx, who, u, in, out)
}

// scanner detects a word, unless it is down.
type scanner struct {
	harm string
	away error
}

func (s *scanner) Scan(_ context.Context, r io.Reader) (string, error) {
	all, err := io.ReadAll(r)
	if s.away != nil || err != nil {
		return "", s.away
	}
	if s.harm != "" && strings.Contains(string(all), s.harm) {
		return "Tests.Harm", nil
	}
	return "", nil
}
