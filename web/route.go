package web

import (
	"cmp"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/staff"
)

// Class decides caching, indexing and security headers of a route's responses.
type Class int

const (
	ClassPrivate  Class = iota // not cached, indexed or linked
	ClassPublic                // a page that is the same for everybody
	ClassCheckout              // private, and the provider may open a window
	ClassAPI                   // JSON, including refusals; private
	ClassAsset                 // a file whose content never changes
)

// Policy configures a route. The zero Policy is private, unguarded, and accepts a small form; a public route must be marked.
type Policy struct {
	Class Class
	Guard Guard         // nil admits everybody
	Body  int64         // maximum bytes of a request body; 0 means 64 KiB
	Read  time.Duration // read deadline; 0 means the server's
	Write time.Duration // write deadline, from the request's header on; 0 means the server's, or Read plus answerWait
	Open  bool          // skips the cross-origin check: the handler verifies a signature
	Token bool          // accepts bearer tokens of API clients, as API routes do

	Viewable bool // staff may look at it as its applicant

	Staff     staff.Permission // of a page of the staff area
	StaffDoor bool             // a page that leads into the staff area
}

// The base policies, one for each Class.
var (
	Private  = Policy{}
	Public   = Policy{Class: ClassPublic}
	Checkout = Policy{Class: ClassCheckout}
	Call     = Policy{Class: ClassAPI}
	Asset    = Policy{Class: ClassAsset}
)

// ServerWait is the default write deadline, from the request's header on.
const ServerWait = 60 * time.Second

const (
	maxBody    = 64 << 10         // bytes; our longest form is below a quarter of it
	answerWait = 30 * time.Second // time to respond after a request body that took its whole read deadline
)

// For sets the guard.
func (p Policy) For(g Guard) Policy { p.Guard = g; return p }

// Takes sets the maximum size of request bodies, in bytes.
func (p Policy) Takes(most int64) Policy { p.Body = most; return p }

// Within sets the read and write deadlines, such as a stream's.
func (p Policy) Within(read, write time.Duration) Policy { p.Read, p.Write = read, write; return p }

// ByToken accepts bearer tokens of API clients.
func (p Policy) ByToken() Policy { p.Token = true; return p }

// ForViews lets staff look at the page as its applicant. Its GET changes nothing and calls nobody.
func (p Policy) ForViews() Policy { p.Viewable = true; return p }

func (p *Policy) byToken() bool { return p.Token || p.Class == ClassAPI }

// OpenToOthers skips the cross-origin check.
func (p Policy) OpenToOthers() Policy { p.Open = true; return p }

// Role is the role of a principal. Staff come after applicants.
type Role int

const (
	Stranger  Role = iota // no session
	Browser               // a session
	Applicant             // signed in to an account
)

// Principal is the visitor with its role.
type Principal struct {
	admission.Visitor
	Role Role
}

// Guard returns nil to admit a principal, else a Refusal, a Problem, or Elsewhere.
type Guard func(Principal) error

// Redirect redirects to another page of ours. With Back set, that page redirects back afterwards.
type Redirect struct {
	Path string
	Back bool
}

func (e Redirect) Error() string { return "not here, but at " + e.Path }

// maxHeld limits a posted form that the other page passes on, in bytes.
const maxHeld = maxBody / 2

// redirect returns the redirect's status and address. With Back set, the other page returns to this one after a GET, and
// receives a posted form to post again, so that no input is lost.
func (e Redirect) redirect(r *http.Request) (status int, address string) {
	back := WithQuery(e.Path, url.Values{NextQuery: {r.URL.RequestURI()}})
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // an invalid type is no form
	switch isForm := mediaType == "application/x-www-form-urlencoded"; {
	case e.Back && r.Method == http.MethodGet:
		return http.StatusFound, back
	case e.Back && r.Method == http.MethodPost && isForm && r.ContentLength > 0 && r.ContentLength <= maxHeld:
		return http.StatusTemporaryRedirect, back // keeps method and body
	case r.Method == http.MethodGet:
		return http.StatusFound, e.Path
	}
	return http.StatusSeeOther, e.Path
}

