// A Coinslot webhook receiver with Go's standard library. Run: WEBHOOK_SECRET=… PORT=4300 go run receiver.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const toleranceSeconds, maxBodyBytes = 300, 1024 * 1024

type event struct {
	Kind string `json:"event_type"`
	Key  string `json:"idempotency_key"`
	Data struct {
		Player string `json:"player_id"`
		Items  []struct {
			SKU      string
			Quantity *int
		}
	} `json:"event_data"`
}

type reply struct {
	status int
	body   string
}

var (
	secret = []byte(os.Getenv("WEBHOOK_SECRET")) // the S2S key, or the secret of the webhook
	ok     = reply{200, `{"status":"ok"}`}
	// A real game stores both in its database, in one transaction.
	inventory = map[[2]string]int{}
	answered  = map[string]reply{}
	lock      sync.Mutex
)

func isSigned(header http.Header, raw []byte) bool {
	timestamp := header.Get("x-service-signature-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40) // nothing but digits
	age := time.Now().Unix() - int64(seconds)
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(append([]byte(timestamp+"."), raw...))
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// During a rotation the previous secret signs in the second header.
	return hmac.Equal([]byte(header.Get("x-service-signature")), expected) ||
		hmac.Equal([]byte(header.Get("x-service-signature-previous")), expected)
}

func handle(e event) reply {
	if e.Kind == "item.add" && e.Data.Player == "banned" {
		return reply{422, `{"code":"declined","message":"This player is banned."}`}
	}
	for _, item := range e.Data.Items {
		change, held := 1, [2]string{e.Data.Player, item.SKU}
		if item.Quantity != nil {
			change = *item.Quantity
		}
		if e.Kind == "item.remove" {
			change = -change
		}
		inventory[held] += change
		fmt.Println(e.Kind, e.Data.Player, item.SKU, inventory[held])
	}
	return ok
}

func answer(header http.Header, raw []byte) reply {
	var e event
	switch {
	case !isSigned(header, raw):
		return reply{403, `{"error":"signature"}`}
	case json.Unmarshal(raw, &e) != nil:
		return reply{400, `{"error":"not an event"}`}
	case e.Kind == "webhook.test":
		return ok
	case e.Kind != "item.add" && e.Kind != "item.remove":
		return reply{400, `{"error":"event_type"}`}
	}
	lock.Lock()
	defer lock.Unlock()
	if _, known := answered[e.Key]; !known {
		answered[e.Key] = handle(e)
	}
	return answered[e.Key]
}

func main() {
	if len(bytes.TrimSpace(secret)) < 8 { // with an empty or guessable secret any stranger could grant items
		log.Fatal("Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		result := reply{413, `{"error":"too large"}`}
		if raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes)); err == nil {
			result = answer(r.Header, raw)
		}
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(result.status)
		io.WriteString(w, result.body)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4300"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
