package store

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"time"

	"gorm.io/gorm/schema"
)

// A row has the fields of its admission type in the same order, so that Go converts one to the other and a missing field does
// not compile. Only rows whose columns differ are copied by field.

func init() { schema.RegisterSerializer("micros", micros{}) }

// micros stores a time as microseconds since 1970, 0 for the zero time: exact and equal on both databases.
type micros struct{}

func (micros) Scan(ctx context.Context, field *schema.Field, row reflect.Value, column any) error {
	n, ok := column.(int64)
	if !ok {
		return fmt.Errorf("%s is %T, not microseconds", field.DBName, column)
	}
	field.ReflectValueOf(ctx, row).Set(reflect.ValueOf(fromMicros(n)))
	return nil
}

func (micros) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	at, ok := value.(time.Time)
	if !ok {
		return nil, fmt.Errorf("%s is %T, not a time", field.DBName, value)
	}
	return toMicros(at), nil
}

func toMicros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// scanAny returns the values of a row with n columns.
func scanAny(rows *sql.Rows, n int) ([]any, error) {
	values, targets := make([]any, n), make([]any, n)
	for i := range values {
		targets[i] = &values[i]
	}
	return values, rows.Scan(targets...)
}

// likeLiteral escapes a text for LIKE … ESCAPE '\'.
func likeLiteral(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

const day = 24 * time.Hour
