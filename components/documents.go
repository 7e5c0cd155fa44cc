package components

// DocumentNeeded is a document that an application requires.
type DocumentNeeded struct {
	Name     string
	Optional bool
}
