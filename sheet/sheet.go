// Package sheet writes tables as CSV or XLSX, row by row, in little memory. Text from strangers stays text: a spreadsheet never runs it as a
// formula.
package sheet

import (
	"strconv"
	"time"
)

type kind int

const (
	text kind = iota
	date
	hundredths
)

// cell is a value of a row; its kind says which field it is in.
type cell struct {
	kind  kind
	text  string
	at    time.Time // zero: an empty cell
	minor int64
	empty bool
}

// Column is a column of a table of rows.
type Column[Row any] struct {
	Name  string
	kind  kind
	sum   bool
	value func(Row) cell
}

// Text returns a column of texts.
func Text[Row any](name string, of func(Row) string) Column[Row] {
	return Column[Row]{name, text, false, func(row Row) cell { return cell{kind: text, text: of(row)} }}
}

// Date returns a column of days in Asia/Kolkata. A zero time is an empty cell.
func Date[Row any](name string, of func(Row) time.Time) Column[Row] {
	return Column[Row]{name, date, false, func(row Row) cell { return cell{kind: date, at: of(row)} }}
}

// Sum returns a column of amounts in paise, which the last row of a table adds up.
func Sum[Row any](name string, of func(Row) int64) Column[Row] {
	return Column[Row]{name, hundredths, true, func(row Row) cell { return cell{kind: hundredths, minor: of(row)} }}
}

// Number returns a column of hundredths that are not added up, such as rates. An unknown one is an empty cell.
func Number[Row any](name string, of func(Row) (minor int64, known bool)) Column[Row] {
	return Column[Row]{name, hundredths, false, func(row Row) cell {
		minor, known := of(row)
		return cell{kind: hundredths, minor: minor, empty: !known}
	}}
}

// File is a file of one or more tables.
type File interface {
	// begin begins a table. Its name may be changed to one that spreadsheets allow.
	begin(name string, columns []kind) error
	row([]cell) error
	// Close completes the file; the writer below it stays open.
	Close() error
}

// Table is a table of a file. A file has one open table at a time.
type Table[Row any] struct {
	file    File
	columns []Column[Row]
	cells   []cell
	sums    []int64
	rows    int
}

// Begin begins a table with the names of its columns.
func Begin[Row any](f File, name string, columns []Column[Row]) (*Table[Row], error) {
	t := &Table[Row]{file: f, columns: columns, cells: make([]cell, len(columns)), sums: make([]int64, len(columns))}
	kinds := make([]kind, len(columns))
	for i, column := range columns {
		kinds[i] = column.kind
		t.cells[i] = cell{kind: text, text: column.Name}
	}
	if err := f.begin(name, kinds); err != nil {
		return nil, err
	}
	return t, f.row(t.cells)
}

// Add writes a row.
func (t *Table[Row]) Add(row Row) error {
	for i, column := range t.columns {
		t.cells[i] = column.value(row)
		t.sums[i] += t.cells[i].minor
	}
	t.rows++
	return t.file.row(t.cells)
}

// Total writes a last row with the number of rows and the sums. The first column must be one of texts.
func (t *Table[Row]) Total() error {
	for i, column := range t.columns {
		t.cells[i] = cell{kind: column.kind, minor: t.sums[i], empty: !column.sum}
	}
	t.cells[0] = cell{kind: text, text: "Total of " + strconv.Itoa(t.rows)}
	return t.file.row(t.cells)
}

// decimal formats hundredths: "-1270.34".
func decimal(minor int64) string {
	sign, size := "", uint64(minor)
	if minor < 0 {
		sign, size = "-", -size
	}
	cents := strconv.FormatUint(size%100, 10)
	if len(cents) < 2 {
		cents = "0" + cents
	}
	return sign + strconv.FormatUint(size/100, 10) + "." + cents
}
