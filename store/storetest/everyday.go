//go:build !long

package storetest

// Long reports whether the tests of `./task test:long` run.
const Long = false
