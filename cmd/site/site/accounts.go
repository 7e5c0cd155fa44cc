package site

import (
	"context"
	"log/slog"
	"time"

	"hiresure/admission/account"
	"hiresure/cmd/site/config"
	"hiresure/integrations/accounts"
)

// openIssuer returns the accounts service that may sign visitors in until ctx ends; nil if none is configured.
func openIssuer(ctx context.Context, c *config.Config, clock func() time.Time, log *slog.Logger) (account.Issuer, error) {
	if c.AccountsIssuer == "" {
		return nil, nil
	}
	return accounts.New(ctx, accounts.Config{Issuer: c.AccountsIssuer, KeysURL: c.AccountsKeys, Audience: c.BaseURL, Clock: clock, Log: log})
}
