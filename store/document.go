package store

import (
	"encoding/base64"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/mydata"
)

type uploadRow struct {
	ID             string
	RegistrationID string
	Kind           document.Kind
	Name           string
	Type           string
	Size           int64
	Hash           string
	Received       int64
	Writer         string
	State          document.UploadState
	Refusal        string
	DocumentID     string
	JudgeUntil     time.Time `gorm:"serializer:micros"`
	BegunAt        time.Time `gorm:"serializer:micros"`
	ExpiresAt      time.Time `gorm:"serializer:micros"`
}

func (uploadRow) TableName() string { return "uploads" }

// keyEncoding encodes wrapped keys.
var keyEncoding = base64.RawStdEncoding

// storedFileRow contains the columns of an admission.StoredFile.
type storedFileRow struct {
	Object  string
	Size    int64
	FileKey string
	KeyID   string
}

func newStoredFileRow(f admission.StoredFile) storedFileRow {
	return storedFileRow{f.Object, f.Size, keyEncoding.EncodeToString(f.Key), f.KeyID}
}

func (r storedFileRow) file() (admission.StoredFile, error) {
	key, err := keyEncoding.DecodeString(r.FileKey)
	return admission.StoredFile{Object: r.Object, Size: r.Size, Key: key, KeyID: r.KeyID}, wrap("read key of "+r.Object, err)
}

type pieceRow struct {
	UploadID string        `gorm:"primaryKey"`
	Start    int64         `gorm:"primaryKey;autoIncrement:false"`
	File     storedFileRow `gorm:"embedded"`
}

func (pieceRow) TableName() string { return "upload_pieces" }

type documentRow struct {
	ID             string
	RegistrationID string
	Kind           document.Kind
	Name           string
	ContentType    string
	Width, Height  int
	Pages          int
	Checking       bool
	StoredAt       time.Time     `gorm:"serializer:micros"`
	File           storedFileRow `gorm:"embedded"`
}

func (documentRow) TableName() string { return "documents" }

type documentViewRow struct {
	ID             string
	DocumentID     string
	RegistrationID string
	Viewer         string
	At             time.Time `gorm:"serializer:micros"`
}

func (documentViewRow) TableName() string { return "document_views" }

func (t *tx) AddUpload(u *document.Upload) error {
	row := uploadRow(*u)
	return wrap("add upload", add(t, &row))
}

func (t *tx) SaveUpload(u *document.Upload) error {
	row := uploadRow(*u)
	return wrap("save upload", save(t, &row))
}

func (t *tx) Upload(id string) (*document.Upload, error) {
	row, err := find[uploadRow](t.db, "id = ?", id)
	return (*document.Upload)(row), wrap("find upload", err)
}

func (t *tx) UploadForUpdate(id string) (*document.Upload, error) {
	row, err := find[uploadRow](t.locked(), "id = ?", id)
	return (*document.Upload)(row), wrap("lock upload", err)
}

func (t *tx) UploadsOf(registrationID string) ([]document.Upload, error) {
	return findAll("list uploads", t.db.Where("registration_id = ?", registrationID).Order("begun_at DESC, id").Limit(maxUploads), toUpload)
}

// maxUploads is more than a person starts in a day, after which uploads are deleted.
const maxUploads = 100

func toUpload(row uploadRow) document.Upload { return document.Upload(row) }

func (t *tx) ExpiredUploads(now time.Time, limit int) ([]document.Upload, error) {
	return findAll("list uploads to forget", t.locked().Where("expires_at <= ?", now.UnixMicro()).Order("expires_at").Limit(limit), toUpload)
}

func (t *tx) DeleteUpload(id string) error {
	if err := t.DeletePieces(id); err != nil {
		return err
	}
	return wrap("delete upload", t.exec("DELETE FROM uploads WHERE id = ?", id))
}

func (t *tx) AddPiece(p document.Piece) error {
	row := pieceRow{UploadID: p.UploadID, Start: p.Start, File: newStoredFileRow(p.StoredFile)}
	return wrap("add piece", add(t, &row))
}

func (t *tx) Pieces(uploadID string) (pieces []document.Piece, err error) {
	var rows []pieceRow
	if err := t.db.Where("upload_id = ?", uploadID).Order("start").Find(&rows).Error; err != nil { // bounded by MaxBytes
		return nil, wrap("list pieces", err)
	}
	for _, row := range rows {
		file, err := row.File.file()
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, document.Piece{UploadID: row.UploadID, Start: row.Start, StoredFile: file})
	}
	return pieces, nil
}

func (t *tx) DeletePieces(uploadID string) error {
	return wrap("delete pieces", t.exec("DELETE FROM upload_pieces WHERE upload_id = ?", uploadID))
}

