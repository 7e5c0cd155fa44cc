package call

import "strings"

// Secrets are the secrets of a setting, the current one first: there are two, with a comma between them, during a rotation.
func Secrets(text string) (secrets []string) {
	for secret := range strings.SplitSeq(text, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}
