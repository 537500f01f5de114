## Opens the payment page of an order, and says when the game's own backend has granted it. Godot 4.
##
## The client never has the S2S key. It asks your backend, which has two calls:
## POST [member backend_url]/api/buy with {"sku": …} answers {"orderId": …, "checkoutUrl": …};
## GET [member backend_url]/api/orders/ORDER_ID answers {"status": …}.
extends Node

## The page is open in the player's browser.
signal opened(order_id: String)
## The game's backend has the items: show them. A deep link alone proves nothing.
signal granted(order_id: String)
## The order ended without items: declined, canceled, expired, refunded.
signal ended(order_id: String, status: String)
## The backend could not be asked, or it refused to sell.
signal failed(reason: String)

const GRANTED := ["authorized", "paid", "disputed"]
const OPEN := ["created", "pending"]
const POLL_SECONDS := 2.0
const LONGEST_SECONDS := 900.0

## Your backend, such as https://game.example.com.
@export var backend_url := ""
## How your backend knows the player: the value of the Authorization header.
@export var authorization := ""
## The scheme of your deep links, such as mygame.
@export var scheme := "mygame"

## Opens the address; tests put their own in its place.
var open_address := func(address: String) -> void: OS.shell_open(address)

var _order_id := ""
var _waited := 0.0
var _since_look := 0.0
var _is_looking := false


## Call it in the handler of a button: on the web a browser opens a tab only then.
func buy(sku: String) -> void:
	var tab = null
	if OS.has_feature("web"):
		# A tab that is opened after the answer counts as a pop-up, so it is opened now and led to the page later.
		tab = JavaScriptBridge.get_interface("window").open("", "_blank")
	var answer = await _ask("/api/buy", HTTPClient.METHOD_POST, JSON.stringify({"sku": sku}))
	if answer == null or not is_safe(str(answer.get("checkoutUrl", ""))):
		if tab != null:
			tab.close()
		failed.emit(str(answer.get("problem", "The shop gave no payment page.")) if answer else "The shop cannot be reached.")
		return
	var address := str(answer["checkoutUrl"])
	if tab != null:
		tab.location.replace(address)
	else:
		open_address.call(address)
	watch(str(answer["orderId"]))
	opened.emit(_order_id)


## Goes on with an order of an earlier run of the game.
func watch(order_id: String) -> void:
	_order_id = order_id
	_waited = 0.0
	_since_look = 0.0


## Reads mygame://paid?order=ord_1; give it what the system started the game with, or what your deep-link plugin tells.
func handle_link(link: String) -> bool:
	var order_id := order_of(link, scheme)
	if order_id == "":
		return false
	watch(order_id)
	_look()
	return true


static func order_of(link: String, own_scheme: String) -> String:
	if not link.begins_with(own_scheme + "://"):
		return ""
	var found := RegEx.create_from_string("[?&]order=(ord_[0-9a-z]+)(?:&|#|$)").search(link)
	return found.get_string(1) if found else ""


## The page of a real shop is encrypted; only one on this machine may be without.
static func is_safe(address: String) -> bool:
	return address.begins_with("https://") or address.begins_with("http://localhost:") or address.begins_with("http://127.0.0.1:")


func _ready() -> void:
	for argument in OS.get_cmdline_args():
		if handle_link(argument):
			break


func _notification(what: int) -> void:
	# The player came back by the link or by hand: ask at once.
	if what == NOTIFICATION_APPLICATION_FOCUS_IN or what == NOTIFICATION_APPLICATION_RESUMED:
		_look()


func _process(delta: float) -> void:
	if _order_id == "":
		return
	_waited += delta
	_since_look += delta
	if _waited > LONGEST_SECONDS:
		_order_id = ""
	elif _since_look >= POLL_SECONDS:
		_look()


func _look() -> void:
	if _order_id == "" or _is_looking or not is_inside_tree():
		return
	_is_looking = true
	_since_look = 0.0
	var order_id := _order_id
	var answer = await _ask("/api/orders/" + order_id.uri_encode(), HTTPClient.METHOD_GET, "")
	_is_looking = false
	if answer == null or order_id != _order_id:
		return
	var status := str(answer.get("status", ""))
	if status in OPEN or status == "":
		return
	_order_id = ""
	if status in GRANTED:
		granted.emit(order_id)
	else:
		ended.emit(order_id, status)


func _ask(path: String, method: int, body: String) -> Variant:
	var request := HTTPRequest.new()
	request.timeout = 10.0
	add_child(request)
	var headers := ["Content-Type: application/json"]
	if authorization != "":
		headers.append("Authorization: " + authorization)
	var answer = null
	if request.request(backend_url + path, headers, method, body) == OK:
		var result: Array = await request.request_completed
		if result[0] == HTTPRequest.RESULT_SUCCESS:
			answer = JSON.parse_string(result[3].get_string_from_utf8())
	request.queue_free()
	return answer if answer is Dictionary else null
