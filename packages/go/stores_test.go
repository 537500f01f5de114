package coinslot

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

func TestATimestampFarAheadDoesNotComeRound(t *testing.T) {
	body := []byte(`{"event_type":"item.add","idempotency_key":"k","event_data":{}}`)
	now := time.Now()
	// 2^64 nanoseconds later: as a Duration it is now.
	for _, ahead := range []int64{18446744074, 18446744073, 900000000000} {
		header := Sign(body, secret, now.Add(0))
		timestamp := strconv.FormatInt(now.Unix()+ahead, 10)
		header.Set("x-service-signature-timestamp", timestamp)
		header.Set("x-service-signature", digest(secret, timestamp, body))
		if _, err := Verify(body, header, secret); err != TimestampTooNew {
			t.Errorf("%d seconds ahead: %v", ahead, err)
		}
	}
}

func TestAPanicGivesTheKeyBack(t *testing.T) {
	calls := 0
	add := func(Event) error {
		if calls++; calls == 1 {
			panic("a bug")
		}
		return nil
	}
	handler := NewHandler(secret, NewMemoryStore(), add, add)
	handler.OnError = func(error, Event) {}
	for i, expected := range []int{500, 200, 200} {
		if status := statusOf(handler, signed("panics", "item.add")); status != expected {
			t.Errorf("attempt %d answered %d", i, status)
		}
	}
	if calls != 2 {
		t.Errorf("called %d times", calls)
	}
}

func itemRequest(kind, order, grant string) *http.Request {
	body := []byte(`{"event_type":"` + kind + `","idempotency_key":"` + kind + order + `","event_data":{"player_id":"ann",` +
		`"order_id":"` + order + `","grant":"` + grant + `","items":[{"sku":"gem"}]}}`)
	request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	request.Header = Sign(body, secret, time.Now())
	return request
}

func TestOnlyWhatWasGrantedIsRevoked(t *testing.T) {
	changes := ""
	note := func(sign string) func(Event) error {
		return func(Event) error { changes += sign; return nil }
	}
	store := NewMemoryStore()
	handler := NewHandler(secret, store, note("+"), note("-"))
	for _, step := range []struct{ kind, order, grant, changes string }{
		{"item.remove", "ord_never", "unknown", ""},
		// It arrives after its removal, which has refunded it.
		{"item.add", "ord_never", "", ""},
		{"item.remove", "ord_forgotten", "confirmed", "-"},
		{"item.add", "ord_1", "", "-+"},
		{"item.remove", "ord_1", "unknown", "-+-"},
	} {
		if status := statusOf(handler, itemRequest(step.kind, step.order, step.grant)); status != 200 || changes != step.changes {
			t.Errorf("%v answered %d, changes %q", step, status, changes)
		}
	}
	if _, err := store.Begin("running", "item.add ord_2"); err != nil {
		t.Fatal(err)
	}
	if status := statusOf(handler, itemRequest("item.remove", "ord_2", "unknown")); status != 503 {
		t.Errorf("answered %d while the purchase is under way", status)
	}
}
