package store_test

import (
	"errors"
	"testing"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestAViewOfStaffReadsAndNeverWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		viewed := admission.WithViewed(t.Context(), admission.Viewed{AccountID: "a", RegistrationID: "r"})
		ran := false
		err := s.Update(viewed, func(tx store.Tx) error { ran = true; return tx.AddAccount(&account.Account{ID: "a"}) })
		if !errors.Is(err, admission.ErrReadOnly) || ran {
			t.Errorf("an update answers %v, ran: %v", err, ran)
		}
		if err := s.SaveCoupon(viewed, enrol.Coupon{Code: "C"}); !errors.Is(err, admission.ErrReadOnly) {
			t.Errorf("a coupon is saved: %v", err)
		}
		var session *access.Session
		read := func(tx store.Tx) (err error) {
			session, err = tx.Session(admission.ViewedSession)
			return err
		}
		if err := s.View(viewed, read); err != nil || session == nil || session.AccountID != "a" || !session.Holds("r") || !session.IsLive(noon) {
			t.Errorf("the session of a view: %+v, %v", session, err)
		}
		if err := s.Read(viewed, read); err != nil || session == nil {
			t.Errorf("the session of a view, alone: %+v, %v", session, err)
		}
		if err := s.View(t.Context(), read); err != nil || session != nil {
			t.Errorf("others have its session: %+v, %v", session, err)
		}
	})
}
