package inspect

import (
	"bytes"
	"image"
	"strings"
)

// papers are acceptable PDFs and too large ones.
func papers() []specimen {
	plain := asPDF(page(""))
	scan := asJPEG(quarters(32, 16))
	photo := func(data []byte) string {
		return stream("/Type/XObject/Subtype/Image/Width 32/Height 16/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode", data)
	}
	large := bomb(nil)
	many := asPackedPDF(page("", repeated("null", 200)...), honestly)
	return []specimen{
		{"a PDF may be", plain, either, "application/pdf, 1 pages"},
		{"a PDF with packed objects may be", asPackedPDF(page("", "<</A 1>>"), honestly), either, "application/pdf, 1 pages"},
		{"a PDF with 200 packed objects may be", many, either, "application/pdf, 1 pages"},
		{"a PDF with a scanned picture may be", asPDF(page("", photo(scan))), either, "application/pdf, 1 pages"},
		{"a PDF with a packed page may be", asPDF(page("", flate("", bytes.Repeat([]byte("0 0 m "), 9999)))), either, "application/pdf, 1 pages"},
		{"a PDF with a harmless open action is accepted", asPDF(page("/OpenAction[3 0 R/Fit]")), either, "application/pdf, 1 pages"},
		{"a PDF with links within itself may be", asPDF(page("", "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[3 0 R/Fit]>>>>")), either, "application/pdf, 1 pages"},
		{"a PDF with a form that was filled in may be", asPDF(page("/AcroForm<</Fields[5 0 R]>>", "<</FT/Tx/T(name)/V(Asha)>>")), either, "application/pdf, 1 pages"},
		{"a PDF with a link may be", asPDF(page("", "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://www.digilocker.gov.in/)>>>>")), either, "application/pdf, 1 pages"},
		{"a PDF with a base for its links may be", asPDF(page("/URI<</Base(https://cbse.gov.in/)>>")), either, "application/pdf, 1 pages"},
		{"a signed PDF may be", asPDF(page("/AcroForm<</SigFlags 3/Fields[5 0 R]>>/Perms<</DocMDP 6 0 R>>", "<</FT/Sig/T(sig)/V 6 0 R/Subtype/Widget/Rect[0 0 9 9]>>",
			"<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 9 9 9]/Contents<3082>/Reference[<</Type/SigRef/TransformMethod/DocMDP>>]>>")), either, "application/pdf, 1 pages"},
		{"a form with a button that clears it may be", asPDF(page("", "<</FT/Btn/Subtype/Widget/A<</S/ResetForm>>>>")), either, "application/pdf, 1 pages"},
		{"a PDF that opens at a page may be", asPDF(page("/OpenAction 5 0 R", "<</S/GoTo/D[3 0 R/XYZ 0 0 0]>>")), either, "application/pdf, 1 pages"},
		{"a page that turns to another one may be", asPDF(page("", "<</Type/Page/AA<</O<</S/GoTo/D[3 0 R/Fit]>>>>>>")), either, "application/pdf, 1 pages"},
		{"a hybrid file may be", hybrid("<</A 1>>"), either, "application/pdf, 1 pages"},
		{"a PDF with fonts named as actions are may be", asPDF(page("", "<</Type/Encoding/Differences[1/JS/AA/EF]>>")), either, "application/pdf, 1 pages"},
		{"50 pages may be", manyPages(50, 50), either, "application/pdf, 50 pages"},
		{"51 may not", manyPages(51, 51), either, "too large, pages"},
		{"10,000 pages", manyPages(10_000, 10_000), either, "too large, pages"},
		{"10,000 pages that call themselves one", manyPages(10_000, 1), either, "too large, pages"},
		{"2 MiB of a PDF may be", asPDF(page("", stream("", make([]byte, MaxBytes-len(asPDF(page("", stream("", make([]byte, 1_000_000)))))+1_000_000)))), either, "application/pdf, 1 pages"},
		{"a byte more than 2 MiB of a PDF", joined(plain, make([]byte, MaxBytes+1-len(plain))), either, "too large, bytes"},
		{"60,000 objects in a PDF", asPDF(page("", repeated("0", 60_000)...))[:MaxBytes], either, "too large, objects"},
		{"a million packed objects in a PDF", asPackedPDF(page("", "<</A 1>>"), asMillion), either, "damaged"},
		{"a million objects in a table", []byte("%PDF-1.4\nxref\n0 1000000\n0000000000 65535 f \ntrailer<</Size 1000000/Root 1 0 R>>\nstartxref\n9\n%%EOF"), either, "damaged"},
		{"500 MB in an object stream", asPackedPDF(page("", "<</A 1>>"), asBomb), either, "too large, unpacked"},
		{"500 MB on a page", asPDF(page("", stream("/Filter/FlateDecode", large))), either, "too large, unpacked"},
		{"twice packed, 500 MB in 2 KB", asPDF(page("", stream("/Filter[/FlateDecode/FlateDecode]", packed(large)))), either, "too large, unpacked"},
		{"30 MB on each of ten pages", asPDF(page("", repeated(stream("/Filter/FlateDecode", zeros(nil, 30<<20)), 10)...)), either, "too large, unpacked"},
		{"a picture of 60,000 × 60,000 pixels in a PDF", asPDF(page("", strings.Replace(photo(scan), "/Width 32/Height 16", "/Width 60000/Height 60000", 1))), either, "too large, pixels"},
		{"a picture with its size only in its own header", asPDF(page("", photo(joined([]byte("\xff\xd8"), tables(0), frame(0xc0, 60000, 60000, 3), segment(0xda, nil))))), either, "too large, pixels"},
		{"a picture of 9,000 scans in a PDF", asPDF(page("", photo(progressive(640, 480, 9000)))), either, "too large, scans"},
		{"a PDF that a password opens", encrypted("secret", "other"), either, "encrypted"},
		{"a PDF that opens without a password may be, though it takes one to print it", encrypted("", "other"), either, "application/pdf, 1 pages"},
		{"a PDF with a lock that nobody knows", bytes.Replace(asPDF(page("", "<</Filter/Own>>")), []byte("/Root"), []byte("/Encrypt 5 0 R/Root"), 1), either, "encrypted"},
		{"a page that calls itself a PDF", []byte("%PDF-1.4\n<html><script>alert(1)</script>"), either, "damaged"},
		{"only the beginning of a PDF", []byte("%PDF-"), either, "damaged"},
		{"half a PDF", plain[:len(plain)/2], either, "damaged"},
		{"a PDF without pages", asPDF([]string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"}), either, "damaged, no page"},
		{"a PDF whose pages stand in each other", asPDF([]string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"}), either, "damaged, no page"},
		{"a PDF nested ten thousand deep", asPDF(page("", strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000))), either, "damaged"},
		{"a PDF with a picture behind it is a PDF", joined(plain, asPNG(image.NewGray(image.Rect(0, 0, 9, 9)))), either, "application/pdf, 1 pages"},
		{"noise that begins as a PDF", joined([]byte("%PDF-1.7\n"), garbage(9000)), either, "damaged"},
	}
}

func repeated(object string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = object
	}
	return list
}

// activePapers are PDFs with active content: each plain, with an escaped name, and in an object stream.
func activePapers() (list []specimen) {
	for _, way := range []struct{ name, object, escaped string }{
		{"JavaScript", "<</S/JavaScript>>", "<</S/J#61vaScript>>"},
		{"JS", "<</JS(app.alert\\(1\\))>>", "<</#4a#53(app.alert\\(1\\))>>"},
		{"OpenAction", "<</OpenAction<</S/Named/N/Print>>>>", "<</OpenActio#6e<</S/Named/N/Print>>>>"},
		{"AA", "<</AA<</O 4 0 R>>>>", "<</#41A<</O 4 0 R>>>>"},
		{"Launch", "<</S/Launch/F(cmd.exe)>>", "<</S/L#61unch/F(cmd.exe)>>"},
		{"EmbeddedFile", stream("/Type/EmbeddedFile", []byte("MZ")), stream("/Type/Embedded#46ile", []byte("MZ"))},
		{"EmbeddedFiles", "<</EmbeddedFiles<</Names[]>>>>", "<</Embedded#46iles<</Names[]>>>>"},
		{"EF", "<</EF<</F 4 0 R>>>>", "<</E#46<</F 4 0 R>>>>"},
		{"FileAttachment", "<</Subtype/FileAttachment>>", "<</Subtype/FileAttachmen#74>>"},
		{"RichMedia", "<</Subtype/RichMedia>>", "<</Subtype/Rich#4dedia>>"},
		{"XFA", "<</XFA 4 0 R>>", "<</X#46A 4 0 R>>"},
		{"SubmitForm", "<</S/SubmitForm/F(https://example.in/)>>", "<</S/Submit#46orm/F(https://example.in/)>>"},
		{"ImportData", "<</S/ImportData/F(a.fdf)>>", "<</S/Import#44ata/F(a.fdf)>>"},
		{"GoToR", "<</S/GoToR/F(other.pdf)/D[0/Fit]>>", "<</S/GoTo#52/F(other.pdf)/D[0/Fit]>>"},
		{"GoToE", "<</S/GoToE/D[0/Fit]>>", "<</S/GoTo#45/D[0/Fit]>>"},
		{"Rendition", "<</S/Rendition>>", "<</S/Renditio#6e>>"},
		{"Movie", "<</Subtype/Movie>>", "<</Subtype/Movi#65>>"},
		{"Sound", "<</S/Sound/Sound 4 0 R>>", "<</S/Soun#64>>"},
		{"Collection", "<</Collection<</View/T>>>>", "<</Collectio#6e<</View/T>>>>"},
	} {
		answer := "active, " + way.name
		list = append(list, specimen{way.name, asPDF(page("", way.object)), either, answer}, specimen{way.name + ", escaped", asPDF(page("", way.escaped)), either, answer})
		if !strings.Contains(way.object, "stream") { // object streams cannot contain streams
			list = append(list, specimen{way.name + ", packed", asPackedPDF(page("", "<</A 1>>", way.object), honestly), either, answer})
		}
	}
	hidden := strings.Replace(string(asPDF(page(""))), "xref\n", "9 0 obj\n<</S/Launch/F(cmd.exe)>>\nendobj\nxref\n", 1)
	return append(list,
		specimen{"an action that no table names", []byte(hidden), either, "active, Launch"},
		specimen{"an action that is packed and escaped", asPackedPDF(page("", "<</A 1>>", "<</S/L#61unch>>"), honestly), either, "active, Launch"},
		specimen{"an action deep inside", asPDF(page("", "[[<</A[<</B<</AA 4 0 R>>>>]>>]]")), either, "active, AA"},
		specimen{"an action of a stream", asPDF(page("", stream("/AA 4 0 R", nil))), either, "active, AA"},
		specimen{"a link that opens by itself", asPDF(page("/OpenAction<</S/URI/URI(https://example.in/)>>")), either, "active, OpenAction"},
		specimen{"a link that follows a page by itself", asPDF(page("/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/URI/URI(https://example.in/)>>>>")), either, "active, OpenAction"},
		specimen{"an action that only the second table of a hybrid file names", hybrid("<</S/J#61vaScript/JS(app.alert\\(1\\))>>"), either, "active, JavaScript"},
		specimen{"an action in an object stream that no table names", unnamedStream("<</S/L#61unch/F(cmd.exe)>>"), either, "active, Launch"},
		specimen{"an encrypted file with an action", encryptedPages("", "other", "/OpenAction 5 0 R", "<</S/JavaScript/JS(1)>>"), either, "active, JavaScript"},
		specimen{"an action in the catalog", asPDF(page("/OpenAction 5 0 R", "<</S/Named/N/Print>>")), either, "active, OpenAction"},
		specimen{"a page that does something when it is opened", asPDF(page("", "<</Type/Page/AA<</O<</S/Named/N/Print>>>>>>")), either, "active, AA"},
		specimen{"an action that a later state of the file takes back", joined(asPDF(page("", "<</S/Launch>>")), []byte("5 0 obj\n<<>>\nendobj\n")), either, "active, Launch"})
}
