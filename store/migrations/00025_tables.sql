-- The schema before the first release, in one file. Numbers 1 to 24 were squashed into it.
-- Every moment is a BIGINT of microseconds since 1970 in UTC, 0 for none; every sum is a BIGINT of minor units.
-- Only TEXT, BIGINT and BOOLEAN, so that SQLite and PostgreSQL read the same file. Ids are made by the application.

-- +goose Up
-- One browser or API client. An API client's session has a refresh token instead of a cookie; by_ticket marks a session that
-- passed the human check without scripts and so has narrower limits.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    human_until BIGINT NOT NULL,
    proven TEXT,
    requests TEXT,
    registered TEXT,
    expires_at BIGINT NOT NULL,
    by_ticket BOOLEAN NOT NULL DEFAULT FALSE,
    account_id TEXT NOT NULL DEFAULT '',
    signed_in_at BIGINT NOT NULL DEFAULT 0,
    user_agent TEXT NOT NULL DEFAULT '',
    api BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_account ON sessions (account_id, signed_in_at) WHERE account_id <> '';

-- Counts for the rate limits.
CREATE TABLE hits (
    bucket TEXT NOT NULL,
    at BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX hits_bucket ON hits (bucket, at);
CREATE INDEX hits_until ON hits (until);

-- Names that may be used once, such as a human check's answer.
CREATE TABLE spent (
    name TEXT PRIMARY KEY,
    until BIGINT NOT NULL
);
CREATE INDEX spent_until ON spent (until);

-- answers holds, as JSON by field name, what the form asks and no column keeps; form_version is the version of that form.
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
    created_at BIGINT NOT NULL,
    answers TEXT,
    form_version BIGINT NOT NULL DEFAULT 0,
    source TEXT NOT NULL DEFAULT ''
);
CREATE INDEX enquiries_created_at ON enquiries (created_at);

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
    redress_by BIGINT NOT NULL,
    answers TEXT,
    form_version BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX grievances_created_at ON grievances (created_at);

-- Append-only (migration 26).
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
CREATE INDEX leads_created_at ON leads (created_at);

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
    used_at BIGINT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    other TEXT NOT NULL DEFAULT ''
);
CREATE INDEX code_requests_phone ON code_requests (phone, sent_at);
CREATE INDEX code_requests_expires_at ON code_requests (expires_at);

-- own_referral is the code that a paid registration may give to others. erased_at is since when a registration that is kept for
-- its payments names nobody. used_at is when its person last did something that does not change this row.
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
    modified_at BIGINT NOT NULL,
    answers TEXT,
    form_version BIGINT NOT NULL DEFAULT 0,
    ticket TEXT NOT NULL DEFAULT '',
    ticket_key TEXT NOT NULL DEFAULT '',
    own_referral TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    account_id TEXT NOT NULL DEFAULT '',
    reminded BIGINT NOT NULL DEFAULT 0,
    erased_at BIGINT NOT NULL DEFAULT 0,
    used_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX registrations_one_for_phone ON registrations (event_code, phone) WHERE refunded = FALSE;
CREATE INDEX registrations_email ON registrations (event_code, lower(email));
CREATE INDEX registrations_phone ON registrations (phone);
CREATE UNIQUE INDEX registrations_ticket ON registrations (ticket) WHERE ticket <> '';
CREATE UNIQUE INDEX registrations_ticket_key ON registrations (ticket_key) WHERE ticket_key <> '';
CREATE INDEX registrations_without_ticket ON registrations (id) WHERE ticket = '' AND paid_txn_id <> '';
CREATE UNIQUE INDEX registrations_own_referral ON registrations (own_referral) WHERE own_referral <> '';
CREATE INDEX registrations_without_referral ON registrations (id) WHERE own_referral = '' AND paid_txn_id <> '';
CREATE INDEX registrations_account ON registrations (account_id, modified_at, id) WHERE account_id <> '';
CREATE INDEX registrations_enrolled_without_referral ON registrations (id) WHERE own_referral = '' AND paid_txn_id <> '' AND event_code <> 'hiresure';
CREATE INDEX registrations_erased_at ON registrations (erased_at) WHERE erased_at > 0;
CREATE INDEX registrations_named ON registrations (modified_at) WHERE erased_at = 0;

-- The timeline of a registration.
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
    paid_at BIGINT NOT NULL,
    cancelled_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX referral_credits_code ON referral_credits (code);

