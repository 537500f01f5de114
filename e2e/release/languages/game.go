// A game that grants in a transaction of its own database, and dies at one of four places. Prints what it answered.
package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"time"

	"coinslot"
)

const secret = "a signing secret"

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	url, place, key := os.Args[1], os.Args[2], os.Args[3]
	die := func(at string) {
		if at == place {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	db, err := sql.Open(driver, url)
	must(err)
	store := &coinslot.SQLStore{DB: db, Question: question}
	must(store.CreateTable())
	grant := func(event coinslot.Event) error {
		die("began")
		data, err := event.Items()
		if err != nil {
			return err
		}
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.Exec(insertGrant, data.PlayerID); err != nil {
			return err
		}
		die("granted")
		if err := event.FinishIn(tx); err != nil {
			return err
		}
		if place == "fails" {
			panic("the game has a bug")
		}
		die("finished")
		err = tx.Commit()
		die("committed")
		return err
	}
	handler := coinslot.NewHandler(secret, store, grant, grant)
	handler.OnError = func(err error, _ coinslot.Event) { fmt.Fprintln(os.Stderr, err) }
	body := []byte(fmt.Sprintf(`{"event_type":"item.add","idempotency_key":%q,"event_data":{"player_id":%q,`+
		`"order_id":%q,"items":[{"sku":"gem","quantity":1}]}}`, key, key, "ord_"+key))
	request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	request.Header = coinslot.Sign(body, secret, time.Now())
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	fmt.Println(recorder.Code)
}
