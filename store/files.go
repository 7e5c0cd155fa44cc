package store

import (
	"context"
	"iter"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/document"
)

// FileRow is a stored file with the key of its row.
type FileRow struct {
	ID string // which the file's key is bound to
	admission.StoredFile

	table, where string
	key          []any // of its row
}

var documentFiles = list[documentRow]{
	name: "documents", columns: []string{"id"}, position: func(row *documentRow) []any { return []any{row.ID} },
}

var pieceFiles = list[pieceRow]{
	name: "pieces of uploads", columns: []string{"upload_id", "start"}, position: func(row *pieceRow) []any { return []any{row.UploadID, row.Start} },
}

var paperFiles = list[paperRow]{
	name: "papers", columns: []string{"id"}, position: func(row *paperRow) []any { return []any{row.ID} },
}

var batchFiles = list[batchRow]{
	name: "prints", columns: []string{"id"}, position: func(row *batchRow) []any { return []any{row.ID} },
}

var partFiles = list[partRow]{
	name: "parts of prints", columns: []string{"id"}, position: func(row *partRow) []any { return []any{row.ID} },
}

// Files lists the files of all rows except those whose keys are wrapped by a master key; "" excludes none. It ends with the
// first error.
func (s *Store) Files(ctx context.Context, wrappedBy string) iter.Seq2[FileRow, error] {
	notWrapped := func(db *gorm.DB) *gorm.DB { return db.Where("key_id <> ?", wrappedBy) }
	return func(yield func(FileRow, error) bool) {
		for row, err := range documentFiles.all(ctx, s, notWrapped) {
			if !yieldFile(yield, FileRow{ID: row.ID, table: "documents", where: "id = ?", key: documentFiles.position(&row)}, row.File, err) {
				return
			}
		}
		for row, err := range pieceFiles.all(ctx, s, notWrapped) {
			id := document.PieceID(row.UploadID, row.Start)
			if !yieldFile(yield, FileRow{ID: id, table: "upload_pieces", where: "upload_id = ? AND start = ?", key: pieceFiles.position(&row)}, row.File, err) {
				return
			}
		}
		for row, err := range partFiles.all(ctx, s, notWrapped) {
			if !yieldFile(yield, FileRow{ID: row.ID, table: "print_parts", where: "id = ?", key: partFiles.position(&row)}, row.File, err) {
				return
			}
		}
		printed := func(db *gorm.DB) *gorm.DB { return notWrapped(db).Where("object <> ''") }
		for row, err := range paperFiles.all(ctx, s, printed) {
			if !yieldFile(yield, FileRow{ID: row.ID, table: "papers", where: "id = ?", key: paperFiles.position(&row)}, row.File, err) {
				return
			}
		}
		for row, err := range batchFiles.all(ctx, s, printed) {
			if !yieldFile(yield, FileRow{ID: row.ID, table: "print_batches", where: "id = ?", key: batchFiles.position(&row)}, row.File, err) {
				return
			}
		}
	}
}

func yieldFile(yield func(FileRow, error) bool, row FileRow, file storedFileRow, err error) bool {
	if err == nil {
		row.StoredFile, err = file.file()
	}
	return yield(row, err) && err == nil
}

// Rewrapped is a file with its rewrapped key.
type Rewrapped struct {
	FileRow
	New admission.StoredFile
}

// SaveKeys stores the new keys of files whose rows have not changed, and returns their number.
func (s *Store) SaveKeys(ctx context.Context, files []Rewrapped) (saved int, err error) {
	err = s.update(ctx, func(t *tx) error {
		saved = 0
		for _, f := range files {
			was, now := newStoredFileRow(f.StoredFile), newStoredFileRow(f.New)
			values := append([]any{now.FileKey, now.KeyID}, f.key...)
			n, err := t.execCount("UPDATE "+f.table+" SET file_key = ?, key_id = ? WHERE "+f.where+" AND object = ? AND file_key = ?", append(values, was.Object, was.FileKey)...)
			if err != nil {
				return err
			}
			saved += int(n)
		}
		return nil
	})
	return saved, wrap("save keys of files", err)
}
