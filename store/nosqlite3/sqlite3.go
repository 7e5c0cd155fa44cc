// Package sqlite3 replaces the C SQLite that gorm.io/driver/sqlite imports and cgo compiles for a minute: the store uses
// modernc.org/sqlite.
package sqlite3
