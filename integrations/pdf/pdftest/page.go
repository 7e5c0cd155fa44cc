// Package pdftest makes PDF files for tests.
package pdftest

import (
	"bytes"
	"fmt"
)

// Page returns a file of one page with a text.
func Page(text string) []byte {
	var file bytes.Buffer
	var at []int
	drawn := "BT /F1 24 Tf 72 700 Td (" + text + ") Tj ET"
	file.WriteString("%PDF-1.4\n")
	for number, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(drawn), drawn), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
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
	return file.Bytes()
}
