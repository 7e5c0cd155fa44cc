package web

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"hiresure/admission"
	"hiresure/static"
)

// A View is a page of an applicant that staff look at.
type View struct {
	Of   admission.Viewed
	Base string // address below which the applicant's pages are, without a slash at its end
	Path string // of the page, as the applicant opens it
}

// viewQueries are the parameters that a page keeps in a view. None of them names a payment.
var viewQueries = []string{CursorQuery, RegistrationQuery, "at"}

// viewPolicy is the content security policy of a view: no script runs and no form is sent, whatever the page has.
var viewPolicy = strings.Join([]string{
	"sandbox allow-same-origin", "default-src 'none'", strings.Join(append([]string{"style-src 'self'"}, firstStyles...), " "), "img-src 'self' data:", "font-src 'self'", "form-action 'none'",
	"base-uri 'none'", "frame-ancestors 'self'",
}, "; ")

// InFrame lets a page of ours show the response in a frame, with neither scripts nor forms.
func InFrame(c *echo.Context) { c.Response().Header().Set("Content-Security-Policy", viewPolicy) }

// ShowView serves a page of an applicant to staff. It sends the routes a new request without the browser's cookies; only routes with
// Viewable serve it. Links lead to other pages of the view; the rest is gone, and fields and buttons are off.
func (m *Manager) ShowView(c *echo.Context, v View) error {
	if _, inside := m.inView(v.Base, v.Path); !inside {
		return echo.ErrNotFound
	}
	page, err := m.ask(c, v)
	if err != nil {
		return err
	}
	if location := page.header.Get("Location"); location != "" {
		there, inside := m.inView(v.Base, location)
		if !inside {
			return echo.ErrNotFound
		}
		return c.Redirect(http.StatusSeeOther, there)
	}
	if !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		return echo.ErrNotFound
	}
	body, err := m.readOnly(page.body.Bytes(), v.Base)
	if err != nil {
		return err
	}
	InFrame(c)
	return c.HTMLBlob(page.status, body)
}

// ask sends the view's request to the routes.
func (m *Manager) ask(c *echo.Context, v View) (*viewedPage, error) {
	outer := c.Request()
	address := url.URL{Path: v.Path}
	query := url.Values{}
	for name, values := range outer.URL.Query() {
		if slices.Contains(viewQueries, name) {
			query[name] = values
		}
	}
	address.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(admission.WithViewed(outer.Context(), v.Of), http.MethodGet, address.RequestURI(), nil)
	if err != nil {
		return nil, echo.ErrNotFound
	}
	r.Host, r.RemoteAddr, r.RequestURI = outer.Host, outer.RemoteAddr, address.RequestURI()
	for _, name := range []string{"User-Agent", "X-Forwarded-For"} {
		if value := outer.Header.Values(name); value != nil {
			r.Header[name] = value
		}
	}
	r.Header.Set("Accept", "text/html")
	page := &viewedPage{header: http.Header{}, status: http.StatusOK}
	m.handler.ServeHTTP(page, r)
	return page, nil
}

// viewedPage keeps a response.
type viewedPage struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *viewedPage) Header() http.Header         { return p.header }
func (p *viewedPage) WriteHeader(status int)      { p.status = status }
func (p *viewedPage) Write(b []byte) (int, error) { return p.body.Write(b) }

// inView returns the address of a page in a view; inside is false for a page that views do not have.
func (m *Manager) inView(base, address string) (there string, inside bool) {
	if strings.HasPrefix(address, "#") {
		return address, true
	}
	u, err := url.Parse(address)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	for route, policy := range m.policies {
		if policy.Viewable && route.method == http.MethodGet && fits(route.pattern, u.Path) {
			return base + address, true
		}
	}
	return "", false
}

// fits reports whether a path fits a route's pattern.
func fits(pattern, path string) bool {
	parts, given := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(parts, given, func(part, given string) bool { return part == given || strings.HasPrefix(part, ":") && given != "" })
}

// readOnly returns a page of an applicant without what changes something or leads away.
func (m *Manager) readOnly(page []byte, base string) ([]byte, error) {
	doc, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	var gone []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && !m.disarm(n, base) {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		n.Parent.RemoveChild(n)
	}
	var b bytes.Buffer
	err = html.Render(&b, doc)
	return b.Bytes(), err
}

// disarm takes from an element what changes something or leads away, and reports whether the element stays.
func (m *Manager) disarm(n *html.Node, base string) bool {
	switch n.DataAtom {
	case atom.Script, atom.Iframe, atom.Object, atom.Embed, atom.Base:
		return false
	case atom.Meta:
		return valueOf(n, "http-equiv") == ""
	case atom.Link:
		return valueOf(n, "rel") == "stylesheet" && strings.HasPrefix(valueOf(n, "href"), static.Prefix)
	case atom.Input, atom.Select, atom.Textarea, atom.Button:
		if valueOf(n, "popovertarget") == "" && !slices.Contains(n.Attr, off) {
			n.Attr = append(n.Attr, off)
		}
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		switch a.Key {
		case "action", "formaction", "method", "ping", "srcset", "download", "target":
			return true
		case "src", "poster", "data":
			return !strings.HasPrefix(a.Val, static.Prefix) && !strings.HasPrefix(a.Val, "data:image/")
		}
		return strings.HasPrefix(a.Key, "on")
	})
	for i, a := range n.Attr {
		if a.Key == "href" && n.DataAtom == atom.A {
			if there, inside := m.inView(base, a.Val); inside {
				n.Attr[i].Val = there
			} else {
				n.Attr = slices.Delete(n.Attr, i, i+1)
			}
			break
		}
	}
	return true
}

// off is the attribute of a field or button that cannot be used.
var off = html.Attribute{Key: "disabled"}

func valueOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
