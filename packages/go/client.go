package coinslot

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Error is what every call returns when it fails. Code is stable; the message may change.
type Error struct {
	Code string `json:"code"`
	// Status is 0 when there was no response or nothing was sent.
	Status     int           `json:"status"`
	Title      string        `json:"title"`
	Detail     string        `json:"detail"`
	RequestID  string        `json:"request_id"`
	Errors     []FieldError  `json:"errors"`
	RetryAfter time.Duration `json:"-"`
}

// FieldError is one problem with a field.
type FieldError struct {
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	return strings.TrimSpace(fmt.Sprintf("coinslot: %d %s: %s %s", e.Status, e.Code, e.Title, e.Detail))
}

// Order is an order as the service returns it; Raw has every field.
type Order struct {
	OrderID     string          `json:"order_id"`
	CheckoutURL string          `json:"checkout_url"`
	Status      string          `json:"status"`
	Amount      int64           `json:"amount"`
	Currency    string          `json:"currency"`
	Raw         json.RawMessage `json:"-"`
}

// Client is for one environment of one game. The key decides between sandbox and live.
type Client struct {
	key, base string
	// HTTP sends the requests; set its Timeout and Transport as you like.
	HTTP *http.Client
	// Retries is how often a failed attempt is repeated where that is safe.
	Retries int
}

const firstPause = 500 * time.Millisecond

func isNear(host string) bool {
	address := net.ParseIP(host)
	if address != nil {
		return address.IsLoopback() || address.IsPrivate()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// NewClient checks key and address before anything is sent.
func NewClient(key, baseURL string) (*Client, error) {
	parsed, err := url.Parse(baseURL)
	switch {
	case key == "" || strings.TrimSpace(key) != key || strings.HasPrefix(strings.ToLower(key), "bearer "):
		return nil, &Error{Code: "invalid_argument", Title: "the key must be your S2S key alone"}
	case err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https"):
		return nil, &Error{Code: "invalid_argument", Title: "the address must be a URL such as https://pay.example.com"}
	case parsed.Scheme == "http" && !isNear(parsed.Hostname()):
		return nil, &Error{Code: "invalid_argument", Title: "the address must be https: over plain http the key can be read"}
	}
	// A redirect would send the key to another server.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		key: key, base: strings.TrimRight(baseURL, "/"), Retries: 3,
		HTTP: &http.Client{Timeout: 15 * time.Second, CheckRedirect: stay},
	}, nil
}

// CreateOrder creates an order. Send the player to CheckoutURL, exactly as it is. The same key and body get the same
// order for 24 hours; without a key one is made, so that retries never create a second order.
func (c *Client) CreateOrder(ctx context.Context, order map[string]any, idempotencyKey string) (*Order, error) {
	if idempotencyKey == "" {
		random := make([]byte, 16)
		if _, err := rand.Read(random); err != nil {
			return nil, err
		}
		idempotencyKey = hex.EncodeToString(random)
	}
	headers := http.Header{"Idempotency-Key": {idempotencyKey}}
	return c.order(ctx, http.MethodPost, "/s2s/v1/orders", order, headers)
}

// GetOrder reads an order.
func (c *Client) GetOrder(ctx context.Context, orderID string) (*Order, error) {
	return c.order(ctx, http.MethodGet, "/s2s/v1/orders/"+url.PathEscape(orderID), nil, nil)
}

// CancelOrder cancels an unpaid order. Canceling again has no effect.
func (c *Client) CancelOrder(ctx context.Context, orderID string) (*Order, error) {
	return c.order(ctx, http.MethodPost, "/s2s/v1/orders/"+url.PathEscape(orderID)+"/cancel", nil, nil)
}

// RefundOrder refunds the full amount; the game gets item.remove. Refunding again has no effect.
func (c *Client) RefundOrder(ctx context.Context, orderID, reason string) (*Order, error) {
	body := map[string]any{}
	if reason != "" {
		body["reason"] = reason
	}
	return c.order(ctx, http.MethodPost, "/s2s/v1/orders/"+url.PathEscape(orderID)+"/refund", body, nil)
}

func (c *Client) order(ctx context.Context, method, path string, body any, headers http.Header) (*Order, error) {
	var raw json.RawMessage
	if err := c.Do(ctx, Call{Method: method, Path: path, Body: body, Header: headers, Repeatable: true}, &raw); err != nil {
		return nil, err
	}
	order := &Order{Raw: raw}
	return order, json.Unmarshal(raw, order)
}

// Call is any other call.
type Call struct {
	Method, Path string
	Body         any
	Header       http.Header
	// Repeatable says that sending it twice has the same effect as once. GET, PUT and DELETE always are.
	Repeatable bool
}

// Do sends a call with the same key, retries and errors, and reads its answer into result.
func (c *Client) Do(ctx context.Context, call Call, result any) error {
	repeatable := call.Repeatable || call.Method == http.MethodGet || call.Method == http.MethodPut || call.Method == http.MethodDelete
	for attempt := 0; ; attempt++ {
		failure := c.attempt(ctx, call, result)
		if failure == nil {
			return nil
		}
		if attempt >= c.Retries || !mayRepeat(failure, repeatable) || ctx.Err() != nil {
			return failure
		}
		pause := firstPause << attempt
		pause = pause/2 + time.Duration(mathrand.Int63n(int64(pause/2)+1))
		if failure.RetryAfter > 0 {
			pause = failure.RetryAfter
		}
		select {
		case <-ctx.Done():
			return failure
		case <-time.After(pause):
		}
	}
}

func mayRepeat(failure *Error, repeatable bool) bool {
	if failure.RetryAfter > time.Minute {
		return false
	}
	switch failure.Status {
	case http.StatusTooManyRequests:
		return true
	case 0, 500, 502, 503, 504:
		return repeatable && failure.Code != "invalid_argument"
	}
	return false
}

func (c *Client) attempt(ctx context.Context, call Call, result any) *Error {
	var body io.Reader
	if call.Body != nil {
		text, err := json.Marshal(call.Body)
		if err != nil {
			return &Error{Code: "invalid_argument", Title: err.Error()}
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, c.base+call.Path, body)
	if err != nil {
		return &Error{Code: "invalid_argument", Title: err.Error()}
	}
	for name, values := range call.Header {
		request.Header[name] = values
	}
	request.Header.Set("authorization", "Bearer "+c.key)
	request.Header.Set("user-agent", "coinslot-go/"+Version)
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		var slow net.Error
		if errors.As(err, &slow) && slow.Timeout() {
			return &Error{Code: "timeout", Title: err.Error()}
		}
		return &Error{Code: "connection_failed", Title: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return &Error{Code: "connection_failed", Title: err.Error()}
	}
	return readAnswer(response, text, result)
}

func readAnswer(response *http.Response, text []byte, result any) *Error {
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		if result == nil || len(text) == 0 {
			return nil
		}
		if err := json.Unmarshal(text, result); err != nil {
			return &Error{Code: "invalid_answer", Status: response.StatusCode, Title: "the response is not JSON"}
		}
		return nil
	}
	failure := &Error{}
	if json.Unmarshal(text, failure) != nil || failure.Code == "" {
		failure = &Error{Code: "invalid_answer", Title: "no Coinslot error; did a proxy respond?"}
	}
	failure.Status = response.StatusCode
	if failure.RequestID == "" {
		failure.RequestID = response.Header.Get("x-request-id")
	}
	if seconds, err := strconv.Atoi(response.Header.Get("retry-after")); err == nil {
		failure.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failure
}
