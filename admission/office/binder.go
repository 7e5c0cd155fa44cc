package office

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"

	"hiresure/admission/paper"
)

// Stack merges PDF files into one.
type Stack interface {
	// Add adds the pages of a file, with a mark at the top right of each, "" for none. doubleSided adds a blank page to an odd number.
	Add(file []byte, mark string, doubleSided bool) error
	Pages() int
	Close() error
}

const duplicateMark = "DUPLICATE"

// mark returns what is printed over a paper.
func (i BatchItem) mark() string {
	if i.Duplicate {
		return duplicateMark
	}
	return ""
}

// binder makes the file of a batch, or a part of it.
type binder interface {
	add(item BatchItem, content []byte) error
	addPart(content []byte) error
	close() error
	sheets() int
}

func (s *Service) binder(b Batch, to io.Writer) binder {
	if b.Form == ZIP {
		return &zipBinder{file: zip.NewWriter(to), newStack: s.NewStack}
	}
	return &pdfBinder{s.NewStack(to), b.DoubleSided}
}

type pdfBinder struct {
	Stack
	doubleSided bool
}

func (p *pdfBinder) add(item BatchItem, content []byte) error {
	return p.Add(content, item.mark(), p.doubleSided)
}

func (p *pdfBinder) addPart(content []byte) error { return p.Add(content, "", false) }

func (p *pdfBinder) close() error { return p.Close() }

func (p *pdfBinder) sheets() int {
	if p.doubleSided {
		return p.Pages() / 2
	}
	return p.Pages()
}

type zipBinder struct {
	file     *zip.Writer
	newStack func(io.Writer) Stack
	papers   int
}

// fileName returns the name of a paper's file: "KS-26-27-000643.pdf", "ticket-HS26-4K7M-K.pdf".
func (i BatchItem) fileName() string {
	name := strings.ReplaceAll(i.Number, "/", "-") + ".pdf"
	if i.Kind == paper.Receipt || i.Kind == paper.Ticket {
		name = string(i.Kind) + "-" + name
	}
	return name
}

func (z *zipBinder) add(item BatchItem, content []byte) error {
	z.papers++
	to, err := z.file.Create(item.fileName())
	if err != nil {
		return err
	}
	if !item.Duplicate { // as it is stored
		_, err = to.Write(content)
		return err
	}
	marked := z.newStack(to)
	if err := marked.Add(content, item.mark(), false); err != nil {
		return err
	}
	return marked.Close()
}

func (z *zipBinder) addPart(content []byte) error {
	part, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	for _, file := range part.File {
		if err := z.file.Copy(file); err != nil {
			return err
		}
	}
	return nil
}

func (z *zipBinder) close() error { return z.file.Close() }

func (z *zipBinder) sheets() int { return z.papers }
