// Package objects stores files on disk or in an S3 bucket, each encrypted under its own key.
package objects

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"

	"hiresure/admission"
)

// Bucket stores encrypted objects. Objects are immutable: an object's name is the hash of its bytes.
type Bucket interface {
	// Create starts an object, which is invisible before Commit.
	Create() (Pending, error)
	// Open reads an object from its beginning. Errors: fs.ErrNotExist, admission.ErrStorageUnavailable.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Remove deletes an object; a missing one is no error.
	Remove(ctx context.Context, name string) error
	// All yields every object, in no order. It stops at its first error.
	All(ctx context.Context) iter.Seq2[admission.StoredObject, error]
	// Check returns an error if the bucket cannot be read and written now.
	Check(ctx context.Context) error
}

// Pending is being written, and becomes an object by Commit.
type Pending interface {
	io.Writer
	// Commit stores the written bytes under a name, durably. It may be called once.
	Commit(ctx context.Context, name string) error
	// Discard deletes the written bytes; it does nothing after Commit.
	Discard()
}

// S3Keys are the credentials of a bucket.
type S3Keys struct{ Access, Secret string }

// Connect opens the bucket of an address: file:///var/lib/hiresure/files, or
// s3://name/prefix?endpoint=https://s3.example.in&region=ap-south-1. spool is a folder for uploads to S3 in progress.
func Connect(address, spool string, keys S3Keys) (Bucket, error) {
	u, err := ParseAddress(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "file" {
		return NewDisk(u.Path)
	}
	return newS3(u, spool, keys)
}

// ParseAddress parses a bucket's address as Connect takes it, with scheme file or s3.
func ParseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "file" || u.Host != "" || u.Path == "") && (u.Scheme != "s3" || u.Host == "") {
		return nil, fmt.Errorf("STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not %q", address)
	}
	return u, nil
}
