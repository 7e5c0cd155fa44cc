package businesstest

import (
	"context"
	"io"
	"strings"

	"hiresure/admission/document"
	"hiresure/integrations/objects"
)

// Files is a storage on disk.
type Files struct {
	*objects.Vault
	w *World
}

func (w *World) newFiles() *Files {
	w.T.Helper()
	disk, err := objects.NewDisk(w.T.TempDir())
	w.Must(err)
	keys, err := objects.ReadMasterKeys("2026:" + strings.Repeat("5a", 32))
	w.Must(err)
	return &Files{objects.NewVault(disk, keys), w}
}

// Objects lists the stored objects.
func (f *Files) Objects() (names []string) {
	f.w.T.Helper()
	for object, err := range f.All(f.w.Ctx) {
		f.w.Must(err)
		names = append(names, object.Name)
	}
	return names
}

// Inspector accepts everything unless a test says otherwise.
type Inspector struct {
	AcceptAll
	Refuses string
	Fails   error
}

// Inspect is AcceptAll.Inspect, unless Refuses or Fails is set: then it writes half of a file.
func (i *Inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (document.Found, string, error) {
	if i.Refuses != "" || i.Fails != nil {
		_, _ = io.WriteString(out, "half of it")
		return document.Found{}, i.Refuses, i.Fails
	}
	return i.AcceptAll.Inspect(ctx, who, u, in, out)
}

// Scanner detects a word, unless it is down.
type Scanner struct {
	Harm string
	Down error
}

// Scan reports Tests.Harm if the file contains Harm.
func (s *Scanner) Scan(_ context.Context, r io.Reader) (string, error) {
	all, err := io.ReadAll(r)
	if s.Down != nil || err != nil {
		return "", s.Down
	}
	if s.Harm != "" && strings.Contains(string(all), s.Harm) {
		return "Tests.Harm", nil
	}
	return "", nil
}
