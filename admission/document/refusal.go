package document

import (
	"errors"

	"hiresure/admission"
)

// Fault is the reason for refusing a file.
type Fault string

// The reasons.
const (
	Empty     Fault = "empty"
	WrongType Fault = "wrong type" // by content or by name
	HEIC      Fault = "heic"       // the format of iPhone photos
	Damaged   Fault = "damaged"
	TooSmall  Fault = "too small" // a picture
	Encrypted Fault = "encrypted"
	Active    Fault = "active" // a PDF with active content
	TooLarge  Fault = "too large"
	TooMany   Fault = "too many" // pages or pixels
	TooLong   Fault = "too long" // to read
)

// Refusal returns the message for a fault. Those for type and size are spec "Uploads"'s; the others say what to do.
func (f KindFact) Refusal(fault Fault) string {
	again := "or photograph the paper."
	if !f.PDF {
		again = "or take another one."
	}
	switch fault {
	case Empty:
		return "The selected file is empty. Please choose another one, " + again
	case WrongType:
		return f.wrongType()
	case HEIC:
		return f.wrongType() + ". This phone saved HEIC, which cannot be read here. Set Camera, Formats, Most Compatible, and take the photo again."
	case TooSmall:
		return "This picture is too small to read: it needs 200 × 200 pixels at least. Please choose another one, " + again
	case Encrypted:
		return "This PDF is password protected. Save it without a password, " + again
	case Active:
		return "This PDF contains more than pages. Print it into a new PDF, " + again
	case TooLarge:
		return f.TooLarge
	case TooMany:
		return "This file has too many pages or pixels. Choose the page that is asked for only, " + again
	case TooLong:
		return "This file takes too long to read. Save it again and send the new file, " + again
	default:
		return "This file cannot be read. Save it again and send the new file, " + again
	}
}

// NotStored returns the Problem for a storage error, which also needs an operator; nil for other errors.
func NotStored(err error) *admission.Problem {
	switch {
	case errors.Is(err, admission.ErrStorageFull):
		return &admission.Problem{Kind: admission.Unavailable, Message: "We have no room for this file now and did not keep it. We know about it. Please send it again in an hour."}
	case errors.Is(err, admission.ErrStorageUnavailable):
		return &admission.Problem{Kind: admission.Unavailable, Message: "This file could not be stored at the moment, so nothing of it was kept. Please send it again in a few minutes."}
	}
	return nil
}
