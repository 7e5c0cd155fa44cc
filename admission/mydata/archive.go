package mydata

import (
	"archive/zip"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/forms"
)

//go:embed archive.gohtml
var readable string

var page = template.Must(template.New("index").Parse(readable))

// archive is a ZIP with a JSON file for each kind and an HTML page with all data.
type archive struct {
	zip   *zip.Writer
	at    time.Time
	forms *forms.Set
	kinds []kindData
}

type kindData struct {
	Kind   Kind
	File   string
	Tables []tableData
}

type tableData struct {
	Title string
	Rows  [][]fact
}

func newArchive(to io.Writer, at time.Time, set *forms.Set) *archive {
	return &archive{zip: zip.NewWriter(to), at: at, forms: set}
}

// files are the names of the JSON files.
var files = map[Kind]string{You: "you.json", Answers: "answers.json", Money: "money.json", Messages: "messages.json", Choices: "yes-no.json"}

func (a *archive) create(name string) (io.Writer, error) {
	return a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at})
}

func (a *archive) add(kind Kind, tables []Table) error {
	file, err := a.create(files[kind])
	if err != nil {
		return err
	}
	byTable, data := map[string][]map[string]any{}, kindData{Kind: kind, File: files[kind]}
	for _, table := range tables {
		rows, of := []map[string]any{}, tableData{Title: table.Title}
		for _, row := range table.Rows {
			rows = append(rows, table.values(row, a.forms))
			of.Rows = append(of.Rows, table.facts(row, a.forms))
		}
		byTable[table.Name], data.Tables = rows, append(data.Tables, of)
	}
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(byTable); err != nil {
		return fmt.Errorf("write %s: %w", files[kind], err)
	}
	a.kinds = append(a.kinds, data)
	return nil
}

// close adds the HTML page.
func (a *archive) close(name string) error {
	file, err := a.create("index.html")
	if err != nil {
		return err
	}
	if err := page.Execute(file, map[string]any{"Name": name, "At": admission.Moment(a.at), "Kinds": a.kinds}); err != nil {
		return fmt.Errorf("write index.html: %w", err)
	}
	return a.zip.Close()
}

// label converts a column's name for display: "full_name" becomes "Full name".
func label(column string) string {
	words := strings.ReplaceAll(strings.TrimSuffix(column, "_minor"), "_", " ")
	for short, long := range map[string]string{"id": "ID", "ip": "Internet address", "at": "When", "txn id": "Payment", "sac": "SAC", "api": "App"} {
		if words == short {
			return long
		}
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// display formats a value for display; "" for values without meaning to a person.
func display(c Cell) string {
	if c.Column == "account_id" {
		return ""
	}
	switch value := c.Value.(type) {
	case nil:
		return ""
	case time.Time:
		return admission.Moment(value)
	case bool:
		if value {
			return "Yes"
		}
		return "No"
	case int64:
		if strings.HasSuffix(c.Column, "_minor") || strings.HasPrefix(c.Column, "tax_") || c.Column == "minor" {
			return fmt.Sprintf("%d.%02d", value/100, value%100)
		}
		return fmt.Sprint(value)
	case string:
		return value
	}
	return lines(c.Value)
}

// lines formats a JSON column, one line per answer.
func lines(value any) string {
	answers, ok := value.(map[string]any)
	if !ok {
		encoded, _ := json.Marshal(value) // decoded from JSON, so it cannot fail
		return string(encoded)
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		all = append(all, label(name)+": "+fmt.Sprint(answers[name]))
	}
	return strings.Join(all, "\n")
}
