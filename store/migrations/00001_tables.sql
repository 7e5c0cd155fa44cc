-- Every moment is a BIGINT of microseconds since 1970 in UTC, 0 for none; every sum is a BIGINT of minor units.
-- Only TEXT, BIGINT and BOOLEAN, so that SQLite and PostgreSQL read the same file. Ids are made by the application.

-- +goose Up
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    human_until BIGINT NOT NULL,
    proven TEXT,
    requests TEXT,
    registered TEXT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE hits (bucket TEXT NOT NULL, at BIGINT NOT NULL, until BIGINT NOT NULL);
CREATE INDEX hits_bucket ON hits (bucket, at);
CREATE INDEX hits_until ON hits (until);

CREATE TABLE spent (name TEXT PRIMARY KEY, until BIGINT NOT NULL);

CREATE TABLE enquiries (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    country TEXT NOT NULL,
    description TEXT NOT NULL,
    type TEXT NOT NULL,
    page TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE grievances (
    id TEXT PRIMARY KEY,
    ticket TEXT NOT NULL UNIQUE,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    category TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    acknowledge_by BIGINT NOT NULL,
    redress_by BIGINT NOT NULL
);

-- Append-only; migration 2 holds it to that.
CREATE TABLE consents (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    ref TEXT NOT NULL,
    purpose TEXT NOT NULL,
    notice_version TEXT NOT NULL,
    language TEXT NOT NULL,
    given BOOLEAN NOT NULL,
    at BIGINT NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX consents_subject ON consents (subject, at);

CREATE TABLE leads (
    id TEXT PRIMARY KEY,
    event_code TEXT NOT NULL,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX leads_one_for_email ON leads (event_code, lower(email));

CREATE TABLE code_requests (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    phone TEXT NOT NULL,
    email TEXT NOT NULL,
    event_code TEXT NOT NULL,
    code_mac TEXT NOT NULL,
    code TEXT NOT NULL,
    sends BIGINT NOT NULL,
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX code_requests_phone ON code_requests (phone, sent_at);
CREATE INDEX code_requests_expires_at ON code_requests (expires_at);

CREATE TABLE registrations (
    id TEXT PRIMARY KEY,
    event_slug TEXT NOT NULL,
    event_code TEXT NOT NULL,
    subevent_code TEXT NOT NULL,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    course TEXT NOT NULL,
    state_code TEXT NOT NULL,
    college TEXT NOT NULL,
    referral_code TEXT NOT NULL,
    coupon_code TEXT NOT NULL,
    adult BOOLEAN NOT NULL,
    guardian_name TEXT NOT NULL,
    guardian_phone TEXT NOT NULL,
    step BIGINT NOT NULL,
    paid_txn_id TEXT NOT NULL,
    terms_version TEXT NOT NULL,
    terms_hash TEXT NOT NULL,
    terms_at BIGINT NOT NULL,
    refunded BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    modified_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX registrations_one_for_phone ON registrations (event_code, phone) WHERE refunded = FALSE;
CREATE INDEX registrations_email ON registrations (event_code, lower(email));
CREATE INDEX registrations_phone ON registrations (phone);

CREATE TABLE entries (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    who TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX entries_registration ON entries (registration_id, at);

CREATE TABLE coupons (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    event_code TEXT NOT NULL,
    kind TEXT NOT NULL,
    percent BIGINT NOT NULL,
    amount_minor BIGINT NOT NULL,
    starts_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    max_uses BIGINT NOT NULL,
    max_per_phone BIGINT NOT NULL,
    budget_minor BIGINT NOT NULL
);
CREATE UNIQUE INDEX coupons_code ON coupons (event_code, code);

CREATE TABLE coupon_uses (
    id TEXT PRIMARY KEY,
    coupon_id TEXT NOT NULL REFERENCES coupons (id),
    txn_id TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    discount_minor BIGINT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX coupon_uses_coupon ON coupon_uses (coupon_id);

CREATE TABLE referrals (
    code TEXT PRIMARY KEY,
    owner_name TEXT NOT NULL,
    owner_phone TEXT NOT NULL,
    credit_minor BIGINT NOT NULL
);

CREATE TABLE referral_credits (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL REFERENCES referrals (code),
    registration_id TEXT NOT NULL UNIQUE REFERENCES registrations (id),
    amount_minor BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    paid_at BIGINT NOT NULL
);

CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    gateway TEXT NOT NULL,
    ref TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    list_minor BIGINT NOT NULL,
    list_currency TEXT NOT NULL,
    discount_minor BIGINT NOT NULL,
    discount_currency TEXT NOT NULL,
    charge_minor BIGINT NOT NULL,
    charge_currency TEXT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    coupon_code TEXT NOT NULL,
    state TEXT NOT NULL,
    state_before TEXT NOT NULL,
    attempt_failed BOOLEAN NOT NULL,
    return_url TEXT NOT NULL,
    checkout TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    fetched_at BIGINT NOT NULL,
    settled_at BIGINT NOT NULL,
    modified_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX transactions_one_open ON transactions (registration_id) WHERE state IN ('created', 'pending');
CREATE UNIQUE INDEX transactions_one_paid ON transactions (registration_id) WHERE state = 'paid';
CREATE UNIQUE INDEX transactions_ref ON transactions (gateway, ref) WHERE ref <> '';
CREATE UNIQUE INDEX transactions_payment ON transactions (gateway, payment_id) WHERE payment_id <> '';
CREATE INDEX transactions_settled_at ON transactions (settled_at);

CREATE TABLE refunds (
    id TEXT PRIMARY KEY,
    txn_id TEXT NOT NULL REFERENCES transactions (id),
    provider_id TEXT NOT NULL,
    minor BIGINT NOT NULL,
    currency TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX refunds_txn ON refunds (txn_id);

CREATE TABLE inbox (
    id TEXT PRIMARY KEY,
    gateway TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    txn_id TEXT NOT NULL,
    ref TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    handled_at BIGINT NOT NULL,
    problem TEXT NOT NULL
);
CREATE UNIQUE INDEX inbox_event ON inbox (gateway, event_id);

CREATE TABLE invoice_series (
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    PRIMARY KEY (series, financial_year)
);

-- Append-only; migration 2 holds it to that.
CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL UNIQUE REFERENCES transactions (id),
    issued_on BIGINT NOT NULL,
    seller_name TEXT NOT NULL,
    seller_address TEXT NOT NULL,
    seller_gstin TEXT NOT NULL,
    seller_email TEXT NOT NULL,
    seller_phone TEXT NOT NULL,
    seller_state_name TEXT NOT NULL,
    seller_state_code TEXT NOT NULL,
    buyer_name TEXT NOT NULL,
    buyer_address TEXT NOT NULL,
    buyer_gstin TEXT NOT NULL,
    buyer_email TEXT NOT NULL,
    buyer_phone TEXT NOT NULL,
    buyer_state_name TEXT NOT NULL,
    buyer_state_code TEXT NOT NULL,
    description TEXT NOT NULL,
    sac TEXT NOT NULL,
    rate_bp BIGINT NOT NULL,
    place_of_supply TEXT NOT NULL,
    place_code TEXT NOT NULL,
    list_minor BIGINT NOT NULL,
    discount_minor BIGINT NOT NULL,
    tax_taxable BIGINT NOT NULL,
    tax_cgst BIGINT NOT NULL,
    tax_sgst BIGINT NOT NULL,
    tax_utgst BIGINT NOT NULL,
    tax_igst BIGINT NOT NULL,
    total_minor BIGINT NOT NULL,
    words TEXT NOT NULL,
    charged_minor BIGINT NOT NULL,
    charged_currency TEXT NOT NULL,
    coupon_code TEXT NOT NULL,
    payment_method TEXT NOT NULL,
    UNIQUE (series, financial_year, serial)
);

CREATE TABLE links (
    token_hash TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL
);

CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    cause TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    template TEXT NOT NULL,
    params TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at BIGINT NOT NULL
);

-- A claimed job's due_at is the end of its lease, so that a crashed worker's job comes due again by itself.
CREATE TABLE jobs (
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    last_error TEXT NOT NULL,
    PRIMARY KEY (kind, ref)
);
CREATE INDEX jobs_due_at ON jobs (due_at);

CREATE TABLE idempotency_keys (
    id TEXT PRIMARY KEY,
    body_hash TEXT NOT NULL,
    done BOOLEAN NOT NULL,
    status BIGINT NOT NULL,
    content_type TEXT NOT NULL,
    body TEXT NOT NULL,
    claimed_at BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_until ON idempotency_keys (until);

CREATE TABLE sandbox_orders (id TEXT PRIMARY KEY, body TEXT NOT NULL, created_at BIGINT NOT NULL);
CREATE INDEX sandbox_orders_created_at ON sandbox_orders (created_at);

CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX outbox_created_at ON outbox (created_at);
