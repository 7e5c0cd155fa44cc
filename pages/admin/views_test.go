package admin_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission/staff"
	"hiresure/store"
	"hiresure/web"
)

const viewsPage = web.StaffRegistrationsPath + "/views"

// viewID returns the id of a view on the page that renames them.
func (b *browser) viewID(name string) string {
	b.t.Helper()
	b.get(viewsPage)
	found := regexp.MustCompile(`action="` + viewsPage + `/([0-9a-z]{26})"><input type="hidden" name="was" value="` + regexp.QuoteMeta(name) + `"`).FindStringSubmatch(b.page)
	if found == nil {
		b.t.Fatalf("no view %q among %s", name, b.page)
	}
	return found[1]
}

func TestFiltersAreSavedAsAView(t *testing.T) {
	s := newSite(t)
	s.register()
	kavya := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	list := web.StaffRegistrationsPath

	meera.get(list).is(http.StatusOK, "View: Everyone Shared Everyone Paid, no answer from the bank Rename or remove views")
	meera.lacks("Save this view", "Yours")
	meera.get(list+"?payment=waiting&q=asha").is(http.StatusOK, "View: Paid, no answer from the bank", "Save this view")
	meera.get(list+"?event=KS_Mgrow&rows=25&q=kaur&status=Payment+Initiated").is(http.StatusOK, "View: Views")
	meera.get(viewsPage + "/new").leads(list)
	meera.get(viewsPage+"/new?event=KS_Mgrow&rows=25&q=kaur&status=Payment+Initiated").is(http.StatusOK, "Status Payment Initiated", "Event HireSure mGrow Scholarship", "and not what you searched for")
	filter := []string{"event", "KS_Mgrow", "status", "Payment Initiated", "q", "kaur", "rows", "25", "payment", "bogus"}
	save := func(b *browser, more ...string) *browser { return b.post(viewsPage+"/new", append(filter, more...)...) }
	save(meera, "name", " ").is(http.StatusUnprocessableEntity, "Write a name for this view", "Event HireSure mGrow Scholarship")
	save(meera, "name", strings.Repeat("ந", 61), "shared", "yes").is(http.StatusUnprocessableEntity, "Use at most 60 characters")
	if !strings.Contains(meera.page, `name="shared" value="yes" checked`) || !strings.Contains(meera.page, strings.Repeat("ந", 61)) {
		t.Error("a refusal forgets what was typed")
	}
	save(meera, "name", " Waiting <b>mGrow ", "shared", "").leads(list + "?event=KS_Mgrow&q=kaur&rows=25&status=Payment+Initiated")
	save(meera, "name", "waiting <b>MGROW").is(http.StatusUnprocessableEntity, "You have a view with this name already")
	meera.get(list+"?status=Payment+Initiated&event=KS_Mgrow").is(http.StatusOK, "View: Waiting <b>mGrow", "Yours Waiting <b>mGrow")
	meera.lacks("Waiting <b>", "kaur")
	save(meera, "name", "Of everybody", "shared", "yes", "coupon", "MGROW500").leads(list + "?coupon=MGROW500&event=KS_Mgrow&q=kaur&rows=25&status=Payment+Initiated")
	meera.post(viewsPage+"/new", "name", "Nothing", "payment", "bogus", "from", "yesterday").is(http.StatusBadRequest)

	kavya.get(list).is(http.StatusOK, "Paid, no answer from the bank Of everybody Rename")
	kavya.lacks("Waiting")
	farida.get(list).is(http.StatusOK, "Shared Everyone Of everybody") // she sees no payments
	farida.lacks("Paid, no answer")
	farida.get(viewsPage).is(http.StatusOK, "You have saved no view.", "renamed and removed by them or by an admin")

	own, shared := meera.viewID("Waiting &lt;b&gt;mGrow"), meera.viewID("Of everybody")
	for name, who := range map[string]*browser{"an admin changes an own view": kavya, "a colleague changes a shared view": farida} {
		id := map[string]string{"an admin changes an own view": own, "a colleague changes a shared view": shared}[name]
		who.post(viewsPage+"/"+id, "name", "Mine now", "was", "Of everybody").is(http.StatusNotFound, "This view was removed before. Nothing was changed.")
		who.post(viewsPage+"/"+id, "do", "remove").is(http.StatusNotFound, "Nothing was changed.")
	}
	meera.post(viewsPage+"/"+own, "was", "Waiting <b>mGrow", "name", "Of Everybody").is(http.StatusUnprocessableEntity, "You have a view with this name already")
	if !strings.Contains(meera.page, `value="Of Everybody"`) {
		t.Error("a refused name is lost")
	}
	meera.post(viewsPage+"/"+own, "was", "Waiting <b>mGrow", "name", "Waiting").leads(viewsPage + "?said=renamed")
	meera.get(meera.location).is(http.StatusOK, "The view is renamed.", "Name of Waiting", "Only you")
	kavya.post(viewsPage+"/"+shared, "was", "Of everybody", "name", "Desk").leads(viewsPage + "?said=renamed")
	meera.post(viewsPage+"/"+shared, "was", "Of everybody", "name", "Team").is(http.StatusConflict, "This view was renamed to “Desk” after you opened this page. Nothing was changed")
	kavya.post(viewsPage+"/"+shared, "do", "remove").leads(viewsPage + "?said=removed")
	meera.post(viewsPage+"/"+shared, "do", "remove").is(http.StatusNotFound, "This view was removed before. Nothing was changed.")
	meera.get(list).is(http.StatusOK, "Yours Waiting")
	meera.lacks("Desk", "Of everybody")
	s.logged("saved a view", "view "+own+"; for one person; ", "view "+shared+"; for everybody; ")
	s.logged("renamed a view", "view "+own+"; for one person; ", "view "+shared+"; for everybody; ")
	s.logged("removed a view", "view "+shared+"; ; ")

	for n := range 49 {
		save(meera, "name", fmt.Sprint("View ", n)).is(http.StatusSeeOther)
	}
	save(meera, "name", "One more").is(http.StatusUnprocessableEntity, "You have 50 views. Remove one first")
	meera.post(viewsPage+"/new", "name", "Long", "college", strings.Repeat("x", 1000)).is(http.StatusUnprocessableEntity, "These filters are too long to save.")
	save(farida, "name", "Hers", "shared", "yes").is(http.StatusSeeOther)
	var account *staff.Account
	left := func() (names string) {
		check(t, s.store.View(t.Context(), func(tx store.Tx) (err error) {
			if account, err = tx.StaffAccountByEmail("meera@academy.example"); err != nil {
				return err
			}
			views, err := tx.SavedViews(account.ID)
			names = fmt.Sprint(len(views), " ", views[0].Name)
			return err
		}))
		return names
	}
	if before := left(); before != "51 Hers" {
		t.Errorf("views: %s", before)
	}
	check(t, s.services.Staff.End(t.Context(), account.ID, staff.Operator("Ravi Menon")))
	if after := left(); after != "1 Hers" {
		t.Errorf("views of an ended account: %s", after)
	}
	s.setUp("tenzin@academy.example", "Tenzin Dolma", "content").post(viewsPage+"/new", append(filter, "name", "x")...).is(http.StatusForbidden)
}
