package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockShared prevents Restore while the file is open. Any number of processes may hold it.
func lockShared(path string) (*os.File, error) {
	file, locked, err := flock(path+".in-use", syscall.LOCK_SH)
	if err == nil && !locked {
		err = fmt.Errorf("%s is being restored", path)
	}
	return file, err
}

// lockExclusive fails if a process uses the database, and prevents use while the file is open.
func lockExclusive(path string) (*os.File, error) {
	file, locked, err := flock(path+".in-use", syscall.LOCK_EX)
	if err == nil && !locked {
		err = errInUse(path)
	}
	return file, err
}

func errInUse(path string) error {
	return fmt.Errorf("%s is in use: stop the site, and whatever else has it open", path)
}

// flock takes a lock of the operating system, which ends with the process, or reports that another process holds it.
func flock(path string, how int) (_ *os.File, locked bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if err == nil {
		return file, true, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = nil
	}
	return nil, false, errors.Join(err, file.Close())
}
