package pdf

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// canary counts the connections and requests that reach it.
type canary struct {
	url                   string
	connections, requests atomic.Int64
	seen                  chan struct{} // receives a value for each request
}

func newCanary(t *testing.T) *canary {
	t.Helper()
	c := &canary{seen: make(chan struct{}, 100)}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.requests.Add(1)
		c.seen <- struct{}{}
		http.Error(w, "canary", http.StatusNotFound)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			c.connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// everyWayOut returns a body that loads url in every way of HTML, CSS and SVG, each from a separate address.
func everyWayOut(url string) (head, body string, ways int) {
	inHead := []string{
		`<link rel="stylesheet" href="%s">`, `<link rel="icon" href="%s">`, `<link rel="preload" as="image" href="%s">`, `<link rel="prefetch" href="%s">`, `<link rel="preconnect" href="%s">`,
		`<link rel="dns-prefetch" href="%s">`, `<link rel="modulepreload" href="%s">`, `<link rel="manifest" href="%s">`, `<style>@import url(%s);</style>`,
		`<style>@font-face { font-family: Away; src: url(%s) } i { font-family: Away }</style>`, `<style>b { background: url(%s) }</style>`,
		`<style>@media print { u { list-style-image: url(%s); display: list-item } }</style>`, `<script src="%s"></script>`, `<script>fetch("%s"); document.title = "script"</script>`,
		`<script type="speculationrules">{"prerender":[{"urls":["%s"]}]}</script>`,
	}
	inBody := []string{
		`<iframe src="%s"></iframe>`, `<iframe srcdoc="&lt;img src=%s>"></iframe>`, `<img src="%s">`, `<img srcset="%s 2x">`, `<picture><source srcset="%s"><img></picture>`, `<object data="%s"></object>`, `<embed src="%s">`,
		`<video src="%s" autoplay></video>`, `<video poster="%s"></video>`, `<audio src="%s" autoplay></audio>`, `<input type="image" src="%s">`, `<svg><image href="%s"/></svg>`, `<svg><use href="%s#a"/></svg>`,
		`<table background="%s"><tr><td>x</table>`, `<p style="background-image: image-set(url(%s) 1x)">x`, `<p style="border-image: url(%s) 1">x`, `<p style="cursor: url(%s), auto">x`, `<p style="mask: url(%s)">x`,
		`<img src="%s" onerror="fetch('/again')">`, `<b>b</b><i>i</i><u>u</u><a href="%s" ping="/ping">a</a>`, `<form action="%s"><input autofocus onfocus="form.submit()"></form>`,
	}
	write := func(forms []string) string {
		var b strings.Builder
		for _, form := range forms {
			ways++
			fmt.Fprintf(&b, form, fmt.Sprintf("%s/%d", url, ways))
		}
		return b.String()
	}
	return write(inHead), write(inBody), ways
}

// Chrome keeps a blank page from reaching this machine. Where that is off, a canary here is as reachable as the world is, and
// shows what the printer itself holds back.
var reachable = map[string]string{"disable-features": "LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests"}

func TestIsolatedPageMakesNoRequest(t *testing.T) {
	unguarded := map[string]string{"disable-features": reachable["disable-features"], "host-resolver-rules": "MAP nobody.invalid ~NOTFOUND"}
	for _, test := range []struct {
		sentence string
		flags    map[string]string
	}{
		{"as it is", reachable},
		{"in a browser that has a network, as one elsewhere", unguarded},
	} {
		printing(t, Options{flags: test.flags}, func(t *testing.T, p *Printer) {
			c := newCanary(t)
			head, body, _ := everyWayOut(c.url)
			literal := `<iframe src=http://169.254.169.254></iframe><script>x</script>`
			text := read(t, mustPrint(t, p, Page{HTML: document(t, "</style>"+head+"<style>", body+"<p>Name: "+html.EscapeString(literal)+"</p>")}))
			if !strings.Contains(withoutSpaces(text), withoutSpaces("Name: "+literal)) {
				t.Errorf("%s: the name is not in the text:\n%s", test.sentence, text)
			}
			if err := p.Close(); err != nil { // no more requests
				t.Error(err)
			}
			if got := c.connections.Load(); got != 0 {
				t.Errorf("%s: %d connections, %d requests, want none", test.sentence, got, c.requests.Load())
			}
		})
	}
}

// Without isolation, the same page reaches the canary: the isolation test is not trivially green.
func TestPageWithoutIsolationMakesRequests(t *testing.T) {
	printing(t, Options{flags: map[string]string{"disable-features": reachable["disable-features"], "host-resolver-rules": "MAP nobody.invalid ~NOTFOUND"}}, func(t *testing.T, p *Printer) {
		mustPrint(t, p, Page{HTML: document(t, "", invoice)})
		c := newCanary(t)
		head, body, ways := everyWayOut(c.url)
		ctx, cancel := chromedp.NewContext(p.browser.ctx, chromedp.WithNewBrowserContext())
		defer cancel()
		ctx, stop := context.WithTimeout(ctx, 20*time.Second)
		defer stop()
		_, err := chromedp.Run(ctx, func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
			tree, err := cdp.Call(ctx, tab, page.GetFrameTree, cdp.Empty{})
			if err != nil {
				return nil, err
			}
			_, err = cdp.Call(ctx, tab, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: tree.FrameTree.Frame.ID, HTML: string(document(t, "</style>"+head+"<style>", body))})
			return nil, err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 15 {
			select {
			case <-c.seen:
			case <-ctx.Done():
				t.Fatalf("%d requests on %d ways, want 15 at least", c.requests.Load(), ways)
			}
		}
	})
}

func TestPageCannotNavigate(t *testing.T) {
	printing(t, Options{flags: reachable}, func(t *testing.T, p *Printer) {
		c := newCanary(t)
		for _, test := range []struct{ sentence, body string }{
			{"it would go elsewhere", `<meta http-equiv="refresh" content="0;url=` + c.url + `">`},
			{"it would go to a file", `<meta http-equiv="refresh" content="0;url=file:///etc/passwd">`},
			{"it would go to a page of its own", `<meta http-equiv="refresh" content="0;url=data:text/html,away">`},
			{"it would go to nothing", `<meta http-equiv="refresh" content="0;url=about:blank">`},
			{"it would begin anew", `<meta http-equiv="refresh" content="0">`},
			{"it shows files", `<iframe src="file:///etc/passwd"></iframe><object data="file:///etc/passwd"></object><embed src="file:///etc/passwd"><link rel="stylesheet" href="file:///etc/passwd"><img src="file:///etc/passwd">`},
			{"it shows pages of the browser", `<iframe src="chrome://version"></iframe><iframe src="view-source:file:///etc/passwd"></iframe><iframe src="blob:null/x"></iframe><iframe src="filesystem:file:///etc"></iframe>`},
			{"it shows pages within its text", `<iframe srcdoc="away"></iframe><iframe src="data:text/html,away"></iframe><object data="data:text/html,away"></object>`},
			{"it would write itself anew", `<script>document.body.textContent = "away"</script><img src="data:," onerror="document.body.textContent = 'away'"><svg onload="document.body.textContent = 'away'"></svg>`},
			{"a base changes nothing", `<base href="` + c.url + `/"><img src="x.png"><a href="y">Name</a>`},
		} {
			// Prints twice, because a page that navigates may do so during the next print.
			for range 2 {
				text := withoutSpaces(read(t, mustPrint(t, p, Page{HTML: document(t, "", "<p>Stays.</p>"+test.body+"<p>End.</p>")})))
				text = strings.Replace(text, "Name", "", 1)
				if text != "Stays.End." {
					t.Errorf("%s: it reads %q", test.sentence, text)
				}
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if got := c.connections.Load(); got != 0 {
			t.Errorf("%d connections, want none", got)
		}
	})
}

// Data of one person's page must not appear in the next one's.
func TestPaperHasNoDataOfPreviousPage(t *testing.T) {
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		mustPrint(t, p, Page{HTML: document(t, "", `<h1 id="secret">Asha Rao</h1><style>body { font-size: 99px }</style>`)})
		file := mustPrint(t, p, Page{HTML: []byte("<!doctype html><html lang=en><title>Next</title><p>Next")})
		if text := withoutSpaces(read(t, file)); text != "Next" || strings.Contains(string(file), "Figtree") || strings.Contains(string(file), "Invoice") {
			t.Errorf("it reads %q, in %d bytes", text, len(file))
		}
	})
}
