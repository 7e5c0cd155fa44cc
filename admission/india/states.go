package india

import (
	"slices"
	"strings"
)

// SecondTax is the tax levied together with CGST within a state or union territory.
type SecondTax string

// SGST is levied by the states and by the union territories with a legislature (Delhi, Jammu and Kashmir, Puducherry),
// UTGST in the other five (CGST Act 2017, s.2(114)).
const (
	SGST  SecondTax = "SGST"
	UTGST SecondTax = "UTGST"
)

// State is one of the 28 states or 8 union territories of India.
type State struct {
	Code           string // GST state code, two digits
	Name           string
	UnionTerritory bool
	SecondTax      SecondTax
	PINs           []string // first two digits of its PIN codes; neighbouring states share some
	Aliases        []string // former, proposed and other spellings, accepted as input
}

// states are in the order of a select: states, then union territories, each by name.
// Codes 25 (Daman and Diu) and 28 (Andhra Pradesh before 2014) are retired.
var states = []State{
	{"37", "Andhra Pradesh", false, SGST, pins("51 52 53"), nil},
	{"12", "Arunachal Pradesh", false, SGST, pins("79"), nil},
	{"18", "Assam", false, SGST, pins("78"), nil},
	{"10", "Bihar", false, SGST, pins("80 81 82 83 84 85"), nil},
	{"22", "Chhattisgarh", false, SGST, pins("49"), []string{"Chattisgarh", "Chhatisgarh"}},
	{"30", "Goa", false, SGST, pins("40"), nil},
	{"24", "Gujarat", false, SGST, pins("36 37 38 39"), nil},
	{"06", "Haryana", false, SGST, pins("12 13"), nil},
	{"02", "Himachal Pradesh", false, SGST, pins("17"), nil},
	{"20", "Jharkhand", false, SGST, pins("80 81 82 83 84 85"), nil},
	{"29", "Karnataka", false, SGST, pins("56 57 58 59"), nil},
	// The Union Cabinet approved the new name on 24 February 2026; no source says that it was enacted.
	{"32", "Kerala", false, SGST, pins("67 68 69"), []string{"Keralam"}},
	{"23", "Madhya Pradesh", false, SGST, pins("45 46 47 48"), nil},
	{"27", "Maharashtra", false, SGST, pins("40 41 42 43 44"), nil},
	{"14", "Manipur", false, SGST, pins("79"), nil},
	{"17", "Meghalaya", false, SGST, pins("78 79"), nil},
	{"15", "Mizoram", false, SGST, pins("79"), nil},
	{"13", "Nagaland", false, SGST, pins("79"), nil},
	{"21", "Odisha", false, SGST, pins("75 76 77"), []string{"Orissa"}},
	{"03", "Punjab", false, SGST, pins("14 15 16"), nil},
	{"08", "Rajasthan", false, SGST, pins("30 31 32 33 34"), nil},
	{"11", "Sikkim", false, SGST, pins("73"), nil},
	{"33", "Tamil Nadu", false, SGST, pins("60 61 62 63 64"), []string{"Tamilnadu"}},
	{"36", "Telangana", false, SGST, pins("50"), nil},
	{"16", "Tripura", false, SGST, pins("79"), nil},
	{"09", "Uttar Pradesh", false, SGST, pins("20 21 22 23 24 25 26 27 28"), nil},
	{"05", "Uttarakhand", false, SGST, pins("20 21 22 23 24 25 26 27 28"), []string{"Uttaranchal"}},
	{"19", "West Bengal", false, SGST, pins("70 71 72 73 74"), nil},

	{"35", "Andaman and Nicobar Islands", true, UTGST, pins("74"), []string{"Andaman and Nicobar"}},
	{"04", "Chandigarh", true, UTGST, pins("16"), nil},
	{"26", "Dadra and Nagar Haveli and Daman and Diu", true, UTGST, pins("36 39"), []string{"Dadra and Nagar Haveli", "Daman and Diu"}},
	{"07", "Delhi", true, SGST, pins("11"), []string{"New Delhi", "NCT of Delhi"}},
	{"01", "Jammu and Kashmir", true, SGST, pins("18 19"), nil},
	{"38", "Ladakh", true, UTGST, pins("19"), nil},
	{"31", "Lakshadweep", true, UTGST, pins("68"), nil},
	{"34", "Puducherry", true, SGST, pins("53 60 67"), []string{"Pondicherry"}},
}

func pins(prefixes string) []string { return strings.Fields(prefixes) }

var statesByCode, statesByName = func() (byCode, byName map[string]State) {
	byCode, byName = map[string]State{}, map[string]State{}
	for _, state := range states {
		byCode[state.Code] = state
		for _, name := range append([]string{state.Name}, state.Aliases...) {
			byName[stateKey(name)] = state
		}
	}
	return byCode, byName
}()

// States returns the 28 states, then the 8 union territories, each by name.
func States() []State { return slices.Clone(states) }

// StateByCode returns a state by its two-digit GST code.
func StateByCode(code string) (State, bool) {
	state, found := statesByCode[code]
	return state, found
}

// StateByName returns a state by its name or an alias, ignoring case, spacing, and "&" for "and".
func StateByName(name string) (State, bool) {
	state, found := statesByName[stateKey(name)]
	return state, found
}

func stateKey(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "&", " and ")
	return strings.Join(strings.Fields(name), " ")
}
