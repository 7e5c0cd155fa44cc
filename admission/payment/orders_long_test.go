//go:build long

package payment_test

const longestOrder = 4
