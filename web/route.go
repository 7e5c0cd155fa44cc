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
)

// Class is what browsers, caches and search engines may do with the answers of a route.
type Class int

const (
	ClassPrivate  Class = iota // nobody keeps, indexes or links to it
	ClassPublic                // a page that is the same for everybody
	ClassCheckout              // private, and a provider may open its window
	ClassAPI                   // JSON, its refusals too; private
	ClassAsset                 // a file that never changes under its name
)

// Policy is what a route's line says beside its handler. The zero Policy is private, for everybody, and takes a small
// form: whatever is not said to be public is private.
type Policy struct {
	Class Class
	Guard Guard         // who may come in; nil: everybody
	Body  int64         // most bytes of a body; 0 is 64 KiB
	Read  time.Duration // for a body to arrive; 0 is the server's
	Write time.Duration // for an answer to leave, from the request's head on; 0 is the server's, or answerWait behind Read
	Open  bool          // other sites may post here: the handler verifies a signature
	Token bool          // an API client's bearer token counts as it does in a call
}

// The policies that routes begin with.
var (
	Private  = Policy{}
	Public   = Policy{Class: ClassPublic}
	Checkout = Policy{Class: ClassCheckout}
	Call     = Policy{Class: ClassAPI}
	Asset    = Policy{Class: ClassAsset}
)

// ServerWait is how long an answer may take to leave, from the request's head on, where its route's policy says nothing.
const ServerWait = 60 * time.Second

const (
	maxBody    = 64 << 10         // of a policy that says nothing; our longest form stays below a quarter of it
	answerWait = 30 * time.Second // for the answer to a body that took as long as its route lets it
)

// For lets in only whom a guard lets pass.
func (p Policy) For(g Guard) Policy { p.Guard = g; return p }

// Takes lets bodies have so many bytes.
func (p Policy) Takes(most int64) Policy { p.Body = most; return p }

// Within gives a route deadlines of its own, such as a stream's.
func (p Policy) Within(read, write time.Duration) Policy { p.Read, p.Write = read, write; return p }

// ByToken lets API clients come in with their tokens.
func (p Policy) ByToken() Policy { p.Token = true; return p }

func (p *Policy) byToken() bool { return p.Token || p.Class == ClassAPI }

// OpenToOthers lets other sites post here.
func (p Policy) OpenToOthers() Policy { p.Open = true; return p }

// Role is what a principal is to us. Staff come after applicants.
type Role int

const (
	Stranger  Role = iota // a browser without a session
	Browser               // one with a session
	Applicant             // one that is signed in to an account
)

// Principal is who asks.
type Principal struct {
	admission.Visitor
	Role Role
}

// Guard returns nil for a principal who may come in, and else the refusal: a Refusal, a Problem, or Elsewhere.
type Guard func(Principal) error

// Elsewhere is a refusal that leads to another page of ours; with Back set, one that leads back here afterwards.
type Elsewhere struct {
	Path string
	Back bool
}

func (e Elsewhere) Error() string { return "not here, but at " + e.Path }

// mostHeld is how large a posted form may be that goes along to the other page: it comes back with what that page asks.
const mostHeld = maxBody / 2

// redirect is how the browser goes there. A page that was asked for by GET is one to come back to. So is where a form was
// posted: with Back set it goes along, for the other page to hold until then, so that nothing typed is lost.
func (e Elsewhere) redirect(r *http.Request) (status int, address string) {
	back := WithQuery(e.Path, url.Values{NextQuery: {r.URL.RequestURI()}})
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // what is none is no form of ours
	switch isForm := mediaType == "application/x-www-form-urlencoded"; {
	case e.Back && r.Method == http.MethodGet:
		return http.StatusFound, back
	case e.Back && r.Method == http.MethodPost && isForm && r.ContentLength > 0 && r.ContentLength <= mostHeld:
		return http.StatusTemporaryRedirect, back // which keeps method and body
	case r.Method == http.MethodGet:
		return http.StatusFound, e.Path
	}
	return http.StatusSeeOther, e.Path
}

// WithSession lets in browsers that have a session, and leads others elsewhere.
func WithSession(elsewhere string) Guard {
	return func(p Principal) error {
		if p.Role == Stranger {
			return Elsewhere{Path: elsewhere}
		}
		return nil
	}
}

// SignedIn lets in who is signed in. It leads others to the page where they sign in, and from there back.
func SignedIn(p Principal) error {
	if p.Role != Applicant {
		return Elsewhere{Path: SignInPath, Back: true}
	}
	return nil
}

