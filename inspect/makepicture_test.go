package inspect

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
)

// Pictures of the corpus, generated instead of stored in the repository.

var corners = [2][2]color.RGBA{{{200, 30, 30, 255}, {30, 160, 30, 255}}, {{30, 30, 200, 255}, {240, 240, 240, 255}}} // by row, by column

// quarters returns a picture with different corners, which show its orientation.
func quarters(width, height int) *image.RGBA {
	made := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			made.SetRGBA(x, y, corners[y*2/height][x*2/width])
		}
	}
	return made
}

// noise returns an incompressible picture.
func noise(width, height int) *image.NRGBA {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range made.Pix {
		made.Pix[i] = byte(random.Uint32())
	}
	return made
}

func asJPEG(picture image.Image) []byte {
	var out bytes.Buffer
	must(jpeg.Encode(&out, picture, nil))
	return out.Bytes()
}

func asPNG(picture image.Image) []byte {
	var out bytes.Buffer
	must(png.Encode(&out, picture))
	return out.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func joined(parts ...[]byte) []byte { return slices.Concat(parts...) }

// segment returns a JPEG segment.
func segment(marker byte, body []byte) []byte {
	return joined([]byte{0xff, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(body)+2)), body)
}

// withSegments inserts segments after the start of a JPEG.
func withSegments(picture []byte, segments ...[]byte) []byte {
	return joined(picture[:2], joined(segments...), picture[2:])
}

// exif returns a TIFF structure with an orientation, a location and a thumbnail.
func exif(order binary.AppendByteOrder, orientation int, thumbnail []byte) []byte {
	out := []byte("MM\x00*")
	if order.String() == binary.LittleEndian.String() {
		out = []byte("II*\x00")
	}
	entry := func(tag, kind uint16, count uint32, value []byte) {
		out = order.AppendUint16(out, tag)
		out = order.AppendUint16(out, kind)
		out = order.AppendUint32(out, count)
		out = append(out, append(value, make([]byte, 4)...)[:4]...)
	}
	long := func(n uint32) []byte { return order.AppendUint32(nil, n) }
	out = order.AppendUint32(out, 8)
	out = order.AppendUint16(out, 3)
	entry(0x010f, 2, 4, []byte("Cam\x00"))
	entry(0x0112, 3, 1, order.AppendUint16(nil, uint16(orientation)))
	entry(0x8825, 4, 1, long(50)) // GPS
	out = order.AppendUint32(out, 50+2+2*12+4+24)
	out = order.AppendUint16(out, 2)
	entry(1, 2, 2, []byte("N\x00"))
	entry(2, 5, 3, long(50+2+2*12+4))
	out = order.AppendUint32(out, 0)
	for _, part := range []uint32{28, 1, 36, 1, 5099, 100} {
		out = order.AppendUint32(out, part)
	}
	out = order.AppendUint16(out, 2)
	entry(0x0201, 4, 1, long(uint32(len(out)+2*12+4-14+12)))
	entry(0x0202, 4, 1, long(uint32(len(thumbnail))))
	out = order.AppendUint32(out, 0)
	return append(out, thumbnail...)
}

func withEXIF(picture []byte, tiff []byte) []byte {
	return withSegments(picture, segment(0xe1, joined([]byte("Exif\x00\x00"), tiff)))
}

// chunk returns a PNG chunk.
func chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

const pngHead = "\x89PNG\r\n\x1a\n"

func header(width, height uint32, depth, colors, interlaced byte) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return chunk("IHDR", append(body, depth, colors, 0, 0, interlaced))
}

// blank returns a PNG of zeros: colour type 0 is grey, 6 is RGBA.
func blank(width, height uint32, depth, colors byte) []byte {
	row := 1 + int(width)*int(depth)/8*map[byte]int{0: 1, 6: 4}[colors]
	return joined([]byte(pngHead), header(width, height, depth, colors, 0), chunk("IDAT", zeros(nil, row*int(height))), chunk("IEND", nil))
}

// withChunks inserts chunks after the header of a PNG.
func withChunks(picture []byte, chunks ...[]byte) []byte {
	const head = len(pngHead) + 25
	return joined(picture[:head], joined(chunks...), picture[head:])
}

