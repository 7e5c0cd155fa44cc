package india_test

import (
	"slices"
	"testing"

	"hiresure/admission/india"
)

func TestStatesOrder(t *testing.T) {
	want := []struct {
		code, name string
		second     india.SecondTax
	}{
		{"37", "Andhra Pradesh", india.SGST},
		{"12", "Arunachal Pradesh", india.SGST},
		{"18", "Assam", india.SGST},
		{"10", "Bihar", india.SGST},
		{"22", "Chhattisgarh", india.SGST},
		{"30", "Goa", india.SGST},
		{"24", "Gujarat", india.SGST},
		{"06", "Haryana", india.SGST},
		{"02", "Himachal Pradesh", india.SGST},
		{"20", "Jharkhand", india.SGST},
		{"29", "Karnataka", india.SGST},
		{"32", "Kerala", india.SGST},
		{"23", "Madhya Pradesh", india.SGST},
		{"27", "Maharashtra", india.SGST},
		{"14", "Manipur", india.SGST},
		{"17", "Meghalaya", india.SGST},
		{"15", "Mizoram", india.SGST},
		{"13", "Nagaland", india.SGST},
		{"21", "Odisha", india.SGST},
		{"03", "Punjab", india.SGST},
		{"08", "Rajasthan", india.SGST},
		{"11", "Sikkim", india.SGST},
		{"33", "Tamil Nadu", india.SGST},
		{"36", "Telangana", india.SGST},
		{"16", "Tripura", india.SGST},
		{"09", "Uttar Pradesh", india.SGST},
		{"05", "Uttarakhand", india.SGST},
		{"19", "West Bengal", india.SGST},
		{"35", "Andaman and Nicobar Islands", india.UTGST},
		{"04", "Chandigarh", india.UTGST},
		{"26", "Dadra and Nagar Haveli and Daman and Diu", india.UTGST},
		{"07", "Delhi", india.SGST},
		{"01", "Jammu and Kashmir", india.SGST},
		{"38", "Ladakh", india.UTGST},
		{"31", "Lakshadweep", india.UTGST},
		{"34", "Puducherry", india.SGST},
	}
	got := india.States()
	if len(got) != len(want) {
		t.Fatalf("got %d states, want %d", len(got), len(want))
	}
	for i, row := range want {
		state := got[i]
		if state.Code != row.code || state.Name != row.name || state.SecondTax != row.second || state.UnionTerritory != (i >= 28) {
			t.Errorf("place %d: got %+v, want %+v", i, state, row)
		}
		byCode, _ := india.StateByCode(row.code)
		byName, _ := india.StateByName(row.name)
		if byCode.Name != row.name || byName.Code != row.code {
			t.Errorf("%s: found %q by its code and %q by its name", row.name, byCode.Name, byName.Code)
		}
	}
	byName := func(a, b india.State) int { return slices.Compare([]string{a.Name}, []string{b.Name}) }
	if !slices.IsSortedFunc(got[:28], byName) || !slices.IsSortedFunc(got[28:], byName) {
		t.Error("a group is not in order of name")
	}
	got[0].Name = "changed"
	if india.States()[0].Name != "Andhra Pradesh" {
		t.Error("a caller can change the list")
	}
}

func TestStateByNameAcceptsAliases(t *testing.T) {
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
		state, found := india.StateByName(typed)
		if state.Code != want || found != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", typed, state.Code, found, want)
		}
	}
}

func TestStateByCodeRejectsRetiredCodes(t *testing.T) {
	for _, code := range []string{"25", "28", "97", "99", "00", "1", "", "2９"} {
		if state, found := india.StateByCode(code); found {
			t.Errorf("%q: found %s", code, state.Name)
		}
	}
}

func TestStatesHoldThePINCodesOfTheirTowns(t *testing.T) {
	for _, row := range []struct {
		sentence, code, pin string
		want                bool
	}{
		{"Bengaluru in Karnataka", "29", "560001", true},
		{"Bengaluru in Maharashtra", "27", "560001", false},
		{"Mumbai in Maharashtra", "27", "400001", true},
		{"New Delhi in Delhi", "07", "110001", true},
		{"New Delhi in Haryana", "06", "110001", false},
		{"Port Blair in Andaman and Nicobar Islands", "35", "744101", true},
		{"Kolkata in West Bengal", "19", "700001", true},
		{"Ranchi in Jharkhand", "20", "834001", true},
		{"Dehradun in Uttarakhand", "05", "248001", true},
		{"Shillong in Meghalaya", "17", "793001", true},
		{"the one Meghalaya office with an Assam number", "17", "783123", true},
		{"Leh in Ladakh", "38", "194101", true},
		{"Chandigarh in Chandigarh", "04", "160017", true},
		{"Chandigarh in Punjab, which shares the prefix", "03", "160055", true},
		{"Diu", "26", "362520", true},
		{"Silvassa", "26", "396230", true},
		{"Puducherry town", "34", "605001", true},
		{"Yanam", "34", "533464", true},
		{"Mahe", "34", "673310", true},
		{"Hyderabad in Andhra Pradesh", "37", "500001", false},
		{"Hyderabad in Telangana", "36", "500001", true},
		{"Kavaratti in Lakshadweep", "31", "682555", true},
	} {
		state, _ := india.StateByCode(row.code)
		if got := slices.Contains(state.PINs, row.pin[:2]); got != row.want {
			t.Errorf("%s (%s, %s): got %v", row.sentence, row.code, row.pin, got)
		}
	}
}
