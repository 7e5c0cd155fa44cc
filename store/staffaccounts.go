package store

import (
	"encoding/json"
	"strings"
	"time"

	"hiresure/admission/staff"
)

type staffAccountRow struct {
	ID, Email, Name, Roles string
	Password               string
	Secret                 string // sealed; "" for none
	LastStep               int64
	Codes                  []string  `gorm:"serializer:json"`
	InvitedAt              time.Time `gorm:"serializer:micros"`
	InvitedBy              string
	SeenAt                 time.Time `gorm:"serializer:micros"`
	EndedAt                time.Time `gorm:"serializer:micros"`
	Version                int
	Passkeys               int
}

func (staffAccountRow) TableName() string { return "staff_accounts" }

type staffSessionRow struct {
	ID, TokenHash, AccountID string
	Stage                    staff.Stage
	How                      string
	NewSecret                string // sealed JSON of staff.SetUp; "" for none
	IP                       string `gorm:"column:ip"`
	UserAgent                string
	StartedAt                time.Time `gorm:"serializer:micros"`
	SeenAt                   time.Time `gorm:"serializer:micros"`
	ConfirmedAt              time.Time `gorm:"serializer:micros"`
	WrongCodes               int
	Challenge                string // JSON of staff.Challenge; "" for none
}

func (staffSessionRow) TableName() string { return "staff_sessions" }

type staffLinkRow struct {
	TokenHash string `gorm:"primaryKey"`
	AccountID string
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	ExpiresAt time.Time `gorm:"serializer:micros"`
	UsedAt    time.Time `gorm:"serializer:micros"`
}

func (staffLinkRow) TableName() string { return "staff_links" }

func (t *tx) staffAccountRow(a *staff.Account) *staffAccountRow {
	names := make([]string, len(a.Roles))
	for i, role := range a.Roles {
		names[i] = string(role)
	}
	row := &staffAccountRow{
		ID: a.ID, Email: a.Email, Name: a.Name, Roles: strings.Join(names, ","), Password: a.Password, LastStep: a.LastStep, Codes: a.Codes,
		InvitedAt: a.InvitedAt, InvitedBy: a.InvitedBy, SeenAt: a.SeenAt, EndedAt: a.EndedAt, Version: a.Version, Passkeys: a.Passkeys,
	}
	if a.Secret != "" {
		row.Secret = t.sealer.seal("staff_accounts", a.ID, []byte(a.Secret))
	}
	return row
}

// staffAccount converts a row. An account whose secret cannot be read has no password either.
func (t *tx) staffAccount(row *staffAccountRow) (*staff.Account, error) {
	if row == nil {
		return nil, nil
	}
	roles, _ := staff.ParseRoles(strings.Split(row.Roles, ",")) // an unknown role of a later version has no permissions
	a := &staff.Account{
		ID: row.ID, Email: row.Email, Name: row.Name, Roles: roles, Password: row.Password, LastStep: row.LastStep, Codes: row.Codes,
		InvitedAt: row.InvitedAt, InvitedBy: row.InvitedBy, SeenAt: row.SeenAt, EndedAt: row.EndedAt, Version: row.Version, Passkeys: row.Passkeys,
	}
	if row.Secret == "" {
		return a, nil
	}
	secret, err := t.sealer.open("staff_accounts", row.ID, row.Secret)
	if err != nil { // sealed with an earlier SECRET_KEY: without its second step the account must be reset
		a.Password = ""
		return a, nil
	}
	a.Secret = string(secret)
	return a, nil
}

func (t *tx) AddStaffAccount(a *staff.Account) error {
	return wrap("add staff account", add(t, t.staffAccountRow(a)))
}

func (t *tx) SaveStaffAccount(a *staff.Account) error {
	return wrap("save staff account", save(t, t.staffAccountRow(a)))
}

func (t *tx) StaffAccount(id string) (*staff.Account, error) {
	return findAs("find staff account", t.db, t.staffAccount, "id = ?", id)
}

func (t *tx) StaffAccountForUpdate(id string) (*staff.Account, error) {
	return findAs("lock staff account", t.locked(), t.staffAccount, "id = ?", id)
}

func (t *tx) StaffAccountByEmail(email string) (*staff.Account, error) {
	return findAs("find staff account by e-mail", t.db, t.staffAccount, "email = ?", email)
}

