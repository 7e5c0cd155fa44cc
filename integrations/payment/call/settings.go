package call

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Secrets splits a setting into its secrets, the current one first. During a rotation it has two, separated by a comma.
func Secrets(text string) (secrets []string) {
	for secret := range strings.SplitSeq(text, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// CheckSecrets requires one or two secrets; it is a method.Setting's Check.
func CheckSecrets(value string) error {
	if n := len(Secrets(value)); n < 1 || n > 2 {
		return errors.New("must be one secret, or two separated by a comma")
	}
	return nil
}

// CheckURL returns a method.Setting's Check that requires a plain http(s) address; its message quotes the example.
func CheckURL(example string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("must be an address such as %s", example)
		}
		return nil
	}
}

// CheckBase is CheckURL for an address to which paths are appended.
func CheckBase(example string) func(string) error {
	return func(value string) error {
		if CheckURL(example)(value) != nil || strings.HasSuffix(value, "/") {
			return fmt.Errorf("must be an address such as %s, without a trailing slash", example)
		}
		return nil
	}
}
