package hiresure_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/mydata"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/web"
)

// asking counts the reads of an area.
type asking struct {
	admission.Store[mydata.Tx]
	asked int
}

func (a *asking) Read(ctx context.Context, work func(mydata.Tx) error) error {
	a.asked++
	return a.Store.Read(ctx, work)
}

func TestEveryPageShowsTheAccountsDeletion(t *testing.T) {
	p := newPlace(t)
	asks := &asking{Store: p.kit.MyData.Store}
	p.kit.MyData.Store = asks
	r := p.has(ofApplication, enrol.StepPaid, payment.Paid)
	pages := []string{"/hiresure", web.RegistrationsPath, "/hiresure/registration/" + r.ID, "/hiresure/upload-doc"}
	const keep, kept = `<a href="/account/data?at=delete#delete">Keep my account</a>`, "Your saved work stays."
	for _, page := range pages {
		asks.asked = 0
		p.get(page).is(http.StatusOK).without(keep)
		if asks.asked != 1 {
			t.Errorf("%s asks %d times", page, asks.asked)
		}
	}
	p.get("/hiresure").is(http.StatusOK, kept)
	d := mydata.Deletion{ID: admission.NewID(), AccountID: p.me, AskedAt: p.clock.Now(), DueAt: p.clock.Now().Add(7 * 24 * time.Hour)}
	p.change(func(tx store.Tx) error { return tx.SaveDeletion(&d) })
	for _, page := range pages {
		p.get(page).is(http.StatusOK, "Your account will be deleted on 28 Nov 2026. Keep my account", keep).without(kept)
	}
	d.PostponedAt = d.DueAt
	p.change(func(tx store.Tx) error { return tx.SaveDeletion(&d) })
	p.get("/hiresure").is(http.StatusOK, "Your account will be deleted within a day. Keep my account")
	asks.asked, p.token = 0, ""
	p.get("/hiresure").is(http.StatusOK).without(keep)
	p.get("/hiresure/nothing-of-ours/%00").is(http.StatusNotFound).without(keep)
	if asks.asked > 0 {
		t.Error("it is asked for a stranger")
	}
}
