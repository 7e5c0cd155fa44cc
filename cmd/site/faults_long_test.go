//go:build long

package main

import (
	"testing"

	"hiresure/store/storetest"
)

func TestMishapsOnPostgreSQL(t *testing.T) { testMishaps(t, storetest.Postgres) }
