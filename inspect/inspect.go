// Package inspect detects the type of uploaded files, refuses dangerous ones, and re-encodes pictures. It works in a child process with
// little memory, little time and no secrets.
package inspect

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
)

// MaxBytes is the maximum size of a file: 2 MB as in the form, 2,097,152 bytes.
const MaxBytes = 2 << 20

// Want describes the acceptable files.
type Want struct {
	PDF     bool // accepts PDF besides JPEG and PNG
	MinSide int  // minimum length of a picture's shorter side, in pixels
	MaxSide int  // maximum length of a stored picture's longer side, in pixels; 0 means 1600
}

// The acceptable content types.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	PDF  = "application/pdf"
)

// File describes an accepted file.
type File struct {
	Found         string // detected type: JPEG, PNG or PDF
	ContentType   string // stored type: JPEG for pictures; a PDF is stored unchanged
	Width, Height int    // of a picture, upright
	Pages         int    // of a PDF
	Size          int64  // stored bytes
}

// Reason is the reason for a refusal.
type Reason string

// The reasons.
const (
	Empty     Reason = "empty"
	WrongType Reason = "wrong type" // Detail: the detected type, "image/gif"
	HEIC      Reason = "heic"       // the format of iPhone photos, which a phone setting changes
	Damaged   Reason = "damaged"    // of an acceptable type, but unreadable
	TooLarge  Reason = "too large"  // Detail: bytes, pixels, scans, pages, objects, unpacked, memory or time
	TooSmall  Reason = "too small"  // a picture's shorter side
	Encrypted Reason = "encrypted"  // asks for a password
	Active    Reason = "active"     // Detail: the PDF name of the active content, "JavaScript"
)

// Refusal is the error for a file at fault.
type Refusal struct {
	Reason Reason
	Detail string // for the log and the message
}

func (r *Refusal) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("file refused: %s, %s", r.Reason, r.Detail), ", ")
}

func refuse(reason Reason, detail string) *Refusal { return &Refusal{reason, detail} }

// ErrTooMany is returned if a person has too many files waiting.
var ErrTooMany = errors.New("too many files of one person wait to be looked at")

// Options configure an Inspector. Zero values have defaults.
type Options struct {
	Command     []string         // starts the child; default: this program with "inspect"
	Time        time.Duration    // processor time per file; default 1.5 s, below 2 s with the child's start
	Memory      int64            // data of the child, in bytes; default 370 MB, below 400 MB with the program
	Concurrency int              // concurrent files; default 1
	Now         func() time.Time // default time.Now
}

// endings are the accepted file name extensions of each type.
var endings = map[string][]string{JPEG: {".jpg", ".jpeg"}, PNG: {".png"}, PDF: {".pdf"}}

// Agree reports whether a file's name and declared type match the detected one. The declared type may be missing or
// application/octet-stream, as from some Android browsers.
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
