package store

import (
	"context"
	"iter"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/document"
)

// KeptFile is a file that a row names.
type KeptFile struct {
	ID string // what its key is bound to
	admission.StoredFile

	table, where string
	key          []any // of its row
}

var keptDocuments = list[documentRow]{
	name: "documents", columns: []string{"id"}, place: func(row *documentRow) []any { return []any{row.ID} },
}

var keptPieces = list[pieceRow]{
	name: "pieces of uploads", columns: []string{"upload_id", "start"}, place: func(row *pieceRow) []any { return []any{row.UploadID, row.Start} },
}

var keptPapers = list[paperRow]{
	name: "papers", columns: []string{"id"}, place: func(row *paperRow) []any { return []any{row.ID} },
}

// Files lists the files that rows name, but for those whose keys a master key has wrapped; "" is the name of none. It ends
// with the first error.
func (s *Store) Files(ctx context.Context, wrappedBy string) iter.Seq2[KeptFile, error] {
	others := func(db *gorm.DB) *gorm.DB { return db.Where("key_id <> ?", wrappedBy) }
	return func(yield func(KeptFile, error) bool) {
		for row, err := range keptDocuments.all(ctx, s, others) {
			if !yieldFile(yield, KeptFile{ID: row.ID, table: "documents", where: "id = ?", key: keptDocuments.place(&row)}, row.File, err) {
				return
			}
		}
		for row, err := range keptPieces.all(ctx, s, others) {
			id := document.PieceID(row.UploadID, row.Start)
			if !yieldFile(yield, KeptFile{ID: id, table: "upload_pieces", where: "upload_id = ? AND start = ?", key: keptPieces.place(&row)}, row.File, err) {
				return
			}
		}
		printed := func(db *gorm.DB) *gorm.DB { return others(db).Where("object <> ''") }
		for row, err := range keptPapers.all(ctx, s, printed) {
			if !yieldFile(yield, KeptFile{ID: row.ID, table: "papers", where: "id = ?", key: keptPapers.place(&row)}, row.File, err) {
				return
			}
		}
	}
}

func yieldFile(yield func(KeptFile, error) bool, kept KeptFile, file storedFileRow, err error) bool {
	if err == nil {
		kept.StoredFile, err = file.file()
	}
	return yield(kept, err) && err == nil
}

// Rewrapped is a file whose key was wrapped anew.
type Rewrapped struct {
	KeptFile
	Now admission.StoredFile
}

// SaveKeys keeps the new keys of files whose rows are still what they were, and says of how many.
func (s *Store) SaveKeys(ctx context.Context, files []Rewrapped) (saved int, err error) {
	err = s.update(ctx, func(t *tx) error {
		saved = 0
		for _, f := range files {
			was, now := storedFileRowOf(f.StoredFile), storedFileRowOf(f.Now)
			values := append([]any{now.FileKey, now.KeyID}, f.key...)
			done := t.db.Exec("UPDATE "+f.table+" SET file_key = ?, key_id = ? WHERE "+f.where+" AND object = ? AND file_key = ?", append(values, was.Object, was.FileKey)...)
			if done.Error != nil {
				return done.Error
			}
			saved += int(done.RowsAffected)
		}
		return nil
	})
	return saved, wrap("save keys of files", err)
}
