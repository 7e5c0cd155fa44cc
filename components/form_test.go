package components

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"hiresure/forms"
)

// layout is the grievance form with other fields: groups of each kind, in two places.
const layout = `{"name":"grievance","version":2,
		"steps":[
			{"name":"one","title":"One","groups":[
				{"name":"plain","kind":"plain","place":"fields"},
				{"name":"folded","kind":"details","place":"fields","summary":"More & more","when":[{"field":"who","not":"none"}]},
				{"name":"free","kind":"choices","place":"stub","summary":"Choices"}]},
			{"name":"two","title":"Two","groups":[{"name":"last","kind":"plain","place":"fields"}]}],
		"fields":[
			{"name":"who","label":"Who","kind":"text","group":"plain","keep":"who","value":"me","half":true},
			{"name":"why","label":"Why","kind":"select","group":"folded","keep":"why","optional":true,"options":[{"value":"1","label":"One"}],
				"when":[{"field":"who","not":"none"},{"field":"who","not":"nobody"}]},
			{"name":"deep","label":"Deep","kind":"text","group":"folded","keep":"deep","optional":true,"when":[{"field":"why","is":"1"}]},
			{"name":"tel","label":"Phone","kind":"tel","group":"folded","keep":"tel","optional":true,"autocomplete":"section-x tel-national"},
			{"name":"all","label":"All","kind":"checkboxes","group":"free","keep":"all","optional":true,"rules":[{"kind":"options","message":"Not C!"}],"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]},
			{"name":"yes","label":"Yes","kind":"checkbox","group":"free","keep":"yes","optional":true},
			{"name":"end","label":"End","kind":"tel","group":"last","keep":"end","optional":true,"autocomplete":"tel"}]}`

// drawn is a case for React: what it draws of the same form in the same state must be the same.
type drawn struct {
	Name   string            `json:"name"`
	Step   string            `json:"step"`
	Scope  string            `json:"scope"`
	Place  string            `json:"place"`
	Values map[string]string `json:"values"`
	Faults []forms.Fault     `json:"faults"`
	Open   []string          `json:"open"`
	HTML   string            `json:"html"`
}

