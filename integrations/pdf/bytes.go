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
	var order []string // as the file has them, which is that of the page
	lists := 0
	outsideOfStreams(file, func(part []byte) {
		for _, found := range structID.FindAllSubmatch(part, -1) {
			order = append(order, string(found[1]))
		}
		lists += len(idLists.FindAll(part, -1))
		for _, found := range dates.FindAllSubmatch(part, -1) {
			copy(found[1], date)
		}
	})
	// Readers search for them in their order, which is mostly that of the page; where Chrome has drawn the numbers in another one,
	// and they stand in one list, that is sorted anew.
	if lists > 1 {
		slices.Sort(order)
	}
	ids := map[string]string{}
	for i, id := range order {
		ids[id] = nodeID(i)
	}
	outsideOfStreams(file, func(part []byte) {
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

// sortIDs brings the ids of a list, and its limits, in their order.
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
