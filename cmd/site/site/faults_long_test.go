//go:build long

package site_test

import (
	"testing"

	"hiresure/store/storetest"
)

func TestMishapsOnPostgreSQL(t *testing.T) { testMishaps(t, storetest.Postgres) }
