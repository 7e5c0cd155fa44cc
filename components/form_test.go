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
const layout = `{"name":"grievance",
		"steps":[
			{"name":"one","title":"One","groups":[
				{"name":"plain","kind":"plain","place":"fields"},
				{"name":"folded","kind":"details","place":"fields","summary":"More & more","when":[{"field":"who","not":"none"}]},
				{"name":"free","kind":"choices","place":"stub","summary":"Choices"}]},
			{"name":"two","title":"Two","groups":[{"name":"last","kind":"plain","place":"fields"}]},
			{"name":"three","title":"Three","groups":[{"name":"kinds","kind":"plain","place":"fields"}]}],
		"fields":[
			{"name":"who","label":"Who","kind":"text","group":"plain","keep":"who","value":"me","half":true},
			{"name":"why","label":"Why","kind":"select","group":"folded","keep":"why","optional":true,"options":[{"value":"1","label":"One"}],
				"when":[{"field":"who","not":"none"},{"field":"who","not":"nobody"}]},
			{"name":"deep","label":"Deep","kind":"text","group":"folded","keep":"deep","optional":true,"when":[{"field":"why","is":"1"}]},
			{"name":"tel","label":"Phone","kind":"tel","group":"folded","keep":"tel","optional":true,"autocomplete":"section-x tel-national"},
			{"name":"all","label":"All","kind":"checkboxes","group":"free","keep":"all","optional":true,"rules":[{"kind":"options","message":"Not C!"}],"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]},
			{"name":"yes","label":"Yes","kind":"checkbox","group":"free","keep":"yes","optional":true},
			{"name":"end","label":"End","kind":"tel","group":"last","keep":"end","optional":true,"autocomplete":"tel"},
			{"name":"born","label":"Born","kind":"date","group":"kinds","keep":"born","half":true,"optional":true,"autocomplete":"bday","inputmode":"numeric","hint":"On paper.","clean":["date"]},
			{"name":"sum","label":"Sum","kind":"amount","group":"kinds","keep":"sum","optional":true,"prefix":"₹","inputmode":"decimal"},
			{"name":"story","label":"Story","kind":"textarea","group":"kinds","keep":"story","optional":true,"maxlength":5,"hint":"2 to 5 characters"},
			{"name":"from","label":"From","kind":"select","group":"kinds","keep":"from","optional":true,"optionsFrom":"states"},
			{"name":"pin","label":"PIN","kind":"text","group":"kinds","keep":"pin","optional":true,"maxlength":10,"warn":[{"kind":"pin","field":"from","message":"Not {choice}?"}]}]}`

var states = map[string][]forms.Option{"states": {{Value: "KL", Label: "Kerala", PINs: []string{"67", "68", "69"}}}}

