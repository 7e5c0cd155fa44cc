package payu

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const service = "/merchant/postservice.php?form=2" // form=2: it answers in JSON

// text is a value of PayU's that comes as text, as a number or as null, in the characters that came.
type text string

// UnmarshalJSON takes all three.
func (t *text) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(t))
	}
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil {
		return err
	}
	*t = text(number)
	return nil
}

// reply is an answer of PayU's, whatever was asked. Its HTTP status is 200 for refusals too.
type reply struct {
	Status    text            `json:"status"` // "1" where the call has succeeded
	Message   string          `json:"msg"`
	RequestID text            `json:"request_id"`
	PaymentID text            `json:"mihpayid"`
	Details   json.RawMessage `json:"transaction_details"`
	Refunds   json.RawMessage `json:"Refund Details"`
}

func (r reply) ok() bool { return r.Status == "1" }

// refusesUs reports whether PayU does not take the call for ours. Its documents do not tell the words: they name what is wrong.
func (r reply) refusesUs() bool {
	message := strings.ToLower(r.Message)
	return !r.ok() && (strings.Contains(message, "hash") || strings.Contains(message, "key"))
}

// ofTheMoment reports whether PayU refuses the call now, and may take it later.
func (r reply) ofTheMoment() bool {
	message := strings.ToLower(r.Message)
	return !r.ok() && (strings.Contains(message, "limit reached") || strings.Contains(message, "problem occurred") || strings.Contains(message, "lock could not be obtained"))
}

// ask puts a command to PayU, with its var1, var2 and so on. What its service does not answer is ErrUnknown.
func (g *Gateway) ask(ctx context.Context, command string, vars ...string) (answer reply, err error) {
	form := url.Values{"key": {g.Key}, "command": {command}, "hash": {hex.EncodeToString(digest(g.Key, command, vars[0], g.Salts[0]))}}
	for i, value := range vars {
		form.Set("var"+strconv.Itoa(i+1), value)
	}
	err = g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: service, Type: "application/x-www-form-urlencoded", Body: []byte(form.Encode())}, nil, &answer)
	switch {
	case errors.Is(err, method.ErrNoCharge): // the address is wrong: PayU itself has said nothing
		return reply{}, fmt.Errorf("%w: no service there", method.ErrUnknown)
	case err != nil:
		return reply{}, call.Unrefused(err)
	case answer.refusesUs():
		return reply{}, method.ErrCredentials
	case answer.ofTheMoment():
		return reply{}, fmt.Errorf("%w: not now", method.ErrUnknown)
	}
	return answer, nil
}

// read reads a part of an answer; one that is torn, or of another shape, leaves open what was asked.
func read(part json.RawMessage, out any) error {
	if err := json.Unmarshal(part, out); err != nil {
		return fmt.Errorf("%w: answer: %w", method.ErrUnknown, err)
	}
	return nil
}
