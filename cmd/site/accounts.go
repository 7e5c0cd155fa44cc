package main

import (
	"context"

	"hiresure/admission/account"
	"hiresure/integrations/accounts"
)

// issuer returns the accounts service that may sign visitors in; nil if none is configured.
func (s *site) issuer() (account.Issuer, error) {
	if s.config.AccountsIssuer == "" {
		return nil, nil
	}
	ctx, cancel := context.WithCancel(context.Background()) // until the site closes
	s.onClose(func(context.Context) { cancel() })
	return accounts.New(ctx, accounts.Config{
		Issuer: s.config.AccountsIssuer, KeysURL: s.config.AccountsKeys, Audience: s.config.BaseURL, Clock: s.clock, Log: s.log,
	})
}
