package landing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
)

// EnrolmentStep is a step of the form. With scripts one step is unfolded, and a done one is a row.
type EnrolmentStep struct {
	Name     string               `json:"name"`
	Label    string               `json:"label"` // of its step
	Asks     string               `json:"asks"`  // in a few words
	Title    string               `json:"title"`
	Places   []string             `json:"places"` // places of its groups of fields
	State    components.StepState `json:"state"`
	Unfolded bool                 `json:"unfolded"`
	Missing  *forms.Fault         `json:"missing,omitempty"` // the first fault, shown or not; nil if it is done, or nobody has pressed the payment's button early
}

// enrolmentSteps returns the steps in order; the payment follows.
func enrolmentSteps() []EnrolmentStep {
	return []EnrolmentStep{
		{Name: "you", Label: "You", Asks: "name and e-mail", Title: "Who is taking the exam?", Places: []string{"you"}},
		{Name: "phone", Label: "Phone", Asks: "number and code", Title: "Your phone", Places: []string{"phone"}},
		{Name: "course", Label: "Course", Asks: "course and State", Title: "What do you want to be good at?", Places: []string{"course"}},
		{Name: "consent", Label: "Consent", Asks: "your age and the terms", Title: "Your consent", Places: []string{"age", "guardian", "terms"}},
	}
}

// fieldsOf returns the names of a step's fields.
func (v *EnrolmentView) fieldsOf(name string) []string {
	var names []string
	for _, step := range enrolmentSteps() {
		for _, place := range step.Places {
			for _, group := range v.Form.Groups("", place) {
				for _, field := range v.Form.FieldsOf(group.Name) {
					if step.Name == name {
						names = append(names, field.Name)
					}
				}
			}
		}
	}
	return names
}

// setSteps sets the state of each step, and unfolds changed, a step with a fault, or the first incomplete one.
func (v *EnrolmentView) setSteps(changed string) {
	v.Steps = enrolmentSteps()
	_, missing := v.Form.Check(v.Values, v.env())
	missing = v.placeFaults(missing)
	first := func(faults []forms.Fault, fields []string) *forms.Fault {
		if i := slices.IndexFunc(faults, func(f forms.Fault) bool { return slices.Contains(fields, f.Field) }); i >= 0 {
			return &faults[i]
		}
		return nil
	}
	next := -1
	for i := range v.Steps {
		step := &v.Steps[i]
		fields := v.fieldsOf(step.Name)
		wrong := first(v.Faults, fields)
		fault := cmp.Or(wrong, first(missing, fields))
		step.Unfolded = wrong != nil
		if v.Early != "" {
			step.Missing = fault
		}
		switch {
		case wrong != nil && v.Early == "":
			step.State = components.StepFaulty
		case fault == nil:
			step.State = components.StepDone
		case next < 0:
			step.State = components.StepCurrent
		default:
			step.State = components.StepAhead
		}
		if next < 0 && step.State != components.StepDone {
			next = i
		}
		step.Unfolded = step.Unfolded || step.Name == changed
	}
	isUnfolded := func(step EnrolmentStep) bool { return step.Unfolded }
	if next >= 0 && !slices.ContainsFunc(v.Steps, isUnfolded) {
		v.Steps[next].Unfolded = true
	}
}

// stepper returns the line of steps, which ends with the payment.
func (v EnrolmentView) stepper() components.StepperProps {
	var steps components.StepperProps
	paid := components.EnrolmentPaymentStep(components.StepCurrent, "is next")
	for _, step := range v.Steps {
		steps = append(steps, components.Step{Name: step.Label, State: step.State})
		if step.State != components.StepDone {
			paid.State, paid.Text = components.StepAhead, ""
		}
	}
	return append(steps, paid)
}

// openSteps returns the labels of the incomplete steps, and whether one has a fault.
func (v EnrolmentView) openSteps() (labels []string, wrong bool) {
	for _, step := range v.Steps {
		if step.State != components.StepDone {
			labels = append(labels, strings.ToLower(step.Label))
		}
		wrong = wrong || step.State == components.StepFaulty
	}
	return labels, wrong
}

// Values of EnrolmentView.Early: whether the next step is linked, or all, as without scripts nothing is folded.
const (
	earlyNext = "next"
	earlyAll  = "all"
)

// prompts say what to do at an empty field, where its message would scold.
var prompts = map[string]string{
	"fullname": "Start with your name", "email": "Add your e-mail", "phone_number": "Enter your number", "otp": "Type the code",
	"selected_course": "Choose your course", "state": "Choose your State", "adult": "Choose your age",
	"guardian_name": "Ask your parent or guardian", "guardian_phone": "Ask your parent or guardian",
}

// toDo is a step that is left to do before the payment.
type toDo struct {
	Label, Text string
	Href        string // "" for none
	Wrong       bool   // the text names an error that the form shows
}

// toDos returns what is left to do, once the payment's button was pressed early.
func (v EnrolmentView) toDos() []toDo {
	if v.Early == "" {
		return nil
	}
	var left []toDo
	for _, step := range v.Steps {
		if step.State == components.StepDone {
			continue
		}
		row := toDo{Label: step.Label, Text: step.Asks, Wrong: v.hasFault(step.Missing.Field)}
		if v.Early == earlyAll || len(left) == 0 || row.Wrong {
			row.Href = "#f-" + step.Missing.Field
		}
		switch {
		case row.Wrong:
			row.Text = step.Missing.Message
		case len(left) == 0:
			row.Text = step.Missing.Message
			if prompt := v.Prompts[step.Missing.Field]; prompt != "" && v.Values[step.Missing.Field] == "" {
				row.Text = prompt
			}
		}
		left = append(left, row)
	}
	return left
}

