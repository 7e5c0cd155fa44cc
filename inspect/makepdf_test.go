package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// PDFs of the corpus.

// page returns the objects of a one-page PDF; more objects follow from 5 on. extra goes into the catalog.
func page(extra string, more ...string) []string {
	return append([]string{
		"<</Type/Catalog/Pages 2 0 R" + extra + ">>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>",
		stream("", []byte("0 0 m 100 100 l S")),
	}, more...)
}

func stream(entries string, data []byte) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data)
}

func flate(entries string, data []byte) string {
	return stream("/Filter/FlateDecode"+entries, packed(data))
}

// asPDF numbers objects from 1 on and writes the cross-reference table.
func asPDF(objects []string) []byte {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	var rows strings.Builder
	for i, object := range objects {
		fmt.Fprintf(&rows, "%010d 00000 n \n", len(out))
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	return fmt.Appendf(out, "%s%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, rows.String(), len(objects)+1, len(out))
}

// packer returns an object stream's count, first offset and content for some objects.
type packer func(count int, index, bodies string) (n, first int, held []byte)

func honestly(count int, index, bodies string) (int, int, []byte) {
	return count, len(index), packed([]byte(index + bodies))
}

func asBomb(count int, index, bodies string) (int, int, []byte) {
	return count, len(index), bomb([]byte(index + bodies))
}

// asMillion repeats the first object.
func asMillion(_ int, index, bodies string) (int, int, []byte) {
	number, _, _ := strings.Cut(index, " ")
	index = strings.Repeat(number+" 0 ", 1_000_000)
	return 1_000_000, len(index), packed([]byte(index + bodies))
}

// asPackedPDF is the same with the objects from 5 on, and the catalog, in an object stream, as newer programs write it. pack
// may put a bomb in its place.
func asPackedPDF(objects []string, pack packer) []byte {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	holder := len(objects) + 1
	type place struct{ kind, at, index int }
	places := map[int]place{0: {0, 0, 0}}
	var index, bodies strings.Builder
	inside := 0
	for i, object := range objects {
		if number := i + 1; number == 1 || number > 4 {
			fmt.Fprintf(&index, "%d %d ", number, bodies.Len())
			bodies.WriteString(object + " ")
			places[number] = place{2, holder, inside}
			inside++
			continue
		}
		places[i+1] = place{1, len(out), 0}
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	places[holder] = place{1, len(out), 0}
	count, first, held := pack(inside, index.String(), bodies.String())
	out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", holder, stream(fmt.Sprintf("/Type/ObjStm/N %d/First %d/Filter/FlateDecode", count, first), held))
	places[holder+1] = place{1, len(out), 0}
	var table []byte
	for number := range holder + 2 {
		where := places[number]
		table = append(binary.BigEndian.AppendUint32(append(table, byte(where.kind)), uint32(where.at)), byte(where.index))
	}
	start := len(out)
	out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", holder+1, flate(fmt.Sprintf("/Type/XRef/Size %d/W[1 4 1]/Root 1 0 R", holder+2), table))
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF\n", start)
}

// manyPages returns a tree of n pages with a wrong Count.
func manyPages(n, count int) []byte {
	objects := page("")
	var kids strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&kids, " %d 0 R", i+5)
		objects = append(objects, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>")
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[3 0 R%s]/Count %d>>", kids.String(), count)
	return asPDF(objects)
}

// hybrid returns a PDF of two tables: the classic one calls the packed object 5 and its stream free, the cross-reference stream, which newer
// readers read first, names them.
func hybrid(object string) []byte {
	objects := page("/Extra 5 0 R")
	out := []byte("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	rows := "0000000000 65535 f \n"
	for i, object := range objects {
		rows += fmt.Sprintf("%010d 00000 n \n", len(out))
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	holder := len(out)
	out = fmt.Appendf(out, "6 0 obj\n%s\nendobj\n", flate("/Type/ObjStm/N 1/First 4", []byte("5 0 "+object)))
	table := len(out)
	held := binary.BigEndian.AppendUint32([]byte{2, 0, 0, 0, 6, 0, 1}, uint32(holder))
	out = fmt.Appendf(out, "7 0 obj\n%s\nendobj\n", flate("/Type/XRef/Size 8/W[1 4 1]/Index[5 2]/Root 1 0 R", append(held, 0)))
	classic := len(out)
	rows += strings.Repeat("0000000000 65535 f \n", 3)
	return fmt.Appendf(out, "xref\n0 8\n%strailer\n<</Size 8/Root 1 0 R/XRefStm %d>>\nstartxref\n%d\n%%%%EOF\n", rows, table, classic)
}

// unnamedStream returns a PDF with an object stream that its table omits.
func unnamedStream(object string) []byte {
	unnamed := fmt.Sprintf("9 0 obj\n%s\nendobj\nxref\n", flate("/Type/ObjStm/N 1/First 4", []byte("5 0 "+object)))
	return []byte(strings.Replace(string(asPDF(page(""))), "xref\n", unnamed, 1))
}

func encrypted(user, owner string) []byte { return encryptedPages(user, owner, "") }

func encryptedPages(user, owner, extra string, more ...string) []byte {
	api.DisableConfigDir()
	config := model.NewDefaultConfiguration()
	config.UserPW, config.OwnerPW = user, owner
	var out bytes.Buffer
	must(api.Encrypt(bytes.NewReader(asPDF(page(extra, more...))), &out, config))
	return out.Bytes()
}
