export const LANGUAGES = ['node', 'python', 'go', 'java', 'csharp', 'php', 'ruby'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The line to change in each language. */
type Lines = Record<Language, string>;

const VERIFY: Lines = {
  node: "if (!timingSafeEqual(Buffer.from(given), Buffer.from(createHmac('sha256', SECRET).update(timestamp + '.').update(raw).digest('hex')))) return respond(403);",
  python:
    'if not hmac.compare_digest(given, hmac.new(SECRET, timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest()): return 403',
  go: 'if !hmac.Equal([]byte(given), []byte(hex.EncodeToString(mac.Sum(nil)))) { return reply{403, "…"} }',
  java: 'if (!MessageDigest.isEqual(given, HexFormat.of().formatHex(mac.doFinal(raw)).getBytes(UTF_8))) return new Answer(403, "…");',
  csharp: 'if (!CryptographicOperations.FixedTimeEquals(given, expected)) return (403, "…");',
  php: "if (!hash_equals(hash_hmac('sha256', $timestamp . '.' . $raw, $secret), $given)) return [403, …];",
  ruby: 'return [403, …] unless OpenSSL.secure_compare(given, OpenSSL::HMAC.hexdigest(\'SHA256\', SECRET, "#{timestamp}." + raw))',
};

const TOLERANCE: Lines = {
  node: 'if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return respond(403);',
  python: 'if abs(time.time() - int(timestamp)) > 300: return 403',
  go: 'if math.Abs(float64(time.Now().Unix()-timestamp)) > 300 { return reply{403, "…"} }',
  java: 'if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return new Answer(403, "…");',
  csharp: 'if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - timestamp) > 300) return (403, "…");',
  php: 'if (abs(time() - (int) $timestamp) > 300) return [403, …];',
  ruby: 'return [403, …] if (Time.now.to_i - timestamp.to_i).abs > 300',
};

const RAW: Lines = {
  node: "app.post('/webhook', express.raw({ type: '*/*', limit: '1mb' }), handler); // before express.json()",
  python: 'raw = self.rfile.read(length)  # bytes; json.loads(raw) only after the signature was checked',
  go: 'raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // sign these bytes, then json.Unmarshal(raw, &event)',
  java: 'byte[] raw = exchange.getRequestBody().readNBytes(1024 * 1024 + 1); // sign these bytes, never a String of them',
  csharp: 'byte[] raw = new BinaryReader(request.InputStream).ReadBytes(1024 * 1024 + 1); // sign these bytes',
  php: "$raw = file_get_contents('php://input'); // sign these bytes, then json_decode($raw, true)",
  ruby: "raw = request.body.read.b # sign these bytes, then JSON.parse(raw.force_encoding('UTF-8'))",
};

const ONCE: Lines = {
  node: "const fresh = await tx.query('insert into handled (key) values ($1) on conflict do nothing', [event.idempotency_key]); if (fresh.rowCount === 0) return respond(200);",
  python:
    'cur.execute("insert into handled (key) values (%s) on conflict do nothing", (event["idempotency_key"],)); fresh = cur.rowcount == 1',
  go: 'result, err := tx.Exec("insert into handled (key) values ($1) on conflict do nothing", event.Key) // grant only if one row was inserted',
  java: 'int fresh = statement.executeUpdate("insert into handled (key) values (?) on conflict do nothing"); // grant only if it is 1',
  csharp:
    'int fresh = command.ExecuteNonQuery(); // "insert into handled … on conflict do nothing": grant only if it is 1',
  php: "$insert->execute([$event['idempotency_key']]); if ($insert->rowCount() === 0) return [200, ['status' => 'ok']];",
  ruby: "fresh = db.exec_params('insert into handled (key) values ($1) on conflict do nothing', [event['idempotency_key']]).cmd_tuples == 1",
};

const KINDS: Lines = {
  node: "if (event.event_type !== 'item.add' && event.event_type !== 'item.remove') return respond(400);",
  python: 'if kind not in ("item.add", "item.remove"): return 400',
  go: 'if e.Kind != "item.add" && e.Kind != "item.remove" { return reply{400, "…"} }',
  java: 'if (!kind.equals("item.add") && !kind.equals("item.remove")) return new Answer(400, "…");',
  csharp: 'if (kind != "item.add" && kind != "item.remove") return (400, "…");',
  php: "if ($kind !== 'item.add' && $kind !== 'item.remove') return [400, …];",
  ruby: 'return [400, …] unless %w[item.add item.remove].include?(kind)',
};

const PREVIOUS: Lines = {
  node: "['x-service-signature', 'x-service-signature-previous'].some(name => matches(headers[name]))",
  python: 'any(matches(headers.get(name, "")) for name in ("x-service-signature", "x-service-signature-previous"))',
  go: 'matches(header.Get("x-service-signature")) || matches(header.Get("x-service-signature-previous"))',
  java: 'matches(headers, "x-service-signature") || matches(headers, "x-service-signature-previous")',
  csharp: 'Matches(headers["x-service-signature"]) || Matches(headers["x-service-signature-previous"])',
  php: "matches($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '') || matches($_SERVER['HTTP_X_SERVICE_SIGNATURE_PREVIOUS'] ?? '')",
  ruby: '%w[x-service-signature x-service-signature-previous].any? { |name| matches?(headers[name]) }',
};

const REVOKE: Lines = {
  node: "held.set(sku, (held.get(sku) ?? 0) + (event_type === 'item.add' ? quantity : -quantity));",
  python: 'held[sku] = held.get(sku, 0) + (quantity if kind == "item.add" else -quantity)',
  go: 'inventory[key] += map[bool]int{true: quantity, false: -quantity}[e.Kind == "item.add"]',
  java: 'inventory.merge(key, kind.equals("item.add") ? quantity : -quantity, Long::sum);',
  csharp: 'inventory[key] = held + (kind == "item.add" ? quantity : -quantity);',
  php: "$inventory[$sku] = ($inventory[$sku] ?? 0) + ($kind === 'item.add' ? $quantity : -$quantity);",
  ruby: "inventory[sku] += kind == 'item.add' ? quantity : -quantity",
};

const ANSWER: Lines = {
  node: 'response.writeHead(200).end(\'{"status":"ok"}\'); // after the grant is saved, within 10 s; slow work goes into a queue',
  python: 'return 200, {"status": "ok"}  # after the grant is saved, within 10 s; slow work goes into a queue',
  go: 'w.WriteHeader(200) // after the grant is saved, within 10 s; slow work goes into a queue',
  java: 'return new Answer(200, "{\\"status\\":\\"ok\\"}"); // after the grant is saved, within 10 s',
  csharp: 'return (200, "{\\"status\\":\\"ok\\"}"); // after the grant is saved, within 10 s',
  php: "return [200, ['status' => 'ok']]; // after the grant is saved, within 10 s",
  ruby: "[200, { status: 'ok' }] # after the grant is saved, within 10 s",
};

export const FIXES = { VERIFY, TOLERANCE, RAW, ONCE, KINDS, PREVIOUS, REVOKE, ANSWER } as const;
export type Fix = keyof typeof FIXES;

const HINTS: [RegExp, Language][] = [
  [/\b(?:python\d?|uvicorn|gunicorn|flask)\b|\.py\b/i, 'python'],
  [/\bgo (?:run|build)\b|\.go\b/i, 'go'],
  [/\bjava\b|\.jar\b/i, 'java'],
  [/\b(?:dotnet|mono|kestrel)\b|\.cs\b/i, 'csharp'],
  [/\bphp\b/i, 'php'],
  [/\b(?:ruby|rails|puma|rackup)\b|\.rb\b/i, 'ruby'],
];

/** Guesses from the start command or the `Server` header. Node is the default. */
export const guessLanguage = (clue: string): Language => HINTS.find(([pattern]) => pattern.test(clue))?.[1] ?? 'node';
