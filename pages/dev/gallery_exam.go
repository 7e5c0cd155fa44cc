package dev

import "hiresure/components"

var rulerSections = []components.RulerSection{
	{Name: "Reasoning", Length: 25, Worth: 25, Of: "marks", Spoken: "Reasoning: 25 minutes, 25 marks"},
	{Name: "Numbers", Length: 20, Worth: 20, Of: "marks", Spoken: "Numbers: 20 minutes, 20 marks"},
	{Name: "Reading", Length: 15, Worth: 15, Of: "marks", Spoken: "Reading: 15 minutes, 15 marks"},
	{Name: "Computers", Length: 12, Worth: 10, Of: "marks", Spoken: "Computers: 12 minutes, 10 marks"},
	{Name: "English", Length: 13, Worth: 10, Of: "marks", Spoken: "English: 13 minutes, 10 marks"},
}
