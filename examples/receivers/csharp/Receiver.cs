// A Coinslot webhook receiver with nothing but .NET (8 or newer), or Mono 6. Run: WEBHOOK_SECRET=… PORT=4300 dotnet run
using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Net;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Xml;
using System.Xml.Linq;

static class Receiver
{
    const int ToleranceSeconds = 300, MaxBodyBytes = 1024 * 1024;
    static readonly string Secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET"); // the S2S key or the webhook's
    // All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
    // key, or neither. In your game, save both in one transaction of its database.
    static readonly Dictionary<(string Player, string Sku), long> Inventory = new Dictionary<(string, string), long>();
    static readonly Dictionary<string, (int, string)> Answered = new Dictionary<string, (int, string)>();
    static readonly Dictionary<string, string> Orders = new Dictionary<string, string>();
    static readonly string Journal = Environment.GetEnvironmentVariable("JOURNAL") ?? "granted.journal";

    static bool IsSigned(NameValueCollection headers, byte[] raw)
    {
        string timestamp = headers["x-service-signature-timestamp"] ?? "";
        // \z, because $ would also allow a line break after the digits.
        if (!Regex.IsMatch(timestamp, @"^[0-9]{1,12}\z")) return false;
        long age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
        if (Math.Abs(age) > ToleranceSeconds) return false;
        var signed = new List<byte>(Encoding.UTF8.GetBytes(timestamp + "."));
        signed.AddRange(raw);
        byte[] digest = new HMACSHA256(Encoding.UTF8.GetBytes(Secret)).ComputeHash(signed.ToArray());
        byte[] expected = Encoding.UTF8.GetBytes(BitConverter.ToString(digest).Replace("-", "").ToLowerInvariant());
        // During a rotation the previous secret signs in the second header.
        byte[] current = Encoding.UTF8.GetBytes(headers["x-service-signature"] ?? "");
        byte[] previous = Encoding.UTF8.GetBytes(headers["x-service-signature-previous"] ?? "");
        return CryptographicOperations.FixedTimeEquals(current, expected)
            || CryptographicOperations.FixedTimeEquals(previous, expected);
    }

    static (int, string) Handle(XElement body, Action<string> say)
    {
        XElement data = body.Element("event_data");
        string kind = (string)body.Element("event_type"), order = (string)data.Element("order_id") ?? "";
        string player = (string)data.Element("player_id");
        if (kind == "item.add" && player == "banned")
            return (422, "{\"code\":\"declined\",\"message\":\"This player is banned.\"}");
        // The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
        Orders.TryGetValue(order, out string last);
        Orders[order] = kind;
        bool counts = kind == "item.add" ? last != "item.remove"
            : last == "item.add" || (string)data.Element("grant") == "confirmed";
        if (!counts) return (200, "{\"status\":\"ok\"}");
        foreach (XElement item in data.Element("items").Elements())
        {
            string sku = (string)item.Element("sku");
            long quantity = (long?)item.Element("quantity") ?? 1;
            Inventory.TryGetValue((player, sku), out long held);
            Inventory[(player, sku)] = held + (kind == "item.add" ? quantity : -quantity);
            say($"{kind} {player} {sku} {Inventory[(player, sku)]}");
        }
        return (200, "{\"status\":\"ok\"}");
    }

    static XElement Parse(byte[] raw) =>
        XElement.Load(JsonReaderWriterFactory.CreateJsonReader(raw, XmlDictionaryReaderQuotas.Max));

    static (int, string) HandleOnce(XElement body, byte[] raw)
    {
        string key = (string)body.Element("idempotency_key");
        lock (Answered)
        {
            if (!Answered.ContainsKey(key))
            {
                File.AppendAllText(Journal, Convert.ToBase64String(raw) + "\n");
                Answered[key] = Handle(body, Console.WriteLine);
            }
            return Answered[key];
        }
    }

    static void Replay()
    {
        foreach (string line in File.Exists(Journal) ? File.ReadAllLines(Journal) : new string[0])
        {
            try
            {
                XElement body = Parse(Convert.FromBase64String(line));
                Answered[(string)body.Element("idempotency_key")] = Handle(body, _ => { });
            }
            catch (Exception) { } // A line that a crash cut off was never answered.
        }
        File.AppendAllText(Journal, "\n");
    }

    static (int, string) Answer(HttpListenerRequest request)
    {
        byte[] raw = new BinaryReader(request.InputStream).ReadBytes(MaxBodyBytes + 1);
        if (raw.Length > MaxBodyBytes) return (413, "{\"error\":\"too large\"}");
        if (!IsSigned(request.Headers, raw)) return (403, "{\"error\":\"signature\"}");
        XElement body;
        try { body = Parse(raw); }
        catch (Exception) { return (400, "{\"error\":\"not JSON\"}"); }
        string kind = (string)body.Element("event_type");
        if (kind == "webhook.test") return (200, "{\"status\":\"ok\"}");
        if (kind != "item.add" && kind != "item.remove") return (400, "{\"error\":\"event_type\"}");
        // Answers when it is saved, and not before: a 2xx captures the money.
        return HandleOnce(body, raw);
    }

    static void Serve(HttpListenerContext context)
    {
        var (status, body) = (500, "{\"error\":\"failed\"}");
        try { (status, body) = Answer(context.Request); }
        catch (Exception failure) { Console.Error.WriteLine(failure); }
        context.Response.StatusCode = status;
        context.Response.ContentType = "application/json";
        context.Response.Close(Encoding.UTF8.GetBytes(body), false);
    }

    static void Main()
    {
        // With an empty or guessable secret any stranger could grant items.
        if ((Secret ?? "").Trim().Length < 8)
            throw new InvalidOperationException("Set WEBHOOK_SECRET to the signing secret: the S2S key or the webhook's.");
        Replay();
        var listener = new HttpListener();
        listener.Prefixes.Add($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "4300"}/");
        for (listener.Start(); ; )
        {
            HttpListenerContext context = listener.GetContext();
            ThreadPool.QueueUserWorkItem(_ => Serve(context));
        }
    }
}
