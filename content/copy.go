package content

import "reflect"

// clone returns a deep copy. Unexported fields stay shared.
func clone[T any](value T) T {
	detach(reflect.ValueOf(&value).Elem())
	return value
}

// detach replaces everything that v, which must be settable, refers to by copies.
func detach(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); refers(field.Kind()) && field.CanSet() {
				detach(field)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		v.Set(copied)
		if refers(v.Type().Elem().Kind()) {
			for i := range v.Len() {
				detach(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		copied := reflect.MakeMapWithSize(v.Type(), v.Len())
		for each := v.MapRange(); each.Next(); {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(each.Value())
			detach(value)
			copied.SetMapIndex(each.Key(), value)
		}
		v.Set(copied)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		v.Set(copied)
		detach(copied.Elem())
	}
}

// refers reports whether a plain copy of a value of the kind may share data.
func refers(kind reflect.Kind) bool {
	switch kind {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		return true
	}
	return false
}
