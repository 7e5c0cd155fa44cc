package mydata

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"hiresure/admission/document"
)

const (
	documentsTable = "documents"
	fileColumn     = "file" // added column: a document's path in the archive
	beingChecked   = "It is being checked, and not in this file. Ask for another file once it is."
)

// archivePaths returns the path of each document in the archive, by its id.
func archivePaths(documents []document.Document) map[string]string {
	all, taken := map[string]string{}, map[string]int{}
	for _, d := range documents {
		if d.Checking {
			all[d.ID] = beingChecked
			continue
		}
		name := documentsTable + "/" + d.Kind.Rules().Label
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprintf(" (%d)", taken[name])
		}
		all[d.ID] = name + d.Extension()
	}
	return all
}

// addPaths adds each document's path to its row.
func addPaths(tables []Table, paths map[string]string) {
	for _, table := range tables {
		if table.Name != documentsTable {
			continue
		}
		for i, row := range table.Rows {
			at := slices.IndexFunc(row, func(c Cell) bool { return c.Column == "id" })
			if at < 0 {
				continue
			}
			id, _ := row[at].Value.(string)
			table.Rows[i] = append(row, Cell{fileColumn, paths[id]})
		}
	}
}

// addDocuments streams the documents from storage into an archive, one after another.
func (s *Service) addDocuments(ctx context.Context, made *archive, documents []document.Document, paths map[string]string) error {
	for _, d := range documents {
		if d.Checking {
			continue
		}
		if err := s.addDocument(ctx, made, d, paths[d.ID]); err != nil {
			return fmt.Errorf("collect document %s: %w", d.ID, err)
		}
	}
	return nil
}

func (s *Service) addDocument(ctx context.Context, made *archive, d document.Document, path string) error {
	content, err := s.Files.Open(ctx, d.ID, d.StoredFile)
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := made.zip.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Store, Modified: d.StoredAt}) // already compressed
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(content, maxFileSize))
	if err == nil && n == maxFileSize {
		err = ErrTooLarge
	}
	return err
}

// fileOf returns the archive path in a cell; "" for none.
func fileOf(c Cell) string {
	if path, _ := c.Value.(string); c.Column == fileColumn && strings.HasPrefix(path, documentsTable+"/") {
		return path
	}
	return ""
}
