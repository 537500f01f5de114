// A Coinslot webhook receiver with Go's standard library. Run: WEBHOOK_SECRET=… PORT=4300 go run receiver.go
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
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
		Order  string `json:"order_id"`
		Grant  string
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
	// All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
	// key, or neither. In your game, save both in one transaction of its database.
	inventory = map[[2]string]int{}
	answered  = map[string]reply{}
	orders    = map[string]string{}
	lock      sync.Mutex
	journal   *os.File
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

func handle(e event, say func(...any)) reply {
	if e.Kind == "item.add" && e.Data.Player == "banned" {
		return reply{422, `{"code":"declined","message":"This player is banned."}`}
	}
	// The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
	last := orders[e.Data.Order]
	orders[e.Data.Order] = e.Kind
	counts := last == "item.add" || e.Data.Grant == "confirmed"
	if e.Kind == "item.add" {
		counts = last != "item.remove"
	}
	if !counts {
		return ok
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
		say(e.Kind, e.Data.Player, item.SKU, inventory[held])
	}
	return ok
}

func handleOnce(e event, raw []byte) reply {
	lock.Lock()
	defer lock.Unlock()
	if _, known := answered[e.Key]; !known {
		if _, err := journal.WriteString(base64.StdEncoding.EncodeToString(raw) + "\n"); err != nil {
			return reply{500, `{"error":"journal"}`}
		}
		answered[e.Key] = handle(e, func(words ...any) { fmt.Println(words...) })
	}
	return answered[e.Key]
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
	// Answers when it is saved, and not before: a 2xx captures the money.
	return handleOnce(e, raw)
}

// Reads what was handled before. A line that a crash cut off was never answered.
func replay(path string) (err error) {
	if journal, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	lines := bufio.NewReader(journal)
	for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
		var e event
		raw, bad := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(line)))
		if bad == nil && json.Unmarshal(raw, &e) == nil {
			answered[e.Key] = handle(e, func(...any) {})
		}
	}
	_, err = journal.WriteString("\n")
	return err
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	if len(bytes.TrimSpace(secret)) < 8 { // with an empty or guessable secret any stranger could grant items
		log.Fatal("Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.")
	}
	if err := replay(env("JOURNAL", "granted.journal")); err != nil {
		log.Fatal(err)
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
	log.Fatal(http.ListenAndServe("127.0.0.1:"+env("PORT", "4300"), nil))
}
