package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestSaveKeysKeepsAChangedKey(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		file := func(name string, keyID string) admission.StoredFile {
			return admission.StoredFile{Object: strings.Repeat(name, 64), Size: 1, Key: []byte("key of " + name), KeyID: keyID}
		}
		photo := document.Document{ID: "photo", RegistrationID: "r", Kind: document.Photo, StoredFile: file("a", "old")}
		update(t, s, func(tx store.Tx) error {
			return errors.Join(
				tx.AddRegistration(&enrol.Registration{ID: "r"}), tx.AddDocument(&photo),
				tx.AddDocument(&document.Document{ID: "marksheet", RegistrationID: "r", Kind: document.Marksheet, StoredFile: file("b", "old")}),
				tx.AddDocument(&document.Document{ID: "idProof", RegistrationID: "r", Kind: document.IDProof, StoredFile: file("c", "new")}),
				tx.AddPiece(document.Piece{UploadID: "u", Start: 0, StoredFile: file("d", "old")}), tx.AddPiece(document.Piece{UploadID: "u", Start: 7, StoredFile: file("e", "old")}),
			)
		})
		list := func(wrappedBy string) (files []store.FileRow, keys string) {
			for f, err := range s.Files(t.Context(), wrappedBy) {
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, f)
				keys += fmt.Sprintf("%s %s %s; ", f.ID, f.Key, f.KeyID)
			}
			return files, keys
		}
		files, keys := list("new")
		if want := "marksheet key of b old; photo key of a old; u/0 key of d old; u/7 key of e old; "; keys != want {
			t.Fatalf("wrapped otherwise: %s want %s", keys, want)
		}
		photo.Key, photo.KeyID = []byte("another key"), "newest" // meanwhile
		update(t, s, func(tx store.Tx) error {
			return errors.Join(tx.SaveDocument(&photo), tx.DeleteDocument(&document.Document{ID: "marksheet", RegistrationID: "r"}, noon))
		})
		var changes []store.Rewrapped
		for _, f := range files {
			now := f.StoredFile
			now.Key, now.KeyID = []byte("new "+string(f.Key)), "new"
			changes = append(changes, store.Rewrapped{FileRow: f, New: now})
		}
		if saved, err := s.SaveKeys(t.Context(), changes); saved != 2 || err != nil {
			t.Errorf("%d keys are saved, %v", saved, err)
		}
		if _, keys := list(""); keys != "idProof key of c new; photo another key newest; u/0 new key of d new; u/7 new key of e new; " {
			t.Errorf("afterwards: %s", keys)
		}
	})
}
