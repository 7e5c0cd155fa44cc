package inspect

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"image/jpeg"
	"maps"
	"regexp"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

const (
	maxPages       = 50
	maxObjects     = 50_000
	maxStream      = 32 << 20  // unpacked bytes of one stream; a 12-megapixel scan without JPEG is 36 MB, in strips
	maxUnpacked    = 128 << 20 // unpacked bytes of all streams
	maxImagePixels = 50_000_000
)

// active are PDF names of content that runs, reaches outside of its file, or is a file itself (ISO 32000-2, 12.6 and 7.11), searched in
// keys and values of dictionaries. Links, signatures and filled forms have none of them.
var active = names("JavaScript", "Launch", "EmbeddedFile", "EmbeddedFiles", "FileAttachment", "Filespec", "RichMedia", "RichMediaContent", "RichMediaExecute",
	"XFA", "SubmitForm", "ImportData", "GoToR", "GoToE", "Rendition", "Movie", "Sound", "GoTo3DView")

// activeKeys are further such names, searched only in keys, because fonts, glyphs and text tags may have them as values.
var activeKeys = names("JS", "EF", "Collection")

// inBytes are also searched in the raw file, because repair tools find objects that the cross-reference table omits. They are too long to
// occur in picture data by chance.
var inBytes = names("JavaScript", "Launch", "EmbeddedFile", "EmbeddedFiles", "FileAttachment", "RichMedia", "SubmitForm", "ImportData", "GoToR", "GoToE")

func names(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range list {
		set[name] = true
	}
	return set
}

// checkPDF counts the pages of an acceptable PDF.
func checkPDF(data []byte) (pages int, err error) {
	if bytes.Count(data, []byte(" obj")) > maxObjects {
		return 0, refuse(TooLarge, "objects")
	}
	if found := firstName(data, inBytes); found != "" {
		return 0, refuse(Active, found)
	}
	document, err := readPDF(data)
	if err != nil {
		return 0, err
	}
	walker := &walk{document: document, left: maxUnpacked}
	if err := walker.atHidden(data); err != nil {
		return 0, err
	}
	for number, entry := range document.Table {
		if entry == nil || entry.Free {
			continue
		}
		// pdfcpu reads object streams lazily; otherwise their objects would be skipped.
		object, err := document.Dereference(*types.NewIndirectRef(number, generation(entry)))
		if err != nil {
			return 0, refuse(Damaged, err.Error())
		}
		if err := walker.at(object); err != nil {
			return 0, err
		}
	}
	return countPages(document)
}

func readPDF(data []byte) (*model.Context, error) {
	api.DisableConfigDir()
	config := model.NewDefaultConfiguration()
	config.ValidationMode = model.ValidationStrict // relaxed validation skips unreadable objects, which would go unchecked
	config.Offline = true
	config.Limits.MaxDecodeBytes, config.Limits.MaxStreamBytes = maxStream, MaxBytes
	config.Limits.MaxObjectCount, config.Limits.MaxXRefEntries, config.Limits.MaxObjectStreamCount = maxObjects, maxObjects, maxObjects
	config.Limits.MaxRecursionDepth = 50
	document, err := api.ReadContext(bytes.NewReader(data), config)
	switch {
	case errors.Is(err, filter.ErrDecodeLimitExceeded):
		return nil, refuse(TooLarge, "unpacked")
	case err != nil && firstName(data, names("Encrypt")) != "": // trailers are never compressed
		return nil, refuse(Encrypted, "")
	case err != nil:
		return nil, refuse(Damaged, err.Error())
	case len(document.Table) > maxObjects:
		return nil, refuse(TooLarge, "objects")
	}
	return document, nil
}

func generation(entry *model.XRefTableEntry) int {
	if entry.Generation == nil {
		return 0
	}
	return *entry.Generation
}

var objectStart = regexp.MustCompile(`\b([0-9]{1,7})[ \r\n]+([0-9]{1,5})[ \r\n]+obj\b`)

// atHidden walks the objects that pdfcpu's table omits: those of a hybrid file's second table (ISO 32000-2, 7.5.8.4), which its first one
// calls free, and those that no table names.
func (w *walk) atHidden(data []byte) error {
	for _, at := range objectStart.FindAllSubmatchIndex(data, maxObjects) {
		number, _ := strconv.Atoi(string(data[at[2]:at[3]]))
		generation, _ := strconv.Atoi(string(data[at[4]:at[5]]))
		if entry := w.document.Table[number]; entry != nil && !entry.Free {
			continue
		}
		object, err := pdfcpu.ParseObjectWithContext(context.Background(), w.document, int64(at[0]), number, generation)
		if err != nil {
			return refuse(Damaged, err.Error())
		}
		if stream, is := object.(types.StreamDict); is {
			if w.document.Encrypt != nil {
				return refuse(Damaged, "a hidden stream that is encrypted")
			}
			stream.Raw = data[min(stream.StreamOffset, int64(len(data))):]
			if end := bytes.Index(stream.Raw, []byte("endstream")); end >= 0 {
				stream.Raw = stream.Raw[:end]
			}
			object = stream
		}
		if err := w.at(object); err != nil {
			return err
		}
	}
	return nil
}

// packedNames are searched in the bytes of object streams that pdfcpu does not unpack.
var packedNames = func() map[string]bool {
	all := maps.Clone(active)
	maps.Copy(all, activeKeys)
	maps.Copy(all, names("AA", "OpenAction"))
	return all
}()

func isName(object types.Object, name string) bool {
	found, is := object.(types.Name)
	return is && unescape(string(found)) == name
}

