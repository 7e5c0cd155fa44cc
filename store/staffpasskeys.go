package store

import (
	"encoding/json"
	"time"

	"hiresure/admission/staff"
)

type staffPasskeyRow struct {
	ID, AccountID, Name string
	Credential          string    // sealed JSON of webauthn.Credential
	CreatedAt           time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	UsedAt              time.Time `gorm:"serializer:micros"`
}

func (staffPasskeyRow) TableName() string { return "staff_passkeys" }

// owner returns what a credential is sealed to: a row that is moved to another account cannot be read.
func (r *staffPasskeyRow) owner() string { return r.AccountID + " " + r.ID }

func (t *tx) staffPasskeyRow(p *staff.Passkey) (*staffPasskeyRow, error) {
	row := &staffPasskeyRow{ID: p.ID, AccountID: p.AccountID, Name: p.Name, CreatedAt: p.CreatedAt, UsedAt: p.UsedAt}
	credential, err := json.Marshal(p.Credential)
	row.Credential = t.sealer.seal("staff_passkeys", row.owner(), credential)
	return row, err
}

// staffPasskey converts a row. A credential that cannot be read, such as one sealed with an earlier SECRET_KEY, fits no signature.
func (t *tx) staffPasskey(row *staffPasskeyRow) (*staff.Passkey, error) {
	if row == nil {
		return nil, nil
	}
	p := &staff.Passkey{ID: row.ID, AccountID: row.AccountID, Name: row.Name, CreatedAt: row.CreatedAt, UsedAt: row.UsedAt}
	credential, err := t.sealer.open("staff_passkeys", row.owner(), row.Credential)
	if err != nil {
		return p, nil
	}
	return p, json.Unmarshal(credential, &p.Credential)
}

func (t *tx) AddStaffPasskey(p *staff.Passkey) error {
	row, err := t.staffPasskeyRow(p)
	if err != nil {
		return err
	}
	return wrap("add staff passkey", add(t, row))
}

func (t *tx) SaveStaffPasskey(p *staff.Passkey) error {
	row, err := t.staffPasskeyRow(p)
	if err != nil {
		return err
	}
	return wrap("save staff passkey", save(t, row))
}

func (t *tx) StaffPasskey(id string) (*staff.Passkey, error) {
	return findAs("find staff passkey", t.db, t.staffPasskey, "id = ?", id)
}

func (t *tx) StaffPasskeys(accountID string) (all []staff.Passkey, err error) {
	var rows []staffPasskeyRow
	if err := t.db.Where("account_id = ?", accountID).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, wrap("list staff passkeys", err)
	}
	for i := range rows {
		p, err := t.staffPasskey(&rows[i])
		if err != nil {
			return nil, err
		}
		all = append(all, *p)
	}
	return all, nil
}

func (t *tx) DeleteStaffPasskey(id string) error {
	return wrap("delete staff passkey", t.exec("DELETE FROM staff_passkeys WHERE id = ?", id))
}