// SignedInCall is SignedIn of the JSON API, which refuses others.
func SignedInCall(p Principal) error {
	if p.Role != Applicant {
		return admission.LoginProblem()
	}
	return nil
}

// Routes is where pages and API put their routes, each on a line: pattern, policy, handler.
type Routes struct {
	e *echo.Echo
	m *Manager
}

// Get lets a page be read at its address, also by HEAD, and leads its address with a slash at the end to it. The pattern
// must begin with a fixed segment, so that no address can be bent into another site's.
func (r *Routes) Get(pattern string, p Policy, h echo.HandlerFunc) {
	read := []string{http.MethodGet, http.MethodHead}
	r.add(read, pattern, p, h)
	if pattern != "/" && !strings.HasSuffix(pattern, "*") {
		r.add(read, pattern+"/", p, WithoutSlash)
	}
}

// Post takes posts at an address.
func (r *Routes) Post(pattern string, p Policy, h echo.HandlerFunc) {
	r.add([]string{http.MethodPost}, pattern, p, h)
}

// Only adds a route, and refuses the other methods of its path. What answers GET answers HEAD: net/http keeps the body back.
func (r *Routes) Only(method, pattern string, p Policy, h echo.HandlerFunc) {
	methods := []string{method}
	if method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	r.only(methods, pattern, p, h)
}

// Changes adds a call that changes something and takes GET beside POST, since the contract has it so, and refuses the other
// methods: by HEAD the change would be made and its answer lost.
func (r *Routes) Changes(pattern string, p Policy, h echo.HandlerFunc) {
	r.only([]string{http.MethodGet, http.MethodPost}, pattern, p, h)
}

// Each adds an address whose methods have a handler each, and refuses the others. What answers GET answers HEAD, unless
// HEAD has a handler of its own.
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

// Any answers every method of a path that has no route of its own.
func (r *Routes) Any(pattern string, p Policy, h echo.HandlerFunc) {
	r.m.policies[route{anyMethod, pattern}] = &p
	r.e.Any(pattern, h)
}

// Unknown answers where no route does.
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

// route is what a request is matched by.
type route struct{ method, pattern string }

const anyMethod = "*"

// policyOf returns the policy of the route that a request has met. Where there is none, the API's prefixes speak JSON and
// all else is private.
func (m *Manager) policyOf(c *echo.Context) *Policy {
	r := c.Request()
	p := m.policies[route{r.Method, c.Path()}]
	if p == nil {
		p = m.policies[route{anyMethod, c.Path()}]
	}
	switch {
	case IsAPI(r.URL.Path) && (p == nil || p.Class != ClassAPI): // no page stands there, whatever the pattern of one takes in
		return &Call
	case p == nil:
		return &m.unknown
	}
	return p
}

// WithoutSlash leads an address with a slash at its end to the one without.
func WithoutSlash(c *echo.Context) error {
	there := *c.Request().URL
	there.Path, there.RawPath = strings.TrimRight(there.Path, "/"), ""
	return c.Redirect(http.StatusMovedPermanently, there.RequestURI())
}

// enforce applies what is not a header of a policy: a readable address, limits, cross-origin protection, guard.
func (m *Manager) enforce(c *echo.Context, p *Policy, next echo.HandlerFunc) error {
	r := c.Request()
	if err := checkAddress(r.URL); err != nil {
		return err
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
			return Refusal{Status: http.StatusForbidden, Message: "This request came from another site. Please use our own pages."}
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
	if p.Body > 0 && r.ContentLength > p.Body { // what a route takes so much of is refused before it is sent
		return echo.ErrStatusRequestEntityTooLarge
	}
	return next(c)
}

// write is how long a route's answers may take to leave; 0 is the server's.
func (p *Policy) write() time.Duration {
	if p.Read != 0 && p.Write == 0 {
		return p.Read + answerWait
	}
	return p.Write
}

// AnswersWithin is how long the answer to a request may take to leave, from its head on.
func (m *Manager) AnswersWithin(c *echo.Context) time.Duration {
	return cmp.Or(m.policyOf(c).write(), ServerWait)
}

// deadlines gives a request its route's own. A recorder of a test has none to set.
func deadlines(c *echo.Context, p *Policy) error {
	read, write := p.Read, p.write()
	if read == 0 && write == 0 {
		return nil
	}
	if r := c.Request(); r.Body == nil || r.Body == http.NoBody {
		read = 0 // net/http reads on to notice a client that leaves: a deadline would look like one
	}
	control, now := http.NewResponseController(c.Response()), time.Now() // deadlines are the system's
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