// walk checks the direct contents of an object. It skips references: every object is walked.
type walk struct {
	document *model.Context
	left     int64 // bytes that may still be unpacked
}

func (w *walk) at(object types.Object) error {
	switch object := object.(type) {
	case types.Name:
		if active[unescape(string(object))] {
			return refuse(Active, unescape(string(object)))
		}
	case types.Array:
		for _, element := range object {
			if err := w.at(element); err != nil {
				return err
			}
		}
	case types.Dict:
		return w.atDict(object)
	case types.StreamDict:
		if err := w.atDict(object.Dict); err != nil {
			return err
		}
		return w.atStream(&object)
	case types.ObjectStreamDict: // its objects are walked
		return w.atDict(object.Dict)
	case types.XRefStreamDict:
		return w.atDict(object.Dict)
	}
	return nil
}

func (w *walk) atDict(dict types.Dict) error {
	for key, value := range dict {
		key = unescape(key)
		if active[key] || activeKeys[key] {
			return refuse(Active, key)
		}
		if (key == "OpenAction" || key == "AA") && !w.onlyTurnsPages(value, key == "AA") {
			return refuse(Active, key)
		}
		if err := w.at(value); err != nil {
			return err
		}
	}
	return nil
}

// onlyTurnsPages reports whether what happens by itself, such as when a file or page is opened, only shows another page: a destination or an
// action that goes there, as LibreOffice and LaTeX write. An AA is a dictionary of such actions.
func (w *walk) onlyTurnsPages(object types.Object, several bool) bool {
	object, err := w.document.Dereference(object)
	if err != nil {
		return false
	}
	switch object := object.(type) {
	case nil, types.Array:
		return !several
	case types.Dict:
		if !several {
			_, more := object.Find("Next")
			return isName(object["S"], "GoTo") && !more
		}
		for _, action := range object {
			if !w.onlyTurnsPages(action, false) {
				return false
			}
		}
		return true
	}
	return false
}

// atStream checks a stream's decoded content.
func (w *walk) atStream(stream *types.StreamDict) error {
	width, height := stream.IntEntry("Width"), stream.IntEntry("Height")
	if width != nil && height != nil && (*width < 0 || *height < 0 || *width > maxSide || *height > maxSide || *width**height > maxImagePixels) {
		return refuse(TooLarge, "pixels")
	}
	packed := *stream
	packed.FilterPipeline, packed.Content = nil, nil
	picture := false
	for _, by := range stream.FilterPipeline {
		if by.Name == filter.DCT || by.Name == filter.JPX || by.Name == filter.JBIG2 || by.Name == filter.CCITTFax {
			picture = by.Name == filter.DCT
			break
		}
		packed.FilterPipeline = append(packed.FilterPipeline, by)
	}
	content := packed.Raw
	if len(packed.FilterPipeline) > 0 {
		err := packed.DecodeWithLimit(min(w.left, maxStream))
		if errors.Is(err, filter.ErrDecodeLimitExceeded) {
			return refuse(TooLarge, "unpacked")
		}
		// A truncated stream only shows less of its page.
		content = packed.Content
		w.left -= int64(len(content))
	}
	if isName(stream.Dict["Type"], "ObjStm") {
		if found := firstName(content, packedNames); found != "" {
			return refuse(Active, found)
		}
	}
	if !picture {
		return nil
	}
	if config, err := jpeg.DecodeConfig(bytes.NewReader(content)); err == nil && (config.Width > maxSide || config.Height > maxSide || config.Width*config.Height > maxImagePixels) {
		return refuse(TooLarge, "pixels")
	}
	if readJPEG(content).scans > maxScans {
		return refuse(TooLarge, "scans")
	}
	return nil
}

// countPages walks the page tree: the Count in the file is not trusted.
func countPages(document *model.Context) (pages int, err error) {
	root, err := document.Catalog()
	if err != nil || root == nil {
		return 0, refuse(Damaged, "no catalog")
	}
	seen := map[types.IndirectRef]bool{}
	left := []types.Object{root["Pages"]}
	for len(left) > 0 {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		if reference, is := next.(types.IndirectRef); is {
			if seen[reference] {
				continue
			}
			seen[reference] = true
		}
		object, err := document.Dereference(next)
		node, isDict := object.(types.Dict)
		if err != nil || !isDict {
			continue // a missing page shows nothing
		}
		if kids, has := node.Find("Kids"); has {
			list, err := document.DereferenceArray(kids)
			if err != nil {
				return 0, refuse(Damaged, err.Error())
			}
			left = append(left, list...)
			continue
		}
		if pages++; pages > maxPages {
			return 0, refuse(TooLarge, "pages")
		}
	}
	if pages == 0 {
		return 0, refuse(Damaged, "no page")
	}
	return pages, nil
}

// firstName returns the first of the names in bytes, including escaped ones.
func firstName(data []byte, among map[string]bool) string {
	for {
		at := bytes.IndexByte(data, '/')
		if at < 0 {
			return ""
		}
		data = data[at+1:]
		end := bytes.IndexAny(data[:min(len(data), 64)], "\x00\t\n\f\r ()<>[]{}/%")
		if end < 0 {
			end = min(len(data), 64)
		}
		if found := unescape(string(data[:end])); among[found] {
			return found
		}
	}
}

// unescape decodes #4A in a name to J (ISO 32000-2, 7.3.5).
func unescape(name string) string {
	plain := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		if name[i] == '#' && i+2 < len(name) {
			if escaped, err := hex.DecodeString(name[i+1 : i+3]); err == nil {
				plain = append(plain, escaped...)
				i += 2
				continue
			}
		}
		plain = append(plain, name[i])
	}
	return string(plain)
}