// WithSession admits browsers with a session and redirects others to elsewhere.
func WithSession(elsewhere string) Guard {
	return func(p Principal) error {
		if p.Role == Stranger {
			return Redirect{Path: elsewhere}
		}
		return nil
	}
}

// Known is WithSession that redirects strangers to the sign-in page, which redirects back.
func Known(p Principal) error {
	if p.Role == Stranger {
		return Redirect{Path: SignInPath, Back: true}
	}
	return nil
}

// SignedIn admits signed-in visitors. It redirects others to the sign-in page, which redirects back.
func SignedIn(p Principal) error {
	if p.Role != Applicant {
		return Redirect{Path: SignInPath, Back: true}
	}
	return nil
}

// SignedInCall is SignedIn for the JSON API: it refuses others.
func SignedInCall(p Principal) error {
	if p.Role != Applicant {
		return admission.LoginProblem()
	}
	return nil
}

// Routes registers routes, one line each: pattern, policy, handler.
type Routes struct {
	e *echo.Echo
	m *Manager
}

// Get registers a page for GET and HEAD and redirects its address with a trailing slash. The pattern must begin with a
// fixed segment, so that the redirect cannot point to another site.
func (r *Routes) Get(pattern string, p Policy, h echo.HandlerFunc) {
	read := []string{http.MethodGet, http.MethodHead}
	r.add(read, pattern, p, h)
	if pattern != "/" && !strings.HasSuffix(pattern, "*") {
		r.add(read, pattern+"/", p, WithoutSlash)
	}
}

// Post registers a handler for POST.
func (r *Routes) Post(pattern string, p Policy, h echo.HandlerFunc) {
	r.add([]string{http.MethodPost}, pattern, p, h)
}

// Only registers a handler for one method (GET includes HEAD) and refuses the others with 405.
func (r *Routes) Only(method, pattern string, p Policy, h echo.HandlerFunc) {
	methods := []string{method}
	if method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	r.only(methods, pattern, p, h)
}

// Changes registers a state-changing call for POST and, as the API contract requires, GET. It refuses other methods: a HEAD
// would make the change and lose the response.
func (r *Routes) Changes(pattern string, p Policy, h echo.HandlerFunc) {
	r.only([]string{http.MethodGet, http.MethodPost}, pattern, p, h)
}

// Each registers one handler for each method of an address and refuses the others. HEAD uses GET's handler unless it has
// its own.
func (r *Routes) Each(pattern string, p Policy, handlers map[string]echo.HandlerFunc) {
	if get, reads := handlers[http.MethodGet]; reads && handlers[http.MethodHead] == nil {
		handlers[http.MethodHead] = get
	}
	methods := slices.Sorted(maps.Keys(handlers))
	for _, method := range methods {
		r.add([]string{method}, pattern, p, handlers[method])
	}
	r.refusesOthers(methods, pattern, p)
}

func (r *Routes) only(methods []string, pattern string, p Policy, h echo.HandlerFunc) {
	r.add(methods, pattern, p, h)
	r.refusesOthers(methods, pattern, p)
}

func (r *Routes) refusesOthers(methods []string, pattern string, p Policy) {
	r.Any(pattern, p, func(c *echo.Context) error {
		c.Response().Header().Set("Allow", strings.Join(methods, ", "))
		return echo.ErrMethodNotAllowed
	})
}

// Any registers a handler for all methods without a route of their own.
func (r *Routes) Any(pattern string, p Policy, h echo.HandlerFunc) {
	r.m.policies[route{anyMethod, pattern}] = &p
	r.e.Any(pattern, h)
}

// Unknown registers the handler for addresses without a route.
func (r *Routes) Unknown(p Policy, h echo.HandlerFunc) {
	r.m.unknown = p
	r.e.RouteNotFound("/*", h)
}

