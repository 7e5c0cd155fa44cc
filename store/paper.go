package store

import (
	"time"

	"gorm.io/gorm/clause"

	"hiresure/admission/paper"
)

type paperRow struct {
	ID             string
	Kind           paper.Kind
	Ref            string
	RegistrationID string
	TxnID          string
	Issue          int
	CausedAt       time.Time `gorm:"serializer:micros"`
	Printed        bool
	PrintedAt      time.Time `gorm:"serializer:micros"`
	Hash           string
	File           storedFileRow `gorm:"embedded"`
}

func (paperRow) TableName() string { return "papers" }

func newPaperRow(p *paper.Paper) paperRow {
	return paperRow{p.ID, p.Kind, p.Ref, p.RegistrationID, p.TxnID, p.Issue, p.CausedAt, p.Printed, p.PrintedAt, p.Hash, newStoredFileRow(p.StoredFile)}
}

func (r *paperRow) paper() (*paper.Paper, error) {
	if r == nil {
		return nil, nil
	}
	file, err := r.File.file()
	return &paper.Paper{
		ID: r.ID, Kind: r.Kind, Ref: r.Ref, RegistrationID: r.RegistrationID, TxnID: r.TxnID, Issue: r.Issue, CausedAt: r.CausedAt,
		Printed: r.Printed, PrintedAt: r.PrintedAt, Hash: r.Hash, StoredFile: file,
	}, err
}

func (t *tx) AddPaper(p *paper.Paper) (fresh bool, err error) {
	row := newPaperRow(p)
	done := t.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "kind"}, {Name: "ref"}}, DoNothing: true}).Create(&row)
	return done.RowsAffected > 0, wrap("add paper", done.Error)
}

func (t *tx) SavePaper(p *paper.Paper) error {
	row := newPaperRow(p)
	return wrap("save paper", save(t, &row))
}

func (t *tx) Paper(id string) (*paper.Paper, error) {
	return findAs("find paper", t.db, (*paperRow).paper, "id = ?", id)
}

func (t *tx) PaperForUpdate(id string) (*paper.Paper, error) {
	return findAs("lock paper", t.locked(), (*paperRow).paper, "id = ?", id)
}

func (t *tx) PaperOf(kind paper.Kind, ref string) (*paper.Paper, error) {
	return findAs("find paper", t.db, (*paperRow).paper, "kind = ? AND ref = ?", kind, ref)
}

func (t *tx) WaitingPapers(n int) (ids []string, err error) {
	err = t.db.Raw("SELECT id FROM papers WHERE NOT printed AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND ref = papers.id) ORDER BY id LIMIT ?", paper.JobPrint, n).Scan(&ids).Error
	return ids, wrap("list waiting papers", err)
}

func (t *tx) HasPerson(registrationID string) (bool, error) {
	row, err := find[registrationRow](t.locked().Select("id"), "id = ? AND erased_at = 0", registrationID)
	return row != nil, wrap("lock registration of paper", err)
}

func (t *tx) PapersOfPayment(txnID string) (papers []paper.Paper, err error) {
	var rows []paperRow
	if err := t.locked().Where("txn_id = ?", txnID).Order("id").Find(&rows).Error; err != nil { // a few
		return nil, wrap("list papers", err)
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
