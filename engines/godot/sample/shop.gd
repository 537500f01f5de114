## A shop with one button, against the game of examples/game: `npm run demo`, then run this scene.
extends VBoxContainer

@onready var checkout: Node = $Checkout
@onready var says: Label = $Says


func _ready() -> void:
	$Buy.pressed.connect(func() -> void: checkout.buy("crystals_100"))
	checkout.opened.connect(func(_order_id: String) -> void: says.text = "Pay in your browser, then come back.")
	checkout.granted.connect(func(_order_id: String) -> void: says.text = "The crystals are yours.")
	checkout.ended.connect(func(_order_id: String, status: String) -> void: says.text = "No crystals: " + status)
	checkout.failed.connect(func(reason: String) -> void: says.text = reason)
