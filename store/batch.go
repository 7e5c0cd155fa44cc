package store

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"hiresure/admission/office"
	"hiresure/admission/paper"
)

type batchRow struct {
	ID, AccountID, Who              string
	OrderedAt                       time.Time `gorm:"serializer:micros"`
	Filter                          string
	Form                            office.BatchForm
	DoubleSided                     bool
	State                           office.BatchState
	Trouble                         string
	Total, Done, Duplicates, Sheets int
	FirstNumber, LastNumber         string
	StartedAt                       time.Time     `gorm:"serializer:micros"`
	EndedAt                         time.Time     `gorm:"serializer:micros"`
	ExpiresAt                       time.Time     `gorm:"serializer:micros"`
	File                            storedFileRow `gorm:"embedded"`
}

func (batchRow) TableName() string { return "print_batches" }

func newBatchRow(b *office.Batch) batchRow {
	return batchRow{
		ID: b.ID, AccountID: b.AccountID, Who: b.Who, OrderedAt: b.OrderedAt, Filter: b.Filter, Form: b.Form, DoubleSided: b.DoubleSided, State: b.State, Trouble: b.Trouble,
		Total: b.Total, Done: b.Done, Duplicates: b.Duplicates, Sheets: b.Sheets, FirstNumber: b.FirstNumber, LastNumber: b.LastNumber,
		StartedAt: b.StartedAt, EndedAt: b.EndedAt, ExpiresAt: b.ExpiresAt, File: newStoredFileRow(b.StoredFile),
	}
}

func (r *batchRow) batch() (*office.Batch, error) {
	if r == nil {
		return nil, nil
	}
	file, err := r.File.file()
	return &office.Batch{
		ID: r.ID, AccountID: r.AccountID, Who: r.Who, OrderedAt: r.OrderedAt, Filter: r.Filter, Form: r.Form, DoubleSided: r.DoubleSided, State: r.State, Trouble: r.Trouble,
		Total: r.Total, Done: r.Done, Duplicates: r.Duplicates, Sheets: r.Sheets, FirstNumber: r.FirstNumber, LastNumber: r.LastNumber,
		StartedAt: r.StartedAt, EndedAt: r.EndedAt, ExpiresAt: r.ExpiresAt, StoredFile: file,
	}, err
}

type itemRow struct {
	BatchID               string `gorm:"primaryKey"`
	Position              int    `gorm:"primaryKey;autoIncrement:false"`
	Kind                  paper.Kind
	Ref                   string
	RegistrationID, TxnID string
	Number                string
	Issue                 int
	Duplicate             bool
}

func (itemRow) TableName() string { return "print_items" }

type partRow struct {
	ID, BatchID string
	Position    int
	File        storedFileRow `gorm:"embedded"`
}

func (partRow) TableName() string { return "print_parts" }

func (t *tx) AddBatch(b *office.Batch, of office.Selection) (fresh bool, err error) {
	row := newBatchRow(b)
	done := t.db.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
	if done.Error != nil || done.RowsAffected == 0 {
		return false, wrap("add print", done.Error)
	}
	selected, values := selectPapers(of)
	return true, wrap("add papers of a print", t.exec(`INSERT INTO print_items (batch_id, position, kind, ref, registration_id, txn_id, number, issue, duplicate)
		SELECT ?, ROW_NUMBER() OVER (ORDER BY `+orderOf(of)+`), kind, ref, registration_id, txn_id, number, 0, FALSE FROM `+selected, append([]any{b.ID}, values...)...))
}

func (t *tx) Batch(id string) (*office.Batch, error) {
	return findAs("find print", t.db, (*batchRow).batch, "id = ?", id)
}

func (t *tx) BatchForUpdate(id string) (*office.Batch, error) {
	return findAs("lock print", t.locked(), (*batchRow).batch, "id = ?", id)
}

func (t *tx) SaveBatch(b *office.Batch) error {
	row := newBatchRow(b)
	return wrap("save print", save(t, &row))
}

func (t *tx) OpenBatches() ([]office.Batch, error) {
	return t.batches("SELECT * FROM print_batches WHERE state = 'open' ORDER BY ordered_at, id")
}

func (t *tx) EndedBatches(limit int) ([]office.Batch, error) {
	return t.batches("SELECT * FROM print_batches WHERE state <> 'open' ORDER BY ordered_at DESC, id DESC LIMIT ?", limit)
}