func packed(data []byte) []byte {
	var out bytes.Buffer
	writer, err := zlib.NewWriterLevel(&out, zlib.BestCompression)
	must(err)
	_, _ = writer.Write(data)
	must(writer.Close())
	return out.Bytes()
}

// bomb returns data followed by 500 MB of zeros, compressed a thousandfold.
func bomb(data []byte) []byte { return zeros(data, 500<<20) }

// zeros compresses data and n zeros without holding them: the tests' memory would count as their children's.
func zeros(data []byte, n int) []byte {
	var out bytes.Buffer
	writer, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	must(err)
	_, _ = writer.Write(data)
	for block := make([]byte, 1<<20); n > 0; n -= len(block) {
		_, _ = writer.Write(block[:min(n, len(block))])
	}
	must(writer.Close())
	return out.Bytes()
}

// interlaced returns a grey PNG of 8 × 8 pixels in Adam7's seven passes.
func interlaced() []byte {
	var rows []byte
	for _, pass := range [7][2]int{{1, 1}, {1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 4}, {8, 4}} { // width, height
		for range pass[1] {
			rows = append(append(rows, 0), bytes.Repeat([]byte{90}, pass[0])...)
		}
	}
	return joined([]byte(pngHead), header(8, 8, 8, 0, 1), chunk("IDAT", packed(rows)), chunk("IEND", nil))
}

// tables returns quantisation and Huffman tables with one code each, "0": a difference of zero, and the symbol ac.
func tables(ac byte) []byte {
	code := func(class, symbol byte) []byte {
		return segment(0xc4, joined([]byte{class, 1}, make([]byte, 15), []byte{symbol}))
	}
	return joined(segment(0xdb, joined([]byte{0}, bytes.Repeat([]byte{1}, 64))), code(0x00, 0), code(0x10, ac))
}

// frame returns a JPEG frame header with n components of 8 bits.
func frame(marker byte, width, height uint16, components int) []byte {
	body := binary.BigEndian.AppendUint16([]byte{8}, height)
	body = append(binary.BigEndian.AppendUint16(body, width), byte(components))
	for i := range components {
		body = append(body, byte(i+1), 0x11, 0)
	}
	return segment(marker, body)
}

// cmyk returns a JPEG of 8 × 8 pixels with four colour components.
func cmyk() []byte {
	scan := segment(0xda, []byte{4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0})
	return joined([]byte("\xff\xd8"), segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")), tables(0), frame(0xc0, 8, 8, 4), scan, []byte{0, 0xff, 0xd9})
}

// progressive returns a grey JPEG with n scans, each over the whole picture.
func progressive(width, height uint16, scans int) []byte {
	blocks := (int(width) + 7) / 8 * ((int(height) + 7) / 8)
	out := joined([]byte("\xff\xd8"), tables(0xe0), frame(0xc2, width, height, 1))
	out = append(out, segment(0xda, []byte{1, 1, 0, 0, 0, 0})...)
	out = append(out, make([]byte, (blocks+7)/8)...)
	var data []byte // "no more, for 2 to the 14th and so many blocks", which is the symbol E0 and 14 bits
	var bits, length uint
	for left := blocks; left > 0; left -= 1<<15 - 1 {
		bits, length = bits<<15|(1<<14-1), length+15
		for ; length >= 8; length -= 8 {
			data = append(data, byte(bits>>(length-8)))
			if data[len(data)-1] == 0xff {
				data = append(data, 0)
			}
		}
	}
	data = append(data, byte(bits<<(8-length)))
	again := joined(segment(0xda, []byte{1, 1, 0, 1, 63, 0}), data)
	for range scans - 1 {
		out = append(out, again...)
	}
	return append(out, 0xff, 0xd9)
}

// heavy returns a progressive colour JPEG, whose decoder needs four bytes per pixel and colour.
func heavy(width, height uint16) []byte {
	blocks := (int(width) + 7) / 8 * ((int(height) + 7) / 8)
	scan := segment(0xda, []byte{3, 1, 0, 2, 0, 3, 0, 0, 0, 0})
	return joined([]byte("\xff\xd8"), tables(0), frame(0xc2, width, height, 3), scan, make([]byte, (3*blocks+7)/8), []byte{0xff, 0xd9})
}
