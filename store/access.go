package store

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

type sessionRow struct {
	ID         string
	TokenHash  string
	HumanUntil time.Time `gorm:"serializer:micros"`
	ByTicket   bool
	Proven     map[string]time.Time `gorm:"serializer:json"`
	Requests   []string             `gorm:"serializer:json"`
	Registered []string             `gorm:"serializer:json"`
	ExpiresAt  time.Time            `gorm:"serializer:micros"`
	AccountID  string
	SignedInAt time.Time `gorm:"serializer:micros"`
	UserAgent  string
	API        bool `gorm:"column:api"`
}

func (sessionRow) TableName() string { return "sessions" }

type codeRequestRow struct {
	ID        string
	SessionID string
	Purpose   access.Purpose
	To        string `gorm:"column:phone"` // or an e-mail address
	Email     string
	FullName  string
	Other     string
	EventCode string
	CodeMAC   string
	Code      string // sealed
	Sends     int
	SentAt    time.Time `gorm:"serializer:micros"`
	ExpiresAt time.Time `gorm:"serializer:micros"`
	Tries     int
	UsedAt    time.Time `gorm:"serializer:micros"`
}

func (codeRequestRow) TableName() string { return "code_requests" }

func (t *tx) AddSession(s *access.Session) error {
	row := sessionRow(*s)
	return wrap("add session", add(t, &row))
}

func (t *tx) Session(id string) (*access.Session, error) {
	if id == admission.ViewedSession {
		return t.viewedSession(), nil
	}
	row, err := find[sessionRow](t.db, "id = ?", id)
	return (*access.Session)(row), wrap("find session", err)
}

// viewedSession returns the session with which staff look at somebody's pages; nil if they do not.
func (t *tx) viewedSession() *access.Session {
	v, is := admission.ViewedIn(t.db.Statement.Context)
	if !is {
		return nil
	}
	return &access.Session{ID: admission.ViewedSession, AccountID: v.AccountID, Registered: []string{v.RegistrationID}, ExpiresAt: time.Unix(1<<33, 0)}
}

func (t *tx) SessionForUpdate(id string) (*access.Session, error) {
	row, err := find[sessionRow](t.locked(), "id = ?", id)
	return (*access.Session)(row), wrap("lock session", err)
}

func (t *tx) SessionByToken(tokenHash string) (*access.Session, error) {
	row, err := find[sessionRow](t.db, "token_hash = ?", tokenHash)
	return (*access.Session)(row), wrap("find session by token", err)
}

func (t *tx) SaveSession(s *access.Session) error {
	row := sessionRow(*s)
	return wrap("save session", save(t, &row))
}

func (t *tx) DeleteSession(id string) error {
	return wrap("delete session", t.exec("DELETE FROM sessions WHERE id = ?", id))
}

// Hits counts the hits after since and locks the bucket until the transaction ends.
func (t *tx) Hits(bucket string, since time.Time) (int, time.Time, error) {
	var found struct{ Hits, Oldest int64 }
	err := t.lock("hits " + bucket)
	if err == nil {
		err = t.db.Raw("SELECT COUNT(*) AS hits, COALESCE(MIN(at), 0) AS oldest FROM hits WHERE bucket = ? AND at > ?", bucket, toMicros(since)).Scan(&found).Error
	}
	return int(found.Hits), fromMicros(found.Oldest), wrap("count hits", err)
}

// HitAt returns the time of the nth hit after since, from 0; the zero time for none.
func (t *tx) HitAt(bucket string, since time.Time, n int) (time.Time, error) {
	var at int64
	err := t.db.Raw("SELECT at FROM hits WHERE bucket = ? AND at > ? ORDER BY at LIMIT 1 OFFSET ?", bucket, toMicros(since), n).Scan(&at).Error
	return fromMicros(at), wrap("find hit", err)
}

// BusiestBucket returns the bucket below a prefix with the most hits after since; "" for none.
func (t *tx) BusiestBucket(prefix string, since time.Time) (string, int, error) {
	var found struct {
		Bucket string
		Hits   int
	}
	err := t.db.Raw("SELECT bucket, COUNT(*) AS hits FROM hits WHERE bucket LIKE ? AND at > ? GROUP BY bucket ORDER BY hits DESC, bucket LIMIT 1", prefix+"%", toMicros(since)).Scan(&found).Error
	return found.Bucket, found.Hits, wrap("find busiest bucket", err)
}

func (t *tx) AddHit(bucket string, at, until time.Time) error {
	return wrap("add hit", t.exec("INSERT INTO hits (bucket, at, until) VALUES (?, ?, ?)", bucket, toMicros(at), toMicros(until)))
}

func (t *tx) Spend(key string, until time.Time) (fresh bool, err error) {
	added, err := t.execCount("INSERT INTO spent (name, until) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", key, toMicros(until))
	return added == 1, wrap("spend key", err)
}

func (t *tx) SaveCodeRequest(c *access.CodeRequest) error {
	row := codeRequestRow(*c)
	row.Code = t.sealer.seal("code_requests", c.ID, []byte(c.Code))
	return wrap("save code request", upsert(t, &row, "id"))
}

func (t *tx) CodeRequest(id string) (*access.CodeRequest, error) {
	return findAs("find code request", t.db, t.codeRequest, "id = ?", id)
}

func (t *tx) CodeRequestForUpdate(id string) (*access.CodeRequest, error) {
	return findAs("lock code request", t.locked(), t.codeRequest, "id = ?", id)
}

// LatestCodeRequest returns the code request sent last and locks its key until the transaction ends.
func (t *tx) LatestCodeRequest(to string, purpose access.Purpose, eventCode string) (*access.CodeRequest, error) {
	if err := t.lock("code request " + to + " " + string(purpose) + " " + eventCode); err != nil {
		return nil, wrap("find code request", err)
	}
	latest := t.locked().Order("sent_at DESC, id DESC")
	return findAs("find code request", latest, t.codeRequest, "phone = ? AND purpose = ? AND event_code = ?", to, purpose, eventCode)
}

// codeRequest decrypts the row's code. A code sealed with an earlier secret becomes "", so that the next message contains a
// new one.
func (t *tx) codeRequest(row *codeRequestRow) (*access.CodeRequest, error) {
	if row != nil {
		code, _ := t.sealer.open("code_requests", row.ID, row.Code)
		row.Code = string(code)
	}
	return (*access.CodeRequest)(row), nil
}
