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

const service = "/merchant/postservice.php?form=2" // form=2: JSON

// text is a value that PayU sends as string, number or null, as received.
type text string

// UnmarshalJSON accepts all three.
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

// reply is a response of PayU's service. Refusals have HTTP status 200 too.
type reply struct {
	Status    text            `json:"status"` // "1" on success
	Message   string          `json:"msg"`
	ErrorCode text            `json:"error_code"`
	RequestID text            `json:"request_id"`
	PaymentID text            `json:"mihpayid"`
	Details   json.RawMessage `json:"transaction_details"`
	Refunds   json.RawMessage `json:"Refund Details"`
}

func (r reply) ok() bool { return r.Status == "1" }

// reason returns PayU's code for a refusal, which its page "error codes for refund initiation" explains.
func (r reply) reason() string {
	if code, err := strconv.ParseUint(string(r.ErrorCode), 10, 16); err == nil {
		return fmt.Sprintf("error_code %d", code)
	}
	return "PayU gave no error_code"
}

// refusesUs reports whether PayU rejects our credentials. The texts are undocumented, so it searches for words that occur in them.
func (r reply) refusesUs() bool {
	message := strings.ToLower(r.Message)
	return !r.ok() && (strings.Contains(message, "hash") || strings.Contains(message, "key"))
}

// isTemporary reports whether a refusal is temporary.
func (r reply) isTemporary() bool {
	message := strings.ToLower(r.Message)
	return !r.ok() && (strings.Contains(message, "limit reached") || strings.Contains(message, "problem occurred") || strings.Contains(message, "lock could not be obtained"))
}

// command runs a command with its var1, var2 and so on. It returns ErrUnknown if the service does not respond.
func (g *Gateway) command(ctx context.Context, command string, vars ...string) (answer reply, err error) {
	form := url.Values{"key": {g.Key}, "command": {command}, "hash": {hex.EncodeToString(digest(g.Key, command, vars[0], g.Salts[0]))}}
	for i, value := range vars {
		form.Set("var"+strconv.Itoa(i+1), value)
	}
	err = g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: service, Type: "application/x-www-form-urlencoded", Body: []byte(form.Encode())}, nil, &answer)
	switch {
	case errors.Is(err, method.ErrNoCharge): // a wrong address, not a reply of PayU's
		return reply{}, fmt.Errorf("%w: no service there", method.ErrUnknown)
	case err != nil:
		return reply{}, call.Unrefused(err)
	case answer.refusesUs():
		return reply{}, method.ErrCredentials
	case answer.isTemporary():
		return reply{}, fmt.Errorf("%w: not now", method.ErrUnknown)
	}
	return answer, nil
}

// read decodes a part of a reply; ErrUnknown if it is truncated or has another shape.
func read(part json.RawMessage, out any) error {
	if err := json.Unmarshal(part, out); err != nil {
		return fmt.Errorf("%w: response: %w", method.ErrUnknown, err)
	}
	return nil
}
