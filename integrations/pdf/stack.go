package pdf

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Stack merges PDF files into one while it writes it: it holds one file in memory, and a hash of each object. Equal objects, such as a
// picture of all files, are written once. Tags for screen readers and outlines are left out.
type Stack struct {
	to      io.Writer
	size    int64
	offsets []int64 // of the objects, by number - 1
	known   map[[sha256.Size]byte]int
	files   types.Array // the page trees of the files
	pages   int
	err     error // of writing
}

// The numbers of the first objects.
const (
	catalogNumber = 1
	rootNumber    = 2
)

// NewStack returns an empty stack that is written to a file.
func NewStack(to io.Writer) *Stack {
	s := &Stack{to: to, offsets: make([]int64, rootNumber), known: map[[sha256.Size]byte]int{}}
	s.write("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	return s
}

func (s *Stack) write(text string) {
	if s.err != nil {
		return
	}
	n, err := io.WriteString(s.to, text)
	s.size += int64(n)
	s.err = err
}

func (s *Stack) newNumber() int {
	s.offsets = append(s.offsets, 0)
	return len(s.offsets)
}

func (s *Stack) writeObject(number int, body string) {
	s.offsets[number-1] = s.size
	s.write(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, body))
}

// add writes an object unless an equal one is written, and returns its reference.
func (s *Stack) add(body string) types.IndirectRef {
	sum := sha256.Sum256([]byte(body))
	number, known := s.known[sum]
	if !known {
		number = s.newNumber()
		s.known[sum] = number
		s.writeObject(number, body)
	}
	return reference(number)
}

func reference(number int) types.IndirectRef {
	return types.IndirectRef{ObjectNumber: types.Integer(number)}
}

func stream(dict types.Dict, content []byte) string {
	dict["Length"] = types.Integer(len(content))
	return dict.PDFString() + "\nstream\n" + string(content) + "\nendstream"
}

// Add adds the pages of a file. mark is printed at the top right of each, in ASCII; "" for none. doubleSided adds a blank page to an odd number, so
// that the next file begins on a new sheet. After an error the stack is useless.
func (s *Stack) Add(file []byte, mark string, doubleSided bool) error {
	api.DisableConfigDir()
	document, err := api.ReadContext(bytes.NewReader(file), model.NewDefaultConfiguration())
	if err == nil {
		err = document.EnsurePageCount()
	}
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	if document.PageCount == 0 {
		return errors.New("merge: a file without pages")
	}
	c := copying{s, document, map[int]types.IndirectRef{}}
	tree := s.newNumber()
	var pages types.Array
	var last types.Object // the size of the last page
	for n := range document.PageCount {
		page, err := c.page(n+1, mark)
		if err != nil {
			return fmt.Errorf("merge: page %d: %w", n+1, err)
		}
		last = page["MediaBox"]
		pages = append(pages, s.addPage(page, tree))
	}
	if doubleSided && len(pages)%2 == 1 {
		pages = append(pages, s.addPage(types.Dict{"MediaBox": last, "Resources": types.Dict{}}, tree))
	}
	s.writeObject(tree, types.Dict{"Type": types.Name("Pages"), "Parent": reference(rootNumber), "Kids": pages, "Count": types.Integer(len(pages))}.PDFString())
	s.files = append(s.files, reference(tree))
	s.pages += len(pages)
	return s.err
}

func (s *Stack) addPage(page types.Dict, tree int) types.IndirectRef {
	page["Type"], page["Parent"] = types.Name("Page"), reference(tree)
	number := s.newNumber()
	s.writeObject(number, page.PDFString())
	return reference(number)
}

// Pages returns the number of pages so far.
func (s *Stack) Pages() int { return s.pages }

// Close writes the end of the file. It does not close what it is written to.
func (s *Stack) Close() error {
	s.writeObject(catalogNumber, types.Dict{"Type": types.Name("Catalog"), "Pages": reference(rootNumber)}.PDFString())
	s.writeObject(rootNumber, types.Dict{"Type": types.Name("Pages"), "Kids": s.files, "Count": types.Integer(s.pages)}.PDFString())
	table := s.size
	var entries strings.Builder
	fmt.Fprintf(&entries, "xref\n0 %d\n0000000000 65535 f \n", len(s.offsets)+1)
	for _, offset := range s.offsets {
		fmt.Fprintf(&entries, "%010d 00000 n \n", offset)
	}
	s.write(entries.String())
	s.write(fmt.Sprintf("trailer\n<</Root %d 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n", catalogNumber, len(s.offsets)+1, table))
	return s.err
}

// copying copies the objects of a file.
type copying struct {
	to     *Stack
	from   *model.Context
	copied map[int]types.IndirectRef // by the number in the file
}

