package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"hiresure/integrations/pdf/pdftest"
)

// pagesOf returns files of one page each with its number.
func pagesOf(n int) (files [][]byte) {
	for i := range n {
		files = append(files, pdftest.Page(fmt.Sprintf("page-%d.", i+1)))
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
	if _, err := exec.LookPath("pdftotext"); err != nil {
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

// sheets is how a file is added.
type sheets struct {
	mark        string
	doubleSided bool
}

// stackOf merges files.
func stackOf(t *testing.T, files [][]byte, as ...sheets) []byte {
	t.Helper()
	var all bytes.Buffer
	s := NewStack(&all)
	for i, file := range files {
		var how sheets
		if i < len(as) {
			how = as[i]
		}
		if err := s.Add(file, how.mark, how.doubleSided); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

// checkStack expects a file that pdfcpu accepts, with so many pages and a text.
func checkStack(t *testing.T, file []byte, pages int, text string) {
	t.Helper()
	if err := api.Validate(bytes.NewReader(file), nil); err != nil {
		t.Errorf("the file is not valid: %v", err)
	}
	if n, err := api.PageCount(bytes.NewReader(file), nil); err != nil || n != pages {
		t.Errorf("it has %d pages, %v; want %d", n, err, pages)
	}
	path := filepath.Join(t.TempDir(), "stack.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := pagesIn(t, path); got != text {
		t.Errorf("its text is %q, want %q", got, text)
	}
}

func TestStack(t *testing.T) {
	needsPoppler(t)
	files := pagesOf(40)
	checkStack(t, stackOf(t, files[:1]), 1, "page-1.")
	checkStack(t, stackOf(t, files), 40, numbered(40))
	checkStack(t, stackOf(t, [][]byte{stackOf(t, files[:15]), stackOf(t, files[15:])}), 40, numbered(40)) // a stack of stacks

	both := sheets{"DUPLICATE", true}
	marked := stackOf(t, files[:3], both, sheets{}, sheets{doubleSided: true})
	checkStack(t, marked, 5, "DUPLICATE page-1. page-2. page-3.") // the blank pages follow 1 and 3
	checkStack(t, stackOf(t, [][]byte{marked}, sheets{doubleSided: true}), 6, "DUPLICATE page-1. page-2. page-3.")
	checkStack(t, stackOf(t, [][]byte{stackOf(t, files[:2])}, both), 2, "DUPLICATE page-1. DUPLICATE page-2.") // an even number
}

func TestStackWritesEqualObjectsOnce(t *testing.T) {
	file := pagesOf(1)[0]
	one, many := len(stackOf(t, [][]byte{file})), len(stackOf(t, slices.Repeat([][]byte{file}, 101)))
	if each := (many - one) / 100; each > 400 { // a page, its tree and their lines in the table
		t.Errorf("each more of the same file takes %d bytes, the first %d", each, one)
	}
}

func TestStackRefusesWhatIsNoPDF(t *testing.T) {
	file := pagesOf(1)[0]
	for name, broken := range map[string][]byte{"nothing": nil, "half": file[:len(file)/2], "text": []byte("no pages here")} {
		if err := NewStack(io.Discard).Add(broken, "", false); err == nil || !strings.HasPrefix(err.Error(), "merge: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	full := errors.New("no room")
	s := NewStack(fullDisk{full})
	if err := errors.Join(s.Add(file, "", false), s.Close()); !errors.Is(err, full) {
		t.Errorf("a full disk: %v", err)
	}
}

type fullDisk struct{ error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.error }
