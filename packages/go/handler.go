package coinslot

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"sync"
)

const maxBodyBytes = 1024 * 1024

// Declined declines item.add for good: the order is rejected at once and the money released.
type Declined string

func (d Declined) Error() string { return string(d) }

// Outcome is how a webhook was handled; Declined is empty when it was accepted.
type Outcome struct{ Declined string }

// Store remembers which webhooks were handled, by their key. Begin claims a key, or answers how it was handled.
type Store interface {
	// Begin returns run = true when the caller shall handle it, or the outcome when it was handled before. With neither,
	// another process is handling it now.
	Begin(key string) (run bool, done *Outcome, err error)
	Finish(key string, outcome Outcome) error
	Fail(key string) error
}

// MemoryStore is for one process and for tests: a restart forgets everything.
type MemoryStore struct {
	lock    sync.Mutex
	entries map[string]*Outcome
}

// NewMemoryStore makes an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{entries: map[string]*Outcome{}} }

// Begin implements Store.
func (s *MemoryStore) Begin(key string) (bool, *Outcome, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	outcome, known := s.entries[key]
	if !known {
		s.entries[key] = nil
	}
	return !known, outcome, nil
}

// Finish implements Store.
func (s *MemoryStore) Finish(key string, outcome Outcome) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.entries[key] = &outcome
	return nil
}

// Fail implements Store.
func (s *MemoryStore) Fail(key string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.entries, key)
	return nil
}

// Handler verifies webhooks and handles each of them once. It is an http.Handler.
type Handler struct {
	secrets  []string
	store    Store
	handlers map[string]func(Event) error
	running  sync.Map
	// OnError gets every error of a handler or the store; it is logged when this is nil.
	OnError func(error, Event)
}

// NewHandler panics with an empty or short secret, because a receiver with one would accept what any stranger signs.
func NewHandler(secret string, store Store, onItemAdd, onItemRemove func(Event) error) *Handler {
	if err := checkSecrets([]string{secret}); err != nil {
		panic(err)
	}
	return &Handler{secrets: []string{secret}, store: store, handlers: map[string]func(Event) error{
		"item.add":     onItemAdd,
		"item.remove":  onItemRemove,
		"webhook.test": func(Event) error { return nil },
	}}
}

// On adds a handler of another kind, such as order.paid. Call it before serving.
func (h *Handler) On(kind string, handle func(Event) error) *Handler {
	h.handlers[kind] = handle
	return h
}

func respond(w http.ResponseWriter, status int, body map[string]string) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		respond(w, http.StatusMethodNotAllowed, map[string]string{"error": "method_not_allowed"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		respond(w, http.StatusRequestEntityTooLarge, map[string]string{"error": "body_too_large"})
		return
	}
	event, err := Verify(body, r.Header, h.secrets...)
	if errors.Is(err, InvalidBody) {
		respond(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	if err != nil {
		respond(w, http.StatusForbidden, map[string]string{"error": err.Error()})
		return
	}
	handle, known := h.handlers[event.EventType]
	if !known {
		respond(w, http.StatusBadRequest, map[string]string{"error": "unknown_event_type"})
		return
	}
	h.once(w, event, handle)
}

// A duplicate that arrives while the first is handled here waits for it, and gets the same answer.
func (h *Handler) once(w http.ResponseWriter, event Event, handle func(Event) error) {
	lock, _ := h.running.LoadOrStore(event.IdempotencyKey, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer func() {
		h.running.Delete(event.IdempotencyKey)
		lock.(*sync.Mutex).Unlock()
	}()
	run, done, err := h.store.Begin(event.IdempotencyKey)
	switch {
	case err != nil:
		h.report(err, event)
		w.Header().Set("retry-after", "2")
		respond(w, http.StatusServiceUnavailable, map[string]string{"error": "store_failed"})
	case run:
		h.run(w, event, handle)
	case done == nil:
		w.Header().Set("retry-after", "2")
		respond(w, http.StatusServiceUnavailable, map[string]string{"error": "in_progress"})
	default:
		answer(w, *done)
	}
}

func (h *Handler) run(w http.ResponseWriter, event Event, handle func(Event) error) {
	var outcome Outcome
	err := handle(event)
	var no Declined
	if errors.As(err, &no) {
		outcome.Declined, err = string(no), nil
	}
	if err == nil {
		err = h.store.Finish(event.IdempotencyKey, outcome)
	}
	if err != nil {
		h.report(err, event)
		if failed := h.store.Fail(event.IdempotencyKey); failed != nil {
			h.report(failed, event)
		}
		respond(w, http.StatusInternalServerError, map[string]string{"error": "handler_failed"})
		return
	}
	answer(w, outcome)
}

func answer(w http.ResponseWriter, outcome Outcome) {
	if outcome.Declined != "" {
		respond(w, http.StatusUnprocessableEntity, map[string]string{"code": "declined", "message": outcome.Declined})
		return
	}
	respond(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (h *Handler) report(err error, event Event) {
	if h.OnError != nil {
		h.OnError(err, event)
		return
	}
	log.Printf("coinslot webhook %s: %v", event.IdempotencyKey, err)
}
