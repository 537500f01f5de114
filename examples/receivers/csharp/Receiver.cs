// A Coinslot webhook receiver with nothing but .NET (8 or newer). Run: WEBHOOK_SECRET=… PORT=4300 dotnet run
using System.Collections.Specialized;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

const int ToleranceSeconds = 300;
const int MaxBodyBytes = 1024 * 1024;

string secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") // the S2S key, or the secret of the webhook
    ?? throw new InvalidOperationException("Set WEBHOOK_SECRET to the signing secret.");
string port = Environment.GetEnvironmentVariable("PORT") ?? "4300";
var ok = new Answer(200, """{"status":"ok"}""");

// A real game keeps both in its database and writes them in one transaction.
var inventory = new Dictionary<(string Player, string Sku), long>();
var answered = new Dictionary<string, Answer>();

bool IsSigned(NameValueCollection headers, byte[] raw)
{
    string timestamp = headers["x-service-signature-timestamp"] ?? "";
    // \z, because $ would also allow a line break behind the digits.
    if (!Regex.IsMatch(timestamp, @"^[0-9]{1,12}\z")) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > ToleranceSeconds) return false;
    byte[] signed = [.. Encoding.ASCII.GetBytes(timestamp + "."), .. raw];
    byte[] digest = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), signed);
    byte[] expected = Encoding.ASCII.GetBytes(Convert.ToHexString(digest).ToLowerInvariant());
    // While a secret is being rotated, the former one signs in the second header.
    byte[] current = Encoding.UTF8.GetBytes(headers["x-service-signature"] ?? "");
    byte[] previous = Encoding.UTF8.GetBytes(headers["x-service-signature-previous"] ?? "");
    return CryptographicOperations.FixedTimeEquals(current, expected)
        || CryptographicOperations.FixedTimeEquals(previous, expected);
}

Answer Handle(string kind, JsonElement data)
{
    string player = data.GetProperty("player_id").GetString()!;
    if (kind == "item.add" && player == "banned")
        return new Answer(422, """{"code":"declined","message":"This player is banned."}""");
    foreach (JsonElement item in data.GetProperty("items").EnumerateArray())
    {
        string sku = item.GetProperty("sku").GetString()!;
        long quantity = item.TryGetProperty("quantity", out JsonElement given) ? given.GetInt64() : 1;
        long held = inventory.GetValueOrDefault((player, sku)) + (kind == "item.add" ? quantity : -quantity);
        inventory[(player, sku)] = held;
        Console.WriteLine($"{kind} {player} {sku} {held}");
    }
    return ok;
}

Answer AnswerTo(NameValueCollection headers, byte[] raw)
{
    if (!IsSigned(headers, raw)) return new Answer(403, """{"error":"signature"}""");
    JsonElement body;
    try { body = JsonSerializer.Deserialize<JsonElement>(raw); }
    catch (JsonException) { return new Answer(400, """{"error":"not JSON"}"""); }
    string? kind = body.ValueKind == JsonValueKind.Object && body.TryGetProperty("event_type", out JsonElement type)
        && type.ValueKind == JsonValueKind.String ? type.GetString() : null;
    if (kind == "webhook.test") return ok;
    if (kind is not ("item.add" or "item.remove")) return new Answer(400, """{"error":"event_type"}""");
    lock (answered)
    {
        string key = body.GetProperty("idempotency_key").GetString()!;
        if (!answered.ContainsKey(key)) answered[key] = Handle(kind, body.GetProperty("event_data"));
        return answered[key];
    }
}

async Task<byte[]?> ReadRaw(HttpListenerRequest request)
{
    using var body = new MemoryStream();
    var chunk = new byte[16 * 1024];
    for (int read; (read = await request.InputStream.ReadAsync(chunk)) > 0;)
    {
        if (body.Length + read > MaxBodyBytes) return null;
        body.Write(chunk, 0, read);
    }
    return body.ToArray();
}

async Task Serve(HttpListenerContext context)
{
    Answer answer;
    try
    {
        byte[]? raw = await ReadRaw(context.Request);
        answer = raw is null ? new Answer(413, """{"error":"too large"}""") : AnswerTo(context.Request.Headers, raw);
    }
    catch (Exception failure)
    {
        Console.Error.WriteLine(failure);
        answer = new Answer(500, """{"error":"failed"}""");
    }
    context.Response.StatusCode = answer.Status;
    context.Response.ContentType = "application/json";
    context.Response.Close(Encoding.UTF8.GetBytes(answer.Body), willBlock: false);
}

var listener = new HttpListener();
listener.Prefixes.Add($"http://127.0.0.1:{port}/");
listener.Start();
while (true)
{
    HttpListenerContext context = await listener.GetContextAsync();
    _ = Serve(context);
}

record Answer(int Status, string Body);
