package landing

import (
	"net/http"
	"testing"

	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestPaymentMethodIsChosenBeforeTheStart(t *testing.T) {
	const phone, chooses = "9876543210", `"choosesWay":true`
	o := newSite(t, storetest.Open(t, storetest.SQLite(t)), "cards")
	v := o.visitor().says(chooses).proven(phone)
	if at := v.press("pay").leadsTo("/pay"); at != "/pay" {
		t.Errorf("leads to %s", at)
	}
	open := func() (open *payment.Transaction) {
		v.view(func(tx store.Tx) (err error) {
			open, err = tx.OpenTransaction(v.registration(phone).ID)
			return err
		})
		return open
	}
	if begun := open(); begun != nil {
		t.Errorf("%s begins at %s", begun.ID, begun.Gateway)
	}
	v.press("apply-coupon", "coupon_code", "FULLSEAT").answers(http.StatusOK).press("pay").leadsTo("/success?kspay_id=") // when nothing is due, there is nothing to choose
	newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor().silentOn(chooses)
}
