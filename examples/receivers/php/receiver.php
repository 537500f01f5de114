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
function handle(array $event, array &$inventory): array
{
    $kind = $event['event_type'];
    $player = $event['event_data']['player_id'];
    if ($kind === 'item.add' && $player === 'banned') {
        return [422, ['code' => 'declined', 'message' => 'This player is banned.']];
    }
    foreach ($event['event_data']['items'] as $item) {
        $change = ($item['quantity'] ?? 1) * ($kind === 'item.add' ? 1 : -1);
        $inventory[$player][$item['sku']] = ($inventory[$player][$item['sku']] ?? 0) + $change;
        file_put_contents('php://stderr', "$kind $player {$item['sku']} {$inventory[$player][$item['sku']]}\n");
    }
    return [200, ['status' => 'ok']];
}

/** Each request is its own process, so state is kept in a file. A real game uses its database here. */
function handle_once(array $event): array
{
    $file = fopen(getenv('STATE_FILE') ?: sys_get_temp_dir() . '/coinslot-receiver.json', 'c+');
    flock($file, LOCK_EX);
    $state = json_decode(stream_get_contents($file) ?: '{}', true) + ['inventory' => [], 'answered' => []];
    $key = $event['idempotency_key'];
    $state['answered'][$key] ??= handle($event, $state['inventory']);
    // Saved before responding, because a forgotten grant would be made twice.
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($state, JSON_THROW_ON_ERROR));
    fclose($file);
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
    return handle_once($event);
}

[$status, $body] = answer();
http_response_code($status);
header('content-type: application/json');
echo json_encode($body);