func newDocumentRow(d *document.Document) documentRow {
	return documentRow{d.ID, d.RegistrationID, d.Kind, d.Name, d.ContentType, d.Width, d.Height, d.Pages, d.Checking, d.StoredAt, newStoredFileRow(d.StoredFile)}
}

func (r *documentRow) document() (*document.Document, error) {
	if r == nil {
		return nil, nil
	}
	file, err := r.File.file()
	return &document.Document{
		ID: r.ID, RegistrationID: r.RegistrationID, Kind: r.Kind, Name: r.Name, ContentType: r.ContentType, Width: r.Width, Height: r.Height, Pages: r.Pages,
		Checking: r.Checking, StoredAt: r.StoredAt, StoredFile: file,
	}, err
}

func (t *tx) AddDocument(d *document.Document) error {
	row := newDocumentRow(d)
	return wrap("add document", add(t, &row))
}

func (t *tx) SaveDocument(d *document.Document) error {
	row := newDocumentRow(d)
	return wrap("save document", save(t, &row))
}

func (t *tx) Document(id string) (*document.Document, error) {
	return findAs("find document", t.db, (*documentRow).document, "id = ?", id)
}

func (t *tx) DocumentForUpdate(id string) (*document.Document, error) {
	return findAs("lock document", t.locked(), (*documentRow).document, "id = ?", id)
}

func (t *tx) Documents(registrationID string) (documents []document.Document, err error) {
	var rows []documentRow
	if err := t.db.Where("registration_id = ?", registrationID).Find(&rows).Error; err != nil { // at most one per kind
		return nil, wrap("list documents", err)
	}
	for _, fact := range document.Kinds {
		if i := slices.IndexFunc(rows, func(row documentRow) bool { return row.Kind == fact.Kind }); i >= 0 {
			d, err := rows[i].document()
			if err != nil {
				return nil, err
			}
			documents = append(documents, *d)
		}
	}
	return documents, nil
}

func (t *tx) UnnamedDocuments(registrationID string) ([]document.Document, error) {
	var rows []documentRow
	err := t.db.Where("registration_id = ? AND kind = ?", registrationID, document.Unnamed).Order("stored_at, id").Find(&rows).Error // at most one per kind
	if err != nil {
		return nil, wrap("list unnamed documents", err)
	}
	return toDocuments(rows)
}

func toDocuments(rows []documentRow) (documents []document.Document, err error) {
	for i := range rows {
		d, err := rows[i].document()
		if err != nil {
			return nil, err
		}
		documents = append(documents, *d)
	}
	return documents, nil
}

func (t *tx) PersonDocuments(a *account.Account, limit int) ([]document.Document, error) {
	var rows []documentRow
	err := t.db.Where(ofRegistration, person(a)).Order("stored_at, id").Limit(limit + 1).Find(&rows).Error
	if err == nil && len(rows) > limit {
		err = mydata.ErrTooLarge
	}
	if err != nil {
		return nil, wrap("list documents of a person", err)
	}
	return toDocuments(rows)
}

func (t *tx) DeleteDocument(d *document.Document, at time.Time) error {
	if err := t.touch(d.RegistrationID, at); err != nil {
		return err
	}
	return wrap("delete document", t.exec("DELETE FROM documents WHERE id = ?", d.ID))
}

func (t *tx) AddView(v document.View) error {
	row := documentViewRow{admission.NewID(), v.DocumentID, v.RegistrationID, v.Viewer, v.At}
	return wrap("add view of document", add(t, &row))
}

const byOther = " AND viewer <> @account"

func (t *tx) ViewsByOthers(a *account.Account) (int, error) {
	var n int64
	err := t.db.Model(&documentViewRow{}).Where(ofRegistration+byOther, person(a)).Count(&n).Error
	return int(n), wrap("count views of documents", err)
}

func (t *tx) ViewsOf(a *account.Account, byOthers bool, limit int) ([]document.View, error) {
	where := ofRegistration + " AND viewer = @account"
	if byOthers {
		where = ofRegistration + byOther
	}
	return findAll("list views of documents", t.db.Where(where, person(a)).Order("at DESC, id").Limit(limit), func(row documentViewRow) document.View {
		return document.View{DocumentID: row.DocumentID, RegistrationID: row.RegistrationID, Viewer: row.Viewer, At: row.At}
	})
}

func (t *tx) ObjectsNamed(objects []string) (map[string]bool, error) {
	named := map[string]bool{}
	for _, table := range []string{"documents", "upload_pieces", "papers", "print_batches", "print_parts"} {
		var found []string
		if err := t.db.Table(table).Where("object IN ?", objects).Pluck("object", &found).Error; err != nil {
			return nil, wrap("find objects", err)
		}
		for _, object := range found {
			named[object] = true
		}
	}
	return named, nil
}