func stepCount(n int) string {
	if n == 1 {
		return "1 step"
	}
	return strconv.Itoa(n) + " steps"
}

// couponPending reports whether a typed coupon is not applied yet.
func (v EnrolmentView) couponPending() bool {
	return v.Values["coupon_code"] != "" && v.Price.Coupon == ""
}

// hasFault reports whether a field has a fault.
func (v EnrolmentView) hasFault(field string) bool {
	return slices.ContainsFunc(v.Faults, func(f forms.Fault) bool { return f.Field == field })
}

// ready reports whether the form is complete.
func (v EnrolmentView) ready() bool {
	labels, _ := v.openSteps()
	return len(labels) == 0 && !v.couponPending()
}

// free reports whether the coupon covers the whole fee.
func (v EnrolmentView) free() bool {
	return v.Price.Final == admission.Money{Currency: v.Price.Currency}.Short()
}

// refundable reports whether to show the refund's deadline.
func (v EnrolmentView) refundable() bool { return v.ready() && !v.free() }

// remaining returns what remains before the payment; "" while more than the next step would distract.
func (v EnrolmentView) remaining() string {
	labels, wrong := v.openSteps()
	count := []string{"", "One step", "Two steps", "Three steps", "Four steps"}[len(labels)]
	names := strings.Join(labels, ", ")
	switch {
	case v.Early != "" && len(labels) > 0:
		return stepCount(len(labels)) + " first, then you pay."
	case len(labels) == 0 && v.couponPending():
		return "Apply the code or clear it, then you pay."
	case len(labels) == 0 && v.free():
		return "Your coupon covers the whole fee. You are enrolled as soon as you press the button."
	case len(labels) == 0:
		return "Nothing is charged until you confirm on the next page. Your ticket and receipt come by e-mail."
	case wrong && len(labels) == 1:
		return count + " is still open: " + names + "."
	case wrong:
		return count + " are still open: " + names + "."
	}
	if slices.Contains(labels, "phone") { // the rest would distract
		if v.Values["coupon_code"] == "" {
			return "Coupon? Add it later."
		}
		return ""
	}
	return count + ", then you pay: " + names + "."
}

// canFold reports whether a step has a button that folds it: it is the only unfolded one or done, and not verified by a code.
func (v EnrolmentView) canFold(step EnrolmentStep) bool {
	for _, other := range v.Steps {
		if other.Unfolded && other.Name != step.Name && step.State != components.StepDone {
			return false
		}
	}
	return step.Unfolded && (step.Name == "you" || step.Name == "course" || step.Name == "phone" && v.Phone.Phase == proofVerified)
}

// row is the summary of a done step.
type row struct{ What, More string }

func (v EnrolmentView) row(step EnrolmentStep) row {
	switch step.Name {
	case "you":
		return row{strings.TrimSpace(v.Values["fullname"]), strings.TrimSpace(v.Values["email"])}
	case "phone":
		return row{pages.Mobile("+91" + v.Values["phone_number"]), "Verified"}
	case "course":
		return row{v.course(), v.Values["state"]}
	}
	age := v.label("adult", v.Values["adult"])
	if guardian := strings.TrimSpace(v.Values["guardian_name"]); v.Values["adult"] == "false" {
		age += ", " + guardian + " agrees"
	}
	agreed := "Agreed to the terms, the refund policy and the legal disclosure"
	if v.Values["consents"] == "" || v.Values["adult"] == "false" {
		agreed += ". No news, nothing shared"
	}
	return row{age, agreed}
}

// guardianRow is the summary of a guardian's agreement.
func (v EnrolmentView) guardianRow() row {
	return row{strings.TrimSpace(v.Values["guardian_name"]) + " agreed", mobile(v.Guardian)}
}

// name returns the name on the ticket; "" while it is invalid.
func (v EnrolmentView) name() string {
	name, message := v.Form.CheckField("fullname", v.Values, v.env())
	if message != "" {
		return ""
	}
	return name
}

// course returns the label of the chosen course.
func (v EnrolmentView) course() string {
	return v.label("selected_course", v.Values["selected_course"])
}

func (v EnrolmentView) label(field, value string) string {
	for _, option := range v.Form.Field(field).Choices(v.env()) {
		if option.Value == value {
			return option.Label
		}
	}
	return ""
}

func (s EnrolmentStep) folded() bool { return !s.Unfolded }

func (s EnrolmentStep) lower() string { return strings.ToLower(s.Label) }

func stepClass(step EnrolmentStep) string {
	if step.Unfolded {
		return "step is-unfolded"
	}
	return "step"
}

func (v EnrolmentView) stubClass() string {
	switch {
	case v.ready():
		return "ticket-stub is-ready"
	case v.Phone.Phase != proofVerified && v.Values["coupon_code"] == "" && !slices.Contains(v.Open, "coupon"):
		return "ticket-stub is-early" // a coupon would distract
	}
	return "ticket-stub"
}

// hasFocus reports whether the form takes the focus when the page opens.
func (v EnrolmentView) hasFocus() bool {
	return len(v.Summary) > 0 || len(v.toDos()) > 0 || v.Focus != ""
}

// next returns the field to focus: the first incomplete one of the unfolded step, otherwise its first, otherwise the
// payment.
func (v EnrolmentView) next() string {
	_, missing := v.Form.Check(v.Values, v.env())
	missing = v.placeFaults(missing)
	for _, step := range v.Steps {
		if !step.Unfolded {
			continue
		}
		fields := v.fieldsOf(step.Name)
		for _, fault := range missing {
			if slices.Contains(fields, fault.Field) {
				return fault.Field
			}
		}
		return fields[0]
	}
	return "pay"
}