func (t *tx) StaffAccounts() (all []staff.Account, err error) {
	if err := t.lock("staff accounts"); err != nil {
		return nil, wrap("list staff accounts", err)
	}
	var rows []staffAccountRow
	if err := t.db.Order("name, id").Find(&rows).Error; err != nil {
		return nil, wrap("list staff accounts", err)
	}
	for i := range rows {
		a, err := t.staffAccount(&rows[i])
		if err != nil {
			return nil, err
		}
		all = append(all, *a)
	}
	return all, nil
}

func (t *tx) staffSessionRow(s *staff.Session) (*staffSessionRow, error) {
	row := &staffSessionRow{
		ID: s.ID, TokenHash: s.TokenHash, AccountID: s.AccountID, Stage: s.Stage, How: s.How, IP: s.IP, UserAgent: s.UserAgent,
		StartedAt: s.StartedAt, SeenAt: s.SeenAt, ConfirmedAt: s.ConfirmedAt, WrongCodes: s.WrongCodes,
	}
	if s.Challenge != nil {
		challenge, err := json.Marshal(s.Challenge)
		if err != nil {
			return nil, err
		}
		row.Challenge = string(challenge)
	}
	if s.NewSecret == "" {
		return row, nil
	}
	set, err := json.Marshal(staff.SetUp{Secret: s.NewSecret, Codes: s.NewCodes})
	row.NewSecret = t.sealer.seal("staff_sessions", s.ID, set)
	return row, err
}

func (t *tx) staffSession(row *staffSessionRow) (*staff.Session, error) {
	if row == nil {
		return nil, nil
	}
	var challenge *staff.Challenge
	if row.Challenge != "" {
		if err := json.Unmarshal([]byte(row.Challenge), &challenge); err != nil {
			return nil, err
		}
	}
	var set staff.SetUp
	err := t.sealer.openJSON("staff_sessions", row.ID, row.NewSecret, &set)
	return &staff.Session{
		ID: row.ID, TokenHash: row.TokenHash, AccountID: row.AccountID, Stage: row.Stage, How: row.How, NewSecret: set.Secret, NewCodes: set.Codes,
		IP: row.IP, UserAgent: row.UserAgent, StartedAt: row.StartedAt, SeenAt: row.SeenAt, ConfirmedAt: row.ConfirmedAt, WrongCodes: row.WrongCodes, Challenge: challenge,
	}, err
}

func (t *tx) AddStaffSession(s *staff.Session) error {
	row, err := t.staffSessionRow(s)
	if err != nil {
		return err
	}
	return wrap("add staff session", add(t, row))
}

func (t *tx) SaveStaffSession(s *staff.Session) error {
	row, err := t.staffSessionRow(s)
	if err != nil {
		return err
	}
	return wrap("save staff session", save(t, row))
}

func (t *tx) StaffSessionByToken(tokenHash string) (*staff.Session, error) {
	return findAs("find staff session by token", t.db, t.staffSession, "token_hash = ?", tokenHash)
}

func (t *tx) StaffSessionForUpdate(id string) (*staff.Session, error) {
	return findAs("lock staff session", t.locked(), t.staffSession, "id = ?", id)
}

func (t *tx) DeleteStaffSession(id string) error {
	return wrap("delete staff session", t.exec("DELETE FROM staff_sessions WHERE id = ?", id))
}

func (t *tx) StaffSessions(accountID string) (all []staff.Session, err error) {
	query := t.db.Order("seen_at DESC, id")
	if accountID != "" {
		query = query.Where("account_id = ?", accountID)
	}
	var rows []staffSessionRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, wrap("list staff sessions", err)
	}
	for i := range rows {
		s, err := t.staffSession(&rows[i])
		if err != nil {
			return nil, err
		}
		all = append(all, *s)
	}
	return all, nil
}

func (t *tx) AddStaffLink(l *staff.Link) error {
	row := staffLinkRow(*l)
	return wrap("add staff link", add(t, &row))
}

func (t *tx) SaveStaffLink(l *staff.Link) error {
	row := staffLinkRow(*l)
	return wrap("save staff link", save(t, &row))
}

func (t *tx) StaffLink(tokenHash string) (*staff.Link, error) {
	row, err := find[staffLinkRow](t.db, "token_hash = ?", tokenHash)
	return (*staff.Link)(row), wrap("find staff link", err)
}

func (t *tx) StaffLinkForUpdate(tokenHash string) (*staff.Link, error) {
	row, err := find[staffLinkRow](t.locked(), "token_hash = ?", tokenHash)
	return (*staff.Link)(row), wrap("lock staff link", err)
}

func (t *tx) DeleteStaffLinks(accountID string) error {
	return wrap("delete staff links", t.exec("DELETE FROM staff_links WHERE account_id = ?", accountID))
}
