package simulators

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func atPayU() *PayU {
	return NewPayU(KeysPayU{Key: "TESTKEY1", Salt: "TESTSALT1", Clock: func() time.Time { return time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC) }})
}

// payuForm returns the form of the first test vector, signed by PayU's kit.
func payuForm() url.Values {
	return url.Values{
		"key": {"TESTKEY1"}, "txnid": {"T1"}, "amount": {"1499.00"}, "productinfo": {"Registration fee"}, "firstname": {"Asha"}, "email": {"asha@example.com"},
		"phone": {"9876543210"}, "surl": {"https://example.com/back"}, "furl": {"https://example.com/back"},
		"hash": {"fb97e41ec0563e14b265c3983bab9665faf354b8274757df4cb14cfdfbb9a11015f207c47af339476dd50fddd56ab5addf5c9187a6a08ebb2830b195f0d1153d"},
	}
}

func sendPayU(s *PayU, path string, form url.Values) (status int, body string) {
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestPayUSignature(t *testing.T) {
	for want, change := range map[string]func(f url.Values){
		"ce0c8ed28c0d37f4430a20e38a8cc11578e15a67602ff9bcc9d3d0482fe95c32a46b9aeefc9c8ce9b5dce3267121c56d2e574c113022a7622282f92133df71cf": func(url.Values) {},
		"bf6b1fa67649e3dc927d3a7a410f69391b85d1e966d467afc158854e5a8228aa58c12d799192306c7f25fa202cf96a9d4f2ef1c33ffd08ddf2af04d6d2b4afb2": func(f url.Values) { f.Set("status", "failure") },
		"b8af7f588bead56757076264f0a7039adce97eeeef6dc2dddec548581f918dc9c6e3ee9ac4cf50732caa286d0b9d81c8036553fbb522fef49533117c0d68a72e": func(f url.Values) {
			f.Set("txnid", "T2")
			f.Set("udf1", "reg_42")
			f.Set("udf5", "kspay_9")
		},
		"e0d80aeb3ec9e3137cebd9e7b78fea8ae90a42f346c215d3d1f9f1a6ef6e924d9347dedc284fcbeb7cd32ff4e882295a34dc6c8ebcbba6d13c30ea01c3d33d54": func(f url.Values) {
			f.Set("txnid", "T2")
			f.Set("udf1", "reg_42")
			f.Set("udf5", "kspay_9")
			f.Set("additionalCharges", "12.34")
		},
	} {
		f := payuForm()
		f.Set("status", "success")
		change(f)
		if got := atPayU().Sign(f).Get("hash"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestPayUPage(t *testing.T) {
	for _, c := range []struct {
		sentence string
		change   func(f url.Values)
		want     string
	}{
		{"as it is", func(url.Values) {}, "200 ₹1499.00 for Registration fee, Asha"},
		{"nothing", func(f url.Values) { clear(f) }, "400 Mandatory parameter missing: key"},
		{"no name", func(f url.Values) { f.Del("firstname") }, "400 Mandatory parameter missing: firstname"},
		{"no phone", func(f url.Values) { f.Del("phone") }, "400 Mandatory parameter missing: phone"},
		{"no way back", func(f url.Values) { f.Del("furl") }, "400 Mandatory parameter missing: furl"},
		{"a txnid of 26 characters", func(f url.Values) { f.Set("txnid", strings.Repeat("t", 26)) }, "400 Too long: txnid"},
		{"a name of 61", func(f url.Values) { f.Set("firstname", strings.Repeat("a", 61)) }, "400 Too long: firstname"},
		{"an e-mail of 51", func(f url.Values) { f.Set("email", strings.Repeat("a", 51)) }, "400 Too long: email"},
		{"a product of 101", func(f url.Values) { f.Set("productinfo", strings.Repeat("a", 101)) }, "400 Too long: productinfo"},
		{"another key", func(f url.Values) { f.Set("key", "TESTKEY2") }, "400 Invalid merchant key"},
		{"another sum", func(f url.Values) { f.Set("amount", "1.00") }, "400 Transaction failed due to incorrectly calculated hash parameter."},
		{"a field that is not signed", func(f url.Values) { f.Set("udf1", "reg_42") }, "400 Transaction failed due to incorrectly calculated hash parameter."},
		{"less than a rupee", func(f url.Values) {
			f.Set("amount", "0.99")
			f.Set("hash", payuHash("TESTKEY1|T1|0.99|Registration fee|Asha|asha@example.com|||||||||||TESTSALT1"))
		}, "400 Invalid amount"},
	} {
		s := atPayU()
		f := payuForm()
		c.change(f)
		status, body := sendPayU(s, "/_payment", f)
		code, part, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(status) != code || !strings.Contains(body, part) {
			t.Errorf("%s: %d %s, want %s", c.sentence, status, body, c.want)
		}
		if made := s.Orders(); made != 0 && status != 200 {
			t.Errorf("%s: %d payments", c.sentence, made)
		}
	}
}

func TestPayUReturn(t *testing.T) {
	for outcome, want := range map[string]string{"pay": "success captured", "decline": "failure failed", "leave": "failure userCancelled", "wait": "pending in progress"} {
		s := atPayU()
		sendPayU(s, "/_payment", payuForm())
		status, body := sendPayU(s, "/_payment/outcome", url.Values{"txnid": {"T1"}, "outcome": {outcome}})
		back := s.Return("T1")
		if got := back.Get("status") + " " + back.Get("unmappedstatus"); status != 200 || got != want {
			t.Errorf("%s: %d %s, want %s", outcome, status, got, want)
		}
		for _, part := range []string{`<form id="back" method="post" action="https://example.com/back">`, `name="hash" value="` + back.Get("hash") + `"`, `<script src="/payu.js"></script>`} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: the page has no %s: %s", outcome, part, body)
			}
		}
	}
	s := atPayU()
	for _, form := range []url.Values{{"txnid": {"T1"}, "outcome": {"pay"}}, {}} {
		if status, _ := sendPayU(s, "/_payment/outcome", form); status != 404 || s.Captured("INR") != 0 {
			t.Errorf("%v: %d", form, status)
		}
	}
}

func TestPayUsServiceAPI(t *testing.T) {
	const done = `"status":1`
	for _, c := range []struct {
		sentence string
		vars     []string // command, var1, …; {id} is the payment's
		want     string
	}{
		{"a transaction", []string{"verify_payment", "T1"}, `"unmappedstatus":"captured"`},
		{"an unknown one", []string{"verify_payment", "T2"}, `{"msg":"0 out of 1 Transactions Fetched Successfully","status":0,"transaction_details":{"T2":{"mihpayid":"Not Found","status":"Not Found"}}}`},
		{"no transaction", []string{"verify_payment", ""}, `{"msg":"Parameter missing","status":0}`},
		{"an unknown command", []string{"pay", "T1"}, `{"msg":"Invalid command","status":0}`},
		{"no refunds yet", []string{"getAllRefundsFromTxnIds", "T1"}, `{"msg":"No Refunds Found for the transaction.","status":1}`},
		{"a refund", []string{"cancel_refund_transaction", "{id}", "r1", "1499.00"}, `"msg":"Refund Request Queued"`},
		{"a refund without a token", []string{"cancel_refund_transaction", "{id}", "", "1499.00"}, `"msg":"token is empty","status":0`},
		{"a refund with a long token", []string{"cancel_refund_transaction", "{id}", strings.Repeat("r", 24), "1499.00"}, `"msg":"Refund request failed","status":0`},
		{"a refund without a sum", []string{"cancel_refund_transaction", "{id}", "r1", ""}, `"msg":"amount is empty","status":0`},
		{"a refund of nothing", []string{"cancel_refund_transaction", "{id}", "r1", "0.00"}, `"msg":"Refund request failed","status":0`},
		{"a refund of more than was paid", []string{"cancel_refund_transaction", "{id}", "r1", "1499.01"}, `"msg":"Refund request failed","status":0`},
		{"a refund of an unknown payment", []string{"cancel_refund_transaction", "1", "r1", "1.00"}, `"msg":"transaction not exists","status":0`},
		{"a token that was used", []string{"cancel_refund_transaction", "{id}", "used", "1.00"}, `"error_code":106,"msg":"token already used or request pending","status":0`},
		{"an unknown request", []string{"check_action_status", "1"}, `"1":"No action status found"`},
		{"all of a payment", []string{"check_action_status", "{id}", "payuid"}, `"action":"refund"`},
		{"a capture of what is captured", []string{"capture_transaction", "{id}", "c1", "1499.00"}, `"msg":"Capture already successful for this transaction","status":0`},
		{"a list", []string{"get_transaction_info", "2026-01-01 12:00:00", "2026-01-01 12:00:00"}, `"txnid":"T1"`},
		{"a list of another time", []string{"get_transaction_info", "2026-01-01 12:00:01", "2026-01-02 12:00:00"}, `"Transaction_details":[]`},
		{"a list of days", []string{"get_transaction_info", "2026-01-01", "2026-01-02"}, `Date format should be yyyy-mm-dd hh:mm:ss","status":0`},
	} {
		s := atPayU()
		sendPayU(s, "/_payment", payuForm())
		id := s.Pay("T1")
		ask := func(vars ...string) string {
			form := url.Values{"key": {"TESTKEY1"}, "command": {vars[0]}}
			for i, value := range vars[1:] {
				form.Set(fmt.Sprintf("var%d", i+1), strings.ReplaceAll(value, "{id}", id))
			}
			form.Set("hash", payuHash("TESTKEY1|"+vars[0]+"|"+form.Get("var1")+"|TESTSALT1"))
			_, body := sendPayU(s, "/merchant/postservice.php?form=2", form)
			return body
		}
		if strings.Contains(c.sentence, "used") || c.sentence == "all of a payment" {
			if body := ask("cancel_refund_transaction", id, "used", "1.00"); !strings.Contains(body, done) {
				t.Fatal(body)
			}
		}
		before := s.Refunded("INR")
		if body := ask(c.vars...); !strings.Contains(body, c.want) {
			t.Errorf("%s: %s, want %s", c.sentence, body, c.want)
		}
		if strings.Contains(c.want, `"status":0`) && s.Refunded("INR") != before {
			t.Errorf("%s: money went back", c.sentence)
		}
	}
	for sentence, form := range map[string]url.Values{
		"a forged hash": {"key": {"TESTKEY1"}, "command": {"verify_payment"}, "var1": {"T1"}, "hash": {strings.Repeat("0", 128)}},
		"another key":   {"key": {"TESTKEY2"}, "command": {"verify_payment"}, "var1": {"T1"}, "hash": {payuHash("TESTKEY2|verify_payment|T1|TESTSALT1")}},
	} {
		if _, body := sendPayU(atPayU(), "/merchant/postservice.php?form=2", form); !strings.Contains(body, "Invalid Hash.") {
			t.Errorf("%s: %s", sentence, body)
		}
	}
}

func TestPayUCancel(t *testing.T) {
	s := atPayU()
	sendPayU(s, "/_payment", payuForm())
	id := s.Authorise("T1")
	form := url.Values{"key": {"TESTKEY1"}, "command": {"cancel_refund_transaction"}, "var1": {id}, "var2": {"r1"}, "var3": {"1499.00"}}
	form.Set("hash", payuHash("TESTKEY1|cancel_refund_transaction|"+id+"|TESTSALT1"))
	if _, body := sendPayU(s, "/merchant/postservice.php?form=2", form); !strings.Contains(body, "Cancel Request Queued") || s.Captured("INR") != 0 || s.Refunded("INR") != 0 {
		t.Error(body)
	}
	if got := s.Return("T1").Get("status"); got != "failure" {
		t.Error(got)
	}
}