func (t *tx) batches(query string, values ...any) (all []office.Batch, err error) {
	var rows []batchRow
	if err := t.db.Raw(query, values...).Scan(&rows).Error; err != nil {
		return nil, wrap("list prints", err)
	}
	for _, row := range rows {
		b, err := row.batch()
		if err != nil {
			return nil, err
		}
		all = append(all, *b)
	}
	return all, nil
}

func (t *tx) BatchItems(batchID string, done, limit int) ([]office.BatchItem, error) {
	query := t.db.Order("position").Limit(limit).Where("batch_id = ? AND position > ?", batchID, done)
	return findAll("find papers of a print", query, func(row itemRow) office.BatchItem { return office.BatchItem(row) })
}

func (t *tx) PrintedItems(of []office.BatchItem) (map[int]bool, error) {
	printed := map[int]bool{}
	for _, item := range of {
		var n int
		err := t.db.Raw(`SELECT COUNT(*) FROM print_items d JOIN print_batches b ON b.id = d.batch_id WHERE d.kind = ? AND d.ref = ? AND d.issue = ? AND b.state = 'ready'`,
			item.Kind, item.Ref, item.Issue).Scan(&n).Error
		if err != nil {
			return nil, wrap("find earlier prints", err)
		}
		if n > 0 {
			printed[item.Position] = true
		}
	}
	return printed, nil
}

func (t *tx) SaveBatchItems(items []office.BatchItem) error {
	for _, item := range items {
		if err := t.exec("UPDATE print_items SET issue = ?, duplicate = ? WHERE batch_id = ? AND position = ?", item.Issue, item.Duplicate, item.BatchID, item.Position); err != nil {
			return wrap("save papers of a print", err)
		}
	}
	return nil
}

func (t *tx) AddBatchPart(p *office.BatchPart) error {
	row := partRow{p.ID, p.BatchID, p.Position, newStoredFileRow(p.StoredFile)}
	return wrap("add part of a print", add(t, &row))
}

func (t *tx) BatchParts(batchID string) (parts []office.BatchPart, err error) {
	var rows []partRow
	if err := t.db.Where("batch_id = ?", batchID).Order("position").Find(&rows).Error; err != nil { // at most MaxBatch
		return nil, wrap("find parts of a print", err)
	}
	for _, row := range rows {
		file, err := row.File.file()
		if err != nil {
			return nil, err
		}
		parts = append(parts, office.BatchPart{ID: row.ID, BatchID: row.BatchID, Position: row.Position, StoredFile: file})
	}
	return parts, nil
}

func (t *tx) DeleteBatchParts(batchID string, at time.Time) error {
	return t.deleteParts(at, []string{batchID})
}

func (t *tx) deleteParts(at time.Time, batches []string) error {
	var objects []string
	if err := t.db.Raw("DELETE FROM print_parts WHERE batch_id IN ? RETURNING object", batches).Scan(&objects).Error; err != nil {
		return wrap("delete parts of prints", err)
	}
	return t.removeObjects(objects, at)
}

// deleteBatchFiles deletes the files of batches.
func (t *tx) deleteBatchFiles(at time.Time, batches []string) error {
	var objects []string
	if err := t.db.Raw("SELECT object FROM print_batches WHERE id IN ?", batches).Scan(&objects).Error; err != nil {
		return wrap("find files of prints", err)
	}
	if err := t.exec("UPDATE print_batches SET object = '', size = 0, file_key = '', key_id = '' WHERE id IN ?", batches); err != nil {
		return wrap("delete files of prints", err)
	}
	return t.removeObjects(objects, at)
}

// eraseBatches deletes the files of prints with receipts or tickets of erased registrations. Open ones fail.
func (t *tx) eraseBatches(registrations []string, at time.Time) error {
	var batches []string
	if err := t.db.Raw("SELECT DISTINCT batch_id FROM print_items WHERE registration_id IN ? AND kind NOT IN ?", registrations, []paper.Kind{paper.Invoice, paper.CreditNote}).Scan(&batches).Error; err != nil {
		return wrap("find prints of erased registrations", err)
	}
	if len(batches) == 0 {
		return nil
	}
	if err := t.exec("UPDATE print_batches SET state = ?, trouble = ?, ended_at = ? WHERE id IN ? AND state = ?",
		office.BatchFailed, "The data of a person in it was deleted. Start again without it.", toMicros(at), batches, office.BatchOpen); err != nil {
		return wrap("end prints of erased registrations", err)
	}
	if err := t.deleteParts(at, batches); err != nil {
		return err
	}
	return t.deleteBatchFiles(at, batches)
}

