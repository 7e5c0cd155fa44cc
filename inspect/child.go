package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Exit codes of the child process. Every verdict exits with 0; the Go runtime uses 2.
const (
	exitFault = 1
	exitTime  = 3
)

// Child is the main function of the child process: it limits its resources, reads a file, and writes a verdict as one line of JSON and
// then the cleaned file. It returns the exit code.
func Child(in io.Reader, out io.Writer, args []string) int {
	flags := flag.NewFlagSet("inspect", flag.ContinueOnError)
	var want Want
	flags.BoolVar(&want.PDF, "pdf", false, "accept PDF")
	flags.IntVar(&want.MinSide, "least", 0, "minimum length of a picture's shorter side, in pixels")
	flags.IntVar(&want.MaxSide, "side", 0, "maximum length of a picture, in pixels")
	cpu := flags.Duration("time", defaultTime, "processor time")
	memory := flags.Int64("memory", defaultMemory, "bytes")
	if err := flags.Parse(args); err != nil {
		return exitFault
	}
	if err := limitResources(*cpu, *memory); err != nil {
		fmt.Fprintln(os.Stderr, "site inspect:", err)
		return exitFault
	}
	data, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err == nil {
		err = writeVerdict(out, data, want)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site inspect:", err)
		return exitFault
	}
	return 0
}

// limitResources limits the resources of this process permanently.
func limitResources(cpu time.Duration, memory int64) error {
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(memory * 3 / 4) // exceeding the hard limit kills
	seconds := uint64(cpu/time.Second) + 2
	for resource, limit := range map[int]uint64{
		syscall.RLIMIT_DATA:  uint64(memory),
		syscall.RLIMIT_CPU:   seconds, // in case the finer timer below cannot run
		syscall.RLIMIT_CORE:  0,       // no core dumps with documents
		syscall.RLIMIT_FSIZE: 0,       // no files at all
	} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("set limit %d: %w", resource, err)
		}
	}
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			if used() > cpu {
				os.Exit(exitTime)
			}
		}
	}()
	return nil
}

// used returns the processor time of this process.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func writeVerdict(out io.Writer, data []byte, want Want) error {
	file, kept, err := judge(data, want)
	result := verdict{File: file}
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		result, kept = verdict{Reason: refusal.Reason, Detail: refusal.Detail}, nil
	} else if err != nil {
		return err
	}
	writer := bufio.NewWriter(out)
	if err := json.NewEncoder(writer).Encode(result); err != nil {
		return err
	}
	_, _ = writer.Write(kept) // Flush returns the error
	return writer.Flush()
}

// judge returns the cleaned file. The error is a *Refusal or internal.
func judge(data []byte, want Want) (file File, kept []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil { // a decoder panics only on damaged files
			file, kept, err = File{}, nil, refuse(Damaged, fmt.Sprint("panic: ", fault))
		}
	}()
	switch found := sniff(data); {
	case len(data) == 0:
		return file, nil, refuse(Empty, "")
	case found == heic:
		return file, nil, refuse(HEIC, found)
	case want.PDF && (found == unknown || strings.HasPrefix(found, "text/plain")) && bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-")):
		return file, nil, refuse(Damaged, "bytes before the PDF")
	case found != JPEG && found != PNG && (found != PDF || !want.PDF):
		return file, nil, refuse(WrongType, found)
	case len(data) > MaxBytes:
		return file, nil, refuse(TooLarge, "bytes")
	case found == PDF:
		pages, err := checkPDF(data)
		return File{Found: PDF, ContentType: PDF, Pages: pages, Size: int64(len(data))}, data, err
	default:
		return reencode(data, found, want)
	}
}

// Types that are not accepted.
const (
	heic    = "image/heic"
	unknown = "application/octet-stream"
)

// sniff detects a type by the first bytes, which must be at the start.
func sniff(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return JPEG
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case bytes.HasPrefix(data, []byte("%PDF-")):
		return PDF
	case len(data) >= 12 && string(data[4:8]) == "ftyp":
		switch string(data[8:12]) {
		case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1":
			return heic
		case "avif", "avis":
			return "image/avif"
		}
	case bytes.HasPrefix(data, []byte("II*\x00")), bytes.HasPrefix(data, []byte("MM\x00*")):
		return "image/tiff"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) && bytes.Contains(data[:min(len(data), 4096)], []byte("word/")), bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "application/msword" // old and new Office formats get the same message
	}
	if found := http.DetectContentType(data); found != PDF { // PDF was checked above
		return found
	}
	return unknown
}
