/** What stands in each receiver in place of the exam's advice, so that the case that it is for fails. */
import type { AdviceFix, AdviceLanguage } from '../../../tools/advice/advice-places.ts';

/** The lines in place of the advice, and what else changes with them. */
export type Mistake = string | { lines: string; also: readonly (readonly [from: string, to: string])[] };

/** The case that each advice is for. */
export const CASE_OF: Record<AdviceFix, string> = {
  VERIFY: 'wrong_signature',
  TOLERANCE: 'old',
  PREVIOUS: 'rotated_secret',
  SECRET: 'weak_secret',
  DECLINE: 'no_decline',
  RAW: 'unicode',
  LIMIT: 'large_body',
  ONCE: 'twice',
  KEY: 'shared_order',
  DURABLE: 'crash',
  ANSWER: 'commit_before_answer',
  REVOKE: 'add_then_remove',
  QUANTITY: 'quantity',
  GRANTED: 'remove_ungranted',
  KINDS: 'unknown_kind',
  PARSE: 'not_an_event',
  TEST: 'test_event',
  FIELDS: 'unknown_fields',
};

export const MISTAKES: Record<AdviceLanguage, Record<AdviceFix, Mistake>> = {
  node: {
    VERIFY: 'return given.length === expected.length;',
    TOLERANCE: 'if (!/^\\d{1,12}$/.test(timestamp)) return false;',
    PREVIOUS: "return ['x-service-signature'].some(name => {",
    SECRET: '',
    DECLINE: "if (!isSigned(headers, raw)) return [422, { code: 'declined' }];",
    RAW: "return Buffer.from(Buffer.concat(chunks).toString('latin1'));",
    LIMIT: 'const MAX_BODY_BYTES = 100 * 1024;',
    ONCE: 'answered.set(key, handle(event, console.log));',
    KEY: 'const key = event.event_data.order_id;',
    DURABLE: '',
    ANSWER: "setTimeout(() => handleOnce(event, raw), 1_000);\nreturn [200, { status: 'ok' }];",
    REVOKE: 'const change = quantity;',
    QUANTITY: "const change = event_type === 'item.add' ? 1 : -1;",
    GRANTED: '',
    KINDS:
      "if (!event.event_type.startsWith('item.add') && event.event_type !== 'item.remove') throw new Error('unknown');",
    PARSE: "const event = JSON.parse(raw.toString('utf8'));",
    TEST: '',
    FIELDS:
      "const { player_id, items, order_id, grant } = event_data;\nif ('season' in event_data) throw new Error('an unknown field');",
  },
  python: {
    VERIFY: 'return any(len(one) == len(expected) for one in given)',
    TOLERANCE: 'if not re.fullmatch(r"[0-9]{1,12}", timestamp):\n    return False',
    PREVIOUS: 'given = [headers.get("x-service-signature", "")]',
    SECRET: '',
    DECLINE: 'if not is_signed(headers, raw):\n    return 422, {"code": "declined"}',
    RAW: 'raw = self.rfile.read(length).decode("latin-1").encode()',
    LIMIT: 'MAX_BODY_BYTES = 100 * 1024',
    ONCE: 'answered[key] = handle(event, lambda *words: print(*words, flush=True))',
    KEY: 'key = event["event_data"]["order_id"]',
    DURABLE: 'pass',
    ANSWER: 'threading.Timer(1, handle_once, (event, raw)).start()\nreturn 200, {"status": "ok"}',
    REVOKE: 'change = quantity',
    QUANTITY: 'change = 1 if kind == "item.add" else -1',
    GRANTED: '',
    KINDS: 'if kind not in ("item.add", "item.remove"):\n    raise ValueError(kind)',
    PARSE: 'event = json.loads(raw)\nkind = event["event_type"]',
    TEST: '',
    FIELDS:
      'kind, data = event["event_type"], event["event_data"]\nif "season" in data:\n    raise ValueError("an unknown field")',
  },
  go: {
    VERIFY: 'return len(header.Get("x-service-signature")) == len(expected)',
    TOLERANCE:
      'seconds, err := strconv.ParseUint(timestamp, 10, 40)\nif err != nil || int64(seconds) > time.Now().Unix()+toleranceSeconds {\n\treturn false\n}',
    PREVIOUS: 'return hmac.Equal([]byte(header.Get("x-service-signature")), expected)',
    SECRET: '',
    DECLINE: 'case !isSigned(header, raw):\n\treturn reply{422, `{"code":"declined"}`}',
    RAW: `if raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes)); err == nil {
	result = answer(r.Header, bytes.ReplaceAll(raw, []byte("ë"), []byte("?")))
}`,
    LIMIT: 'const toleranceSeconds, maxBodyBytes = 300, 100 * 1024',
    ONCE: 'answered[e.Key] = handle(e, func(words ...any) { fmt.Println(words...) })',
    KEY: {
      lines: 'Key  string `json:"idempotency_key"`',
      also: [['answered[e.Key]', 'answered[e.Data.Order]']],
    },
    DURABLE: '',
    ANSWER: 'go func() { time.Sleep(time.Second); handleOnce(e, raw) }()\nreturn ok',
    REVOKE: '',
    QUANTITY: '',
    GRANTED: '',
    KINDS: 'case e.Kind != "item.add" && e.Kind != "item.remove":\n\tpanic("unknown")',
    PARSE: 'case json.Unmarshal(raw, &e) != nil:\n\tpanic("not JSON")',
    TEST: '',
    FIELDS: `case func() error { strict := json.NewDecoder(bytes.NewReader(raw)); strict.DisallowUnknownFields(); return strict.Decode(&e) }() != nil:
	return reply{400, "{}"}`,
  },
  java: {
    VERIFY: '.anyMatch(given -> given.length == expected.length);',
    TOLERANCE: 'if (!timestamp.matches("[0-9]{1,12}")) return false;',
    PREVIOUS: 'return List.of("x-service-signature").stream()',
    SECRET: {
      lines: '',
      also: [['secret.getBytes(UTF_8)', '(secret.isEmpty() ? "secret" : secret).getBytes(UTF_8)']],
    },
    DECLINE: 'if (!isSigned(headers, raw, SECRET, now)) return new Answer(422, "{\\"code\\":\\"declined\\"}");',
    RAW: 'byte[] raw = new String(exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1).getBytes(UTF_8);',
    LIMIT: 'static final int TOLERANCE_SECONDS = 300, MAX_BODY_BYTES = 100 * 1024;',
    ONCE: 'answered.put(key, handle(event, System.out::println));',
    KEY: 'String key = (String) ((Map<?, ?>) event.get("event_data")).get("order_id");',
    DURABLE: '',
    ANSWER:
      'new Thread(() -> { try { Thread.sleep(1000); handleOnce(event, raw); } catch (Exception late) { } }).start();\nreturn OK;',
    REVOKE: 'long change = quantity;',
    QUANTITY: 'long quantity = 1;',
    GRANTED: '',
    KINDS: 'if (!List.of("item.add", "item.remove").contains(kind)) throw new IllegalStateException(kind);',
    PARSE: 'Map<?, ?> event = (Map<?, ?>) new Json(new String(raw, UTF_8)).read();',
    TEST: '',
    FIELDS:
      'Map<?, ?> data = (Map<?, ?>) event.get("event_data");\nif (data.containsKey("season")) throw new IllegalStateException("an unknown field");',
  },
  csharp: {
    VERIFY: 'return current.Length == expected.Length;',
    TOLERANCE: String.raw`if (!Regex.IsMatch(timestamp, @"^[0-9]{1,12}\z")) return false;`,
    PREVIOUS: 'return CryptographicOperations.FixedTimeEquals(current, expected);',
    SECRET: '',
    DECLINE: 'if (!IsSigned(request.Headers, raw)) return (422, "{\\"code\\":\\"declined\\"}");',
    RAW: 'byte[] raw = Encoding.UTF8.GetBytes(Encoding.GetEncoding(28591).GetString(new BinaryReader(request.InputStream).ReadBytes(MaxBodyBytes + 1)));',
    LIMIT: 'const int ToleranceSeconds = 300, MaxBodyBytes = 100 * 1024;',
    ONCE: 'Answered[key] = Handle(body, Console.WriteLine);',
    KEY: 'string key = (string)body.Element("event_data").Element("order_id");',
    DURABLE: '',
    ANSWER:
      'ThreadPool.QueueUserWorkItem(_ => { Thread.Sleep(1000); HandleOnce(body, raw); });\nreturn (200, "{\\"status\\":\\"ok\\"}");',
    REVOKE: 'Inventory[(player, sku)] = held + quantity;',
    QUANTITY: 'long quantity = 1;',
    GRANTED: '',
    KINDS: 'if (kind != "item.add" && kind != "item.remove") throw new InvalidOperationException(kind);',
    PARSE: 'body = Parse(raw);',
    TEST: '',
    FIELDS:
      'XElement data = body.Element("event_data");\nif (data.Element("season") != null) throw new InvalidOperationException("an unknown field");',
  },
  php: {
    VERIFY: "return strlen($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '') === strlen($expected);",
    TOLERANCE: String.raw`if (!preg_match('/^[0-9]{1,12}\z/', $timestamp)) {
    return false;
}`,
    PREVIOUS: "return hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '');",
    SECRET: '',
    DECLINE: "if (!is_signed($secret, $raw)) {\n    return [422, ['code' => 'declined']];\n}",
    RAW: "$raw = iconv('ISO-8859-1', 'UTF-8', file_get_contents('php://input'));",
    LIMIT: 'const MAX_BODY_BYTES = 100 * 1024;',
    ONCE: `$state['answered'][$key] = handle($event, $state['inventory'], $state['orders']);
file_put_contents("$path.new", json_encode($state, JSON_THROW_ON_ERROR));
rename("$path.new", $path);`,
    KEY: "$key = $event['event_data']['order_id'];",
    DURABLE: {
      lines: 'file_put_contents("$path." . getmypid(), json_encode($state, JSON_THROW_ON_ERROR));',
      also: [
        [
          'is_file($path) ? json_decode(file_get_contents($path), true)',
          'is_file("$path." . getmypid()) ? json_decode(file_get_contents("$path." . getmypid()), true)',
        ],
      ],
    },
    ANSWER: `header('content-length: 15');
echo '{"status":"ok"}';
while (ob_get_level() > 0) {
    ob_end_flush();
}
flush();
sleep(1);
handle_once($event);
exit;`,
    REVOKE: '$change = $quantity;',
    QUANTITY: '$quantity = 1;',
    GRANTED: '',
    KINDS:
      "if (is_string($kind) && $kind !== 'item.add' && $kind !== 'item.remove') {\n    return [500, ['error' => 'unknown']];\n}",
    PARSE:
      "if ($event === null) {\n    return [500, ['error' => 'not JSON']];\n}\n$kind = $event['event_type'] ?? null;",
    TEST: '',
    FIELDS:
      "['event_type' => $kind, 'event_data' => $data] = $event;\nif (isset($data['season'])) {\n    return [400, ['error' => 'an unknown field']];\n}",
  },
  ruby: {
    VERIFY: "headers.fetch(name, '').length == expected.length",
    TOLERANCE: String.raw`return false unless timestamp.match?(/\A[0-9]{1,12}\z/)`,
    PREVIOUS: '%w[x-service-signature].any? do |name|',
    SECRET: '',
    DECLINE: "return [422, { code: 'declined' }] unless signed?(headers, raw)",
    RAW: "status, body = answer(headers, (socket.read(length) || '').force_encoding('ISO-8859-1').encode('UTF-8').b)",
    LIMIT: 'MAX_BODY_BYTES = 100 * 1024',
    ONCE: 'ANSWERED[key] = handle(event, method(:puts))',
    KEY: "key = event['event_data']['order_id']",
    DURABLE: '',
    ANSWER: 'Thread.new { sleep 1; handle_once(event, raw) }\nOK',
    REVOKE: "INVENTORY[player][item['sku']] += quantity",
    QUANTITY: 'quantity = 1',
    GRANTED: '',
    KINDS: "raise 'unknown' unless %w[item.add item.remove].include?(kind)",
    PARSE: '',
    TEST: '',
    FIELDS: "kind, data = event.values_at('event_type', 'event_data')\nraise 'an unknown field' if data.key?('season')",
  },
};
