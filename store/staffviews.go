package store

import (
	"time"

	"hiresure/admission/office"
)

type viewRow struct {
	ID, AccountID string
	Name, Filter  string
	Shared        bool
	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (viewRow) TableName() string { return "staff_views" }

func (t *tx) StaffViews(accountID string) ([]office.SavedView, error) {
	return findAll("find views", t.db.Order("lower(name), id").Where("account_id = ? OR shared", accountID), func(row viewRow) office.SavedView { return office.SavedView(row) })
}

func (t *tx) StaffView(id string) (*office.SavedView, error) {
	row, err := find[viewRow](t.db, "id = ?", id)
	return (*office.SavedView)(row), wrap("find view", err)
}

func (t *tx) AddStaffView(v office.SavedView) error {
	row := viewRow(v)
	row.Name, row.Filter = text(row.Name), text(row.Filter)
	return wrap("add view", add(t, &row))
}

func (t *tx) RenameStaffView(id, name string) error {
	return wrap("rename view", t.exec("UPDATE staff_views SET name = ? WHERE id = ?", text(name), id))
}

func (t *tx) DeleteStaffView(id string) error {
	return wrap("delete view", t.exec("DELETE FROM staff_views WHERE id = ?", id))
}

func (t *tx) DeleteOwnStaffViews(accountID string) error {
	return wrap("delete views", t.exec("DELETE FROM staff_views WHERE account_id = ? AND NOT shared", accountID))
}
