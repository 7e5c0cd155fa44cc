package landing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v5"
)

// drawingsMost is how many pictures of a kind are kept: a link that is shared is looked at many times in its first hours.
const drawingsMost = 32

// drawings keeps the pictures that were asked for last, of one kind and one library, by what they show. They are drawn one at
// a time, so that all who ask together take no more than one processor. The zero value is ready.
type drawings[K comparable] struct {
	drawing, mutex sync.Mutex
	kept           map[K]func() (drawn, error)
	order          []K
}

// drawn is a picture, and the tag that a browser knows it by.
type drawn struct {
	png []byte
	tag string
}

func (k *drawings[K]) of(what K, draw func() ([]byte, error)) (drawn, error) {
	return k.place(what, draw)()
}

// place returns what draws a picture the first time, and returns it each time.
func (k *drawings[K]) place(what K, draw func() ([]byte, error)) func() (drawn, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if picture, found := k.kept[what]; found {
		i := slices.Index(k.order, what)
		k.order = append(slices.Delete(k.order, i, i+1), what)
		return picture
	}
	picture := sync.OnceValues(func() (drawn, error) {
		k.drawing.Lock()
		defer k.drawing.Unlock()
		png, err := draw()
		sum := sha256.Sum256(png)
		return drawn{png, `"` + hex.EncodeToString(sum[:8]) + `"`}, err
	})
	if k.kept == nil {
		k.kept = map[K]func() (drawn, error){}
	}
	if len(k.order) == drawingsMost {
		delete(k.kept, k.order[0])
		k.order = k.order[1:]
	}
	k.kept[what], k.order = picture, append(k.order, what)
	return picture
}

// serve writes the picture; age is how many seconds a browser may keep it.
func (d drawn) serve(c *echo.Context, age string) {
	header := c.Response().Header()
	header.Set("Content-Type", "image/png")
	header.Set("Cache-Control", "public, max-age="+age)
	header.Set("ETag", d.tag)
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(d.png))
}
