package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// timeColumns are the columns with times whose names do not end in "_at".
var timeColumns = []string{"at", "until", "human_until", "acknowledge_by", "redress_by", "issued_on", "invoice_date"}

// jsonColumns are the columns with JSON.
var jsonColumns = []string{"answers", "typed", "proven", "requests", "registered", "checkout"}

// PersonRows returns the rows of a person in the tables of a kind.
func (t *tx) PersonRows(a *account.Account, kind mydata.Kind, limit int) (tables []mydata.Table, err error) {
	for _, h := range holdings {
		if h.kind != kind {
			continue
		}
		rows, err := t.held(h, a, limit)
		if err != nil {
			return nil, wrap("collect "+h.table, err)
		}
		tables = append(tables, mydata.Table{Name: h.table, Title: h.title, Rows: rows, Forms: h.forms})
	}
	slices.Reverse(tables) // referenced tables first
	return tables, nil
}

func (t *tx) held(h holding, a *account.Account, limit int) (held []mydata.Row, err error) {
	rows, err := t.db.Raw("SELECT * FROM "+h.table+" WHERE "+h.where+" ORDER BY "+h.key, person(a)).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		if len(held) == limit {
			return nil, fmt.Errorf("%w: more than %d rows", mydata.ErrTooLarge, limit)
		}
		row, err := t.heldRow(h, rows, columns)
		if err != nil {
			return nil, err
		}
		held = append(held, row)
	}
	return held, rows.Err()
}

func (t *tx) heldRow(h holding, rows *sql.Rows, columns []*sql.ColumnType) (row mydata.Row, err error) {
	values, err := scanAny(rows, len(columns))
	if err != nil {
		return nil, err
	}
	id := ""
	for i, column := range columns {
		if column.Name() == "id" {
			id = fmt.Sprint(values[i])
		}
	}
	for i, column := range columns {
		name := column.Name()
		if h.hide[name] != "" {
			continue
		}
		value := cellValue(name, column.DatabaseTypeName(), values[i])
		if place := h.seals[name]; place != "" && value != "" {
			clear, err := t.sealer.open(place, id, fmt.Sprint(value))
			if value = strings.ToValidUTF8(string(clear), "\uFFFD"); err != nil {
				value = "sealed under an earlier key"
			}
		}
		row = append(row, mydata.Cell{Column: name, Value: value})
	}
	return row, nil
}

// cellValue returns a column's value in the form common to both databases, with times and JSON decoded.
func cellValue(column, kind string, value any) any {
	if bytes, are := value.([]byte); are {
		value = string(bytes)
	}
	switch v := value.(type) {
	case int64:
		if strings.HasPrefix(kind, "BOOL") {
			return v != 0
		}
		if strings.HasSuffix(column, "_at") || slices.Contains(timeColumns, column) {
			if v == 0 {
				return nil
			}
			return fromMicros(v)
		}
	case string:
		if slices.Contains(jsonColumns, column) {
			var decoded any
			if json.Unmarshal([]byte(v), &decoded) == nil {
				return decoded
			}
		}
	}
	return value
}

// idempotentAnswersOf finds the idempotent answers that name a person. They are sealed, so that it decrypts each.
func (t *tx) idempotentAnswersOf(a *account.Account) (ids []string, err error) {
	var marks []string
	known := person(a)
	for _, of := range []string{"account", "phone", "email"} {
		if mark, _ := known[of].(string); mark != "" {
			marks = append(marks, strings.ToLower(mark))
			if national, is := strings.CutPrefix(mark, "+91"); is {
				marks = append(marks, national)
			}
		}
	}
	var registrations []string
	if err := t.db.Raw(ownRegistrations, known).Scan(&registrations).Error; err != nil {
		return nil, wrap("find registrations of account", err)
	}
	marks = append(marks, registrations...)
	var last string
	for {
		var rows []keyRow
		if err := t.db.Order("id").Limit(listBatch).Find(&rows, "id > ? AND done = ?", last, true).Error; err != nil {
			return nil, wrap("look through kept answers", err)
		}
		for _, row := range rows {
			last = row.ID
			body, err := t.sealer.open("idempotency_keys", row.ID, row.Body)
			if err != nil {
				continue // sealed with an earlier secret
			}
			said := jsonStrings(body)
			if slices.ContainsFunc(marks, func(mark string) bool {
				return slices.ContainsFunc(said, func(text string) bool { return containsWhole(text, mark) })
			}) {
				ids = append(ids, row.ID)
			}
		}
		if len(rows) < listBatch {
			return ids, nil
		}
	}
}

// jsonStrings returns the names and strings of a JSON document in lower case, or the whole body if it is no JSON.
func jsonStrings(body []byte) (all []string) {
	for decoder := json.NewDecoder(bytes.NewReader(body)); ; {
		token, err := decoder.Token()
		switch text, is := token.(string); {
		case err == io.EOF:
			return all
		case err != nil:
			return []string{strings.ToLower(string(body))}
		case is:
			all = append(all, strings.ToLower(text))
		}
	}
}

// containsWhole reports whether a text contains mark as a whole word: natasha@x.in and asha@x.in.net do not contain asha@x.in.
func containsWhole(text, mark string) bool {
	for from := 0; ; from++ {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return false
		}
		from += i
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		behind := strings.TrimLeft(text[from+len(mark):], ".-") // punctuation at the end of a sentence
		after, _ := utf8.DecodeRuneInString(behind)
		longer := strings.Contains(mark, "@") && strings.ContainsRune("!#$%&'*+/=?^_`{|}~.-", before)
		if !longer && !isAlphanumeric(before) && !isAlphanumeric(after) {
			return true
		}
	}
}

// isAlphanumeric reports whether a rune is a letter or a digit. RuneError, the end of the text, is neither.
func isAlphanumeric(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
