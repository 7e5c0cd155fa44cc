//go:build long

package storetest

const Long = true
