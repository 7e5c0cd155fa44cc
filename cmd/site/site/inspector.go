package site

import (
	"context"
	"errors"
	"io"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/inspect"
)

// inspector inspects uploads in child processes.
type inspector struct{ *inspect.Inspector }

// faultsOf maps the inspector's reasons to document faults. faultOf adds those about size.
var faultsOf = map[inspect.Reason]document.Fault{
	inspect.Empty: document.Empty, inspect.WrongType: document.WrongType, inspect.HEIC: document.HEIC, inspect.Damaged: document.Damaged,
	inspect.TooSmall: document.TooSmall, inspect.Encrypted: document.Encrypted, inspect.Active: document.Active,
}

func faultOf(refused *inspect.Refusal) document.Fault {
	if fault, known := faultsOf[refused.Reason]; known {
		return fault
	}
	switch refused.Detail {
	case "bytes":
		return document.TooLarge
	case "pages", "pixels":
		return document.TooMany
	default:
		return document.TooLong
	}
}

// minSide is the shorter side, in pixels, that a picture of a paper or face needs to be read.
const minSide = 200

// inspectRetry is when a sender with too many waiting files may retry.
const inspectRetry = 5 * time.Second

func (j inspector) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (found document.Found, refusal string, err error) {
	kind := u.Kind.Rules()
	file, err := j.Judge(ctx, who, inspect.Want{PDF: kind.PDF, MinSide: minSide}, in, out)
	if refused, is := errors.AsType[*inspect.Refusal](err); is {
		return document.Found{}, kind.Refusal(faultOf(refused)), nil
	}
	if errors.Is(err, inspect.ErrTooMany) {
		return document.Found{}, "", admission.TooManyProblem("", inspectRetry)
	}
	if err != nil {
		return document.Found{}, "", err
	}
	if !inspect.Agree(u.Name, u.Type, file.Found) {
		return document.Found{}, kind.Refusal(document.WrongType), nil
	}
	return document.Found{ContentType: file.ContentType, Width: file.Width, Height: file.Height, Pages: file.Pages}, "", nil
}
