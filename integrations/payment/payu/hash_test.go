package payu

import (
	"encoding/hex"
	"net/url"
	"testing"
)

// The last vector is from PayU's documentation. Its Node.js SDK computes all of them.
func TestFormHashVectors(t *testing.T) {
	for _, c := range []struct {
		fields []string
		salt   string
		want   string
	}{
		{
			[]string{"TESTKEY1", "T1", "1499.00", "Registration fee", "Asha", "asha@example.com", "", "", "", "", ""}, "TESTSALT1",
			"fb97e41ec0563e14b265c3983bab9665faf354b8274757df4cb14cfdfbb9a11015f207c47af339476dd50fddd56ab5addf5c9187a6a08ebb2830b195f0d1153d",
		},
		{
			[]string{"TESTKEY1", "T2", "1499.00", "Registration fee", "Asha", "asha@example.com", "reg_42", "", "", "", "kspay_9"}, "TESTSALT1",
			"7ca1f061a25c8b4b6186ae117e1cba44fb6ca7318ba7799a17450d280780c4ffd332a9fedea039ae20aae1c80759501e9b6fe98e0b59666d13fed76e48508735",
		},
		{
			[]string{"C0Dr8m", "12345", "10", "Shopping", "Test", "test@test.com", "", "abc", "", "15", ""}, "3sf0jURk",
			"ffcdbf04fa5beefdcc2dd476c18bc410f02b3968e7f4f54e8f43f1e1a310bb32e3b4dec9305232bb89db5b1d0c009a53bcace6f4bd8ec2f695baf3d43ba730ce",
		},
	} {
		if got := forward(c.fields, c.salt); got != c.want {
			t.Errorf("%v: %s", c.fields, got)
		}
	}
}

func TestCallHashVectors(t *testing.T) {
	for command, c := range map[string]struct{ var1, want string }{
		"verify_payment":            {"T1", "6169c07a7a87b3e1fcfd3c3a9eb296b6dba4b613271ea9ecda7ba5e00ddb771b60da900dba797c3ec021f465fb2e4d497416a9e425becc19e5caa57610819b12"},
		"cancel_refund_transaction": {"403993715521889530", "662364b54eb8e5aa60cc7a110316799e94636a88b17f0daba68b6b8183f522fe6ca9310342e818425cb254dbb9c24c15b703a040304dea5610b6e4feb111d9c3"},
	} {
		if got := hex.EncodeToString(digest("TESTKEY1", command, c.var1, "TESTSALT1")); got != c.want {
			t.Errorf("%s: %s", command, got)
		}
	}
}

const (
	succeeded = "ce0c8ed28c0d37f4430a20e38a8cc11578e15a67602ff9bcc9d3d0482fe95c32a46b9aeefc9c8ce9b5dce3267121c56d2e574c113022a7622282f92133df71cf"
	failed    = "bf6b1fa67649e3dc927d3a7a410f69391b85d1e966d467afc158854e5a8228aa58c12d799192306c7f25fa202cf96a9d4f2ef1c33ffd08ddf2af04d6d2b4afb2"
	ofT2      = "b8af7f588bead56757076264f0a7039adce97eeeef6dc2dddec548581f918dc9c6e3ee9ac4cf50732caa286d0b9d81c8036553fbb522fef49533117c0d68a72e"
	charged   = "e0d80aeb3ec9e3137cebd9e7b78fea8ae90a42f346c215d3d1f9f1a6ef6e924d9347dedc284fcbeb7cd32ff4e882295a34dc6c8ebcbba6d13c30ea01c3d33d54"
)