-- payer_* is the payer as at the start; arrived_* is what arrived where that is not what was charged.
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
    modified_at BIGINT NOT NULL,
    merchant_ref TEXT NOT NULL DEFAULT '',
    payer_description TEXT NOT NULL DEFAULT '',
    payer_name TEXT NOT NULL DEFAULT '',
    payer_email TEXT NOT NULL DEFAULT '',
    payer_phone TEXT NOT NULL DEFAULT '',
    payer_state_code TEXT NOT NULL DEFAULT '',
    next_url TEXT NOT NULL DEFAULT '',
    disputed_at BIGINT NOT NULL DEFAULT 0,
    means_name TEXT NOT NULL DEFAULT '',
    means_reference TEXT NOT NULL DEFAULT '',
    arrived_minor BIGINT NOT NULL DEFAULT 0,
    arrived_currency TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX transactions_one_open ON transactions (registration_id) WHERE state IN ('created', 'pending');
CREATE UNIQUE INDEX transactions_one_paid ON transactions (registration_id) WHERE state = 'paid';
CREATE UNIQUE INDEX transactions_ref ON transactions (gateway, ref) WHERE ref <> '';
CREATE UNIQUE INDEX transactions_payment ON transactions (gateway, payment_id) WHERE payment_id <> '';
CREATE INDEX transactions_settled_at ON transactions (settled_at);
CREATE UNIQUE INDEX transactions_merchant_ref ON transactions (gateway, merchant_ref) WHERE merchant_ref <> '';
CREATE UNIQUE INDEX transactions_one_review ON transactions (registration_id) WHERE state = 'review';
CREATE INDEX transactions_registration ON transactions (registration_id);

CREATE TABLE refunds (
    id TEXT PRIMARY KEY,
    txn_id TEXT NOT NULL REFERENCES transactions (id),
    provider_id TEXT NOT NULL,
    minor BIGINT NOT NULL,
    currency TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    payment_id TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    posted_at BIGINT NOT NULL DEFAULT 0,
    changed_at BIGINT NOT NULL DEFAULT 0,
    alerted_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX refunds_txn ON refunds (txn_id);

-- Events of the gateways. Some name a dispute, or the payment, by the provider's own id alone.
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
    problem TEXT NOT NULL,
    payment_id TEXT NOT NULL DEFAULT '',
    dispute TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX inbox_event ON inbox (gateway, event_id);
CREATE INDEX inbox_handled_at ON inbox (handled_at);

CREATE TABLE invoice_series (
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    PRIMARY KEY (series, financial_year)
);

-- Append-only (migration 26). A payment has several invoices where a refund bounced: the later one reverses a credit note.
CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL REFERENCES transactions (id),
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
    issue BIGINT NOT NULL DEFAULT 1,
    reverses TEXT NOT NULL DEFAULT '',
    UNIQUE (series, financial_year, serial),
    UNIQUE (txn_id, issue)
);

-- Mailed links to a registration's receipt and invoice.
CREATE TABLE links (
    token_hash TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL
);

-- content is what was rendered when the message was written; papers are the PDFs that the mail attaches.
CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    cause TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    template TEXT NOT NULL,
    params TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at BIGINT NOT NULL,
    template_version TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL DEFAULT '',
    papers TEXT NOT NULL DEFAULT ''
);
CREATE INDEX messages_created_at ON messages (created_at);

-- A claimed job's due_at is the end of its lease: a crashed worker's job comes due again. A job that was refused for good stays:
-- dead_at is since when, failures (JSON) why.
CREATE TABLE jobs (
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    last_error TEXT NOT NULL,
    dead_at BIGINT NOT NULL DEFAULT 0,
    failures TEXT NOT NULL DEFAULT '',
    payload TEXT NOT NULL DEFAULT '',
    progress TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (kind, ref)
);
CREATE INDEX jobs_by_kind ON jobs (kind, due_at, ref);

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

CREATE TABLE sandbox_orders (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX sandbox_orders_created_at ON sandbox_orders (created_at);

CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    files TEXT NOT NULL DEFAULT ''
);
CREATE INDEX outbox_created_at ON outbox (created_at);

-- Append-only (migration 26).
CREATE TABLE credit_notes (
    id TEXT PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    invoice_id TEXT NOT NULL,
    invoice_number TEXT NOT NULL,
    invoice_date BIGINT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL REFERENCES transactions (id),
    refund_id TEXT NOT NULL UNIQUE REFERENCES refunds (id),
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
    tax_taxable BIGINT NOT NULL,
    tax_cgst BIGINT NOT NULL,
    tax_sgst BIGINT NOT NULL,
    tax_utgst BIGINT NOT NULL,
    tax_igst BIGINT NOT NULL,
    total_minor BIGINT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (series, financial_year, serial)
);
CREATE INDEX credit_notes_txn ON credit_notes (txn_id);

