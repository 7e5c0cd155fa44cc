package content

import "testing"

func TestFirstName(t *testing.T) {
	for fullName, want := range map[string]string{
		"Asha Pillai":      "Asha",
		"Asha":             "Asha",
		"  Asha  Pillai ":  "Asha",
		"Asha K. Pillai":   "Asha",
		"Om Prakash":       "Om",
		"Mary-Ann D’Souza": "Mary-Ann",
		"श्रीमती वर्मा":    "श्रीमती",
		"S. K. Rao":        "S. K. Rao",
		"S.K. Rao":         "S.K. Rao",
		"S K Rao":          "S K Rao",
		" A Anand":         "A Anand",
		"Md. Irfan":        "Md. Irfan",
		"A":                "A",
		"":                 "",
	} {
		if got := FirstName(fullName); got != want {
			t.Errorf("%q is called %q, want %q", fullName, got, want)
		}
	}
}
