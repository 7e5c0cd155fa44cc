package admission_test

import (
	"slices"
	"testing"

	. "hiresure/admission"
)

func TestStatesAreListedAsASelectShowsThem(t *testing.T) {
	want := []struct {
		code, name string
		second     SecondTax
	}{
		{"37", "Andhra Pradesh", SGST},
		{"12", "Arunachal Pradesh", SGST},
		{"18", "Assam", SGST},
		{"10", "Bihar", SGST},
		{"22", "Chhattisgarh", SGST},
		{"30", "Goa", SGST},
		{"24", "Gujarat", SGST},
		{"06", "Haryana", SGST},
		{"02", "Himachal Pradesh", SGST},
		{"20", "Jharkhand", SGST},
		{"29", "Karnataka", SGST},
		{"32", "Kerala", SGST},
		{"23", "Madhya Pradesh", SGST},
		{"27", "Maharashtra", SGST},
		{"14", "Manipur", SGST},
		{"17", "Meghalaya", SGST},
		{"15", "Mizoram", SGST},
		{"13", "Nagaland", SGST},
		{"21", "Odisha", SGST},
		{"03", "Punjab", SGST},
		{"08", "Rajasthan", SGST},
		{"11", "Sikkim", SGST},
		{"33", "Tamil Nadu", SGST},
		{"36", "Telangana", SGST},
		{"16", "Tripura", SGST},
		{"09", "Uttar Pradesh", SGST},
		{"05", "Uttarakhand", SGST},
		{"19", "West Bengal", SGST},
		{"35", "Andaman and Nicobar Islands", UTGST},
		{"04", "Chandigarh", UTGST},
		{"26", "Dadra and Nagar Haveli and Daman and Diu", UTGST},
		{"07", "Delhi", SGST},
		{"01", "Jammu and Kashmir", SGST},
		{"38", "Ladakh", UTGST},
		{"31", "Lakshadweep", UTGST},
		{"34", "Puducherry", SGST},
	}
	got := States()
	if len(got) != len(want) {
		t.Fatalf("got %d states, want %d", len(got), len(want))
	}
	for i, row := range want {
		state := got[i]
		if state.Code != row.code || state.Name != row.name || state.SecondTax != row.second || state.UnionTerritory != (i >= 28) {
			t.Errorf("place %d: got %+v, want %+v", i, state, row)
		}
		byCode, _ := StateByCode(row.code)
		byName, _ := StateByName(row.name)
		if byCode.Name != row.name || byName.Code != row.code {
			t.Errorf("%s: found %q by its code and %q by its name", row.name, byCode.Name, byName.Code)
		}
	}
	byName := func(a, b State) int { return slices.Compare([]string{a.Name}, []string{b.Name}) }
	if !slices.IsSortedFunc(got[:28], byName) || !slices.IsSortedFunc(got[28:], byName) {
		t.Error("a group is not in order of name")
	}
	got[0].Name = "changed"
	if States()[0].Name != "Andhra Pradesh" {
		t.Error("a caller can change the list")
	}
}

func TestStateByNameReadsOtherSpellings(t *testing.T) {
	for typed, want := range map[string]string{
		"Keralam":                    "32",
		"Orissa":                     "21",
		"Pondicherry":                "34",
		"Uttaranchal":                "05",
		"Chattisgarh":                "22",
		"Daman and Diu":              "26",
		"New Delhi":                  "07",
		"KARNATAKA":                  "29",
		"  tamil   nadu ":            "33",
		"Jammu & Kashmir":            "01",
		"Jammu&Kashmir":              "01",
		"Andaman & Nicobar Islands":  "35",
		"":                           "",
		"29":                         "",
		"Karnatak":                   "",
		"Other territory":            "",
		"Karnataka, Andhra Pradesh ": "",
	} {
		state, found := StateByName(typed)
		if state.Code != want || found != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", typed, state.Code, found, want)
		}
	}
}

func TestRetiredAndUnknownStateCodesAreNotFound(t *testing.T) {
	for _, code := range []string{"25", "28", "97", "99", "00", "1", "", "2９"} {
		if state, found := StateByCode(code); found {
			t.Errorf("%q: found %s", code, state.Name)
		}
	}
}

func TestPinLooksWrong(t *testing.T) {
	for _, row := range []struct {
		sentence, code, pin string
		want                bool
	}{
		{"Bengaluru in Karnataka", "29", "560001", false},
		{"Bengaluru in Maharashtra", "27", "560001", true},
		{"Mumbai in Maharashtra", "27", "400001", false},
		{"New Delhi in Delhi", "07", "110001", false},
		{"New Delhi in Haryana", "06", "110001", true},
		{"Port Blair in Andaman and Nicobar Islands", "35", "744101", false},
		{"Kolkata in West Bengal", "19", "700001", false},
		{"Ranchi in Jharkhand", "20", "834001", false},
		{"Dehradun in Uttarakhand", "05", "248001", false},
		{"Shillong in Meghalaya", "17", "793001", false},
		{"the one Meghalaya office with an Assam number", "17", "783123", false},
		{"Leh in Ladakh", "38", "194101", false},
		{"Chandigarh in Chandigarh", "04", "160017", false},
		{"Chandigarh in Punjab, which shares the prefix", "03", "160055", false},
		{"Diu", "26", "362520", false},
		{"Silvassa", "26", "396230", false},
		{"Puducherry town", "34", "605001", false},
		{"Yanam", "34", "533464", false},
		{"Mahe", "34", "673310", false},
		{"Hyderabad in Andhra Pradesh", "37", "500001", true},
		{"Hyderabad in Telangana", "36", "500001", false},
		{"Kavaratti in Lakshadweep", "31", "682555", false},
		{"an army post office, anywhere", "29", "900056", false},
		{"an army post office, anywhere", "07", "999999", false},
		{"a leading zero, which no PIN code has", "29", "012345", true},
		{"too short: the field's own rule speaks", "29", "40000", false},
		{"letters: the field's own rule speaks", "29", "4000AB", false},
		{"nothing typed", "29", "", false},
		{"no state chosen", "", "560001", false},
	} {
		if got := PinLooksWrong(row.code, row.pin); got != row.want {
			t.Errorf("%s (%s, %s): got %v", row.sentence, row.code, row.pin, got)
		}
	}
}
