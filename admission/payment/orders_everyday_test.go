//go:build !long

package payment_test

// longestOrder is how many events TestBooksEqualTheProvidersInEveryOrderOfEvents puts into every order.
const longestOrder = 3
