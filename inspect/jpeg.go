package inspect

import (
	"bytes"
	"encoding/binary"
)

// JPEG markers (ITU T.81, table B.1).
const (
	markerEnd  = 0xd9 // EOI
	markerScan = 0xda // SOS
	markerEXIF = 0xe1 // APP1
)

type jpegStructure struct {
	scans       int
	orientation int // 1 to 8, from EXIF
}

// readJPEG walks the markers without decoding. Decoders cannot read what it cannot follow.
func readJPEG(data []byte) jpegStructure {
	s := jpegStructure{orientation: upright}
	exif := false
	for at := 2; ; {
		// Skip scan data: FF 00 is an escaped byte, and FF D0 to FF D7 are restart markers.
		for at+1 < len(data) && (data[at] != 0xff || data[at+1] == 0 || data[at+1] == 0xff || data[at+1]&^7 == 0xd0) {
			at++
		}
		if at+4 > len(data) || data[at+1] == markerEnd {
			return s
		}
		marker, length := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		switch {
		case marker == markerScan:
			s.scans++
		case marker == markerEXIF && !exif && at+2+length <= len(data) && length > 2:
			if body, is := bytes.CutPrefix(data[at+4:at+2+length], []byte("Exif\x00\x00")); is {
				s.orientation, exif = readOrientation(body), true
			}
		}
		at += 2 + length
	}
}

// readOrientation returns the orientation in EXIF's TIFF structure; upright if missing or unknown.
func readOrientation(tiff []byte) int {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		order = binary.LittleEndian
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	}
	if order == nil || len(tiff) < 8 {
		return upright
	}
	directory := uint64(order.Uint32(tiff[4:]))
	if directory+2 > uint64(len(tiff)) {
		return upright
	}
	const entry, tag, short = 12, 0x0112, 3
	rest := tiff[directory+2:]
	for range order.Uint16(tiff[directory:]) {
		if len(rest) < entry {
			return upright
		}
		if order.Uint16(rest) == tag && order.Uint16(rest[2:]) == short {
			if found := int(order.Uint16(rest[8:])); found >= 1 && found <= 8 {
				return found
			}
			return upright
		}
		rest = rest[entry:]
	}
	return upright
}
