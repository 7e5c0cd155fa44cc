package enrol

// Product is the kind of a registration.
type Product string

const (
	ProductEnrolment   Product = "enrolment"   // the scholarship exam of a programme event
	ProductApplication Product = "application" // the HireSure application
)

// Products lists every product.
var Products = []Product{ProductEnrolment, ProductApplication}

// Product returns the registration's product.
func (r *Registration) Product() Product {
	if r.IsApplication() {
		return ProductApplication
	}
	return ProductEnrolment
}
