package pdf

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// elsewhere is a remote browser.
type elsewhere struct {
	url, port string
	end       func()
}

func startElsewhere(t *testing.T, path, port string) *elsewhere {
	t.Helper()
	profile, err := os.MkdirTemp("", "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"--headless", "--disable-gpu", "--font-render-hinting=none", "--remote-debugging-port=" + port, "--user-data-dir=" + profile}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--no-sandbox")
	}
	command := exec.Command(path, arguments...)
	output, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "DevTools listening on "); found {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			return &elsewhere{url: "http://" + u.Host, port: u.Port(), end: func() {
				t.Helper()
				kill(t, "browser")
				_ = command.Wait() // killed
				if err := os.RemoveAll(profile); err != nil {
					t.Error(err)
				}
			}}
		}
	}
	t.Fatal("the browser did not start")
	return nil
}

// tabs returns the number of open pages.
func (e *elsewhere) tabs(t *testing.T) (pages int) {
	t.Helper()
	answer, err := http.Get(e.url + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var targets []struct{ Type string }
	if err := json.NewDecoder(answer.Body).Decode(&targets); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if target.Type == "page" {
			pages++
		}
	}
	return pages
}
