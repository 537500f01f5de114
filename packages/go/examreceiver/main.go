// A receiver made with the package, for the exam: PORT=4300 WEBHOOK_SECRET=… go run ./examreceiver
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"

	"coinslot"
)

func main() {
	var lock sync.Mutex
	inventory := map[string]int64{}
	change := func(sign int64) func(coinslot.Event) error {
		return func(event coinslot.Event) error {
			data, err := event.Items()
			if err != nil {
				return err
			}
			if sign > 0 && data.PlayerID == "banned" {
				return coinslot.Declined("This player is banned.")
			}
			lock.Lock()
			defer lock.Unlock()
			for _, item := range data.Items {
				key := data.PlayerID + " " + item.Sku
				inventory[key] += sign * item.Quantity
				fmt.Println(event.EventType, key, inventory[key])
			}
			return nil
		}
	}
	handler := coinslot.NewHandler(os.Getenv("WEBHOOK_SECRET"), coinslot.NewMemoryStore(), change(1), change(-1))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
