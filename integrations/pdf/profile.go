package pdf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A browser's profile is a folder with a lock file, locked by the process that started the browser. The system releases the
// lock when that process ends, so an unlocked profile is abandoned.
const (
	profileName = "hiresure-browser-"
	lockEnding  = ".in-use"

	beginsWithin = time.Minute // a lock file that is unnamed after this time was abandoned
)

// newProfile creates a profile in a folder that processes may share, and removes abandoned ones.
func newProfile(folder string) (path string, remove func(), err error) {
	folder, err = filepath.Abs(folder)
	if err := errors.Join(err, os.MkdirAll(folder, 0o700)); err != nil {
		return "", nil, fmt.Errorf("make the browsers' folder: %w", err)
	}
	removeDead(folder)
	lock, err := os.CreateTemp(folder, profileName)
	if err != nil {
		return "", nil, fmt.Errorf("make the browser's profile: %w", err)
	}
	path = lock.Name() + ".profile"
	err = errors.Join(
		syscall.Flock(int(lock.Fd()), syscall.LOCK_EX),
		os.Rename(lock.Name(), path+lockEnding), // visible to others only now, already locked
		os.Mkdir(path, 0o700),
	)
	remove = func() {
		removeProfile(path)
		lock.Close()
	}
	if err != nil {
		os.Remove(lock.Name())
		remove()
		return "", nil, fmt.Errorf("make the browser's profile: %w", err)
	}
	return path, remove, nil
}

func removeDead(folder string) {
	entries, _ := os.ReadDir(folder) // unreadable ones stay
	for _, entry := range entries {
		rest, ours := strings.CutPrefix(entry.Name(), profileName)
		if !ours {
			continue
		}
		path, is := strings.CutSuffix(filepath.Join(folder, entry.Name()), lockEnding)
		if !is {
			if info, err := entry.Info(); err == nil && !strings.Contains(rest, ".") && time.Since(info.ModTime()) > beginsWithin {
				os.Remove(path)
			}
			continue
		}
		lock, err := os.OpenFile(path+lockEnding, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			removeProfile(path)
		}
		lock.Close()
	}
}

// removeProfile removes a profile. If something remains, because a browser process still writes, it keeps the lock file so that the next
// start tries again.
func removeProfile(path string) {
	for late := time.Now().Add(closeTime); ; time.Sleep(20 * time.Millisecond) {
		if os.RemoveAll(path) == nil {
			os.Remove(path + lockEnding)
			return
		}
		if time.Now().After(late) {
			return
		}
	}
}
