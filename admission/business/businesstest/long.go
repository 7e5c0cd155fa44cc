//go:build long

package businesstest

const asksPostgres = true
