//go:build !long

package business_test

const asksPostgres = false
