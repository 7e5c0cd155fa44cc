package call

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Secrets are the secrets of a setting, the current one first: there are two, with a comma between them, during a rotation.
func Secrets(text string) (secrets []string) {
	for secret := range strings.SplitSeq(text, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// CheckSecrets refuses what is not one secret or two; it is a method.Setting's Check.
func CheckSecrets(value string) error {
	if n := len(Secrets(value)); n < 1 || n > 2 {
		return errors.New("must be one secret, or two with a comma between them")
	}
	return nil
}

// CheckURL returns a method.Setting's Check that refuses what is no plain address; its message names an example.
func CheckURL(example string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("must be an address such as %s", example)
		}
		return nil
	}
}

// CheckBase is CheckURL for an address that paths are added to.
func CheckBase(example string) func(string) error {
	return func(value string) error {
		if CheckURL(example)(value) != nil || strings.HasSuffix(value, "/") {
			return fmt.Errorf("must be an address such as %s, without a slash at its end", example)
		}
		return nil
	}
}
