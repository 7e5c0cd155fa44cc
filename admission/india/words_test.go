package india_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"hiresure/admission/india"
)

// The rows are the output of the library to-words 5.7.0 for en-IN.
func TestWords(t *testing.T) {
	for _, row := range []struct {
		minor int64
		want  string
	}{
		{0, "Zero Rupees Only"},
		{1, "Zero Rupees And One Paisa Only"},
		{50, "Zero Rupees And Fifty Paise Only"},
		{100, "One Rupee Only"},
		{1900, "Nineteen Rupees Only"},
		{2100, "Twenty One Rupees Only"},
		{10000, "One Hundred Rupees Only"},
		{10100, "One Hundred One Rupees Only"},
		{149900, "One Thousand Four Hundred Ninety Nine Rupees Only"},
		{149950, "One Thousand Four Hundred Ninety Nine Rupees And Fifty Paise Only"},
		{250000, "Two Thousand Five Hundred Rupees Only"},
		{1000000, "Ten Thousand Rupees Only"},
		{9999900, "Ninety Nine Thousand Nine Hundred Ninety Nine Rupees Only"},
		{10000000, "One Lakh Rupees Only"},
		{10000100, "One Lakh One Rupees Only"},
		{45000000, "Four Lakh Fifty Thousand Rupees Only"},
		{999999999, "Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine Rupees And Ninety Nine Paise Only"},
		{1000000000, "One Crore Rupees Only"},
		{1234567890, "One Crore Twenty Three Lakh Forty Five Thousand Six Hundred Seventy Eight Rupees And Ninety Paise Only"},
		{10000000000, "Ten Crore Rupees Only"},
		{99999999999, "Ninety Nine Crore Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine Rupees And Ninety Nine Paise Only"},
	} {
		if got, err := india.Words(row.minor); err != nil || got != row.want {
			t.Errorf("%d paise: got %q, %v, want %q", row.minor, got, err, row.want)
		}
	}
}

func TestWordsErrors(t *testing.T) {
	for _, minor := range []int64{-1, math.MinInt64, 100_00_00_000_00, 1e14, math.MaxInt64} {
		want := fmt.Sprintf("spell amount: %d paise is outside 0 to 99999999999", minor)
		if got, err := india.Words(minor); got != "" || refusal(err) != want {
			t.Errorf("%d paise: got %q, %q, want %q", minor, got, refusal(err), want)
		}
	}
}

func TestWordsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	readBack := func(minor int64) {
		words, err := india.Words(minor)
		if err != nil {
			t.Fatal(err)
		}
		if got := amountOf(t, words); got != minor {
			t.Fatalf("%d paise: %q reads back as %d", minor, words, got)
		}
	}
	for rupees := range int64(10_00_000) {
		readBack(rupees*100 + random.Int64N(100))
	}
	for range 10_000 {
		readBack(random.Int64N(100_00_00_000_00))
	}
}

func FuzzWordsReadBackAsTheAmount(f *testing.F) {
	f.Add(int64(149950))
	f.Fuzz(func(t *testing.T, minor int64) {
		words, err := india.Words(minor)
		if inRange := minor >= 0 && minor < 100_00_00_000_00; inRange != (err == nil) {
			t.Fatalf("%d paise: %v", minor, err)
		}
		if err == nil && amountOf(t, words) != minor {
			t.Fatalf("%d paise: %q reads back as %d", minor, words, amountOf(t, words))
		}
	})
}

// The parser of words shares neither word list nor code with Words.
var numberWords = map[string]int64{
	"Zero": 0, "One": 1, "Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6, "Seven": 7, "Eight": 8, "Nine": 9,
	"Ten": 10, "Eleven": 11, "Twelve": 12, "Thirteen": 13, "Fourteen": 14, "Fifteen": 15, "Sixteen": 16,
	"Seventeen": 17, "Eighteen": 18, "Nineteen": 19, "Twenty": 20, "Thirty": 30, "Forty": 40, "Fifty": 50,
	"Sixty": 60, "Seventy": 70, "Eighty": 80, "Ninety": 90,
}

func amountOf(t *testing.T, words string) int64 {
	t.Helper()
	var total, sum, group int64
	for word := range strings.FieldsSeq(words) {
		switch word {
		case "Hundred":
			group *= 100
		case "Thousand":
			sum, group = sum+group*1_000, 0
		case "Lakh":
			sum, group = sum+group*1_00_000, 0
		case "Crore":
			sum, group = sum+group*1_00_00_000, 0
		case "Rupee", "Rupees":
			total, sum, group = (sum+group)*100, 0, 0
		case "Paisa", "Paise":
			total, sum, group = total+group, 0, 0
		case "And", "Only":
		default:
			value, known := numberWords[word]
			if !known {
				t.Fatalf("%q in %q is no number", word, words)
			}
			group += value
		}
	}
	return total
}
