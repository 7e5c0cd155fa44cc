package content

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"text/template"
	"time"

	"hiresure/calendar"

	"gopkg.in/yaml.v3"
)

// Date is midnight of a day in Asia/Kolkata, written 2027-03-14 in YAML.
type Date struct{ time.Time }

// UnmarshalYAML parses 2027-03-14.
func (d *Date) UnmarshalYAML(node *yaml.Node) error {
	day, err := time.ParseInLocation(time.DateOnly, node.Value, calendar.IST)
	if err != nil {
		return fmt.Errorf("line %d: %q is not a date like 2027-03-14", node.Line, node.Value)
	}
	d.Time = day
	return nil
}

// Short formats the date as 14 Mar 2027.
func (d Date) Short() string { return calendar.Date(d.Time) }

// Long formats the date as Sunday, 14 Mar 2027.
func (d Date) Long() string { return calendar.DateAndWeekday(d.Time) }

// DayAndMonth formats the date as 14 March.
func (d Date) DayAndMonth() string { return calendar.DayAndMonth(d.Time) }

// DayMonthAndWeekday formats the date as Sunday, 14 March.
func (d Date) DayMonthAndWeekday() string { return calendar.DayMonthAndWeekday(d.Time) }

// Parts returns the date's parts for a ticket: "14", "March 2027", "Sunday".
func (d Date) Parts() (day, month, weekday string) { return calendar.Parts(d.Time) }

// Over reports whether the day has passed.
func (d Date) Over(at time.Time) bool { return !at.Before(d.AddDate(0, 0, 1)) }

// decode decodes a YAML file and rejects unknown keys and missing fields. Only booleans and fields with the struct tag
// `words:"optional"` may be empty.
func decode[T any](files fs.FS, file string) (T, error) {
	var value T
	source, err := files.Open(file)
	if err != nil {
		return value, fmt.Errorf("content/%s: %w", file, err)
	}
	defer source.Close()
	decoder := yaml.NewDecoder(source)
	decoder.KnownFields(true)
	if err := decoder.Decode(&value); err != nil {
		return value, fmt.Errorf("content/%s: %w", file, err)
	}
	return value, inFile(file, missing(reflect.ValueOf(value), "", ""))
}

// read decodes a file and appends its errors to faults.
func read[T any](files fs.FS, file string, faults *[]error) T {
	value, err := decode[T](files, file)
	*faults = append(*faults, err)
	return value
}

// refuser returns a function that appends a fault with the prefix if wrong.
func refuser(faults *[]error, prefix string) func(wrong bool, format string, args ...any) {
	return func(wrong bool, format string, args ...any) {
		if wrong {
			*faults = append(*faults, fmt.Errorf(prefix+format, args...))
		}
	}
}

// inFile prefixes the faults with the file's name.
func inFile(file string, faults []error) error {
	for i, fault := range faults {
		faults[i] = fmt.Errorf("content/%s: %w", file, fault)
	}
	return errors.Join(faults...)
}

func missing(v reflect.Value, path string, tag reflect.StructTag) (faults []error) {
	optional := strings.Contains(tag.Get("words"), "optional")
	if v.Kind() == reflect.Bool || (optional && v.IsZero()) {
		return nil
	}
	if v.IsZero() || (v.Kind() == reflect.Slice && v.Len() == 0 && !optional) {
		return []error{fmt.Errorf("%s: missing", path)}
	}
	eachPart(v, path, func(part reflect.Value, path string, tag reflect.StructTag) {
		faults = append(faults, missing(part, path, tag)...)
	})
	return faults
}

// expand executes each string in v, which must be addressable, as a template over facts, in place.
func expand(v reflect.Value, path string, tag reflect.StructTag, facts any) (faults []error) {
	if v.Kind() == reflect.String {
		text, err := fill(v.String(), facts)
		if err == nil {
			err = checkMarkup(text, strings.Contains(tag.Get("words"), "bold"))
		}
		if err != nil {
			return []error{fmt.Errorf("%s: %w", path, err)}
		}
		v.SetString(text)
		return nil
	}
	eachPart(v, path, func(part reflect.Value, path string, tag reflect.StructTag) {
		faults = append(faults, expand(part, path, tag, facts)...)
	})
	return faults
}

// eachPart visits the fields of a struct, the items of a slice or a pointer's target. Map values cannot be set in place, so
// content types must not have texts in maps.
func eachPart(v reflect.Value, path string, visit func(reflect.Value, string, reflect.StructTag)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), path, "")
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i), "")
		}
	case reflect.Struct:
		if _, date := v.Interface().(interface{ Unix() int64 }); date {
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			if field.IsExported() {
				visit(v.Field(i), strings.TrimPrefix(path+"."+name, "."), field.Tag)
			}
		}
	}
}

func fill(text string, facts any) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	parsed, err := template.New("text").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var filled strings.Builder
	if err := parsed.Execute(&filled, facts); err != nil {
		return "", err
	}
	return filled.String(), nil
}
