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

// moments are the columns of moments whose names do not end in "_at".
var moments = []string{"at", "until", "human_until", "acknowledge_by", "redress_by", "issued_on", "invoice_date"}

// jsonColumns are those that hold JSON.
var jsonColumns = []string{"answers", "typed", "proven", "requests", "registered", "checkout"}

// PersonRows returns what the tables of a kind hold on a person, as holdings say it.
func (t *tx) PersonRows(a *account.Account, kind mydata.Kind, most int) (tables []mydata.Table, err error) {
	for _, h := range holdings {
		if h.kind != kind {
			continue
		}
		rows, err := t.held(h, a, most)
		if err != nil {
			return nil, wrap("collect "+h.table, err)
		}
		tables = append(tables, mydata.Table{Name: h.table, Title: h.title, Rows: rows, Forms: h.forms})
	}
	slices.Reverse(tables) // what others point to is read first
	return tables, nil
}

func (t *tx) held(h holding, a *account.Account, most int) (held []mydata.Row, err error) {
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
		if len(held) == most {
			return nil, fmt.Errorf("%w: more than %d rows", mydata.ErrTooLarge, most)
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
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	if err := rows.Scan(targets...); err != nil {
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
		value := told(name, column.DatabaseTypeName(), values[i])
		if place := h.seals[name]; place != "" && value != "" {
			clear, err := t.sealer.open(place, id, fmt.Sprint(value))
			if value = strings.ToValidUTF8(string(clear), "\uFFFD"); err != nil { // nobody reads it any more
				value = "sealed under an earlier key"
			}
		}
		row = append(row, mydata.Cell{Column: name, Value: value})
	}
	return row, nil
}

// told is a column's value as both databases tell it: moments for their microseconds, what JSON says for its text.
func told(column, kind string, value any) any {
	if bytes, are := value.([]byte); are {
		value = string(bytes)
	}
	switch v := value.(type) {
	case int64:
		if strings.HasPrefix(kind, "BOOL") {
			return v != 0
		}
		if strings.HasSuffix(column, "_at") || slices.Contains(moments, column) {
			if v == 0 {
				return nil
			}
			return fromMicros(v)
		}
	case string:
		if slices.Contains(jsonColumns, column) {
			var said any
			if json.Unmarshal([]byte(v), &said) == nil {
				return said
			}
		}
	}
	return value
}

// keptAnswersOf finds the idempotent answers of the last day that name a person: they are sealed, so each is opened.
func (t *tx) keptAnswersOf(a *account.Account) (ids []string, err error) {
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
				continue // of another secret: nobody reads it any more
			}
			said := textsOf(body)
			if slices.ContainsFunc(marks, func(mark string) bool {
				return slices.ContainsFunc(said, func(text string) bool { return says(text, mark) })
			}) {
				ids = append(ids, row.ID)
			}
		}
		if len(rows) < listBatch {
			return ids, nil
		}
	}
}

// textsOf are the names and texts of a JSON document in lower case; of what is none, all of it.
func textsOf(body []byte) (all []string) {
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

// says reports whether a text has a mark of a person whole: asha@x.in does not stand in natasha@x.in, nor in asha@x.in.net.
func says(text, mark string) bool {
	for from := 0; ; from++ {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return false
		}
		from += i
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		behind := strings.TrimLeft(text[from+len(mark):], ".-") // one that ends a sentence
		after, _ := utf8.DecodeRuneInString(behind)
		longer := strings.Contains(mark, "@") && strings.ContainsRune("!#$%&'*+/=?^_`{|}~.-", before)
		if !longer && !isSign(before) && !isSign(after) {
			return true
		}
	}
}

// isSign reports whether a rune is a letter or a figure; none is neither.
func isSign(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
