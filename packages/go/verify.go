// Package coinslot sells in-game items through Coinslot: orders, and webhooks that are verified and run once.
// It needs nothing but the standard library and is versioned with the server.
package coinslot

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Version is that of the server this package belongs to.
const Version = "1.0.0-rc.1"

const (
	tolerance = 300
	// The service takes no shorter one, so that a shorter one is a mistake, and easy to guess.
	shortestSecret = 8
)

// Event is the body of a webhook.
type Event struct {
	EventID        string          `json:"event_id"`
	EventType      string          `json:"event_type"`
	EventTime      int64           `json:"event_time"`
	GameID         string          `json:"game_id"`
	Sandbox        bool            `json:"sandbox"`
	IdempotencyKey string          `json:"idempotency_key"`
	EventData      json.RawMessage `json:"event_data"`

	finishIn func(*sql.Tx) error
}

// ItemData is the EventData of item.add and item.remove.
type ItemData struct {
	PlayerID   string `json:"player_id"`
	Items      []Item `json:"items"`
	OrderID    string `json:"order_id"`
	PaymentID  string `json:"payment_id"`
	Reason     string `json:"reason"`
	ReasonCode string `json:"reason_code"`
	// Grant is "confirmed" or "unknown" in item.remove: whether the game ever accepted the purchase.
	Grant    string            `json:"grant"`
	Metadata map[string]string `json:"metadata"`
}

// Item is one item to grant or to revoke.
type Item struct {
	Sku      string `json:"sku"`
	Name     string `json:"name"`
	Quantity int64  `json:"quantity"`
}

// Items reads the data of item.add and item.remove.
func (e Event) Items() (ItemData, error) {
	var data ItemData
	err := json.Unmarshal(e.EventData, &data)
	for i := range data.Items {
		if data.Items[i].Quantity == 0 {
			data.Items[i].Quantity = 1
		}
	}
	return data, err
}

// Refusal is why a webhook is not believed, in the words of the JavaScript SDK.
type Refusal string

func (r Refusal) Error() string { return "coinslot: webhook refused: " + string(r) }

// What Verify refuses.
const (
	MissingHeaders    Refusal = "missing_headers"
	InvalidTimestamp  Refusal = "invalid_timestamp"
	TimestampTooOld   Refusal = "timestamp_too_old"
	TimestampTooNew   Refusal = "timestamp_too_new"
	SignatureMismatch Refusal = "signature_mismatch"
	InvalidBody       Refusal = "invalid_body"
)

var digits = regexp.MustCompile(`^[0-9]{1,12}$`)

func checkSecrets(secrets []string) error {
	if len(secrets) == 0 {
		return errors.New("coinslot: the secret is missing: it is the S2S key, or the secret of the webhook")
	}
	for _, secret := range secrets {
		if len(strings.TrimSpace(secret)) < shortestSecret {
			return errors.New("coinslot: the secret is empty or too short: it has at least 8 characters")
		}
	}
	return nil
}

func digest(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify returns the event if Coinslot signed it, and else a Refusal. The body is as it arrived, before any parser.
// Several secrets are given while you change them.
func Verify(body []byte, header http.Header, secrets ...string) (Event, error) {
	return verifyAt(body, header, time.Now(), secrets)
}

func verifyAt(body []byte, header http.Header, now time.Time, secrets []string) (Event, error) {
	var event Event
	if err := checkSecrets(secrets); err != nil {
		return event, err
	}
	timestamp := header.Get("x-service-signature-timestamp")
	current := header.Get("x-service-signature")
	if timestamp == "" || current == "" {
		return event, MissingHeaders
	}
	if !digits.MatchString(timestamp) {
		return event, InvalidTimestamp
	}
	// During a rotation the previous secret signs in the second header.
	given := []string{current, header.Get("x-service-signature-previous")}
	matches := false
	for _, secret := range secrets {
		expected := []byte(digest(secret, timestamp, body))
		for _, one := range given {
			matches = hmac.Equal([]byte(one), expected) || matches
		}
	}
	if !matches {
		return event, SignatureMismatch
	}
	// In seconds: as a Duration a timestamp of twelve digits would overflow into the present.
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	age := now.Unix() - seconds
	switch {
	case age > tolerance:
		return event, TimestampTooOld
	case age < -tolerance:
		return event, TimestampTooNew
	}
	if json.Unmarshal(body, &event) != nil || event.EventType == "" || event.IdempotencyKey == "" ||
		!strings.HasPrefix(string(event.EventData), "{") {
		return event, InvalidBody
	}
	return event, nil
}

// Sign returns the headers of a webhook as the service signs it, for unit tests of a receiver.
func Sign(body []byte, secret string, at time.Time) http.Header {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	header := http.Header{}
	header.Set("content-type", "application/json")
	header.Set("x-service-signature-timestamp", timestamp)
	header.Set("x-service-signature", digest(secret, timestamp, body))
	return header
}
