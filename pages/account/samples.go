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

// samplePath shows My data in a state that is over in a moment, or takes days to come.
func samplePath(state string) string { return "/dev/my-data/" + state }

// SampleRoutes mounts the own My data in such states, for those who build the product and its checks: nothing is changed by it,
// and it is not there in production.
func SampleRoutes(r *web.Routes, kit *pages.Kit) {
	h := handlers{kit}
	r.Get(samplePath(":state"), web.Private.For(web.SignedIn), h.sample)
}

const aDay = 24 * time.Hour

// samples put into what the visitor has what brings a state about.
var samples = map[string]func(o *mydata.Overview, now time.Time){
	"collecting": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now, Done: 2, Size: 2355 << 10}
	},
	"file-over": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now.Add(-8 * aDay), ReadyAt: now.Add(-8 * aDay), ExpiresAt: now.Add(-aDay)}
	},
	"file-not-made": func(o *mydata.Overview, now time.Time) {
		o.Export = &mydata.Export{ID: admission.NewID(), AskedAt: now, FailedAt: now}
	},
	"deletion-would-wait": func(o *mydata.Overview, _ time.Time) { o.Open = true },
	"deletion-postponed": func(o *mydata.Overview, now time.Time) {
		o.Deletion = &mydata.Deletion{ID: admission.NewID(), AskedAt: now.Add(-8 * aDay), DueAt: now.Add(-aDay), PostponedAt: now.Add(-aDay)}
	},
}

func (h handlers) sample(c *echo.Context) error {
	switch c.Param("state") {
	case "stale-download":
		return h.provesAnew(c, dataFold(foldFile), beforeDownload, nil)
	case "stale-deletion":
		return h.provesAnew(c, web.DeletePath, beforeDeleting, nil)
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
