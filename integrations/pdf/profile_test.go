package pdf

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func profilesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestMain is also the child process that creates a profile and is killed, for TestProfileOfKilledProcessIsRemoved.
func TestMain(m *testing.M) {
	if folder := os.Getenv("KEEP_A_PROFILE_IN"); folder != "" {
		path, _, err := newProfile(folder)
		if err != nil {
			panic(err)
		}
		_, _ = os.Stdout.WriteString(path + "\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	os.Exit(m.Run())
}

// A process killed before it renamed its lock file leaves a file without ending.
func TestUnnamedProfileIsRemovedOnceOld(t *testing.T) {
	folder := t.TempDir()
	old := time.Now().Add(-2 * time.Minute)
	for name, at := range map[string]time.Time{"hiresure-browser-1": old, "hiresure-browser-2": time.Now(), "hiresure-browser-3.profile": old, "somebody-elses": old} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	_, remove, err := newProfile(folder)
	if err != nil {
		t.Fatal(err)
	}
	remove()
	if all := profilesIn(t, folder); !slices.Equal(all, []string{"hiresure-browser-2", "hiresure-browser-3.profile", "somebody-elses"}) {
		t.Errorf("a start leaves %q", all)
	}
}

func TestProfileOfKilledProcessIsRemoved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "browser")
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "KEEP_A_PROFILE_IN="+folder)
	in, err1 := other.StdinPipe()
	out, err2 := other.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	output := make([]byte, 4096)
	n, err := out.Read(output)
	otherProfile := strings.TrimSpace(string(output[:n]))
	if err != nil || os.WriteFile(filepath.Join(otherProfile, "Cookies"), []byte("x"), 0o600) != nil {
		t.Fatal(otherProfile, err)
	}
	strangers := filepath.Join(folder, "somebody-elses"+lockEnding)
	if err := os.WriteFile(strangers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	make := func() (string, func()) {
		t.Helper()
		path, remove, err := newProfile(folder)
		if err != nil {
			t.Fatal(err)
		}
		return path, remove
	}

	first, removeFirst := make()
	_, removeSecond := make()
	if all := profilesIn(t, folder); len(all) != 7 {
		t.Fatalf("beside living processes a start leaves %q", all)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // killed
	_, removeThird := make()
	all := profilesIn(t, folder)
	if len(all) != 7 || slices.Contains(all, filepath.Base(otherProfile)) || !slices.Contains(all, filepath.Base(first)) {
		t.Errorf("after a kill a start leaves %q", all)
	}
	for _, remove := range []func(){removeFirst, removeSecond, removeThird} {
		remove()
	}
	if all := profilesIn(t, folder); len(all) != 1 || all[0] != filepath.Base(strangers) {
		t.Errorf("what is removed leaves %q", all)
	}
}
