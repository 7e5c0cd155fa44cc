package api

import (
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/forms"
	"hiresure/web"
)

type ownRegistrations struct {
	done
	Records []registrationRecord `json:"scholarshipRegistrationData"`
}

// registrationRecord is a registration for clients of the specification. Missing values are "".
type registrationRecord struct {
	ID               string            `json:"scholarship_requested_id"`
	ProgramName      string            `json:"program_name"`
	ProfileStatus    string            `json:"profile_status"`
	ProfileStep      enrol.Step        `json:"profile_step"`
	ModifiedOn       string            `json:"modified_on"`
	TransactionID    string            `json:"transaction_id"`
	FirstName        string            `json:"first_name"`
	LastName         string            `json:"last_name"`
	Email            string            `json:"email"`
	CountryCode      string            `json:"country_code"`
	MobileNumber     string            `json:"mobile_number"`
	DateOfBirth      string            `json:"date_of_birth"`
	Gender           string            `json:"gender"`
	FatherName       string            `json:"father_name"`
	PermanentAddress string            `json:"permanent_address"`
	State            string            `json:"state"`
	ZipCode          string            `json:"zip_code"`
	Institution      string            `json:"institution_name"`
	EnrollmentNumber string            `json:"enrollment_number"`
	Semester         string            `json:"current_year_semester"`
	ExamName         string            `json:"exam_name"`
	ExamSemester     string            `json:"exam_semester"`
	ExamPercentage   string            `json:"exam_percentage"`
	Course           string            `json:"course_enrolled"`
	Income           string            `json:"annual_family_income"`
	OtherDetails     string            `json:"other_scholarship_details"`
	ReceivedOther    string            `json:"received_other_scholarship"`
	Reason           string            `json:"reason_for_scholarship"`
	More             map[string]string `json:"more_answers,omitempty"` // other answers, by wire name
	Agreed           string            `json:"agreed_terms_conditions"`
	Photo            string            `json:"passport_photo_url"`
	IDProof          string            `json:"id_proof_url"`
	Marksheet        string            `json:"academic_marksheet_url"`
	IncomeProof      string            `json:"income_certificate_url"`
	BeforeTax        any               `json:"amount_before_tax"` // rupees, or ""; also the next four
	IGST             any               `json:"igst"`
	CGST             any               `json:"cgst"`
	SGST             any               `json:"sgst"` // or UTGST: one of the two is 0
	Paid             any               `json:"payment_paid"`
	Mode             string            `json:"payment_mode"`
	Actions          *recordActions    `json:"actions,omitempty"`
}

// recordActions are the addresses of a registration's actions.
type recordActions struct {
	PayNow   string `json:"payNow,omitempty"`
	Download string `json:"download,omitempty"`
}

// Limits and defaults of a list call.
const (
	maxRecords     = 100
	defaultRecords = 10
	maxPages       = 10_000
)

