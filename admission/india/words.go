package india

import (
	"fmt"
	"strings"

	"hiresure/admission"
)

var smallNumbers = []string{
	"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
	"Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
}

var tens = []string{"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"}

var bigNumbers = []struct {
	size int64
	name string
}{
	{1_00_00_000, "Crore"}, {1_00_000, "Lakh"}, {1_000, "Thousand"}, {100, "Hundred"},
}

// Words spells an amount in paise for an invoice: 149950 becomes
// "One Thousand Four Hundred Ninety Nine Rupees And Fifty Paise Only".
// It returns an error for a negative amount and one above 99,99,99,999 rupees and 99 paise.
func Words(minor int64) (string, error) {
	if minor < 0 || minor > admission.MaxMinor {
		return "", fmt.Errorf("spell amount: %d paise is outside 0 to %d", minor, int64(admission.MaxMinor))
	}
	rupees, paise := minor/100, minor%100
	words := append(spell(rupees), counted(rupees, "Rupee", "Rupees"))
	if paise > 0 {
		words = append(append(append(words, "And"), spell(paise)...), counted(paise, "Paisa", "Paise"))
	}
	return strings.Join(append(words, "Only"), " "), nil
}

func spell(n int64) []string {
	if n == 0 {
		return smallNumbers[:1:1]
	}
	var words []string
	for _, big := range bigNumbers {
		if n >= big.size {
			words = append(append(words, spell(n/big.size)...), big.name)
			n %= big.size
		}
	}
	if n >= 20 {
		words = append(words, tens[n/10])
		n %= 10
	}
	if n > 0 {
		words = append(words, smallNumbers[n])
	}
	return words
}

func counted(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
