//go:build long

package business_test

import (
	"testing"
	"time"
)

const asksPostgres = true

func TestTenThousandSerialsHaveNoGap(t *testing.T)       { gapless(t, 50, 200) }
func TestFourRoadsInAThousandOrdersPayOnce(t *testing.T) { fourRoads(t, 1000) }

func TestAStormOfMoneyForTwoMinutes(t *testing.T) { stormOfMoney(t, 16, 2*time.Minute) }
