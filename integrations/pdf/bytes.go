package pdf

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"
)

var (
	dates = regexp.MustCompile(`/(?:CreationDate|ModDate) \(D:(\d{14}[+-]\d\d'\d\d')\)`)
	// An id of the structure tree, as which Chrome takes the number of an element. Parentheses within a text are escaped, so
	// that no text looks like this.
	structID  = regexp.MustCompile(`/ID \((node\d{8})\)`)
	structIDs = regexp.MustCompile(`/ID \(node\d{8}\)|/(?:Headers|Limits|Names) \[[^\]]*`)
	nodeName  = regexp.MustCompile(`\((node\d{8})\)`)

	streamLength = regexp.MustCompile(`/Length (\d+)>> stream\r?\n`)
)

// sameBytes replaces what differs between two prints of the same page by something as long: the moment at which it was
// printed, and the numbers that Chrome gave to elements.
func sameBytes(file []byte, made time.Time) []byte {
	if made.IsZero() {
		made = time.Unix(0, 0)
	}
	date := made.UTC().Format("20060102150405") + "+00'00'"
	ids := map[string]string{}
	outsideOfStreams(file, func(part []byte) {
		for _, found := range structID.FindAllSubmatch(part, -1) {
			ids[string(found[1])] = ""
		}
		for _, found := range dates.FindAllSubmatch(part, -1) {
			copy(found[1], date)
		}
	})
	// In order, because a reader searches for them in order.
	for i, id := range slices.Sorted(maps.Keys(ids)) {
		ids[id] = fmt.Sprintf("node%08d", i+1)
	}
	outsideOfStreams(file, func(part []byte) {
		for _, place := range structIDs.FindAll(part, -1) {
			for _, found := range nodeName.FindAllSubmatch(place, -1) {
				copy(found[1], ids[string(found[1])])
			}
		}
	})
	return file
}

// outsideOfStreams calls do with every part of a file that holds objects, and not what is packed in their streams.
func outsideOfStreams(file []byte, do func(part []byte)) {
	for {
		found := streamLength.FindSubmatchIndex(file)
		if found == nil {
			do(file)
			return
		}
		do(file[:found[1]])
		length, err := strconv.Atoi(string(file[found[2]:found[3]]))
		if err != nil || length > len(file)-found[1] {
			return
		}
		file = file[found[1]+length:]
		file = bytes.TrimLeft(file, "\r\n")
	}
}
