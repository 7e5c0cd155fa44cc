//go:build long

package main

import (
	"testing"

	"hiresure/store/storetest"
)

func TestMoneyIsNeverWrongOnPostgreSQL(t *testing.T) { moneyIsNeverWrong(t, storetest.Postgres) }
