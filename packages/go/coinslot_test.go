package coinslot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const secret = "a signing secret"

func TestEverySharedVector(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/signature-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name    string            `json:"name"`
			Secret  string            `json:"secret"`
			Now     int64             `json:"now"`
			Headers map[string]string `json:"headers"`
			RawBody string            `json:"raw_body"`
			Reason  *string           `json:"reason"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors) < 10 {
		t.Fatal(err, len(file.Vectors))
	}
	for _, vector := range file.Vectors {
		header := http.Header{}
		for name, value := range vector.Headers {
			header.Set(name, value)
		}
		_, err := verifyAt([]byte(vector.RawBody), header, time.Unix(vector.Now, 0), []string{vector.Secret})
		expected := ""
		if vector.Reason != nil {
			expected = *vector.Reason
		}
		var refusal Refusal
		if errors.As(err, &refusal) && refusal != InvalidBody {
			if string(refusal) != expected {
				t.Errorf("%s: %s, not %q", vector.Name, refusal, expected)
			}
		} else if expected != "" {
			t.Errorf("%s: %v, not %q", vector.Name, err, expected)
		}
	}
}

func TestWeakSecretsAreRefused(t *testing.T) {
	for _, weak := range []string{"", "short", "                "} {
		if _, err := Verify([]byte("{}"), http.Header{}, weak); err == nil {
			t.Errorf("%q was taken", weak)
		}
	}
}

func signed(key, kind string) *http.Request {
	body := []byte(`{"event_type":"` + kind + `","idempotency_key":"` + key + `","event_data":{"player_id":"Zoë","items":[{"sku":"gem"}]}}`)
	request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	request.Header = Sign(body, secret, time.Now())
	return request
}

func statusOf(handler http.Handler, request *http.Request) int {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Code
}

func TestAKeyIsHandledOnce(t *testing.T) {
	var granted int64
	add := func(Event) error { atomic.AddInt64(&granted, 1); return nil }
	handler := NewHandler(secret, NewMemoryStore(), add, add)
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if status := statusOf(handler, signed("same", "item.add")); status != 200 {
				t.Errorf("answered %d", status)
			}
		}()
	}
	group.Wait()
	if granted != 1 {
		t.Errorf("granted %d times", granted)
	}
}

func TestAFailureIsTriedAgainAndADeclineStays(t *testing.T) {
	calls := 0
	add := func(Event) error {
		if calls++; calls == 1 {
			return errors.New("the database is away")
		}
		return Declined("level too low")
	}
	handler := NewHandler(secret, NewMemoryStore(), add, add)
	handler.OnError = func(error, Event) {}
	for i, expected := range []int{500, 422, 422} {
		if status := statusOf(handler, signed("declined", "item.add")); status != expected {
			t.Errorf("attempt %d answered %d", i, status)
		}
	}
	if status := statusOf(handler, signed("unknown", "item.polish")); status != 400 {
		t.Errorf("an unknown kind got %d", status)
	}
}

func TestWhatIsWrongIsSaidBeforeAnythingIsSent(t *testing.T) {
	for _, given := range [][2]string{{"", "http://localhost"}, {"k", "nowhere"}, {"k", "http://pay.example.com"}} {
		if _, err := NewClient(given[0], given[1]); err == nil {
			t.Errorf("%v was taken", given)
		}
	}
}

func TestABrokenAnswerIsRepeatedWhereThatIsSafe(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(502)
			return
		}
		_, _ = w.Write([]byte(`{"order_id":"ord_1"}`))
	}))
	defer server.Close()
	client, _ := NewClient("k", server.URL)
	order, err := client.GetOrder(context.Background(), "ord_1")
	if err != nil || order.OrderID != "ord_1" || tries != 2 {
		t.Error(order, err, tries)
	}
}

func TestARunningCoinslot(t *testing.T) {
	address := os.Getenv("COINSLOT_URL")
	if address == "" {
		t.Skip("COINSLOT_URL is not set")
	}
	client, err := NewClient(os.Getenv("COINSLOT_KEY"), address)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	body := map[string]any{"player_id": "go", "items": []any{map[string]any{"sku": "gem"}}}
	order, err := client.CreateOrder(ctx, body, "go-1")
	if err != nil {
		t.Fatal(err)
	}
	again, err := client.CreateOrder(ctx, body, "go-1")
	if err != nil || again.OrderID != order.OrderID {
		t.Error(again, err)
	}
	canceled, err := client.CancelOrder(ctx, order.OrderID)
	if err != nil || canceled.Status != "canceled" {
		t.Error(canceled, err)
	}
	_, err = client.RefundOrder(ctx, order.OrderID, "a test")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != "order_wrong_status" || failure.RequestID == "" {
		t.Error(err)
	}
}
