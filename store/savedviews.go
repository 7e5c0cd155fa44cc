package store

import (
	"time"

	"hiresure/admission/office"
)

type savedViewRow struct {
	ID, AccountID string
	Name, Filter  string
	Shared        bool
	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (savedViewRow) TableName() string { return "saved_views" }

func (t *tx) SavedViews(accountID string) ([]office.SavedView, error) {
	return findAll("find views", t.db.Order("lower(name), id").Where("account_id = ? OR shared", accountID), func(row savedViewRow) office.SavedView { return office.SavedView(row) })
}

func (t *tx) SavedView(id string) (*office.SavedView, error) {
	row, err := find[savedViewRow](t.db, "id = ?", id)
	return (*office.SavedView)(row), wrap("find view", err)
}

func (t *tx) AddSavedView(v office.SavedView) error {
	row := savedViewRow(v)
	row.Name, row.Filter = text(row.Name), text(row.Filter)
	return wrap("add view", add(t, &row))
}

func (t *tx) RenameSavedView(id, name string) error {
	return wrap("rename view", t.exec("UPDATE saved_views SET name = ? WHERE id = ?", text(name), id))
}

func (t *tx) DeleteSavedView(id string) error {
	return wrap("delete view", t.exec("DELETE FROM saved_views WHERE id = ?", id))
}

func (t *tx) DeleteOwnSavedViews(accountID string) error {
	return wrap("delete views", t.exec("DELETE FROM saved_views WHERE account_id = ? AND NOT shared", accountID))
}
