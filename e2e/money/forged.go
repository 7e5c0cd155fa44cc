package money

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"hiresure/simulators"
)

// jsonSigner signs events with a JSON body and a signature in a header.
type jsonSigner struct {
	sign    func(body []byte) simulators.Event
	another func(secret string) func(body []byte) simulators.Event
	header  string
	more    func(e simulators.Event, forged map[string]simulators.Event) // adds forgeries specific to the provider; may be nil
}

func (s jsonSigner) Signed(e simulators.Event, secret string) simulators.Event {
	return s.another(secret)(e.Body)
}

func (s jsonSigner) Resigned(e simulators.Event, change func(body string) string) simulators.Event {
	return s.sign([]byte(change(string(e.Body))))
}

func (s jsonSigner) Forgeries(e, another simulators.Event) map[string]simulators.Event {
	var written any
	_ = json.Unmarshal(e.Body, &written)
	anew, _ := json.MarshalIndent(written, "", " ")
	replayed := withHeader(e, s.header, another.Header.Get(s.header))
	forged := map[string]simulators.Event{
		"another secret": s.Signed(e, "of somebody else"), "no signature": withHeader(e, s.header, ""), "half of a signature": withHeader(e, s.header, e.Header.Get(s.header)[:20]),
		"a bit is another": flipped(e), "written anew": {Header: e.Header, Body: anew}, "the signature of another": replayed,
	}
	if s.more != nil {
		s.more(e, forged)
	}
	return forged
}

// withHeader returns an event with a changed header; "" removes it.
func withHeader(e simulators.Event, name, value string) simulators.Event {
	header := e.Header.Clone()
	if header.Set(name, value); value == "" {
		header.Del(name)
	}
	return simulators.Event{Header: header, Body: e.Body}
}

// flipped returns an event with a flipped bit in its body.
func flipped(e simulators.Event) simulators.Event {
	body := slices.Clone(e.Body)
	body[len(body)/2] ^= 1
	return simulators.Event{Header: e.Header, Body: body}
}

// field is a form field.
type field = [2]string

// fieldsOf parses the fields of a form in their order.
func fieldsOf(body string) (fields []field) {
	for part := range strings.SplitSeq(body, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, _ = url.QueryUnescape(name)
		value, _ = url.QueryUnescape(value)
		fields = append(fields, field{name, value})
	}
	return fields
}

func formOf(e simulators.Event, fields []field) simulators.Event {
	var parts []string
	for _, f := range fields {
		parts = append(parts, url.QueryEscape(f[0])+"="+url.QueryEscape(f[1]))
	}
	return simulators.Event{Header: e.Header, Body: []byte(strings.Join(parts, "&"))}
}

// changed returns fields with one changed; "" removes it.
func changed(fields []field, name, value string) []field {
	fields = slices.Clone(fields)
	for i := range fields {
		if fields[i][0] == name {
			fields[i][1] = value
		}
	}
	if value == "" {
		fields = slices.DeleteFunc(fields, func(f field) bool { return f[0] == name })
	}
	return fields
}

func valueOf(fields []field, name string) string {
	for _, f := range fields {
		if f[0] == name {
			return f[1]
		}
	}
	return ""
}

func (b payu) signedBy(account *simulators.PayU, e simulators.Event, body string) simulators.Event {
	form, _ := url.ParseQuery(body)
	return simulators.Event{Header: e.Header, Body: []byte(account.Sign(form).Encode())}
}

func (b payu) Signed(e simulators.Event, salt string) simulators.Event {
	return b.signedBy(simulators.NewPayU(simulators.KeysPayU{Salt: salt}), e, string(e.Body))
}

func (b payu) Resigned(e simulators.Event, change func(body string) string) simulators.Event {
	if e.Header.Get("Content-Type") == "application/json" { // a dispute, signed in a header
		return simulators.Event{Header: e.Header, Body: []byte(change(string(e.Body)))}
	}
	return b.signedBy(b.PayU, e, change(string(e.Body)))
}

func (b payu) Forgeries(e, another simulators.Event) map[string]simulators.Event {
	fields := fieldsOf(string(e.Body))
	split := b.Resigned(e, func(body string) string {
		return string(formOf(e, changed(fieldsOf(body), "firstname", valueOf(fields, "firstname")+"|"+valueOf(fields, "email"))).Body)
	})
	return map[string]simulators.Event{
		"another secret": b.Signed(e, "of somebody else"), "no signature": formOf(e, changed(fields, "hash", "")), "half of a signature": formOf(e, changed(fields, "hash", valueOf(fields, "hash")[:20])),
		"another sum": formOf(e, changed(fields, "amount", "1.00")), "another outcome": formOf(e, changed(fields, "status", "failure")), "another payment": formOf(e, changed(fields, "txnid", "t1")),
		"a field of two": split, "charges that are not signed": formOf(e, append(slices.Clone(fields), field{"additionalCharges", "1.00"})),
		"the signature of another": formOf(e, changed(fields, "hash", valueOf(fieldsOf(string(another.Body)), "hash"))),
	}
}

// ipnSignatures are the fields of a notification that sign the others.
var ipnSignatures = []string{"HASH", "SIGNATURE_SHA2_256", "SIGNATURE_SHA3_256"}

func unsignedIPN(body string) []field {
	return slices.DeleteFunc(fieldsOf(body), func(f field) bool { return slices.Contains(ipnSignatures, f[0]) })
}

func (b twocheckout) Signed(e simulators.Event, secret string) simulators.Event {
	return simulators.NewTwocheckout(simulators.KeysTwocheckout{SecretKey: secret}).Sign(unsignedIPN(string(e.Body)))
}

func (b twocheckout) Resigned(e simulators.Event, change func(body string) string) simulators.Event {
	return b.Sign(unsignedIPN(change(string(e.Body))))
}

func (b twocheckout) Forgeries(e, another simulators.Event) map[string]simulators.Event {
	fields, replayed := fieldsOf(string(e.Body)), fieldsOf(string(e.Body))
	weak := fields
	for _, name := range ipnSignatures {
		replayed = changed(replayed, name, valueOf(fieldsOf(string(another.Body)), name))
		if name != "HASH" {
			weak = changed(weak, name, "")
		}
	}
	swapped := slices.Clone(fields)
	swapped[1], swapped[2] = swapped[2], swapped[1]
	half := valueOf(fields, "SIGNATURE_SHA3_256")[:20]
	return map[string]simulators.Event{
		"another secret": b.Signed(e, "of somebody else"), "no signature": formOf(e, unsignedIPN(string(e.Body))), "half of a signature": formOf(e, changed(fields, "SIGNATURE_SHA3_256", half)),
		"another outcome": formOf(e, changed(fields, "ORDERSTATUS", "REFUND")), "in another order": formOf(e, swapped), "only the weak signature": formOf(e, weak),
		"a field twice": formOf(e, append(slices.Clone(fields), field{"ORDERSTATUS", "REFUND"})), "the signature of another": formOf(e, replayed),
	}
}
