package objects

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/minio/sio"

	"hiresure/admission"
)

// Vault implements admission.Files over a bucket. It is safe for concurrent use.
type Vault struct {
	Bucket
	keys MasterKeys
}

var _ admission.Files = (*Vault)(nil)

// NewVault returns a Vault that encrypts the objects of a bucket.
func NewVault(bucket Bucket, keys MasterKeys) *Vault { return &Vault{bucket, keys} }

// Put encrypts r under a new key: DARE 2.0 with AES-256-GCM (https://github.com/minio/sio/blob/master/DARE.md), in packages of
// 64 KB, so that memory holds no whole file.
func (v *Vault) Put(ctx context.Context, id string, r io.Reader) (admission.StoredFile, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never returns an error
	pending, err := v.Create()
	if err != nil {
		return admission.StoredFile{}, fmt.Errorf("store %s: %w", id, err)
	}
	defer pending.Discard()
	hash, content := sha256.New(), &counter{r: r}
	encrypted, err := sio.EncryptReader(content, config(key))
	if err != nil {
		return admission.StoredFile{}, fmt.Errorf("store %s: %w", id, err)
	}
	if _, err := io.Copy(io.MultiWriter(pending, hash), encrypted); err != nil {
		return admission.StoredFile{}, fmt.Errorf("store %s: %w", id, err)
	}
	if err := ctx.Err(); err != nil {
		return admission.StoredFile{}, fmt.Errorf("store %s: %w", id, err)
	}
	if content.n == 0 { // DARE does not support empty content
		return admission.StoredFile{}, fmt.Errorf("store %s: empty file", id)
	}
	file := admission.StoredFile{Object: hex.EncodeToString(hash.Sum(nil)), Size: content.n}
	file.Key, file.KeyID = v.keys.wrap(key, id)
	if err := pending.Commit(ctx, file.Object); err != nil {
		return admission.StoredFile{}, fmt.Errorf("store %s: %w", id, err)
	}
	return file, nil
}

// Open decrypts a file while it is read. Each package of 64 KB is authenticated before any of it is returned.
func (v *Vault) Open(ctx context.Context, id string, file admission.StoredFile) (io.ReadCloser, error) {
	key, err := v.keys.unwrap(file.Key, file.KeyID, id)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", id, err)
	}
	object, err := v.Bucket.Open(ctx, file.Object)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", id, err)
	}
	clear, err := sio.DecryptReader(object, config(key))
	if err != nil {
		_ = object.Close()
		return nil, fmt.Errorf("open %s: %w", id, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{clear, object}, nil
}

// Rewrap encrypts a file's key under the current master key; the file itself is unchanged.
func (v *Vault) Rewrap(id string, file admission.StoredFile) (admission.StoredFile, error) {
	key, err := v.keys.unwrap(file.Key, file.KeyID, id)
	if err != nil {
		return file, err
	}
	file.Key, file.KeyID = v.keys.wrap(key, id)
	return file, nil
}

func config(key []byte) sio.Config {
	return sio.Config{Key: key, MinVersion: sio.Version20, CipherSuites: []byte{sio.AES_256_GCM}}
}

// counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
