//go:build long

package money_test

import (
	"testing"

	"hiresure/store/storetest"
)

func TestASiteThatIsKilledOnPostgreSQLLosesNoMoney(t *testing.T) {
	killedSiteLosesNoMoney(t, storetest.Postgres(t))
}
