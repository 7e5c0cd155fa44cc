//go:build long

package business_test

import (
	"testing"
	"time"
)

func TestTenThousandSerialsWithoutGap(t *testing.T)        { serialsWithoutGap(t, 50, 200) }
func TestFourSourcesInAThousandOrdersPayOnce(t *testing.T) { fourRoads(t, 1000) }

func TestMoneyStormForTwoMinutes(t *testing.T) { stormOfMoney(t, 16, 2*time.Minute) }