func TestReturnSignature(t *testing.T) {
	back := func(hash string, change func(f url.Values)) url.Values {
		f := url.Values{
			"key": {"TESTKEY1"}, "txnid": {"T1"}, "amount": {"1499.00"}, "productinfo": {"Registration fee"}, "firstname": {"Asha"}, "email": {"asha@example.com"},
			"status": {"success"}, "hash": {hash}, "mihpayid": {"403993715521889530"}, "unmappedstatus": {"captured"}, "udf1": {""},
		}
		change(f)
		return f
	}
	set := func(pairs ...string) func(f url.Values) {
		return func(f url.Values) {
			for i := 0; i < len(pairs); i += 2 {
				f.Set(pairs[i], pairs[i+1])
			}
		}
	}
	t2 := []string{"txnid", "T2", "udf1", "reg_42", "udf5", "kspay_9"}
	one := []string{"TESTSALT1"}
	for _, c := range []struct {
		sentence string
		salts    []string
		form     url.Values
		good     bool
	}{
		{"a success", one, back(succeeded, set()), true},
		{"a failure", one, back(failed, set("status", "failure")), true},
		{"with fields of ours", one, back(ofT2, set(t2...)), true},
		{"with what PayU has added", one, back(charged, set(append(t2, "additionalCharges", "12.34")...)), true},
		{"with what PayU has added, by its other name", one, back(charged, set(append(t2, "additional_charges", "12.34")...)), true},
		{"with what PayU has added, by both names", one, back(charged, set(append(t2, "additional_charges", "12.34", "additionalCharges", "12.34")...)), true},
		{"with nothing added, by both names", one, back(succeeded, set("additional_charges", "", "additionalCharges", "")), true},
		{"the older of two salts", []string{"TESTSALT2", "TESTSALT1"}, back(succeeded, set()), true},
		{"the newer of two salts", []string{"TESTSALT1", "TESTSALT2"}, back(succeeded, set()), true},
		{"in capitals", one, back("CE0C8ED28C0D37F4430A20E38A8CC11578E15A67602FF9BCC9D3D0482FE95C32A46B9AEEFC9C8CE9B5DCE3267121C56D2E574C113022A7622282F92133DF71CF", set()), true},
		{"a foreign salt", []string{"TESTSALT2"}, back(succeeded, set()), false},
		{"no hash", one, back("", set()), false},
		{"half of the hash", one, back(succeeded[:64], set()), false},
		{"no hexadecimal digits", one, back("z"+succeeded[1:], set()), false},
		{"a failure reported as success", one, back(failed, set()), false},
		{"another sum", one, back(succeeded, set("amount", "1.00")), false},
		{"the sum without its decimals", one, back(succeeded, set("amount", "1499")), false},
		{"another transaction", one, back(succeeded, set("txnid", "T2")), false},
		{"another key", one, back(succeeded, set("key", "TESTKEY2")), false},
		{"a field of ours that was not there", one, back(succeeded, set("udf1", "reg_42")), false},
		{"something added afterwards", one, back(succeeded, set("additionalCharges", "12.34")), false},
		{"what was added is left out", one, back(charged, set(t2...)), false},
		{"something else was added", one, back(charged, set(append(t2, "additionalCharges", "12.35")...)), false},
		{"two sums were added", one, back(charged, set(append(t2, "additionalCharges", "12.34", "additional_charges", "0.01")...)), false},
		{"a bit is flipped", one, back("c"+"f"+succeeded[2:], set()), false},
		{"two fields that read as one", one, back(succeeded, func(f url.Values) { f["firstname"] = []string{"Asha", "Asha"} }), false},
		{"two hashes", one, back(succeeded, func(f url.Values) { f["hash"] = []string{succeeded, succeeded} }), false},
		{"nothing at all", one, url.Values{}, false},
	} {
		g, err := New(Config{Key: "TESTKEY1", Salts: c.salts})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.signed(c.form); got != c.good {
			t.Errorf("%s: %t, want %t", c.sentence, got, c.good)
		}
	}
}

// A bar in a field shifts the rest into the next field under the same hash. Our forms send none, so none returns.
func TestSignedFieldsHaveNoSeparator(t *testing.T) {
	g, err := New(Config{Key: "TESTKEY1", Salts: []string{"TESTSALT1"}})
	if err != nil {
		t.Fatal(err)
	}
	for sentence, f := range map[string]url.Values{
		"the e-mail takes in the name": {"email": {"asha@example.com|Asha"}, "firstname": {"Registration fee"}, "productinfo": {"1499.00"}, "amount": {"T1"}, "txnid": {"TESTKEY1"}},
		"the name takes in the e-mail": {"email": {""}, "firstname": {"asha@example.com|Asha"}, "productinfo": {"Registration fee"}, "amount": {"1499.00"}, "txnid": {"T1"}, "key": {"TESTKEY1"}},
		"the sum takes in the product": {
			"udf1": {"asha@example.com"}, "email": {"Asha"}, "firstname": {""}, "productinfo": {""}, "amount": {"Registration fee|1499.00"}, "txnid": {"T1"}, "key": {"TESTKEY1"},
		},
		"the status takes in fields": {"status": {"success|"}, "email": {"asha@example.com"}, "firstname": {"Asha"}, "productinfo": {"Registration fee"}, "amount": {"1499.00"}, "txnid": {"T1"}, "key": {"TESTKEY1"}},
	} {
		if f.Get("status") == "" {
			f.Set("status", "success")
		}
		var fields []string
		for i := range signedFields {
			fields = append(fields, f.Get(signedFields[len(signedFields)-1-i]))
		}
		parts := append([]string{"TESTSALT1", f.Get("status")}, reserved...)
		f.Set("hash", hex.EncodeToString(digest(append(parts, fields...)...)))
		if g.signed(f) {
			t.Errorf("%s, and is believed", sentence)
		}
	}
}
