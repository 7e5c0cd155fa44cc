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

// A browser's profile is a folder, and beside it a file that the process which started the browser holds locked. The system
// lets go of the lock when that process ends, however it ends, and so tells what nobody removes any more.
const (
	profileName = "hiresure-browser-"
	lockEnding  = ".in-use"

	beginsWithin = time.Minute // it has its name; a file that has none yet after that is of a process that was killed before
)

// newProfile makes a profile in a folder that several processes may share, and removes those of processes that have ended.
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
		os.Rename(lock.Name(), path+lockEnding), // only now do others look at it: it is locked
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
	entries, _ := os.ReadDir(folder) // what cannot be looked at stays
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

// removeProfile leaves the lock where something of the profile stays, so that the next start tries again. The last of a
// browser's processes may still write for a moment.
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
