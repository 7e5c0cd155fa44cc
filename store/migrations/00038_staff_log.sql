-- What staff did. seal is an HMAC of the row and of the seal before it.

-- +goose Up
CREATE TABLE staff_log (
    n BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    origin TEXT NOT NULL,
    what TEXT NOT NULL,
    whom TEXT NOT NULL,
    was TEXT NOT NULL,
    becomes TEXT NOT NULL,
    seal TEXT NOT NULL
);
CREATE INDEX staff_log_whom ON staff_log (whom, n);
