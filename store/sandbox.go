package store

import (
	"context"
	"fmt"
	"iter"
	"time"

	"gorm.io/gorm"
)

type sandboxOrderRow struct {
	ID        string
	Body      string
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (sandboxOrderRow) TableName() string { return "sandbox_orders" }

// SaveSandboxOrder stores an order of the sandbox gateway in JSON, unless its id exists.
func (s *Store) SaveSandboxOrder(ctx context.Context, id string, body []byte) error {
	return wrap("save sandbox order", s.update(ctx, func(t *tx) error {
		return addIfAbsent(t, &sandboxOrderRow{ID: id, Body: string(body), CreatedAt: s.clock()})
	}))
}

// SandboxOrder returns an order, or nil.
func (s *Store) SandboxOrder(ctx context.Context, id string) (body []byte, err error) {
	err = s.view(ctx, func(t *tx) error {
		row, err := find[sandboxOrderRow](t.db, "id = ?", id)
		if row != nil {
			body = []byte(row.Body)
		}
		return err
	})
	return body, wrap("find sandbox order", err)
}

// ChangeSandboxOrder locks an order and stores the result of change, which may run more than once. An unknown order is an
// error.
func (s *Store) ChangeSandboxOrder(ctx context.Context, id string, change func(body []byte) ([]byte, error)) error {
	return wrap("change sandbox order", s.update(ctx, func(t *tx) error {
		row, err := find[sandboxOrderRow](t.locked(), "id = ?", id)
		if err != nil {
			return err
		}
		if row == nil {
			return fmt.Errorf("there is no order %q", id)
		}
		body, err := change([]byte(row.Body))
		if err != nil {
			return err
		}
		return t.db.Model(row).Update("body", string(body)).Error
	}))
}

// SandboxOrdersOf returns the orders stored at or after from and before to, oldest first.
func (s *Store) SandboxOrdersOf(ctx context.Context, from, to time.Time) iter.Seq2[[]byte, error] {
	within := func(db *gorm.DB) *gorm.DB {
		return db.Where("created_at >= ? AND created_at < ?", toMicros(from), toMicros(to))
	}
	return mapRows(sandboxOrders.all(ctx, s, within), func(row sandboxOrderRow) ([]byte, error) { return []byte(row.Body), nil })
}

var sandboxOrders = list[sandboxOrderRow]{
	name: "sandbox orders", columns: []string{"created_at", "id"},
	position: func(row *sandboxOrderRow) []any { return []any{toMicros(row.CreatedAt), row.ID} },
}