-- issued counts the tickets of a prefix.
CREATE TABLE ticket_series (
    prefix TEXT PRIMARY KEY,
    issued BIGINT NOT NULL
);

-- A person who signs in. An address counts once a code has verified it, and belongs to one account.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_proven_at BIGINT NOT NULL,
    phone TEXT NOT NULL,
    phone_proven_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    modified_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE email_proven_at > 0;
CREATE UNIQUE INDEX accounts_phone ON accounts (phone) WHERE phone_proven_at > 0;

-- What is typed into a step of the application and not sent. The row stays when the step is saved: its version shows an
-- older tab that another tab was faster.
CREATE TABLE drafts (
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    step TEXT NOT NULL,
    typed TEXT,
    field TEXT NOT NULL,
    version BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (registration_id, step)
);
CREATE INDEX drafts_saved_at ON drafts (saved_at);

-- The files of personal data that a person asked for, in sealed parts.
CREATE TABLE exports (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    done BIGINT NOT NULL,
    size BIGINT NOT NULL,
    parts BIGINT NOT NULL,
    ready_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    failed_at BIGINT NOT NULL
);
CREATE INDEX exports_account ON exports (account_id, asked_at);
CREATE INDEX exports_asked_at ON exports (asked_at);

CREATE TABLE export_parts (
    export_id TEXT NOT NULL,
    part BIGINT NOT NULL,
    sealed TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (export_id, part)
);
CREATE INDEX export_parts_expires_at ON export_parts (expires_at);

CREATE TABLE deletions (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    postponed_at BIGINT NOT NULL,
    done_at BIGINT NOT NULL,
    closed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX deletions_one_open ON deletions (account_id) WHERE closed_at = 0;
CREATE INDEX deletions_closed_at ON deletions (closed_at);

-- Where an account was reached before, and until when.
CREATE TABLE former_addresses (
    account_id TEXT NOT NULL,
    address TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (account_id, address)
);

-- The ids of append-only rows that the running transaction may erase; empty outside of one.
CREATE TABLE erasing (ref TEXT PRIMARY KEY);

-- Documents on their way. object is a file's name in the storage, file_key the key that opens it, wrapped by the master key key_id.
CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size BIGINT NOT NULL,
    hash TEXT NOT NULL,
    received BIGINT NOT NULL,
    writer TEXT NOT NULL,
    state TEXT NOT NULL,
    refusal TEXT NOT NULL,
    document_id TEXT NOT NULL,
    judge_until BIGINT NOT NULL,
    begun_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX uploads_registration ON uploads (registration_id, begun_at);
CREATE INDEX uploads_expires_at ON uploads (expires_at);

CREATE TABLE upload_pieces (
    upload_id TEXT NOT NULL,
    start BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL,
    PRIMARY KEY (upload_id, start)
);
CREATE INDEX upload_pieces_object ON upload_pieces (object);
CREATE INDEX upload_pieces_key ON upload_pieces (key_id);

-- A document that was sent before its kind was named has the kind ''.
CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    checking BOOLEAN NOT NULL,
    stored_at BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE INDEX documents_object ON documents (object);
CREATE INDEX documents_key ON documents (key_id);
CREATE UNIQUE INDEX documents_one_of_a_kind ON documents (registration_id, kind) WHERE kind <> '';
CREATE INDEX documents_registration ON documents (registration_id);

-- Who has opened a document.
CREATE TABLE document_views (
    id TEXT PRIMARY KEY,
    document_id TEXT NOT NULL,
    registration_id TEXT NOT NULL,
    viewer TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX document_views_registration ON document_views (registration_id, at);

-- The PDFs printed for payments. hash is the SHA-256 of the plain file.
CREATE TABLE papers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL,
    issue BIGINT NOT NULL,
    caused_at BIGINT NOT NULL,
    printed BOOLEAN NOT NULL,
    printed_at BIGINT NOT NULL,
    hash TEXT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE UNIQUE INDEX papers_one_of_a_kind ON papers (kind, ref);
CREATE INDEX papers_payment ON papers (txn_id);
CREATE INDEX papers_registration ON papers (registration_id);
CREATE INDEX papers_object ON papers (object);
CREATE INDEX papers_key ON papers (key_id);
