// A Coinslot webhook receiver with Go's standard library. Run: WEBHOOK_SECRET=… PORT=4300 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const toleranceSeconds = 300
const maxBodyBytes = 1024 * 1024

type event struct {
	EventType      string `json:"event_type"`
	IdempotencyKey string `json:"idempotency_key"`
	EventData      struct {
		PlayerID string `json:"player_id"`
		Items    []struct {
			SKU      string `json:"sku"`
			Quantity int    `json:"quantity"`
		} `json:"items"`
	} `json:"event_data"`
}

type reply struct {
	status int
	body   map[string]string
}

var (
	secret = []byte(os.Getenv("WEBHOOK_SECRET")) // the S2S key, or the secret of the webhook
	digits = regexp.MustCompile(`^[0-9]{1,12}$`)
	ok     = reply{200, map[string]string{"status": "ok"}}
	// A real game keeps both in its database and writes them in one transaction.
	inventory = map[string]map[string]int{}
	answered  = map[string]reply{}
	lock      sync.Mutex
)

func isSigned(header http.Header, raw []byte) bool {
	timestamp := header.Get("x-service-signature-timestamp")
	if !digits.MatchString(timestamp) {
		return false
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(raw)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// While a secret is being rotated, the former one signs in the second header.
	return hmac.Equal([]byte(header.Get("x-service-signature")), expected) ||
		hmac.Equal([]byte(header.Get("x-service-signature-previous")), expected)
}

func handle(e event) reply {
	player := e.EventData.PlayerID
	if e.EventType == "item.add" && player == "banned" {
		return reply{422, map[string]string{"code": "declined", "message": "This player is banned."}}
	}
	if inventory[player] == nil {
		inventory[player] = map[string]int{}
	}
	for _, item := range e.EventData.Items {
		change := item.Quantity
		if change == 0 {
			change = 1
		}
		if e.EventType == "item.remove" {
			change = -change
		}
		inventory[player][item.SKU] += change
		fmt.Println(e.EventType, player, item.SKU, inventory[player][item.SKU])
	}
	return ok
}

func answer(header http.Header, raw []byte) reply {
	if !isSigned(header, raw) {
		return reply{403, map[string]string{"error": "signature"}}
	}
	var e event
	if json.Unmarshal(raw, &e) != nil {
		return reply{400, map[string]string{"error": "not an event"}}
	}
	switch e.EventType {
	case "webhook.test":
		return ok
	case "item.add", "item.remove":
		lock.Lock()
		defer lock.Unlock()
		if _, known := answered[e.IdempotencyKey]; !known {
			answered[e.IdempotencyKey] = handle(e)
		}
		return answered[e.IdempotencyKey]
	}
	return reply{400, map[string]string{"error": "event_type"}}
}

func receive(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	result := reply{400, map[string]string{"error": "body"}}
	var tooLarge *http.MaxBytesError
	if err == nil {
		result = answer(r.Header, raw)
	} else if errors.As(err, &tooLarge) {
		result = reply{413, map[string]string{"error": "too large"}}
	}
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(result.status)
	json.NewEncoder(w).Encode(result.body)
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4300"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
