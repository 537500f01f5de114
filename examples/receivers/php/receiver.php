<?php
// A Coinslot webhook receiver in plain PHP 8. Run: WEBHOOK_SECRET=… php -S 127.0.0.1:4300 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

function is_signed(string $secret, string $raw): bool
{
    $timestamp = $_SERVER['HTTP_X_SERVICE_SIGNATURE_TIMESTAMP'] ?? '';
    // \z, because $ would also allow a line break after the digits.
    if (!preg_match('/^[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $raw, $secret);
    // During a rotation the previous secret signs in the second header.
    return hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')
        || hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE_PREVIOUS'] ?? '');
}

/** @return array{0: int, 1: array<string, string>} */
function handle(array $event, array &$inventory, array &$orders): array
{
    ['event_type' => $kind, 'event_data' => $data] = $event;
    $player = $data['player_id'];
    if ($kind === 'item.add' && $player === 'banned') {
        return [422, ['code' => 'declined', 'message' => 'This player is banned.']];
    }
    // The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
    $order = $data['order_id'] ?? '';
    $last = $orders[$order] ?? null;
    $orders[$order] = $kind;
    $counts = $kind === 'item.add' ? $last !== 'item.remove' : $last === 'item.add' || ($data['grant'] ?? '') === 'confirmed';
    if (!$counts) {
        return [200, ['status' => 'ok']];
    }
    foreach ($data['items'] as $item) {
        $quantity = $item['quantity'] ?? 1;
        $change = $kind === 'item.add' ? $quantity : -$quantity;
        $inventory[$player][$item['sku']] = ($inventory[$player][$item['sku']] ?? 0) + $change;
        file_put_contents('php://stderr', "$kind $player {$item['sku']} {$inventory[$player][$item['sku']]}\n");
    }
    return [200, ['status' => 'ok']];
}

/** Each request stands alone, so state is kept in a file. A real game uses one transaction of its database here. */
function handle_once(array $event): array
{
    $path = getenv('STATE_FILE') ?: sys_get_temp_dir() . '/coinslot-receiver.json';
    $lock = fopen("$path.lock", 'c');
    flock($lock, LOCK_EX);
    $saved = is_file($path) ? json_decode(file_get_contents($path), true) : [];
    $state = $saved + ['inventory' => [], 'answered' => [], 'orders' => []];
    $key = $event['idempotency_key'];
    if (!isset($state['answered'][$key])) {
        $state['answered'][$key] = handle($event, $state['inventory'], $state['orders']);
        // Grant and key are saved together, before the response: after a crash both are there, or neither.
        file_put_contents("$path.new", json_encode($state, JSON_THROW_ON_ERROR));
        rename("$path.new", $path);
    }
    fclose($lock);
    return $state['answered'][$key];
}

function answer(): array
{
    $secret = getenv('WEBHOOK_SECRET'); // the S2S key, or the secret of the webhook
    // With an empty or guessable secret any stranger could grant items.
    if (strlen(trim((string) $secret)) < 8) {
        return [500, ['error' => 'WEBHOOK_SECRET is not set']];
    }
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > MAX_BODY_BYTES) {
        return [413, ['error' => 'too large']];
    }
    $raw = file_get_contents('php://input');
    if (!is_signed($secret, $raw)) {
        return [403, ['error' => 'signature']];
    }
    $event = json_decode($raw, true);
    $kind = is_array($event) ? ($event['event_type'] ?? null) : null;
    if ($kind === 'webhook.test') {
        return [200, ['status' => 'ok']];
    }
    if ($kind !== 'item.add' && $kind !== 'item.remove') {
        return [400, ['error' => 'event_type']];
    }
    // Answers when it is saved, and not before: a 2xx captures the money.
    return handle_once($event);
}

[$status, $body] = answer();
http_response_code($status);
header('content-type: application/json');
echo json_encode($body);
