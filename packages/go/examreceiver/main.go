// A receiver made with the package, for the exam: PORT=4300 WEBHOOK_SECRET=… go run ./examreceiver
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"

	"coinslot"
)

type change struct {
	Player, Sku string
	By          int64
}

// One line of the journal is a webhook that was handled: its key, and what it changed. So both are saved, or neither.
// A game has a database: see coinslot.SQLStore and Event.FinishIn.
type line struct {
	Key, Subject, Declined string
	Kind                   string
	Changes                []change
}

type journal struct {
	*coinslot.MemoryStore
	lock      sync.Mutex
	file      *os.File
	begun     map[string]line
	inventory map[[2]string]int64
}

func (j *journal) Begin(key, subject string) (coinslot.Known, error) {
	known, err := j.MemoryStore.Begin(key, subject)
	if known.Claim != "" {
		j.lock.Lock()
		defer j.lock.Unlock()
		j.begun[key] = line{Key: key, Subject: subject}
	}
	return known, err
}

func (j *journal) Finish(key, claim string, outcome coinslot.Outcome) error {
	j.lock.Lock()
	defer j.lock.Unlock()
	done := j.begun[key]
	delete(j.begun, key)
	done.Declined = outcome.Declined
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	if _, err = j.file.Write(append(text, '\n')); err != nil {
		return err
	}
	j.apply(done, func(words ...any) { fmt.Println(words...) })
	return j.MemoryStore.Finish(key, claim, outcome)
}

func (j *journal) apply(done line, say func(...any)) {
	for _, one := range done.Changes {
		held := [2]string{one.Player, one.Sku}
		j.inventory[held] += one.By
		say(done.Kind, one.Player, one.Sku, j.inventory[held])
	}
}

func (j *journal) change(sign int64) func(coinslot.Event) error {
	return func(event coinslot.Event) error {
		data, err := event.Items()
		if err != nil {
			return err
		}
		if sign > 0 && data.PlayerID == "banned" {
			return coinslot.Declined("This player is banned.")
		}
		j.lock.Lock()
		defer j.lock.Unlock()
		done := j.begun[event.IdempotencyKey]
		done.Kind = event.EventType
		for _, item := range data.Items {
			done.Changes = append(done.Changes, change{data.PlayerID, item.Sku, sign * item.Quantity})
		}
		j.begun[event.IdempotencyKey] = done
		return nil
	}
}

func open(path string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{MemoryStore: coinslot.NewMemoryStore(), file: file, begun: map[string]line{}, inventory: map[[2]string]int64{}}
	lines := bufio.NewReader(file)
	for text, err := lines.ReadBytes('\n'); err == nil; text, err = lines.ReadBytes('\n') {
		var done line
		if json.Unmarshal(text, &done) != nil {
			continue
		}
		j.apply(done, func(...any) {})
		known, _ := j.MemoryStore.Begin(done.Key, done.Subject)
		_ = j.MemoryStore.Finish(done.Key, known.Claim, coinslot.Outcome{Declined: done.Declined})
	}
	_, err = file.WriteString("\n")
	return j, err
}

func main() {
	path := os.Getenv("JOURNAL")
	if path == "" {
		path = "granted.journal"
	}
	store, err := open(path)
	if err != nil {
		log.Fatal(err)
	}
	handler := coinslot.NewHandler(os.Getenv("WEBHOOK_SECRET"), store, store.change(1), store.change(-1))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
