//go:build long

package business_test

import "testing"

func TestTenThousandSerialsHaveNoGap(t *testing.T)       { gapless(t, 50, 200) }
func TestFourRoadsInAThousandOrdersPayOnce(t *testing.T) { fourRoads(t, 1000) }
