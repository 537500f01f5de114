package model

import (
	"encoding/json"
	"testing"
)

func TestAnEventIsReadWithWhatMayBeAbsent(t *testing.T) {
	var data ItemEventData
	text := `{"player_id":"ann","order_id":"ord_1","payment_id":null,"reason":"r","reason_code":"refund","metadata":{"a":"b"},
		"items":[{"sku":"gem","name":null,"quantity":3,"price_decimal":1.5,"currency":"EUR"}]}`
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	if data.PaymentID != nil || data.Grant != nil || data.Items[0].Name != nil {
		t.Error("what is absent or null is nil", data)
	}
	if data.Items[0].Quantity != 3 || *data.Items[0].PriceDecimal != 1.5 || data.Metadata["a"] != "b" {
		t.Error("what is there is read", data)
	}
}

func TestAnOrderIsWrittenWithoutWhatIsLeftOut(t *testing.T) {
	price := 4.99
	order := CreateOrder{PlayerID: "ann", Items: []OrderItemInput{{SKU: "gem"}}, PriceDecimal: &price}
	text, err := json.Marshal(order)
	if expected := `{"player_id":"ann","items":[{"sku":"gem"}],"price_decimal":4.99}`; err != nil || string(text) != expected {
		t.Error(string(text), err)
	}
}
