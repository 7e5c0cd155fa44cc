package pages

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"

	"github.com/a-h/templ"

	"hiresure/content"
	"hiresure/static"
)

// maxKept bounds how many pages are kept of one library. It is far above what the site of a hundred events has; a page with
// its compressed bodies takes about 100 KB.
const maxKept = 1000

// pageCache holds the rendered pages of one library, the last version of each path.
type pageCache struct {
	mutex sync.RWMutex
	pages map[string]*keptPage // by path
}

// A version is what a page depends on besides its library.
type version struct {
	year, day int // of the year, in India
	state     string
}

type keptPage struct {
	version   version
	rendering sync.Mutex
	bodies    atomic.Pointer[static.Bodies] // nil until it is rendered
}

func newPageCache(*content.Library) *pageCache { return &pageCache{pages: map[string]*keptPage{}} }

// page returns the page at a path in a version. The first who asks renders it, and whoever asks meanwhile waits for that:
// after a publication all visitors want the same page at once. What fails is tried again by the next one.
func (p *pageCache) page(path string, version version, render func() templ.Component) (*static.Bodies, error) {
	kept := p.find(path, version)
	if bodies := kept.bodies.Load(); bodies != nil {
		return bodies, nil
	}
	kept.rendering.Lock()
	defer kept.rendering.Unlock()
	if bodies := kept.bodies.Load(); bodies != nil {
		return bodies, nil
	}
	var body bytes.Buffer
	if err := render().Render(context.Background(), &body); err != nil {
		return nil, err
	}
	bodies := static.Compress(body.Bytes())
	kept.bodies.Store(&bodies)
	return &bodies, nil
}

// find returns the place of a page in a version, which takes the place of the path's version before.
func (p *pageCache) find(path string, version version) *keptPage {
	p.mutex.RLock()
	kept := p.pages[path]
	p.mutex.RUnlock()
	if kept != nil && kept.version == version {
		return kept
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	kept, found := p.pages[path]
	if found && kept.version == version {
		return kept
	}
	if !found && len(p.pages) >= maxKept {
		for another := range p.pages { // any: whoever asks for it next renders it again
			delete(p.pages, another)
			break
		}
	}
	kept = &keptPage{version: version}
	p.pages[path] = kept
	return kept
}
