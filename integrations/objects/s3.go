package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"hiresure/admission"
)

// s3Wait is the time limit of one call with its retries; files have at most 2 MB.
const s3Wait = 20 * time.Second

// s3Bucket is a bucket of an S3-compatible provider.
type s3Bucket struct {
	client         *minio.Client
	bucket, prefix string
	spool          string
}

func newS3(address *url.URL, spool string, keys S3Keys) (*s3Bucket, error) {
	endpoint, err := url.Parse(address.Query().Get("endpoint"))
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "https" && endpoint.Scheme != "http" {
		return nil, errors.New("STORAGE_URL: an s3 address needs ?endpoint=https://host")
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(keys.Access, keys.Secret, ""), Secure: endpoint.Scheme == "https",
		Region: address.Query().Get("region"), MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("STORAGE_URL: %w", err)
	}
	if err := os.MkdirAll(spool, 0o700); err != nil {
		return nil, err
	}
	prefix := strings.Trim(address.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &s3Bucket{client, address.Host, prefix, spool}, nil
}

// Create starts a file in the spool, already encrypted, because S3 needs the size first.
func (b *s3Bucket) Create() (Pending, error) {
	file, err := os.CreateTemp(b.spool, "s3-")
	if err != nil {
		return nil, diskError(err)
	}
	_ = os.Remove(file.Name()) // unlinked, so nothing remains if this process ends
	return &pendingUpload{File: file, bucket: b}, nil
}

type pendingUpload struct {
	*os.File
	bucket *s3Bucket
}

func (p *pendingUpload) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	return n, diskError(err)
}

func (p *pendingUpload) Commit(ctx context.Context, name string) error {
	if !admission.IsHash(name) {
		return fmt.Errorf("object %q: %w", name, fs.ErrNotExist)
	}
	size, err := p.Seek(0, io.SeekCurrent)
	if err != nil {
		return diskError(err)
	}
	if _, err := p.Seek(0, io.SeekStart); err != nil {
		return diskError(err)
	}
	ctx, cancel := context.WithTimeout(ctx, s3Wait)
	defer cancel()
	_, err = p.bucket.client.PutObject(ctx, p.bucket.bucket, p.bucket.prefix+name, p.File, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
	return s3Error(err)
}

func (p *pendingUpload) Discard() { _ = p.Close() }

// Open opens an object and waits for the first response, so that a missing object is an error here.
func (b *s3Bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.bucket, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, s3Error(err)
	}
	if _, err := object.Stat(); err != nil {
		return nil, errors.Join(s3Error(err), object.Close())
	}
	return object, nil
}

func (b *s3Bucket) Remove(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, s3Wait)
	defer cancel()
	err := s3Error(b.client.RemoveObject(ctx, b.bucket, b.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (b *s3Bucket) All(ctx context.Context) iter.Seq2[admission.StoredObject, error] {
	return func(yield func(admission.StoredObject, error) bool) {
		ctx, cancel := context.WithCancel(ctx) // ends the listing where the caller stops early
		defer cancel()
		for found := range b.client.ListObjects(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
			if found.Err != nil {
				yield(admission.StoredObject{}, s3Error(found.Err))
				return
			}
			name := strings.TrimPrefix(found.Key, b.prefix)
			if admission.IsHash(name) && !yield(admission.StoredObject{Name: name, At: found.LastModified}, nil) {
				return
			}
		}
	}
}

func (b *s3Bucket) Check(ctx context.Context) error {
	exists, err := b.client.BucketExists(ctx, b.bucket)
	if err == nil && !exists {
		err = fmt.Errorf("%w: bucket %s does not exist", admission.ErrStorageUnavailable, b.bucket)
	}
	return s3Error(err)
}

// s3Error wraps an error as diskError does.
func s3Error(err error) error {
	if err == nil || errors.Is(err, admission.ErrStorageUnavailable) {
		return err
	}
	answer := minio.ToErrorResponse(err)
	switch {
	case answer.Code == "NoSuchKey":
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case answer.StatusCode == http.StatusInsufficientStorage, answer.Code == "QuotaExceeded", answer.Code == "XMinioStorageFull":
		return fmt.Errorf("%w: %w", admission.ErrStorageFull, err)
	default:
		return fmt.Errorf("%w: %w", admission.ErrStorageUnavailable, err)
	}
}
