# Run by a test: godot3-server --script res://check_links.gd
extends SceneTree

const Checkout = preload("res://addons/coinslot/checkout.gd")


func _init() -> void:
	var links := {
		"mygame://paid?order=ord_1a": "ord_1a",
		"mygame://paid?x=1&order=ord_2b&y=2": "ord_2b",
		"mygame://paid": "",
		"other://paid?order=ord_1a": "",
		"mygame://paid?order=ord_1a/../..": "",
		"mygame://paid?reorder=ord_1a": "",
	}
	for link in links:
		if Checkout.order_of(link, "mygame") != links[link]:
			print("wrong: ", link)
	for address in ["https://pay.example.com/checkout/x", "http://localhost:4242/checkout/x"]:
		if not Checkout.is_safe(address):
			print("wrong: ", address)
	for address in ["http://pay.example.com/x", "file:///etc/passwd", "javascript:alert(1)", "http://localhost.evil.example/", ""]:
		if Checkout.is_safe(address):
			print("wrong: ", address)
	print("checked")
	quit()
