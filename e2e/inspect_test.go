package e2e

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"testing"

	"hiresure/inspect"
)

// The child that inspects uploads is the site's binary, without an environment.
func TestBinaryInspectsUploads(t *testing.T) {
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	i := inspect.New(inspect.Options{Command: []string{binary, "inspect"}})
	var good bytes.Buffer
	if err := png.Encode(&good, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	file, err := i.Judge(t.Context(), "somebody", inspect.Want{MaxSide: 150}, &good, &out)
	if want := (inspect.File{Found: inspect.PNG, ContentType: inspect.JPEG, Width: 150, Height: 100, Size: int64(out.Len())}); err != nil || file != want {
		t.Errorf("a picture: %+v, %v, want %+v", file, err, want)
	}
	out.Reset()
	_, err = i.Judge(t.Context(), "somebody", inspect.Want{}, bytes.NewReader([]byte("GIF89a")), &out)
	if refusal := (*inspect.Refusal)(nil); !errors.As(err, &refusal) || *refusal != (inspect.Refusal{Reason: inspect.WrongType, Detail: "image/gif"}) || out.Len() > 0 {
		t.Errorf("a GIF: %v, and %d bytes", err, out.Len())
	}
}
