package commands

import (
	"context"
	"fmt"
	"io"
	"strings"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/cmd/site/site"
	"hiresure/paths"
)

// staffCommand adds, resets, ends and lists the accounts of people who work here. All but list need --as NAME.
func staffCommand(ctx context.Context, s *site.Site, c call) error {
	if len(c.args) == 1 && c.args[0] == "list" {
		return listStaff(ctx, s.Business.Staff, c.out)
	}
	if !c.sign() || len(c.args) < 2 {
		return errArguments
	}
	action, email, options := c.args[0], c.args[1], c.args[2:]
	if action == "add" {
		n := staff.NewAccount{Email: email}
		for ; len(options) >= 2; options = options[2:] {
			switch options[0] {
			case "--name":
				n.Name = options[1]
			case "--role":
				n.Roles = strings.Split(options[1], ",")
			default:
				return errArguments
			}
		}
		if len(options) > 0 {
			return errArguments
		}
		token, err := s.Business.Staff.Add(ctx, n, c.actor)
		return printLink(c.out, s.Config.BaseURL, email, token, err)
	}
	if len(options) > 0 {
		return errArguments
	}
	a, err := s.Business.Staff.ByEmail(ctx, email)
	if err != nil {
		return err
	}
	switch action {
	case "reset":
		token, err := s.Business.Staff.Reset(ctx, a.ID, c.actor)
		return printLink(c.out, s.Config.BaseURL, a.Email, token, err)
	case "end":
		if err := s.Business.Staff.End(ctx, a.ID, c.actor); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.out, "%s cannot sign in any more\n", a.Name)
		return err
	}
	return errArguments
}

func printLink(out io.Writer, baseURL, email, token string, err error) error {
	if err == nil {
		_, err = fmt.Fprintf(out, "send this link to %s; it works once, for one hour:\n%s\n", email, baseURL+paths.StaffWelcome(token))
	}
	return err
}

func listStaff(ctx context.Context, s *staff.Service, out io.Writer) error {
	accounts, err := s.Accounts(ctx)
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		_, err := fmt.Fprintln(out, "nobody has an account: site staff add EMAIL --name NAME --role admin --as NAME")
		return err
	}
	for _, a := range accounts {
		state := "invited on " + admission.Date(a.InvitedAt)
		switch {
		case a.Ended():
			state = "ended on " + admission.Date(a.EndedAt)
		case !a.SeenAt.IsZero():
			state = "last active " + admission.Moment(a.SeenAt)
		case a.IsSetUp():
			state = "set up"
		}
		if _, err := fmt.Fprintf(out, "%s  %s  %s  %s\n", a.Email, a.Name, staff.Labels(a.Roles), state); err != nil {
			return err
		}
	}
	return nil
}
