package pdf

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	dates = regexp.MustCompile(`/(?:CreationDate|ModDate) \(D:(\d{14}[+-]\d\d'\d\d')\)`)
	// An id of the structure tree, which contains Chrome's number of an element. Text cannot match: its parentheses are escaped.
	structID  = regexp.MustCompile(`/ID \((node\d{8})\)`)
	structIDs = regexp.MustCompile(`/ID \(node\d{8}\)|/(?:Headers|Limits|Names) \[[^\]]*`)
	nodeName  = regexp.MustCompile(`\((node\d{8})\)`)

	streamLength = regexp.MustCompile(`/Length (\d+)>> stream\r?\n`)
)

// sameBytes replaces the parts that differ between prints of a page by others of the same length: the time of printing and Chrome's
// numbers of elements.
func sameBytes(file []byte, made time.Time) []byte {
	if made.IsZero() {
		made = time.Unix(0, 0)
	}
	date := made.UTC().Format("20060102150405") + "+00'00'"
	var order []string // in the order of the file
	lists := 0
	eachPart(file, func(part, _ []byte) {
		for _, found := range structID.FindAllSubmatch(part, -1) {
			order = append(order, string(found[1]))
		}
		lists += len(idLists.FindAll(part, -1))
		for _, found := range dates.FindAllSubmatch(part, -1) {
			copy(found[1], date)
		}
	})
	// PDF readers search these ids in sorted order, normally the page's. If Chrome assigned other numbers, a single list is sorted.
	if lists > 1 {
		slices.Sort(order)
	}
	ids := map[string]string{}
	for i, id := range order {
		ids[id] = nodeID(i)
	}
	eachPart(file, func(part, _ []byte) {
		for _, place := range structIDs.FindAll(part, -1) {
			for _, found := range nodeName.FindAllSubmatch(place, -1) {
				copy(found[1], ids[string(found[1])])
			}
		}
		if lists == 1 {
			sortIDs(part, len(order))
		}
	})
	return file
}

var (
	idLists = regexp.MustCompile(`/Names \[[^\]]*`)
	named   = regexp.MustCompile(`\(node\d{8}\) \d+ 0 R`)
	limits  = regexp.MustCompile(`/Limits \[\((node\d{8})\) \((node\d{8})\)`)
)

func nodeID(i int) string { return fmt.Sprintf("node%08d", i+1) }

// sortIDs sorts the ids of a list and its limits.
func sortIDs(part []byte, count int) {
	for _, list := range idLists.FindAll(part, -1) {
		var entries []string
		for _, entry := range named.FindAll(list, -1) {
			entries = append(entries, string(entry))
		}
		slices.Sort(entries)
		places := named.FindAllIndex(list, -1)
		if len(places) == 0 {
			continue
		}
		whole := list[places[0][0]:places[len(places)-1][1]]
		if sorted := strings.Join(entries, " "); len(sorted) == len(whole) { // a reference is as long elsewhere
			copy(whole, sorted)
		}
	}
	for _, of := range limits.FindAllSubmatch(part, -1) {
		copy(of[1], nodeID(0))
		copy(of[2], nodeID(count-1))
	}
}

// eachPart calls do for every part of a file outside of streams, with the stream after it; nil after the last part.
func eachPart(file []byte, do func(part, stream []byte)) {
	for {
		found := streamLength.FindSubmatchIndex(file)
		if found == nil {
			do(file, nil)
			return
		}
		part, after := file[:found[1]], file[found[1]:]
		length, err := strconv.Atoi(string(file[found[2]:found[3]]))
		if err != nil || length > len(after) {
			do(part, nil)
			return
		}
		do(part, after[:length])
		file = bytes.TrimLeft(after[length:], "\r\n")
	}
}
