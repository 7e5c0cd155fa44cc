package objects_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"hiresure/admission"
	"hiresure/integrations/objects"
	"hiresure/integrations/objects/objectstest"
)

const keyA = "2026a:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
const keyB = "2026b:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f"

// place is a kind of bucket: its address, and the folder with its bytes.
type place struct {
	name, address, folder string
}

func places(t *testing.T) []place {
	folder := t.TempDir()
	all := []place{{"disk", "file://" + folder, folder}}
	if testing.Short() {
		return all
	}
	gateway := objectstest.Start(t)
	return append(all, place{"s3", gateway.Bucket(t, "students"), filepath.Join(gateway.Folder, "students")})
}

func (p place) bucket(t *testing.T) objects.Bucket {
	t.Helper()
	bucket, err := objects.Connect(p.address, t.TempDir(), objects.S3Keys{Access: objectstest.Access, Secret: objectstest.Secret})
	if err != nil {
		t.Fatal(err)
	}
	return bucket
}

func (p place) vault(t *testing.T, keys string) *objects.Vault {
	t.Helper()
	read, err := objects.ReadMasterKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	return objects.NewVault(p.bucket(t), read)
}

// lying returns the files that hold objects, including pending ones.
func (p place) lying(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(p.folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func read(t *testing.T, v *objects.Vault, id string, file admission.StoredFile) ([]byte, error) {
	t.Helper()
	r, err := v.Open(t.Context(), id, file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func put(t *testing.T, v *objects.Vault, id, content string) admission.StoredFile {
	t.Helper()
	file, err := v.Put(t.Context(), id, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFileRoundTrip(t *testing.T) {
	for _, p := range places(t) {
		for _, size := range []int{1, 65535, 65536, 65537, 2 << 20} {
			v, content := p.vault(t, keyA), strings.Repeat("marksheet ", size/10+1)[:size]
			file := put(t, v, "one", content)
			if file.Size != int64(size) || file.KeyID != "2026a" || len(file.Key) != 60 {
				t.Errorf("%s: %d bytes are stored as %d under %q with a key of %d bytes", p.name, size, file.Size, file.KeyID, len(file.Key))
			}
			if got, err := read(t, v, "one", file); err != nil || string(got) != content {
				t.Errorf("%s: %d bytes are read as %d, %v", p.name, size, len(got), err)
			}
		}
	}
}

func TestStoredBytesRevealNothing(t *testing.T) {
	const secret = "Asha Rao, 89 percent"
	for _, p := range places(t) {
		v := p.vault(t, keyA)
		first, second := put(t, v, "one", secret), put(t, v, "two", secret)
		if first.Object == second.Object {
			t.Errorf("%s: two files with one content have one name", p.name)
		}
		paths := p.lying(t)
		if len(paths) != 2 {
			t.Errorf("%s: two files lie as %q", p.name, paths)
		}
		for _, path := range paths {
			if lying, err := os.ReadFile(path); err != nil || bytes.Contains(lying, []byte("Asha")) {
				t.Errorf("%s: %s can be read, %v", p.name, path, err)
			}
		}
	}
}

func TestFileOpensOnlyForItsID(t *testing.T) {
	for _, p := range places(t) {
		v := p.vault(t, keyA)
		file, other := put(t, v, "one", "of one"), put(t, v, "two", "of two")
		stolen := other
		stolen.Object = file.Object
		cases := []struct {
			sentence, id string
			file         admission.StoredFile
		}{
			{"another's id", "two", file},
			{"the bytes of one under the key of another", "two", stolen},
			{"a master key of another name", "one", admission.StoredFile{Object: file.Object, Key: file.Key, KeyID: "2025"}},
			{"an object that is a path", "one", admission.StoredFile{Object: "../../../../etc/passwd", Key: file.Key, KeyID: file.KeyID}},
			{"an object that is not there", "one", admission.StoredFile{Object: strings.Repeat("0", 64), Key: file.Key, KeyID: file.KeyID}},
		}
		for _, c := range cases {
			if got, err := read(t, v, c.id, c.file); err == nil {
				t.Errorf("%s: %s opens %q", p.name, c.sentence, got)
			}
		}
		_, err := read(t, v, "one", cases[4].file)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: what is not there is %v", p.name, err)
		}
	}
}

func TestChangedOrTruncatedFileFails(t *testing.T) {
	for _, p := range places(t) {
		v := p.vault(t, keyA)
		file := put(t, v, "one", strings.Repeat("a photo. ", 20_000))
		path := p.lying(t)[0]
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for sentence, changed := range map[string][]byte{
			"one bit changed":      append(slices.Clone(whole[:70_000]), append([]byte{whole[70_000] ^ 1}, whole[70_001:]...)...),
			"the end cut off":      whole[:len(whole)-1],
			"a whole package less": whole[:65536+32],
			"nothing left":         {},
		} {
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := read(t, v, "one", file); err == nil {
				t.Errorf("%s: %s, and it reads without an error", p.name, sentence)
			}
		}
	}
}

func TestFailedPutLeavesNothing(t *testing.T) {
	broken := errors.New("the line broke")
	for _, p := range places(t) {
		v := p.vault(t, keyA)
		if _, err := v.Put(t.Context(), "one", io.MultiReader(strings.NewReader("half a photo"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("%s: a broken line is %v", p.name, err)
		}
		if _, err := v.Put(t.Context(), "one", strings.NewReader("")); err == nil || err.Error() != "store one: empty file" {
			t.Errorf("%s: an empty file is %v", p.name, err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := v.Put(gone, "one", strings.NewReader("whole")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: who has left is %v", p.name, err)
		}
		if left := p.lying(t); len(left) != 0 {
			t.Errorf("%s: left lying: %q", p.name, left)
		}
	}
}

func TestRemovedFileIsGone(t *testing.T) {
	for _, p := range places(t) {
		v := p.vault(t, keyA)
		file, stays := put(t, v, "one", "goes"), put(t, v, "two", "stays")
		for range 2 { // removing a missing file succeeds
			if err := v.Remove(t.Context(), file.Object); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		if _, err := read(t, v, "one", file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a removed file reads with %v", p.name, err)
		}
		var names []string
		for object, err := range v.All(t.Context()) {
			if err != nil || object.At.IsZero() {
				t.Errorf("%s: %v, %v", p.name, object, err)
			}
			names = append(names, object.Name)
		}
		if !slices.Equal(names, []string{stays.Object}) {
			t.Errorf("%s: there are %q", p.name, names)
		}
	}
}

func TestRewrapLeavesFileUnchanged(t *testing.T) {
	for _, p := range places(t) {
		file := put(t, p.vault(t, keyA), "one", "a marksheet")
		path := p.lying(t)[0]
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		both := p.vault(t, keyB+","+keyA)
		if got, err := read(t, both, "one", file); err != nil || string(got) != "a marksheet" {
			t.Errorf("%s: with both keys: %q, %v", p.name, got, err)
		}
		turned, err := both.Rewrap("one", file)
		if err != nil || turned.KeyID != "2026b" || turned.Object != file.Object || turned.Size != file.Size {
			t.Fatalf("%s: rewrapped as %+v, %v", p.name, turned, err)
		}
		alone := p.vault(t, keyB)
		if got, err := read(t, alone, "one", turned); err != nil || string(got) != "a marksheet" {
			t.Errorf("%s: with the new key alone: %q, %v", p.name, got, err)
		}
		if _, err := read(t, alone, "one", file); err == nil || !strings.Contains(err.Error(), `the master key "2026a" is not configured`) {
			t.Errorf("%s: what was wrapped by the old key opens without it: %v", p.name, err)
		}
		if _, err := both.Rewrap("two", file); err == nil {
			t.Errorf("%s: a key was rewrapped for another id", p.name)
		}
		if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("%s: the file was touched", p.name)
		}
	}
}

func TestCheckReportsBucketErrors(t *testing.T) {
	for _, p := range places(t) {
		if err := p.bucket(t).Check(t.Context()); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if left := p.lying(t); len(left) != 0 {
			t.Errorf("%s: a check leaves %q", p.name, left)
		}
	}
	if testing.Short() {
		return
	}
	gateway := objectstest.Start(t)
	address := gateway.Bucket(t, "students")
	for sentence, c := range map[string]struct{ address, secret string }{
		"a wrong secret":   {address, "another"},
		"no such bucket":   {strings.Replace(address, "students", "teachers", 1), objectstest.Secret},
		"nobody answers":   {"s3://students?endpoint=http://127.0.0.1:1&region=us-east-1", objectstest.Secret},
		"not even a route": {"s3://students?endpoint=http://bucket.invalid&region=us-east-1", objectstest.Secret},
	} {
		bucket, err := objects.Connect(c.address, t.TempDir(), objects.S3Keys{Access: objectstest.Access, Secret: c.secret})
		if err != nil {
			t.Fatal(err)
		}
		if err := bucket.Check(t.Context()); !errors.Is(err, admission.ErrStorageUnavailable) {
			t.Errorf("%s: %v", sentence, err)
		}
	}
}

func TestInvalidAddressOrKeyIsRejected(t *testing.T) {
	for address, want := range map[string]string{
		"":                               `STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not ""`,
		"file://host/folder":             `STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not "file://host/folder"`,
		"https://bucket.example":         `STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not "https://bucket.example"`,
		"s3://bucket":                    "STORAGE_URL: an s3 address needs ?endpoint=https://host",
		"s3://bucket?endpoint=127.0.0.1": "STORAGE_URL: an s3 address needs ?endpoint=https://host",
	} {
		if _, err := objects.Connect(address, t.TempDir(), objects.S3Keys{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", address, err)
		}
	}
	const shape = "must be a name, a colon and 64 hexadecimal digits (openssl rand -hex 32), the current key first, separated by commas"
	for keys, want := range map[string]string{
		"": shape, "2026a": shape, "2026a:00": shape, ":" + keyA[6:]: shape, "a-name-of-more-than-twenty:" + keyA[6:]: shape,
		keyA + "," + keyA: `duplicate name "2026a"`,
	} {
		if _, err := objects.ReadMasterKeys(keys); err == nil || err.Error() != want {
			t.Errorf("%q: %v", keys, err)
		}
	}
}
