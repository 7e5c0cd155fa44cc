package admission

import "strconv"

// Kilobytes formats a file size: "1,234 KB".
func Kilobytes(bytes int64) string {
	n := strconv.FormatInt((bytes+1023)/1024, 10)
	for i := len(n) - 3; i > 0; i -= 3 {
		n = n[:i] + "," + n[i:]
	}
	return n + " KB"
}