// purgeBatchFiles deletes the files of prints that have expired.
func (s *Store) purgeBatchFiles(ctx context.Context, now time.Time) error {
	return s.update(ctx, func(t *tx) error {
		var batches []string
		if err := t.db.Raw("SELECT id FROM print_batches WHERE object <> '' AND expires_at <= ? ORDER BY expires_at LIMIT ?", toMicros(now), maxPurge).Scan(&batches).Error; err != nil || len(batches) == 0 {
			return err
		}
		return t.deleteBatchFiles(now, batches)
	})
}

func (t *tx) PapersOfRegistration(registrationID string) (papers []paper.Paper, err error) {
	var rows []paperRow
	if err := t.db.Where("registration_id = ?", registrationID).Order("id").Find(&rows).Error; err != nil { // a few
		return nil, wrap("list papers of a registration", err)
	}
	for _, row := range rows {
		p, err := row.paper()
		if err != nil {
			return nil, err
		}
		papers = append(papers, *p)
	}
	return papers, nil
}

// What a selection reads, with the same columns for each kind. An invoice and a credit note never change, so each has one issue.
const (
	printedIn    = "EXISTS (SELECT 1 FROM print_items d JOIN print_batches b ON b.id = d.batch_id WHERE b.state = 'ready' AND "
	printedIssue = printedIn + "d.kind = p.kind AND d.ref = p.ref AND d.issue = p.issue) AS printed"

	selectInvoices = `SELECT 'invoice' AS kind, 1 AS rank, x.id AS ref, x.registration_id, x.txn_id, x.number, x.series, x.financial_year, x.serial, x.issued_on, x.buyer_name AS name, r.event_code, x.total_minor AS minor, ` +
		printedIn + `d.kind = 'invoice' AND d.ref = x.id) AS printed FROM invoices x JOIN registrations r ON r.id = x.registration_id WHERE `
	selectNotes = `SELECT 'credit-note' AS kind, 2 AS rank, x.id AS ref, x.registration_id, x.txn_id, x.number, x.series, x.financial_year, x.serial, x.issued_on, x.buyer_name AS name, r.event_code, -x.total_minor AS minor, ` +
		printedIn + `d.kind = 'credit-note' AND d.ref = x.id) AS printed FROM credit_notes x JOIN registrations r ON r.id = x.registration_id WHERE `
	selectReceipts = `SELECT 'receipt' AS kind, 3 AS rank, p.ref, p.registration_id, p.txn_id, x.id AS number, '' AS series, '' AS financial_year, 0 AS serial, x.settled_at AS issued_on, x.payer_name AS name, r.event_code, 0 AS minor, ` +
		printedIssue + ` FROM papers p JOIN transactions x ON x.id = p.txn_id JOIN registrations r ON r.id = p.registration_id WHERE p.kind = 'receipt' AND `
	selectTickets = `SELECT 'ticket' AS kind, 4 AS rank, p.ref, p.registration_id, p.txn_id, r.ticket AS number, '' AS series, '' AS financial_year, 0 AS serial, x.settled_at AS issued_on, r.full_name AS name, r.event_code, 0 AS minor, ` +
		printedIssue + ` FROM papers p JOIN transactions x ON x.id = p.txn_id JOIN registrations r ON r.id = p.registration_id WHERE p.kind = 'ticket' AND `
)

// orders are the orders of papers.
var orders = map[office.BatchOrder]string{
	office.ByNumber: "rank, series, financial_year, serial, issued_on, ref",
	office.ByName:   "lower(name), rank, series, financial_year, serial, issued_on, ref",
	office.ByEvent:  "event_code, rank, series, financial_year, serial, issued_on, ref",
}

func orderOf(of office.Selection) string {
	if order, known := orders[of.Order]; known {
		return order
	}
	return orders[office.ByNumber]
}

