package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// manualBlock returns the only block of docs/operating.md in a language, with a secret of its own for each …
func manualBlock(t *testing.T, language string) string {
	t.Helper()
	manual, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(manual), "\n```"+language+"\n")
	if len(parts) != 2 {
		t.Fatalf("operating.md has %d blocks of %s, want one", len(parts)-1, language)
	}
	block, _, _ := strings.Cut(parts[1], "```")
	return regexp.MustCompile("…").ReplaceAllStringFunc(block, func(string) string {
		secret := make([]byte, 32)
		_, _ = rand.Read(secret) // never fails
		return hex.EncodeToString(secret)
	})
}

// The database, the environment and the service of the manual are enough for a production site.
func TestManualInstallsASite(t *testing.T) {
	cluster := storetest.OwnCluster(t)
	admin, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(strings.TrimSpace(manualBlock(t, "sql")), "\n") {
		if _, err := storetest.SQL(t, admin).ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	const role = "postgres://hiresure@/hiresure?" // by the cluster's socket, which asks for no password
	var environment []string
	for line := range strings.Lines(manualBlock(t, "sh")) {
		line = strings.TrimSpace(line)
		switch name, value, _ := strings.Cut(line, "="); name {
		case "ADDR", "DATA_DIR": // the test's
		case "DATABASE_URL":
			if !regexp.MustCompile(`^postgres://hiresure:[0-9a-f]{64}@db\.example\.in/hiresure\?sslmode=verify-full$`).MatchString(value) {
				t.Errorf("DATABASE_URL is of another role or database: %s", value)
			}
			_, query, _ := strings.Cut(admin, "?")
			environment = append(environment, "DATABASE_URL="+role+query)
		default:
			environment = append(environment, line)
		}
	}
	site := Start(t, AnyPort, t.TempDir(), environment...)
	answer, err := http.Get(site.URL + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "degraded: clamd\n" { // which does not run here
		t.Errorf("/readyz says %q, %v", body, err)
	}
	site.Stop(t)
}

var exposure = regexp.MustCompile(`Overall exposure level for hiresure\.service: ([0-9.]+)`)

func TestManualsServiceIsHardened(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd-analyze is not installed")
		return
	}
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "hiresure.service")
	const installed = "ExecStart=/usr/local/bin/site\n"
	service := manualBlock(t, "ini")
	if !strings.Contains(service, installed) {
		t.Fatalf("the service has no %s", installed)
	}
	if err := os.WriteFile(unit, []byte(strings.Replace(service, installed, "ExecStart="+binary+"\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if faults, err := exec.Command(program, "verify", unit).CombinedOutput(); err != nil || len(faults) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, faults)
	}
	report, err := exec.Command(program, "security", "--offline=true", unit).CombinedOutput()
	found := exposure.FindSubmatch(report)
	if found == nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, report))
	}
	if level, err := strconv.ParseFloat(string(found[1]), 64); err != nil || level > 3.9 {
		t.Errorf("the service's exposure is %s, want at most 3.9", found[1])
	}
}
