package coinslot

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"
)

const lease = time.Minute

// ErrLostClaim means that the webhook took longer than its lease, and another process took it over. Roll back.
var ErrLostClaim = errors.New("coinslot: the webhook took longer than its lease, and another process took it over")

// Outcome is how a webhook was handled; Declined is empty when it was accepted.
type Outcome struct{ Declined string }

// Known is how far a webhook is: Claim is set when the caller shall handle it, Done when it was handled. With neither,
// Busy says that another process is handling it now.
type Known struct {
	Claim string
	Done  *Outcome
	Busy  bool
}

// Store remembers which webhooks were handled, by their key. The subject says what a webhook does, such as
// "item.add ord_1", so that others can ask for it; it is empty for other kinds.
type Store interface {
	Begin(key, subject string) (Known, error)
	Find(subject string) (Known, error)
	Finish(key, claim string, outcome Outcome) error
	Fail(key, claim string) error
}

func newClaim() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random)
}

type entry struct {
	claim, subject string
	until          time.Time
	outcome        *Outcome
}

func (e *entry) known() Known {
	return Known{Done: e.outcome, Busy: e.outcome == nil && e.until.After(time.Now())}
}

// MemoryStore is for one process and for tests: a restart forgets everything.
type MemoryStore struct {
	lock    sync.Mutex
	entries map[string]*entry
}

// NewMemoryStore makes an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{entries: map[string]*entry{}} }

// Begin implements Store.
func (s *MemoryStore) Begin(key, subject string) (Known, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if found, there := s.entries[key]; there {
		if known := found.known(); known.Done != nil || known.Busy {
			return known, nil
		}
	}
	claim := newClaim()
	s.entries[key] = &entry{claim: claim, subject: subject, until: time.Now().Add(lease)}
	return Known{Claim: claim}, nil
}

// Find implements Store.
func (s *MemoryStore) Find(subject string) (Known, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	var best Known
	for _, found := range s.entries {
		if found.subject != subject {
			continue
		}
		if known := found.known(); known.Done != nil {
			return known, nil
		} else if known.Busy {
			best = known
		}
	}
	return best, nil
}

// Finish implements Store.
func (s *MemoryStore) Finish(key, claim string, outcome Outcome) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	found, there := s.entries[key]
	if !there || found.claim != claim {
		return ErrLostClaim
	}
	found.outcome = &outcome
	return nil
}

// Fail implements Store.
func (s *MemoryStore) Fail(key, claim string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if found, there := s.entries[key]; there && found.claim == claim && found.outcome == nil {
		delete(s.entries, key)
	}
	return nil
}

// SQLStore keeps the keys in a table of PostgreSQL, SQLite or MySQL, for any number of processes. With Event.FinishIn the
// mark is part of the transaction that grants, and a crash at any point neither loses nor doubles a grant.
type SQLStore struct {
	DB *sql.DB
	// Table is coinslot_webhooks when it is empty.
	Table string
	// Question says that placeholders are ?, as in SQLite and MySQL, and not $1.
	Question bool
}

var marks = regexp.MustCompile(`\?`)

func (s *SQLStore) text(statement string) string {
	table := s.Table
	if table == "" {
		table = "coinslot_webhooks"
	}
	statement = fmt.Sprintf(statement, table)
	if s.Question {
		return statement
	}
	count := 0
	return marks.ReplaceAllStringFunc(statement, func(string) string { count++; return fmt.Sprintf("$%d", count) })
}

// CreateTable creates the table if it is missing.
func (s *SQLStore) CreateTable() error {
	_, err := s.DB.Exec(s.text(`create table if not exists %s (idempotency_key varchar(255) primary key,
		claim varchar(64) not null, done integer not null, declined varchar(1000), lease_until bigint not null,
		subject varchar(255), unique (subject, idempotency_key))`))
	return err
}

type row struct {
	claim, declined string
	done            bool
	until           int64
}

func (s *SQLStore) read(where, value string) ([]row, error) {
	statement := "select claim, coalesce(declined, ''), done, lease_until from %s where " + where + " = ?"
	rows, err := s.DB.Query(s.text(statement), value)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []row
	for rows.Next() {
		var one row
		var done int
		if err := rows.Scan(&one.claim, &one.declined, &done, &one.until); err != nil {
			return nil, err
		}
		one.done = done == 1
		all = append(all, one)
	}
	return all, rows.Err()
}

func knownOf(rows []row, claim string) Known {
	var known Known
	for _, one := range rows {
		switch {
		case one.done:
			return Known{Done: &Outcome{Declined: one.declined}}
		case claim != "" && one.claim == claim:
			return Known{Claim: claim}
		case one.until >= time.Now().UnixMilli():
			known.Busy = true
		}
	}
	return known
}

// Begin implements Store.
func (s *SQLStore) Begin(key, subject string) (Known, error) {
	claim, now := newClaim(), time.Now()
	until := now.Add(lease).UnixMilli()
	// Of several that insert or take over, the database lets one. The row of a process that died is taken over.
	insert := `insert into %[1]s (idempotency_key, claim, done, lease_until, subject)
		select ?, ?, 0, ?, ? where not exists (select 1 from %[1]s where idempotency_key = ?)`
	if !s.Question {
		insert = `insert into %[1]s (idempotency_key, claim, done, lease_until, subject)
			select cast(? as varchar), cast(? as varchar), 0, cast(? as bigint), cast(? as varchar)
			where not exists (select 1 from %[1]s where idempotency_key = cast(? as varchar))`
	}
	_, failed := s.DB.Exec(s.text(insert), key, claim, until, subject, key)
	takeOver := "update %s set claim = ?, lease_until = ? where idempotency_key = ? and done = 0 and lease_until < ?"
	if _, err := s.DB.Exec(s.text(takeOver), claim, until, key, now.UnixMilli()); err != nil {
		return Known{}, err
	}
	rows, err := s.read("idempotency_key", key)
	if err == nil && len(rows) == 0 {
		// Not one that another process inserted at the same moment.
		err = failed
	}
	return knownOf(rows, claim), err
}

// Find implements Store.
func (s *SQLStore) Find(subject string) (Known, error) {
	rows, err := s.read("subject", subject)
	return knownOf(rows, ""), err
}

type execer interface {
	Exec(query string, args ...any) (sql.Result, error)
}

func (s *SQLStore) finish(run execer, key, claim string, outcome Outcome) error {
	const statement = "update %s set done = 1, declined = ? where idempotency_key = ? and claim = ?"
	declined := sql.NullString{String: outcome.Declined, Valid: outcome.Declined != ""}
	result, err := run.Exec(s.text(statement), declined, key, claim)
	if err != nil {
		return err
	}
	if count, err := result.RowsAffected(); err != nil || count != 1 {
		return ErrLostClaim
	}
	return nil
}

// Finish implements Store.
func (s *SQLStore) Finish(key, claim string, outcome Outcome) error {
	return s.finish(s.DB, key, claim, outcome)
}

// FinishIn marks the webhook as handled inside the caller's transaction.
func (s *SQLStore) FinishIn(tx *sql.Tx, key, claim string) error {
	return s.finish(tx, key, claim, Outcome{})
}

// Fail implements Store.
func (s *SQLStore) Fail(key, claim string) error {
	_, err := s.DB.Exec(s.text("delete from %s where idempotency_key = ? and claim = ? and done = 0"), key, claim)
	return err
}
