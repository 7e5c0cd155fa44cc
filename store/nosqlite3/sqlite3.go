// Package sqlite3 replaces the C SQLite that gorm.io/driver/sqlite imports: the store uses modernc.org/sqlite, and cgo would
// compile the other for a minute.
package sqlite3