// selectPapers returns the papers of a selection as a table.
func selectPapers(of office.Selection) (table string, values []any) {
	kinds := of.Kinds
	if kinds == nil {
		kinds = []paper.Kind{paper.Invoice, paper.CreditNote, paper.Receipt, paper.Ticket}
	}
	var parts []string
	for _, kind := range kinds {
		query, date, id := map[paper.Kind]string{paper.Invoice: selectInvoices, paper.CreditNote: selectNotes, paper.Receipt: selectReceipts, paper.Ticket: selectTickets}[kind], "x.issued_on", "x.id"
		numbered := kind == paper.Invoice || kind == paper.CreditNote
		var c conditions
		c.add("TRUE")
		if !numbered {
			date, id = "x.settled_at", "p.ref"
		}
		if !of.From.IsZero() {
			c.add(date+" >= ?", toMicros(of.From))
		}
		if !of.Until.IsZero() {
			c.add(date+" < ?", toMicros(of.Until))
		}
		if of.Event != "" {
			c.add("r.event_code = ?", of.Event)
		}
		if of.Ref != "" {
			c.add(id+" = ?", of.Ref)
		}
		switch {
		case of.Numbers == (office.Numbering{}):
		case numbered:
			c.addNumbers(kind, of.Numbers)
		default:
			c.add("FALSE")
		}
		parts = append(parts, query+c.clause())
		values = append(values, c.values...)
	}
	table = "(" + strings.Join(parts, " UNION ALL ") + ") AS chosen"
	if of.Unprinted {
		table += " WHERE NOT printed"
	}
	return table, values
}

// addNumbers selects numbers of invoices or of credit notes.
func (c *conditions) addNumbers(kind paper.Kind, n office.Numbering) {
	switch {
	case n.Series != "":
		c.add("x.series = ?", n.Series)
	case kind == paper.Invoice:
		c.add("x.issue = 1") // a debit note has another series
	}
	if n.FinancialYear != "" {
		c.add("x.financial_year = ?", n.FinancialYear)
	}
	if n.First > 0 {
		c.add("x.serial >= ?", n.First)
	}
	if n.Last > 0 {
		c.add("x.serial <= ?", n.Last)
	}
}

func (t *tx) PreviewBatch(of office.Selection, limit int) (p office.BatchPreview, err error) {
	p.Counts = map[paper.Kind]int{}
	table, values := selectPapers(of)
	var sums []struct {
		Kind          paper.Kind
		N, Duplicates int
		Minor         int64
	}
	if err := t.db.Raw("SELECT kind, COUNT(*) AS n, COUNT(CASE WHEN printed THEN 1 END) AS duplicates, CAST(SUM(minor) AS BIGINT) AS minor FROM "+table+" GROUP BY kind", values...).Scan(&sums).Error; err != nil {
		return p, wrap("count papers", err)
	}
	for _, sum := range sums {
		p.Counts[sum.Kind] = sum.N
		p.Total += sum.N
		p.Duplicates += sum.Duplicates
		p.Minor += sum.Minor
	}
	if p.Total == 0 {
		return p, nil
	}
	if p.Papers, err = t.chosenPapers(table, values, orderOf(of), limit); err != nil {
		return p, err
	}
	last, err := t.chosenPapers(table, values, strings.ReplaceAll(orderOf(of), ",", " DESC,")+" DESC", 1)
	if err != nil {
		return p, err
	}
	p.Last = last[0]
	err = t.db.Raw(`SELECT * FROM (SELECT g.series, g.financial_year, g.serial + 1 AS first, g.next - 1 AS last,
			(SELECT COUNT(*) FROM invoices i WHERE i.series = g.series AND i.financial_year = g.financial_year AND i.serial > g.serial AND i.serial < g.next)
			+ (SELECT COUNT(*) FROM credit_notes n WHERE n.series = g.series AND n.financial_year = g.financial_year AND n.serial > g.serial AND n.serial < g.next) AS issued
			FROM (SELECT series, financial_year, serial, LEAD(serial) OVER (PARTITION BY series, financial_year ORDER BY serial) AS next FROM `+table+`) AS g
			WHERE g.serial > 0 AND g.next > g.serial + 1) AS gaps
		ORDER BY CASE WHEN issued = last - first + 1 THEN 1 ELSE 0 END, series, financial_year, first LIMIT ?`, append(values, office.MaxGaps)...).Scan(&p.Gaps).Error
	return p, wrap("find gaps", err)
}

type chosenRow struct {
	Kind                       paper.Kind
	Ref, RegistrationID, TxnID string
	Number                     string
	IssuedOn                   time.Time `gorm:"serializer:micros"`
	Name                       string
	Minor                      int64
	Printed                    bool
}

func (t *tx) chosenPapers(table string, values []any, order string, limit int) (chosen []office.Chosen, err error) {
	var rows []chosenRow
	query := "SELECT kind, ref, registration_id, txn_id, number, issued_on, name, minor, printed FROM " + table + " ORDER BY " + order + " LIMIT ?"
	if err := t.db.Raw(query, append(append([]any{}, values...), limit)...).Scan(&rows).Error; err != nil {
		return nil, wrap("choose papers", err)
	}
	for _, row := range rows {
		chosen = append(chosen, office.Chosen(row))
	}
	return chosen, nil
}