func TestGroupsAreDrawnByTheirKindAndPlace(t *testing.T) {
	set, err := forms.With([]byte(layout))
	if err != nil {
		t.Fatal(err)
	}
	form, forReact := set.Get("grievance"), []drawn{}
	field := func(name, inner string) string {
		return `<div class="field" data-field="` + name + `"><label class="label" for="f-` + name + `">` + inner + `</div></div>`
	}
	const optional = `<span class="optional"> (optional)</span></label><div class="control">`
	who := func(value string) string {
		return strings.Replace(field("who", `Who</label><div class="control"><input class="input" id="f-who" name="who" type="text" value="`+value+`" enterkeyhint="next">`), `"field"`, `"field half"`, 1)
	}
	why := field("why", "Why"+optional+`<select class="input" id="f-why" name="why"><option value="">Choose one</option><option value="1">One</option></select>`)
	tel := field("tel", "Phone"+optional+`<input class="input" id="f-tel" name="tel" type="text" value="" autocomplete="section-x tel-national" enterkeyhint="next">`)
	shown := field("deep", "Deep"+optional+`<input class="input" id="f-deep" name="deep" type="text" value="" enterkeyhint="next">`)
	hide := func(field string) string { return strings.Replace(field, `">`, `" hidden>`, 1) }
	chosen := strings.Replace(why, `value="1"`, `value="1" selected`, 1)
	deep := hide(shown)
	const folded = `<summary>More &amp; more</summary><div class="fields">`
	for _, c := range []struct {
		name  string
		props FormProps
		place string
		want  string
	}{
		{"a preset and a folded group", FormProps{}, "fields", who("me") + `<details class="more">` + folded + why + deep + tel + `</div></details>`},
		{
			"what is typed counts more than the preset, and hides a group",
			FormProps{Values: map[string]string{"who": "none"}, Open: []string{"folded"}},
			"fields", who("none") + `<details class="more" open hidden>` + folded + why + deep + tel + `</div></details>`,
		},
		{
			"a field is hidden by conditions that its group has not",
			FormProps{Values: map[string]string{"who": "nobody"}},
			"fields", who("nobody") + `<details class="more">` + folded + hide(why) + deep + tel + `</div></details>`,
		},
		{
			"a field that depends on another shows with it",
			FormProps{Values: map[string]string{"why": "1"}}, "fields", who("me") + `<details class="more">` + folded + chosen + shown + tel + `</div></details>`,
		},
		{
			"and hides with it, whatever was typed there",
			FormProps{Values: map[string]string{"who": "nobody", "why": "1"}},
			"fields", who("nobody") + `<details class="more">` + folded + hide(chosen) + deep + tel + `</div></details>`,
		},
		{
			"a page adds to fields and groups, and leaves fields out",
			FormProps{Special: map[string]Special{
				"who":    {Change: func(p *FieldProps) { p.Verified = "Known" }, Below: Text("below who")},
				"why":    {Absent: true},
				"folded": {Below: Text("below all")},
			}},
			"fields",
			strings.Replace(who("me"), `value="me" enterkeyhint="next"></div>`, `value="me" aria-describedby="v-who" enterkeyhint="next"><span class="verified" id="v-who">Known</span></div>below who`, 1) +
				`<details class="more">` + folded + deep + tel + `below all</div></details>`,
		},
		{
			"choices have no grid of fields",
			FormProps{Values: map[string]string{"all": "b", "yes": "true"}, Open: []string{"free"}, Faults: []forms.Fault{{Field: "yes", Message: "No!"}, {Field: "yes", Message: "Never!"}}, Scope: "s-"},
			"stub",
			`<details class="more" open><summary>Choices</summary><fieldset class="field field-check" data-field="all"><legend class="label">All</legend>` +
				`<div class="control"><input class="check" id="f-s-all-a" name="all" type="checkbox" value="a"><label class="label" for="f-s-all-a">A</label></div>` +
				`<div class="control"><input class="check" id="f-s-all-b" name="all" type="checkbox" value="b" checked><label class="label" for="f-s-all-b">B</label></div></fieldset>` +
				`<div class="field field-check" data-field="yes"><p class="error" id="e-s-yes"><span>No!</span></p><div class="control">` +
				`<input class="check" id="f-s-yes" name="yes" type="checkbox" value="true" checked aria-describedby="e-s-yes" aria-invalid="true"><label class="label" for="f-s-yes">Yes</label></div></div></details>`,
		},
		{"another step", FormProps{Step: "two"}, "fields", field("end", "End"+optional+`<input class="input" id="f-end" name="end" type="tel" value="" autocomplete="tel" enterkeyhint="next">`)},
		{"a place without groups", FormProps{Step: "two"}, "stub", ""},
	} {
		c.props.Form = form
		got := render(t, Groups(c.props, c.place))
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
		if c.props.Special == nil {
			p := c.props
			forReact = append(forReact, drawn{c.name, p.Step, p.Scope, c.place, p.Values, p.Faults, p.Open, got})
		}
	}
	var fixture bytes.Buffer
	encoder := json.NewEncoder(&fixture)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(struct {
		Form  json.RawMessage `json:"form"`
		Cases []drawn         `json:"cases"`
	}{json.RawMessage(layout), forReact}); err != nil {
		t.Fatal(err)
	}
	const file = "../islands/forms/testdata/groups.json"
	if *update {
		if err := os.WriteFile(file, fixture.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(want, fixture.Bytes()) {
		t.Errorf("%s is not what templ renders now (%v): run go test ./components -update", file, err)
	}
}

func TestACountryIsChosenByNameAndDialCode(t *testing.T) {
	form := forms.Get("enquiry")
	props := FormProps{Form: form}.Props(form.Field("countryCode"))
	if props.Value != "in" || props.Empty != "" || len(props.Options) != len(forms.Countries()) {
		t.Fatalf("%q, %q, %d options", props.Value, props.Empty, len(props.Options))
	}
	for _, option := range props.Options {
		if option.Value == "in" && option.Label != "India (+91)" {
			t.Errorf("got %s", option.Label)
		}
	}
}

func TestTheSummaryListsTheFormsFaults(t *testing.T) {
	const before = `<div class="error-summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2>`
	form := &forms.Form{Fields: []forms.Field{{Name: "a", Label: "An A"}, {Name: "box", Label: "I agree to all of it", Kind: "checkbox"}}}
	cases := map[string]struct {
		props FormProps
		want  string
	}{
		"a form's field by its label, its message for the ear, and a box by its message": {
			FormProps{Form: form, Scope: "s-", Faults: []forms.Fault{{Field: "a", Message: "A!"}, {Field: "box", Message: "Tick it!"}, {Message: "B!"}}},
			before + `<p>Please check these 3:</p><ul><li><a href="#f-s-a">An A<span class="visually-hidden">: A!</span></a></li><li><a href="#f-s-box">Tick it!</a></li><li>B!</li></ul></div>`,
		},
		"one alone is not counted": {
			FormProps{Form: form, Faults: []forms.Fault{{Field: "a", Message: "A!"}}},
			before + `<ul><li><a href="#f-a">An A<span class="visually-hidden">: A!</span></a></li></ul></div>`,
		},
	}
	for name, c := range cases {
		if html := render(t, ErrorSummary(c.props.Summary())); html != c.want {
			t.Errorf("%s\n got %s\nwant %s", name, html, c.want)
		}
	}
}