// page returns a copy of a page, without its place in the tree.
func (c copying) page(n int, mark string) (types.Dict, error) {
	from, _, inherited, err := c.from.PageDict(n, false)
	if err != nil {
		return nil, err
	}
	if inherited.MediaBox == nil {
		return nil, errors.New("it has no size")
	}
	page := types.Dict{"MediaBox": inherited.MediaBox.Array()}
	if inherited.CropBox != nil {
		page["CropBox"] = inherited.CropBox.Array()
	}
	if inherited.Rotate != 0 {
		page["Rotate"] = types.Integer(inherited.Rotate)
	}
	resources, err := c.dict(inherited.Resources)
	if err != nil {
		return nil, err
	}
	contents, err := c.contents(from["Contents"])
	if err != nil {
		return nil, err
	}
	if mark != "" {
		fonts, err := c.dict(inherited.Resources["Font"])
		if err != nil {
			return nil, err
		}
		fonts[markFont] = c.to.add(types.Dict{"Type": types.Name("Font"), "Subtype": types.Name("Type1"), "BaseFont": types.Name(markFont), "Encoding": types.Name("WinAnsiEncoding")}.PDFString())
		resources["Font"] = fonts
		drawing, err := drawMark(mark, inherited.MediaBox)
		if err != nil {
			return nil, err
		}
		begin, end := c.to.add(stream(types.Dict{}, []byte("q"))), c.to.add(stream(types.Dict{}, []byte(drawing)))
		contents = slices.Concat(types.Array{begin}, contents, types.Array{end}) // what the page sets ends before the mark
	}
	page["Resources"], page["Contents"] = resources, contents
	return page, nil
}

// contents returns a copy of a page's streams.
func (c copying) contents(of types.Object) (types.Array, error) {
	resolved, err := c.from.Dereference(of)
	if err != nil || resolved == nil {
		return types.Array{}, err
	}
	streams, several := resolved.(types.Array)
	if !several {
		streams = types.Array{of}
	}
	copied, err := c.copy(streams)
	if err != nil {
		return nil, err
	}
	return copied.(types.Array), nil
}

// dict returns a copy of a dictionary, or of the one it refers to; an empty one for none.
func (c copying) dict(of types.Object) (types.Dict, error) {
	found, err := c.from.DereferenceDict(of)
	if err != nil || found == nil {
		return types.Dict{}, err
	}
	copied, err := c.copy(found)
	if err != nil {
		return nil, err
	}
	return copied.(types.Dict), nil
}

// copy returns an object that refers to the objects of the stack.
func (c copying) copy(of types.Object) (types.Object, error) {
	switch of := of.(type) {
	case types.IndirectRef:
		return c.reference(of)
	case types.Dict:
		copied := types.Dict{}
		for key, value := range of {
			v, err := c.copy(value)
			if err != nil {
				return nil, err
			}
			copied[key] = v
		}
		return copied, nil
	case types.Array:
		copied := types.Array{}
		for _, value := range of {
			v, err := c.copy(value)
			if err != nil {
				return nil, err
			}
			copied = append(copied, v)
		}
		return copied, nil
	}
	return of, nil
}

// reference copies an object of the file with all that it refers to. An object that refers to itself ends in an error: a page's fonts and
// pictures do not.
func (c copying) reference(from types.IndirectRef) (types.Object, error) {
	number := from.ObjectNumber.Value()
	if to, done := c.copied[number]; done {
		if to.ObjectNumber == 0 {
			return nil, errors.New("an object refers to itself")
		}
		return to, nil
	}
	c.copied[number] = types.IndirectRef{}
	found, err := c.from.Dereference(from)
	if err != nil {
		return nil, err
	}
	var body string
	switch found := found.(type) {
	case nil:
		body = "null"
	case types.StreamDict:
		dict, err := c.dict(found.Dict)
		if err != nil {
			return nil, err
		}
		body = stream(dict, found.Raw)
	default:
		copied, err := c.copy(found)
		if err != nil {
			return nil, err
		}
		body = copied.PDFString()
	}
	c.copied[number] = c.to.add(body)
	return c.copied[number], nil
}

// The look of a mark, in points: its height, its distance to the edges of the page, and the space around it.
const (
	markSize  = 12
	markEdge  = 20
	markSpace = 4
	markFont  = "Helvetica-Bold" // every PDF reader has it
)

// drawMark returns the drawing of a mark in a box.
func drawMark(text string, box *types.Rectangle) (string, error) {
	wide, err := font.TextWidth(text, markFont, markSize)
	if err != nil {
		return "", err
	}
	right, top := box.UR.X-markEdge, box.UR.Y-markEdge
	return fmt.Sprintf("Q q 0.63 0.11 0.11 RG 0.63 0.11 0.11 rg 1.2 w %.2f %.2f %.2f %d re S BT /%s %d Tf %.2f %.2f Td (%s) Tj ET Q",
		right-wide-2*markSpace, top-markSize-markSpace, wide+2*markSpace, markSize+markSpace, markFont, markSize, right-wide-markSpace, top-markSize, text), nil
}
