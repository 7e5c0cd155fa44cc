package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// pagesOf writes files of one page each with its number.
func pagesOf(t *testing.T, folder string, n int) (files []string) {
	t.Helper()
	for i := range n {
		var file bytes.Buffer
		var at []int
		text := fmt.Sprintf("BT /F1 24 Tf 72 700 Td (page-%d.) Tj ET", i+1)
		file.WriteString("%PDF-1.4\n")
		for number, object := range []string{
			"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		} {
			at = append(at, file.Len())
			fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", number+1, object)
		}
		table := file.Len()
		fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
		for _, offset := range at {
			fmt.Fprintf(&file, "%010d 00000 n \n", offset)
		}
		fmt.Fprintf(&file, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
		path := filepath.Join(folder, fmt.Sprintf("%d.pdf", i+1))
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return files
}

// pagesIn returns the texts of a file's pages in order.
func pagesIn(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command("pdftotext", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

func needsPoppler(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil || !CanMerge() {
		skip(t, "poppler's programs are not installed")
	}
}

func numbered(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("page-%d.", i+1))
	}
	return strings.Join(all, " ")
}

func TestMergeKeepsOrder(t *testing.T) {
	needsPoppler(t)
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &usual); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: mergeAtOnce + 50, Max: usual.Max}); err != nil { // forces two rounds
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &usual); err != nil {
			t.Error(err)
		}
	}()
	folder := t.TempDir()
	files := pagesOf(t, folder, 2*mergeAtOnce+1)
	for _, n := range []int{1, 2, mergeAtOnce, mergeAtOnce + 1, 2*mergeAtOnce + 1} {
		into := filepath.Join(folder, "merged.pdf")
		if err := Merge(t.Context(), files[:n], folder, into); err != nil {
			t.Fatal(err)
		}
		if got := pagesIn(t, into); got != numbered(n) {
			t.Errorf("%d files merge into %s", n, got)
		}
	}
	for _, n := range []int{1, 2, 30} {
		into := filepath.Join(folder, "slowly.pdf")
		if err := MergeSlowly(files[:n], into); err != nil {
			t.Fatal(err)
		}
		if got := pagesIn(t, into); got != numbered(n) {
			t.Errorf("%d files merge slowly into %s", n, got)
		}
	}
}

func TestMergeErrors(t *testing.T) {
	needsPoppler(t)
	folder := t.TempDir()
	files := pagesOf(t, folder, 1)
	into := filepath.Join(folder, "merged.pdf")
	if err := MergeSlowly(make([]string, MostSlowly+1), into); err == nil || err.Error() != "merge 251 files: at most 250 at a time" {
		t.Errorf("too many: %v", err)
	}
	if _, err := os.Stat(into); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is refused has left a file: %v", err)
	}
	lost := append(files, filepath.Join(folder, "lost.pdf"))
	if err := Merge(t.Context(), lost, folder, into); err == nil || !strings.HasPrefix(err.Error(), "pdfunite: exit status ") || !strings.Contains(err.Error(), "lost.pdf") {
		t.Errorf("a file that is lost: %v", err)
	}
	if err := MergeSlowly(lost, into); err == nil || !strings.HasPrefix(err.Error(), "merge: ") || !strings.Contains(err.Error(), "lost.pdf") {
		t.Errorf("a file that is lost, slowly: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := Merge(t.Context(), files, folder, into); !errors.Is(err, ErrNoMerger) || CanMerge() {
		t.Errorf("without the program: %v", err)
	}
}
