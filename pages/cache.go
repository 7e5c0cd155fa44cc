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

// maxCachedPages limits the pages kept of one library, far above what a hundred events need. A page with its compressed bodies
// takes about 100 KB.
const maxCachedPages = 1000

// pageCache holds the rendered pages of one library, the last version of each path.
type pageCache struct {
	mutex sync.RWMutex
	pages map[string]*cachedPage // by path
}

// version identifies what a page depends on besides its library.
type version struct {
	year, day int // of the year, in India
	state     string
}

type cachedPage struct {
	version   version
	rendering sync.Mutex
	bodies    atomic.Pointer[static.Bodies] // nil until rendered
}

func newPageCache(*content.Library) *pageCache { return &pageCache{pages: map[string]*cachedPage{}} }

// page returns the page at path in a version. The first request renders it while others wait, because after a publication
// all visitors want the same page at once. An error is not kept: the next request tries again.
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

// find returns the entry of a page in a version, which replaces the path's previous version.
func (p *pageCache) find(path string, version version) *cachedPage {
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
	if !found && len(p.pages) >= maxCachedPages {
		for another := range p.pages { // any: the next request renders it again
			delete(p.pages, another)
			break
		}
	}
	kept = &cachedPage{version: version}
	p.pages[path] = kept
	return kept
}
