// A Coinslot webhook receiver with only the JDK (17 or newer). Run: WEBHOOK_SECRET=... PORT=4300 java Receiver.java
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final String SECRET = System.getenv("WEBHOOK_SECRET"); // the S2S key, or the secret of the webhook
    static final int TOLERANCE_SECONDS = 300, MAX_BODY_BYTES = 1024 * 1024;
    record Answer(int status, String body) {}
    static final Answer OK = new Answer(200, "{\"status\":\"ok\"}");
    // All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
    // key, or neither. In your game, save both in one transaction of its database.
    static final Map<List<String>, Long> inventory = new HashMap<>();
    static final Map<String, Answer> answered = new HashMap<>();
    static final Map<Object, String> orders = new HashMap<>();
    static final Path JOURNAL = Path.of(System.getenv().getOrDefault("JOURNAL", "granted.journal"));

    static boolean isSigned(Headers headers, byte[] raw, String secret, long now) throws GeneralSecurityException {
        String timestamp = headers.getOrDefault("x-service-signature-timestamp", List.of("")).get(0);
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        mac.update((timestamp + ".").getBytes(UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(raw)).getBytes(UTF_8);
        // During a rotation the previous secret signs in the second header.
        return List.of("x-service-signature", "x-service-signature-previous").stream()
            .map(name -> headers.getOrDefault(name, List.of("")).get(0).getBytes(UTF_8))
            .anyMatch(given -> MessageDigest.isEqual(given, expected));
    }

    static Answer handle(Map<?, ?> event, Consumer<String> say) {
        String kind = (String) event.get("event_type");
        Map<?, ?> data = (Map<?, ?>) event.get("event_data");
        String player = (String) data.get("player_id");
        if (kind.equals("item.add") && player.equals("banned"))
            return new Answer(422, "{\"code\":\"declined\",\"message\":\"This player is banned.\"}");
        // The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
        String last = orders.put(data.get("order_id"), kind);
        boolean counts = kind.equals("item.add") ? !"item.remove".equals(last)
            : "item.add".equals(last) || "confirmed".equals(data.get("grant"));
        if (!counts) return OK;
        for (Object entry : (List<?>) data.get("items")) {
            Map<?, ?> item = (Map<?, ?>) entry;
            long quantity = item.get("quantity") instanceof Double given ? given.longValue() : 1;
            long change = kind.equals("item.add") ? quantity : -quantity;
            long held = inventory.merge(List.of(player, (String) item.get("sku")), change, Long::sum);
            say.accept(kind + " " + player + " " + item.get("sku") + " " + held);
        }
        return OK;
    }

    static synchronized Answer handleOnce(Map<?, ?> event, byte[] raw) throws IOException {
        String key = (String) event.get("idempotency_key");
        if (!answered.containsKey(key)) {
            append(Base64.getEncoder().encodeToString(raw));
            answered.put(key, handle(event, System.out::println));
        }
        return answered.get(key);
    }

    static void append(String line) throws IOException {
        Files.writeString(JOURNAL, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static void replay() throws IOException {
        for (String line : Files.exists(JOURNAL) ? Files.readAllLines(JOURNAL) : List.<String>of()) {
            try {
                Map<?, ?> event = (Map<?, ?>) new Json(new String(Base64.getDecoder().decode(line), UTF_8)).read();
                answered.put((String) event.get("idempotency_key"), handle(event, words -> {}));
            } catch (RuntimeException cutOff) {
                continue; // A line that a crash cut off was never answered.
            }
        }
        append("");
    }

    static Answer answer(Headers headers, byte[] raw) throws IOException, GeneralSecurityException {
        if (raw.length > MAX_BODY_BYTES) return new Answer(413, "{\"error\":\"too large\"}");
        long now = System.currentTimeMillis() / 1000;
        if (!isSigned(headers, raw, SECRET, now)) return new Answer(403, "{\"error\":\"signature\"}");
        Map<?, ?> event;
        try {
            event = (Map<?, ?>) new Json(new String(raw, UTF_8)).read();
        } catch (RuntimeException odd) {
            return new Answer(400, "{\"error\":\"not an event\"}");
        }
        String kind = String.valueOf(event.get("event_type"));
        if (kind.equals("webhook.test")) return OK;
        if (!List.of("item.add", "item.remove").contains(kind)) return new Answer(400, "{\"error\":\"event_type\"}");
        // Answers when it is saved, and not before: a 2xx captures the money.
        return handleOnce(event, raw);
    }

    static void receive(HttpExchange exchange) throws IOException {
        Answer answer = new Answer(500, "{\"error\":\"failed\"}");
        try {
            byte[] raw = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
            answer = answer(exchange.getRequestHeaders(), raw);
        } catch (Exception failure) {
            failure.printStackTrace();
        }
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(answer.status(), answer.body().length());
        exchange.getResponseBody().write(answer.body().getBytes(UTF_8));
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        // With an empty or guessable secret any stranger could grant items.
        if (SECRET == null || SECRET.strip().length() < 8)
            throw new IllegalStateException("Set WEBHOOK_SECRET to the signing secret: the S2S key or the webhook's.");
        replay();
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4300"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    /** The JDK has no JSON parser: use your library here. This one only handles valid JSON, which signed bodies are. */
    static class Json {
        private final String text;
        private int at = 0; // past the end, charAt throws

        Json(String text) { this.text = text; }

        Object read() {
            char first = peek();
            if (first == '"') return string();
            if (first == '{') {
                Map<Object, Object> fields = new HashMap<>();
                for (at++; peek() != '}'; ) fields.put(read(), read());
                at++;
                return fields;
            }
            if (first == '[') {
                List<Object> entries = new ArrayList<>();
                for (at++; peek() != ']'; ) entries.add(read());
                at++;
                return entries;
            }
            int start = at;
            while (",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return List.of("true", "false", "null").contains(word) ? word : Double.valueOf(word);
        }

        private char peek() {
            while (" \t\r\n,:".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (char c = text.charAt(++at); c != '"'; c = text.charAt(++at)) {
                int letter = c == '\\' ? "bfnrtu".indexOf(c = text.charAt(++at)) : -1;
                if (letter == 5) c = (char) Integer.parseInt(text, at + 1, (at += 4) + 1, 16);
                else if (letter >= 0) c = "\b\f\n\r\t".charAt(letter);
                out.append(c);
            }
            at++;
            return out.toString();
        }
    }
}
