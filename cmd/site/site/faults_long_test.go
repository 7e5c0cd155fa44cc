//go:build long

package site_test

import (
	"testing"

	"hiresure/e2e/money"
	"hiresure/store/storetest"
)

func TestMishapsOnPostgreSQL(t *testing.T) { testMishaps(t, storetest.Postgres, len(money.Providers)) }
