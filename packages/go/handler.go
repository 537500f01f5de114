package coinslot

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
)

const maxBodyBytes = 1024 * 1024

// Declined declines item.add for good: the order is rejected at once and the money released.
type Declined string

func (d Declined) Error() string { return string(d) }

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
	known, err := h.store.Begin(event.IdempotencyKey, event.subject())
	switch {
	case err != nil:
		h.report(err, event)
		notNow(w, "store_failed")
	case known.Done != nil:
		answer(w, *known.Done)
	case known.Claim == "":
		notNow(w, "in_progress")
	default:
		h.claimed(w, event, known.Claim, handle)
	}
}

func notNow(w http.ResponseWriter, why string) {
	w.Header().Set("retry-after", "2")
	respond(w, http.StatusServiceUnavailable, map[string]string{"error": why})
}

var counterpart = map[string]string{"item.add": "item.remove", "item.remove": "item.add"}

// What an item event does, as the store knows it.
func (e Event) subject() string {
	if data, err := e.Items(); err == nil && data.OrderID != "" && counterpart[e.EventType] != "" {
		return e.EventType + " " + data.OrderID
	}
	return ""
}

// The removal of a purchase that never arrived would take what the player owned before, so it is ignored; and a purchase
// that arrives after its removal was refunded. Grant is "confirmed" if this game once accepted the purchase.
func (h *Handler) claimed(w http.ResponseWriter, event Event, claim string, handle func(Event) error) {
	data, _ := event.Items()
	isRemoval := event.EventType == "item.remove"
	if event.subject() == "" || (isRemoval && data.Grant == "confirmed") {
		h.run(w, event, claim, handle)
		return
	}
	other, err := h.store.Find(counterpart[event.EventType] + " " + data.OrderID)
	happened := other.Done != nil && other.Done.Declined == ""
	switch {
	case err != nil || other.Busy:
		h.fail(event, claim, err)
		notNow(w, "in_progress")
	case happened == isRemoval:
		h.run(w, event, claim, handle)
	default:
		h.run(w, event, claim, func(Event) error { return nil })
	}
}

// FinishIn marks the webhook as handled inside your own transaction, as its last step, with a SQLStore. Then the grant
// and the mark are saved together, or not at all.
func (e Event) FinishIn(tx *sql.Tx) error {
	if e.finishIn == nil {
		return errors.New("coinslot: FinishIn needs a SQLStore")
	}
	return e.finishIn(tx)
}

// A panic is an error too: the key is given back.
func guarded(handle func(Event) error, event Event) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("coinslot: the handler panicked: %v", cause)
		}
	}()
	return handle(event)
}

func (h *Handler) run(w http.ResponseWriter, event Event, claim string, handle func(Event) error) {
	key := event.IdempotencyKey
	if store, may := h.store.(*SQLStore); may {
		event.finishIn = func(tx *sql.Tx) error { return store.FinishIn(tx, key, claim) }
	}
	var outcome Outcome
	err := guarded(handle, event)
	var no Declined
	if errors.As(err, &no) {
		outcome.Declined, err = string(no), nil
	}
	if err == nil {
		err = h.store.Finish(key, claim, outcome)
	}
	if err != nil {
		h.fail(event, claim, err)
		respond(w, http.StatusInternalServerError, map[string]string{"error": "handler_failed"})
		return
	}
	answer(w, outcome)
}

func (h *Handler) fail(event Event, claim string, err error) {
	if err != nil {
		h.report(err, event)
	}
	if failed := h.store.Fail(event.IdempotencyKey, claim); failed != nil {
		h.report(failed, event)
	}
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
