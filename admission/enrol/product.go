package enrol

// Product is what a registration is for.
type Product string

const (
	ProductEnrolment   Product = "enrolment"   // the scholarship exam of a programme event
	ProductApplication Product = "application" // the HireSure application
)

// Products lists every product.
var Products = []Product{ProductEnrolment, ProductApplication}

// Product returns what the registration is for.
func (r *Registration) Product() Product {
	if r.IsApplication() {
		return ProductApplication
	}
	return ProductEnrolment
}