// myRegistrations returns the account's registrations, or a named one.
func (a *api) myRegistrations(c *echo.Context, _ fields) (answer, error) {
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx, query := c.Request().Context(), c.QueryParams()
	if query.Has(web.RegistrationQuery) {
		detail, err := a.Registry.Detail(ctx, v, query.Get(web.RegistrationQuery))
		if err != nil {
			return nil, err
		}
		record, err := a.recordWithDocuments(c, v, detail.Item)
		return &ownRegistrations{*success("Your registration."), []registrationRecord{record}}, err
	}
	limit, err := queryNumber(query.Get("limit"), "limit", defaultRecords, maxRecords)
	if err != nil {
		return nil, err
	}
	page, err := queryNumber(query.Get("page"), "page", 1, maxPages)
	if err != nil {
		return nil, err
	}
	items, err := a.Registry.Page(ctx, v, limit, page)
	if err != nil {
		return nil, err
	}
	records := make([]registrationRecord, 0, len(items))
	for _, item := range items {
		record, err := a.recordWithDocuments(c, v, item)
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return &ownRegistrations{*success("Your registrations."), records}, nil
}

// queryNumber parses a number from 1 to limit in a query.
func queryNumber(typed, name string, fallback, limit int) (int, error) {
	if typed == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > limit {
		return 0, admission.FieldProblem(name, "This must be a number from 1 to "+strconv.Itoa(limit)+".")
	}
	return n, nil
}

// recordWithDocuments returns recordOf with the addresses of the documents.
func (a *api) recordWithDocuments(c *echo.Context, v admission.Visitor, item registry.Item) (registrationRecord, error) {
	record := a.recordOf(item)
	documents, err := a.documentsOf(c, v, &item.Registration)
	for kind, at := range map[document.Kind]*string{
		document.Photo: &record.Photo, document.IDProof: &record.IDProof, document.Marksheet: &record.Marksheet, document.IncomeCertificate: &record.IncomeProof,
	} {
		*at = documentAddress(documents, kind)
	}
	return record, err
}

func (a *api) recordOf(item registry.Item) registrationRecord {
	r := item.Registration
	state, _ := india.StateByCode(r.StateCode)
	record := registrationRecord{
		ID: r.ID, ProgramName: item.Event.Title, ProfileStatus: r.Status(), ProfileStep: r.Step, ModifiedOn: r.ModifiedAt.UTC().Format(time.RFC3339),
		Email: r.Email, CountryCode: "+91", MobileNumber: admission.TenDigits(r.Phone), State: state.Name, Institution: r.College,
		Course: enrol.CourseLabel(r.Course), Agreed: "No", BeforeTax: "", IGST: "", CGST: "", SGST: "", Paid: "",
	}
	record.FirstName, record.LastName = admission.SplitName(r.FullName)
	if !r.TermsAt.IsZero() {
		record.Agreed = "Yes"
	}
	a.answer(&record, &r)
	if t := item.Transaction; t != nil {
		gateway, _ := a.Payment.Gateways.Find(t.Gateway)
		record.TransactionID, record.Mode = t.ID, gateway.Label
		if r.Paid() {
			record.Paid = t.Charge.Rupees()
		}
	}
	actions := recordActions{}
	if paper := item.Invoice; paper != nil {
		tax := paper.Tax
		record.BeforeTax, record.IGST = admission.INR(tax.Taxable).Rupees(), admission.INR(tax.IGST).Rupees()
		record.CGST, record.SGST = admission.INR(tax.CGST).Rupees(), admission.INR(tax.SGST+tax.UTGST).Rupees()
		actions.Download = web.OwnPaperPath(item.Transaction.ID, web.InvoiceFile)
	}
	if item.Action == status.PayNow {
		actions.PayNow = web.PayForPath(r.ID)
		if item.Product == enrol.ProductApplication {
			actions.PayNow = web.FeePath
		}
	}
	if actions != (recordActions{}) {
		record.Actions = &actions
	}
	return record
}

// answer sets the answers of a registration; choices by label. Fields unknown to the specification go to More.
func (a *api) answer(record *registrationRecord, r *enrol.Registration) {
	form := a.Forms.Get(apply.FormOf(r))
	places := map[string]*string{
		"fullname": nil, "email": nil, "phone_number": nil, "state": nil, "selected_course": nil, "company_name": nil, // already set
		"dob": &record.DateOfBirth, "gender": &record.Gender, "fatherName": &record.FatherName, "address": &record.PermanentAddress, "zip": &record.ZipCode,
		"institution": &record.Institution, "enrollmentNumber": &record.EnrollmentNumber, "yearSemester": &record.Semester, "examName": &record.ExamName,
		"examYear": &record.ExamSemester, "percentage": &record.ExamPercentage, "course": &record.Course,
		"received_other_scholarship": &record.ReceivedOther, "annualIncome": &record.Income, "details": &record.OtherDetails, "reason": &record.Reason,
	}
	typed := r.Typed(form, "")
	for i := range form.Fields {
		field := &form.Fields[i]
		value := typed[field.Name]
		place, known := places[field.Name]
		switch {
		case place != nil:
			*place = value
		case known || value == "" || slices.Contains(notAnswers, field.Keep):
		default:
			if record.More == nil {
				record.More = map[string]string{}
			}
			record.More[field.WireName()] = form.Display(field.Name, value)
		}
	}
	record.Gender, record.ReceivedOther = form.Display("gender", record.Gender), form.Display("received_other_scholarship", record.ReceivedOther)
}

// notAnswers are the Keep places of fields that are not answers.
var notAnswers = []string{forms.KeepNone, enrol.KeepTerms, enrol.KeepConsents}
