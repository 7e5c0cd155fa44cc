package components

// DocumentNeeded is a document that an application is asked for.
type DocumentNeeded struct {
	Name     string
	Optional bool
}

// DocumentsNeeded are all of them, in the order in which they are asked for.
var DocumentsNeeded = []DocumentNeeded{{"Passport photo", false}, {"Student ID", false}, {"Last Academic Marksheet", false}, {"Family Income Certificate", true}}
