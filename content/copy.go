package content

import "reflect"

// clone copies a value with all that it points to, so that neither copy sees what happens to the other. What has no exported
// name nobody outside can reach, and it stays shared.
func clone[T any](value T) T {
	detach(reflect.ValueOf(&value).Elem())
	return value
}

// detach puts copies in the place of whatever v, which must be settable, refers to.
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

// refers reports whether a value of the kind may hold what a plain copy shares.
func refers(kind reflect.Kind) bool {
	switch kind {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		return true
	}
	return false
}
