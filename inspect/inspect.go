// Package inspect tells what an uploaded file is, refuses what nobody may keep, and makes pictures anew. It looks at a
// file in a child process, which has little memory, little time and none of our secrets.
package inspect

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
)

// MostBytes is how large a file may be: 2 MB as the form says it, 2,097,152 bytes.
const MostBytes = 2 << 20

// Want is what a document may be.
type Want struct {
	PDF     bool // a PDF too, beside JPEG and PNG
	MaxSide int  // pixels that a picture is made long at most; 0: 1600
}

// The types of content that may arrive.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	PDF  = "application/pdf"
)

// File is what was written for a file that may be kept.
type File struct {
	Found         string // what arrived: JPEG, PNG or PDF
	ContentType   string // what was written: a picture is a JPEG now, a PDF is what it was, byte for byte
	Width, Height int    // of a picture, upright
	Pages         int    // of a PDF
	Size          int64  // bytes that were written
}

// Reason is why a file is refused.
type Reason string

// The reasons.
const (
	Empty     Reason = "empty"
	WrongType Reason = "wrong type" // Detail: the type that was found, "image/gif"
	HEIC      Reason = "heic"       // as iPhones photograph: a wrong type that a setting of the phone mends
	Damaged   Reason = "damaged"    // what it begins to be cannot be read
	TooLarge  Reason = "too large"  // Detail: bytes, pixels, scans, pages, objects, unpacked, memory or time
	Encrypted Reason = "encrypted"  // a password, be it one that only keeps from printing
	Active    Reason = "active"     // Detail: the name in the PDF that does something, "JavaScript"
)

// Refusal is the error of a file that is itself at fault.
type Refusal struct {
	Reason Reason
	Detail string // for the log, and for the sentence that says what to do
}

func (r *Refusal) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("file refused: %s, %s", r.Reason, r.Detail), ", ")
}

func refuse(reason Reason, detail string) *Refusal { return &Refusal{reason, detail} }

// ErrTooMany is told to who has too many files waiting already.
var ErrTooMany = errors.New("too many files of one person wait to be looked at")

// Options of an Inspector. What is zero has its default.
type Options struct {
	Command     []string         // starts the child; default: this program with "inspect"
	Time        time.Duration    // of a processor for a file; default 1.5 s, so that with its start it is below 2 s
	Memory      int64            // bytes of data that the child may hold; default 370 MB, so that with its program it is below 400 MB
	Concurrency int              // files at a time; default 1
	Now         func() time.Time // default time.Now
}

// endings are the extensions that a name of each type has.
var endings = map[string][]string{JPEG: {".jpg", ".jpeg"}, PNG: {".png"}, PDF: {".pdf"}}

// Agree tells whether a file's name and its declared type say what was found in it. The name has to; who declares
// nothing, or that it is bytes, as some browsers of Android do, has not said anything else.
func Agree(name, declared, found string) bool {
	ending := strings.ToLower(path.Ext(name))
	named := false
	for _, known := range endings[found] {
		named = named || ending == known
	}
	declared, _, _ = strings.Cut(declared, ";")
	switch declared = strings.ToLower(strings.TrimSpace(declared)); declared {
	case "", "application/octet-stream":
		return named
	case "image/jpg":
		declared = JPEG
	}
	return named && declared == found
}
