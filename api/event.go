package api

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/web"
)

var couponBody = shape{
	"coupon_code": text, "amount": amount, "scholarship_code": text, "scholarship_subevent_code": text, "captcha_token": text,
}

// defaultEventCode is the event of a coupon call without one (spec §3: "default KS_Mgrow").
const defaultEventCode = "KS_Mgrow"

type couponApplied struct {
	done
	Data finalAmount `json:"data"`
}

type finalAmount struct {
	FinalAmount json.Number `json:"final_amount"` // rupees
}

func (a *api) applyCoupon(c *echo.Context, in fields) (answer, error) {
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	ask := enrol.CouponRequest{
		Code: in["coupon_code"], EventCode: cmp.Or(in["scholarship_code"], defaultEventCode), SubeventCode: in["scholarship_subevent_code"],
	}
	price, err := a.Enrol.ApplyCoupon(c.Request().Context(), v, ask)
	if err != nil {
		return nil, err
	}
	message := "Coupon applied."
	if sent, given := in["amount"]; given { // compared only
		if minor, err := admission.ParseRupees(sent); err != nil || minor != price.List.Minor {
			a.Log.WarnContext(c.Request().Context(), "another amount than ours", "sent", sent, "ours", price.List.Rupees())
			message = "Coupon applied to our fee of " + price.List.Short() + "."
		}
	}
	return &couponApplied{*success(message), finalAmount{price.Final.Rupees()}}, nil
}

func (a *api) checkReferral(c *echo.Context, _ fields) (answer, error) {
	v, err := a.visitor(c, c.Request().Header.Get(captchaHeader))
	if err != nil {
		return nil, err
	}
	if err := a.Enrol.CheckReferral(c.Request().Context(), v, c.Param("code"), ""); err != nil {
		return nil, err
	}
	return success("Referral code applied."), nil
}

type eventFetched struct {
	done
	ScholarshipInfo scholarshipInfo `json:"scholarshipInfo"`
}

type scholarshipInfo struct {
	ScholarshipData scholarshipData `json:"scholarshipData"`
}

// scholarshipData is an event as named in specification section 3.
type scholarshipData struct {
	Title                string              `json:"scholarship_title"`
	Subtitle             string              `json:"scholarship_subtitle"`
	SelectCourse         string              `json:"select_course"` // codes, joined by commas
	Partners             []admission.Partner `json:"partners"`
	CompanyName          string              `json:"company_name"`
	CompanyLogo          string              `json:"company_logo"`
	CouponCode           string              `json:"coupon_code"`
	FinalAmount          json.Number         `json:"final_amount"`           // rupees
	AmountBeforeDiscount json.Number         `json:"amount_before_discount"` // rupees
	ScholarshipCode      string              `json:"scholarship_code"`
	SubeventCode         string              `json:"scholarship_subevent_code"`
}

func (a *api) fetchEvent(c *echo.Context, _ fields) (answer, error) {
	slugs := c.QueryParams()["slug"]
	if len(slugs) != 1 {
		return nil, unreadable("Send one slug.")
	}
	event, known := a.Events.EventBySlug(slugs[0])
	if !known {
		return nil, &admission.Problem{Kind: admission.NotFound, Message: "Programme not found."}
	}
	partners := make([]admission.Partner, len(event.Partners))
	for i, partner := range event.Partners {
		partners[i] = admission.Partner{Name: partner.Name, Logo: web.LogoPath(partner.Logo)}
	}
	return &eventFetched{*success("Programme found."), scholarshipInfo{scholarshipData{
		Title: event.Title, Subtitle: event.Subtitle, SelectCourse: strings.Join(event.Courses, ","), Partners: partners,
		CompanyName: event.CompanyName, CompanyLogo: web.LogoPath(event.CompanyLogo), CouponCode: event.OfferedCoupon(a.Clock()),
		FinalAmount: event.Fee.Rupees(), AmountBeforeDiscount: event.ListFee.Rupees(),
		ScholarshipCode: event.Code, SubeventCode: event.SubeventCode,
	}}}, nil
}