// drawn is a fixture for React, which must render the same form equally.
type drawn struct {
	Name   string            `json:"name"`
	Step   string            `json:"step"`
	States []forms.Option    `json:"states"`
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
	dates := func(error, described, state, day, month, year string) string {
		input := func(id, label, word, value string) string {
			return `<div class="` + word + `"><label for="` + id + `">` + label + `<span class="visually-hidden">, ` + word + `</span></label>` +
				`<input class="input" id="` + id + `" name="born" type="text" value="` + value + `"` + state + ` autocomplete="bday-` + word + `" enterkeyhint="next" inputmode="numeric"></div>`
		}
		return `<fieldset class="field half" data-field="born" aria-describedby="` + described + `"><legend class="label">Born</legend><p class="hint" id="h-born">On paper.</p>` + error +
			`<div class="control date">` + input("f-born", "DD", "day", day) + input("f-born-month", "MM", "month", month) + input("f-born-year", "YYYY", "year", year) + `</div></fieldset>`
	}
	sum := func(value string) string {
		return field("sum", "Sum"+optional+`<span class="prefix">₹</span><input class="input" id="f-sum" name="sum" type="text" value="`+value+`" enterkeyhint="next" inputmode="decimal">`)
	}
	story := func(value, count string) string {
		return strings.TrimSuffix(field("story", "Story"+optional+`<textarea class="input" id="f-story" name="story" rows="4" aria-describedby="h-story">`+value+`</textarea>`), "</div>") +
			`<div class="tally"><p class="hint" id="h-story">2 to 5 characters</p><p class="` + count + ` of 5</p></div></div>`
	}
	from := func(chosen string) string {
		return field("from", "From"+optional+`<select class="input" id="f-from" name="from"><option value="">Choose one</option><option value="KL"`+chosen+`>Kerala</option></select>`)
	}
	pin := func(value, described string) string {
		return field("pin", "PIN"+optional+`<input class="input" id="f-pin" name="pin" type="text" value="`+value+`"`+described+` enterkeyhint="next" maxlength="10">`)
	}
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
		{"a preset and a folded group", FormProps{}, "fields", who("me") + `<details class="more" data-group="folded">` + folded + why + deep + tel + `</div></details>`},
		{
			"what is typed counts more than the preset, and hides a group",
			FormProps{Values: map[string]string{"who": "none"}, Open: []string{"folded"}},
			"fields", who("none") + `<details class="more" data-group="folded" open hidden>` + folded + why + deep + tel + `</div></details>`,
		},
		{
			"a field is hidden by conditions that its group has not",
			FormProps{Values: map[string]string{"who": "nobody"}},
			"fields", who("nobody") + `<details class="more" data-group="folded">` + folded + hide(why) + deep + tel + `</div></details>`,
		},
		{
			"a field that depends on another shows with it",
			FormProps{Values: map[string]string{"why": "1"}}, "fields", who("me") + `<details class="more" data-group="folded">` + folded + chosen + shown + tel + `</div></details>`,
		},
		{
			"and hides with it, whatever was typed there",
			FormProps{Values: map[string]string{"who": "nobody", "why": "1"}},
			"fields", who("nobody") + `<details class="more" data-group="folded">` + folded + hide(chosen) + deep + tel + `</div></details>`,
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
				`<details class="more" data-group="folded">` + folded + deep + tel + `below all</div></details>`,
		},
		{
			"choices have no grid of fields",
			FormProps{Values: map[string]string{"all": "b", "yes": "true"}, Open: []string{"free"}, Faults: []forms.Fault{{Field: "yes", Message: "No!"}, {Field: "yes", Message: "Never!"}}, Scope: "s-"},
			"stub",
			`<details class="more" data-group="free" open><summary>Choices</summary><fieldset class="field field-check" data-field="all"><legend class="label">All</legend>` +
				`<div class="control"><input class="check" id="f-s-all-a" name="all" type="checkbox" value="a"><label class="label" for="f-s-all-a">A</label></div>` +
				`<div class="control"><input class="check" id="f-s-all-b" name="all" type="checkbox" value="b" checked><label class="label" for="f-s-all-b">B</label></div></fieldset>` +
				`<div class="field field-check" data-field="yes"><p class="error" id="e-s-yes"><span>No!</span></p><div class="control">` +
				`<input class="check" id="f-s-yes" name="yes" type="checkbox" value="true" checked aria-describedby="e-s-yes" aria-invalid="true"><label class="label" for="f-s-yes">Yes</label></div></div></details>`,
		},
		{"another step", FormProps{Step: "two"}, "fields", field("end", "End"+optional+`<input class="input" id="f-end" name="end" type="tel" value="" autocomplete="tel" enterkeyhint="next">`)},
		{
			"a date is three inputs, a sum has its sign, a text says how many characters it has", FormProps{Step: "three", Env: forms.Env{Options: states}}, "fields",
			dates("", "h-born", "", "", "", "") + sum("") + story("", `count"><b>0</b>`) + from("") + pin("", ""),
		},
		{
			"what was kept shows again, what is too long is not cut, and a PIN code of elsewhere warns",
			FormProps{Step: "three", Env: forms.Env{Options: states}, Values: map[string]string{"born": "14-08-2005", "sum": "3,20,000", "story": "é\r\n1234", "from": "KL", "pin": "560001"}},
			"fields", dates("", "h-born", "", "14", "08", "2005") + sum("3,20,000") + story("é\r\n1234", `count is-over"><b>6</b>`) + from(" selected") +
				pin("560001", ` aria-describedby="w-pin"`) + `<div class="notice warns" id="w-pin" role="status"><div><p>Not Kerala?</p><p>If it is right, go on.</p></div></div>`,
		},
		{
			"half a date comes back as it was typed, and its message is heard with each of its parts",
			FormProps{Step: "three", Env: forms.Env{Options: states}, Values: map[string]string{"born": "14,,20,05", "pin": "682001", "from": "KL"}, Faults: []forms.Fault{{Field: "born", Message: "No!"}}},
			"fields", dates(`<p class="error" id="e-born"><span>No!</span></p>`, "e-born h-born", ` aria-invalid="true"`, "14", "", "20,05") +
				sum("") + story("", `count"><b>0</b>`) + from(" selected") + pin("682001", ""),
		},
		{
			"what is no date comes back whole", FormProps{Step: "three", Env: forms.Env{Options: states}, Values: map[string]string{"born": "last May"}},
			"fields", dates("", "h-born", "", "last May", "", "") + sum("") + story("", `count"><b>0</b>`) + from("") + pin("", ""),
		},
		{"a place without groups", FormProps{Step: "two"}, "stub", ""},
	} {
		c.props.Form = form
		got := render(t, Groups(c.props, c.place))
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
		if c.props.Special == nil {
			p := c.props
			forReact = append(forReact, drawn{c.name, p.Step, p.Env.Options["states"], p.Scope, c.place, p.Values, p.Faults, p.Open, got})
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
	form := &forms.Form{Fields: []forms.Field{{Name: "a", Label: "An A"}, {Name: "box", Label: "I agree to all of it", Kind: "checkbox"}}}
	cases := map[string]struct {
		props FormProps
		want  string
	}{
		"each by its message": {
			FormProps{Form: form, Scope: "s-", Faults: []forms.Fault{{Field: "a", Message: "A!"}, {Field: "box", Message: "Tick it!"}, {Message: "B!"}}},
			`<div class="error-summary" role="group" aria-labelledby="s-problem" aria-describedby="s-problems" tabindex="-1" autofocus><h2 id="s-problem">There is a problem</h2><p id="s-problems">Please check these 3:</p><ul><li><a href="#f-s-a">A!</a></li><li><a href="#f-s-box">Tick it!</a></li><li>B!</li></ul></div>`,
		},
		"one alone is not counted": {
			FormProps{Form: form, Faults: []forms.Fault{{Field: "a", Message: "A!"}}},
			`<div class="error-summary" role="group" aria-labelledby="problem" tabindex="-1" autofocus><h2 id="problem">There is a problem</h2><ul><li><a href="#f-a">A!</a></li></ul></div>`,
		},
	}
	for name, c := range cases {
		if html := render(t, ErrorSummary(c.props.Summary())); html != c.want {
			t.Errorf("%s\n got %s\nwant %s", name, html, c.want)
		}
	}
}
