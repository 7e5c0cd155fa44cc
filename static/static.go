// Package static embeds the files for browsers: style sheets, scripts, fonts, images and video. cmd/build compresses them and names them by
// their content. It also serves other precompressed bodies.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

//go:embed all:dist
var dist embed.FS

// Prefix is the path prefix of Handler.
const Prefix = "/static/"

// ManifestName is the manifest's file name in dist.
const ManifestName = "manifest.json"

// Manifest lists the built files.
type Manifest struct {
	// Files maps the name used in pages to the file in dist: "site.css" → "site-5KQ2M7XA.css".
	Files map[string]string `json:"files"`
	// Imports maps each script to the modules it imports, nearest first.
	Imports map[string][]string `json:"imports"`
}

// Types maps the publishable extensions to Content-Types.
var Types = map[string]string{
	".avif":        "image/avif",
	".css":         "text/css; charset=utf-8",
	".ico":         "image/x-icon",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".map":         "application/json",
	".mp4":         "video/mp4",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".vtt":         "text/vtt; charset=utf-8",
	".webm":        "video/webm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
}

// Compressible reports whether a file should be compressed; others are compressed formats.
func Compressible(name string) bool {
	switch path.Ext(name) {
	case ".css", ".ico", ".js", ".map", ".svg", ".vtt", ".webmanifest":
		return true
	}
	return false
}

var site = must(load(dist))

// Path returns the address of a built file: "site.css" (static/css/site.css), "enrolment.js" (islands/enrolment), "fonts/figtree.woff2",
// "images/…" and "video/…". It panics for an unknown name, so call it at start. Before the first build it returns /static/ and the name.
func Path(name string) string { return site.path(name) }

// Imports returns the addresses of a script's static imports, without the script and dynamic imports.
func Imports(script string) []string { return site.imports(script) }

// Inline returns a style sheet to be inlined in pages and its CSP source 'sha256-…'; both "" before the first build.
func Inline(name string) (text, source string) { return site.inline(name) }

// Alone returns a style sheet with fonts and pictures as data: URLs, for pages shown offline; "" before the first build.
func Alone(name string) string { return site.alone(name) }

// Built reports whether cmd/build ran before this binary was compiled.
func Built() bool { return site.manifest != nil }

// Handler serves the built files below Prefix, cacheable for ever.
func Handler() http.Handler { return site }

// bundle is a loaded dist.
type bundle struct {
	files    fs.FS
	manifest *Manifest
	assets   map[string]*asset
}

type asset struct {
	contentType string
	bodies      Bodies // if compressible
	etag        string // otherwise
}

func load(root fs.FS) (*bundle, error) {
	files, err := fs.Sub(root, "dist")
	if err != nil {
		return nil, err
	}
	b := &bundle{files: files, assets: map[string]*asset{}}
	text, err := fs.ReadFile(files, ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &b.manifest); err != nil {
		return nil, fmt.Errorf("static: read %s: %w", ManifestName, err)
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		contentType, published := Types[path.Ext(name)]
		if err != nil || entry.IsDir() || !published {
			return err
		}
		b.assets[name], err = loadAsset(files, name, contentType)
		return err
	})
	return b, err
}

func loadAsset(files fs.FS, name, contentType string) (*asset, error) {
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	if !Compressible(name) {
		return &asset{contentType: contentType, etag: `"` + hash(body) + `"`}, nil
	}
	gzip, err := readOptional(files, name+".gz")
	if err != nil {
		return nil, err
	}
	brotli, err := readOptional(files, name+".br")
	if err != nil {
		return nil, err
	}
	return &asset{contentType: contentType, bodies: newBodies(body, func() []byte { return gzip }, func() []byte { return brotli })}, nil
}

func readOptional(files fs.FS, name string) ([]byte, error) {
	body, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return body, err
}

func (b *bundle) path(name string) string {
	if b.manifest == nil {
		return Prefix + name
	}
	file, ok := b.manifest.Files[name]
	if !ok {
		panic(fmt.Sprintf("static: %q is not among the built files: run ./task build", name))
	}
	return Prefix + file
}

func (b *bundle) inline(name string) (text, source string) {
	file := strings.TrimPrefix(b.path(name), Prefix)
	if b.manifest == nil {
		return "", ""
	}
	text = string(b.assets[file].bodies.Identity())
	sum := sha256.Sum256([]byte(text))
	return text, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var published = regexp.MustCompile(`url\("?` + regexp.QuoteMeta(Prefix) + `([^)"]+)"?\)`)

func (b *bundle) alone(name string) string {
	text, _ := b.inline(name)
	return published.ReplaceAllStringFunc(text, func(url string) string {
		file := published.FindStringSubmatch(url)[1]
		body, err := fs.ReadFile(b.files, file)
		if err != nil {
			panic(err) // the build writes both
		}
		return `url("data:` + Types[path.Ext(file)] + `;base64,` + base64.StdEncoding.EncodeToString(body) + `")`
	})
}

func (b *bundle) imports(script string) []string {
	b.path(script)
	if b.manifest == nil {
		return nil
	}
	var paths []string
	for _, file := range b.manifest.Imports[script] {
		paths = append(paths, Prefix+file)
	}
	return paths
}

func (b *bundle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "Method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name, found := strings.CutPrefix(r.URL.Path, Prefix)
	a := b.assets[name]
	if !found || a == nil {
		header.Set("Cache-Control", "no-store")
		http.Error(w, "Not found", http.StatusNotFound)
		return
	}
	header.Set("Content-Type", a.contentType)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	if a.etag == "" {
		Serve(w, r, &a.bodies)
		return
	}
	b.serveRanges(w, r, name, a)
}

// serveRanges serves a file with range requests, as video players need, without copying it to memory.
func (b *bundle) serveRanges(w http.ResponseWriter, r *http.Request, name string, a *asset) {
	file, err := b.files.Open(name)
	if err != nil {
		http.Error(w, "Internal server error", http.StatusInternalServerError)
		return
	}
	defer func() { _ = file.Close() }()
	w.Header().Set("ETag", a.etag)
	http.ServeContent(w, r, name, time.Time{}, file.(io.ReadSeeker))
}

func must(b *bundle, err error) *bundle {
	if err != nil {
		panic(err)
	}
	return b
}
