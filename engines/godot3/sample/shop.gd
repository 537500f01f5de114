# A shop with one button, against the game of examples/game: `npm run demo`, then run this scene.
# With --buy=SKU and --backend=URL it presses the button itself and prints what happens, without a screen.
extends VBoxContainer

onready var checkout: Node = $Checkout
onready var says: Label = $Says


func _ready() -> void:
	var _pressed = $Buy.connect("pressed", self, "_buy", ["crystals_100"])
	for event in ["opened", "granted", "ended", "failed"]:
		var _heard = checkout.connect(event, self, "_on_" + event)
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--backend="):
			checkout.backend_url = argument.substr(10)
			checkout.open_address = funcref(self, "_print_address")
		if argument.begins_with("--buy="):
			call_deferred("_buy", argument.substr(6))


func _buy(sku: String) -> void:
	checkout.buy(sku)


func _print_address(address: String) -> void:
	print("open ", address)


func _say(text: String) -> void:
	says.text = text
	print(text)


func _on_opened(_order_id: String) -> void:
	_say("Pay in your browser, then come back.")


func _on_granted(_order_id: String) -> void:
	_say("The crystals are yours.")


func _on_ended(_order_id: String, status: String) -> void:
	_say("No crystals: " + status)


func _on_failed(reason: String) -> void:
	_say(reason)
