package account

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/mydata"
	"hiresure/pages"
	"hiresure/web"
)

// samplePath returns the address of My data in a state that is short or takes days.
func samplePath(state string) string { return "/dev/my-data/" + state }

// SampleRoutes mounts My data in such states for development and tests. It changes nothing; production does not mount it.
func SampleRoutes(r *web.Routes, kit *pages.Kit) {
	h := handlers{kit}
	r.Get(samplePath(":state"), web.Private.For(web.SignedIn), h.sample)
}

const day = 24 * time.Hour

// samples set a state in an overview.
var samples = map[string]func(o *mydata.Overview, now time.Time){
	"viewed": func(o *mydata.Overview, now time.Time) {
		o.Looks = []mydata.StaffView{{At: now, Role: "Support", Purpose: "Help with documents"}}
	},
	"collecting": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now, Done: 2, Size: 2355 << 10}
	},
	"file-over": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now.Add(-8 * day), ReadyAt: now.Add(-8 * day), ExpiresAt: now.Add(-day)}
	},
	"file-not-made": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now, FailedAt: now}
	},
	"deletion-would-wait": func(o *mydata.Overview, _ time.Time) { o.Money.Kind = mydata.RefundOpen },
	"deletion-postponed": func(o *mydata.Overview, now time.Time) {
		o.Deletion = &mydata.Deletion{ID: admission.NewID(), AskedAt: now.Add(-8 * day), DueAt: now.Add(-day), PostponedAt: now.Add(-day)}
		o.Money.Kind = mydata.DisputeOpen
	},
}

func (h handlers) sample(c *echo.Context) error {
	switch c.Param("state") {
	case "stale-download":
		return h.askSignIn(c, dataFold(foldFile), downloadReason, nil)
	case "stale-deletion":
		return h.askSignIn(c, web.DeletePath, deletionReason, nil)
	}
	put, known := samples[c.Param("state")]
	if !known {
		return admission.NotFoundProblem("State")
	}
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	o, err := h.MyData.Overview(c.Request().Context(), v)
	if err != nil {
		return err
	}
	put(&o, h.Clock())
	view := h.viewOf(o, apply.Standing{}, v, c.QueryParam(atQuery))
	view.File.Poll = samplePath(c.Param("state"))
	return h.Show(c, http.StatusOK, dataPage(h.Frame(), view))
}
