package components

// DocumentNeeded is a document that an application is asked for.
type DocumentNeeded struct {
	Name     string
	Optional bool
}
