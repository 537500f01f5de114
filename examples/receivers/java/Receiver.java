// A Coinslot webhook receiver with nothing but the JDK (17 or newer). Run: WEBHOOK_SECRET=… PORT=4300 java Receiver.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final String SECRET = System.getenv("WEBHOOK_SECRET"); // the S2S key, or the secret of the webhook
    static final long TOLERANCE_SECONDS = 300;
    static final int MAX_BODY_BYTES = 1024 * 1024;

    record Answer(int status, String body) {}

    static final Answer OK = new Answer(200, "{\"status\":\"ok\"}");

    // A real game keeps both in its database and writes them in one transaction.
    static final Map<String, Map<String, Long>> inventory = new HashMap<>();
    static final Map<String, Answer> answered = new HashMap<>();

    static boolean isSigned(HttpExchange exchange, byte[] raw) throws Exception {
        String timestamp = header(exchange, "x-service-signature-timestamp");
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(raw)).getBytes(StandardCharsets.US_ASCII);
        // While a secret is being rotated, the former one signs in the second header.
        byte[] current = header(exchange, "x-service-signature").getBytes(StandardCharsets.UTF_8);
        byte[] previous = header(exchange, "x-service-signature-previous").getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(current, expected) || MessageDigest.isEqual(previous, expected);
    }

    static String header(HttpExchange exchange, String name) {
        return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
    }

    static Answer handle(String kind, Map<?, ?> data) {
        String player = (String) data.get("player_id");
        if (kind.equals("item.add") && player.equals("banned"))
            return new Answer(422, "{\"code\":\"declined\",\"message\":\"This player is banned.\"}");
        Map<String, Long> held = inventory.computeIfAbsent(player, unknown -> new HashMap<>());
        for (Object entry : (List<?>) data.get("items")) {
            Map<?, ?> item = (Map<?, ?>) entry;
            long quantity = item.get("quantity") instanceof Double given ? given.longValue() : 1;
            held.merge((String) item.get("sku"), kind.equals("item.add") ? quantity : -quantity, Long::sum);
            System.out.println(kind + " " + player + " " + item.get("sku") + " " + held.get(item.get("sku")));
        }
        return OK;
    }

    static Answer answer(HttpExchange exchange, byte[] raw) throws Exception {
        if (raw.length > MAX_BODY_BYTES) return new Answer(413, "{\"error\":\"too large\"}");
        if (!isSigned(exchange, raw)) return new Answer(403, "{\"error\":\"signature\"}");
        Map<?, ?> event;
        try {
            event = (Map<?, ?>) new Json(new String(raw, StandardCharsets.UTF_8)).read();
        } catch (RuntimeException notAnEvent) {
            return new Answer(400, "{\"error\":\"not an event\"}");
        }
        String kind = String.valueOf(event.get("event_type"));
        if (kind.equals("webhook.test")) return OK;
        if (!kind.equals("item.add") && !kind.equals("item.remove")) return new Answer(400, "{\"error\":\"event_type\"}");
        synchronized (answered) {
            String key = (String) event.get("idempotency_key");
            if (!answered.containsKey(key)) answered.put(key, handle(kind, (Map<?, ?>) event.get("event_data")));
            return answered.get(key);
        }
    }

    static void receive(HttpExchange exchange) throws IOException {
        Answer answer;
        try {
            answer = answer(exchange, exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1));
        } catch (Exception failure) {
            failure.printStackTrace();
            answer = new Answer(500, "{\"error\":\"failed\"}");
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(answer.status(), body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    public static void main(String[] args) throws IOException {
        if (SECRET == null || SECRET.isEmpty()) throw new IllegalStateException("Set WEBHOOK_SECRET.");
        int port = Integer.parseInt(Objects.requireNonNullElse(System.getenv("PORT"), "4300"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
    }

    /** The JDK has no JSON reader. Use your own library here; this one is enough for signed bodies. */
    static class Json {
        private final String text;
        private int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            Object value = value();
            if (peek() != '\0') throw new IllegalArgumentException("something follows the value");
            return value;
        }

        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private void expect(char wanted) {
            if (peek() != wanted) throw new IllegalArgumentException("expected " + wanted + " at " + at);
            at++;
        }

        private Object value() {
            switch (peek()) {
                case '{': return object();
                case '[': return array();
                case '"': return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at);
                    return switch (word) {
                        case "true" -> true;
                        case "false" -> false;
                        case "null" -> null;
                        default -> Double.valueOf(word);
                    };
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> fields = new LinkedHashMap<>();
            expect('{');
            while (peek() != '}') {
                if (!fields.isEmpty()) expect(',');
                peek();
                String name = string();
                expect(':');
                fields.put(name, value());
            }
            at++;
            return fields;
        }

        private List<Object> array() {
            List<Object> entries = new ArrayList<>();
            expect('[');
            while (peek() != ']') {
                if (!entries.isEmpty()) expect(',');
                entries.add(value());
            }
            at++;
            return entries;
        }

        private String string() {
            expect('"');
            StringBuilder out = new StringBuilder();
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c != '\\') {
                    out.append(c);
                    continue;
                }
                char escape = text.charAt(at++);
                if (escape == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    int known = "bfnrt".indexOf(escape);
                    out.append(known < 0 ? escape : "\b\f\n\r\t".charAt(known));
                }
            }
            return out.toString();
        }
    }
}