func (r *Routes) add(methods []string, pattern string, p Policy, h echo.HandlerFunc) {
	for _, method := range methods {
		r.m.policies[route{method, pattern}] = &p
	}
	r.e.Match(methods, pattern, h)
}

// route identifies a registered route.
type route struct{ method, pattern string }

const anyMethod = "*"

// policyOf returns the policy of the matched route; without one, Call for API prefixes and the Unknown policy for the rest.
func (m *Manager) policyOf(c *echo.Context) *Policy {
	r := c.Request()
	p := m.policies[route{r.Method, c.Path()}]
	if p == nil {
		p = m.policies[route{anyMethod, c.Path()}]
	}
	switch {
	case IsAPI(r.URL.Path) && (p == nil || p.Class != ClassAPI): // no page lives there, even if a page's pattern matches
		return &Call
	case p == nil:
		return &m.unknown
	}
	return p
}

// WithoutSlash redirects an address with a trailing slash to the one without.
func WithoutSlash(c *echo.Context) error {
	there := *c.Request().URL
	there.Path, there.RawPath = strings.TrimRight(there.Path, "/"), ""
	return c.Redirect(http.StatusMovedPermanently, there.RequestURI())
}

// enforce applies the policy apart from its headers: valid address, body limit, deadlines, cross-origin check, guard.
func (m *Manager) enforce(c *echo.Context, p *Policy, next echo.HandlerFunc) error {
	r := c.Request()
	if err := checkAddress(r); err != nil {
		return err
	}
	if _, viewed := admission.ViewedIn(r.Context()); viewed && (!p.Viewable || r.Method != http.MethodGet) {
		return echo.ErrNotFound
	}
	if r.Body != nil && r.Body != http.NoBody {
		most := p.Body
		if most == 0 {
			most = maxBody
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, most)
	}
	if err := deadlines(c, p); err != nil {
		return err
	}
	if !p.Open {
		if err := m.origins.Check(r); err != nil {
			return Refusal{Status: http.StatusForbidden, Message: "We blocked this because it came from another site. Please use our own page."}
		}
	}
	if IsStaff(r.URL.Path) {
		if err := m.admitStaff(c, p); err != nil {
			return err
		}
	}
	if p.Guard != nil {
		v, err := m.Visitor(c)
		if err != nil {
			return err
		}
		principal := Principal{Visitor: v}
		switch {
		case v.AccountID != "":
			principal.Role = Applicant
		case v.SessionID != "":
			principal.Role = Browser
		}
		if err := p.Guard(principal); err != nil {
			return err
		}
	}
	if p.Body > 0 && r.ContentLength > p.Body { // refuse a large upload before the client sends it
		return echo.ErrStatusRequestEntityTooLarge
	}
	return next(c)
}

// write returns the write deadline; 0 means the server's.
func (p *Policy) write() time.Duration {
	if p.Read != 0 && p.Write == 0 {
		return p.Read + answerWait
	}
	return p.Write
}

// AnswersWithin returns the write deadline of a request, from its header on.
func (m *Manager) AnswersWithin(c *echo.Context) time.Duration {
	return cmp.Or(m.policyOf(c).write(), ServerWait)
}

// deadlines sets the route's deadlines on the connection; test recorders support none.
func deadlines(c *echo.Context, p *Policy) error {
	read, write := p.Read, p.write()
	if read == 0 && write == 0 {
		return nil
	}
	if r := c.Request(); r.Body == nil || r.Body == http.NoBody {
		read = 0 // net/http reads on to detect a disconnect; a read deadline would look like one
	}
	control, now := http.NewResponseController(c.Response()), time.Now() // connection deadlines use the system clock
	for _, deadline := range []struct {
		after time.Duration
		set   func(time.Time) error
	}{{read, control.SetReadDeadline}, {write, control.SetWriteDeadline}} {
		if deadline.after == 0 {
			continue
		}
		if err := deadline.set(now.Add(deadline.after)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
	}
	return nil
}
