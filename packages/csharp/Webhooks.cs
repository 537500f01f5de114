// Coinslot for C#: webhooks that are verified and handled once. Needs nothing but the base library, C# 7 and .NET Standard
// 2.0, so that it runs in .NET, in Mono and in a game server made with Unity. Versioned with the server.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Coinslot
{
    public static class Package
    {
        public const string Version = "1.0.0-rc.1";
    }

    /// <summary>Why a webhook is not believed, in the words of the other packages.</summary>
    public sealed class RefusalException : Exception
    {
        public string Reason { get; }
        public RefusalException(string reason) : base("coinslot: webhook refused: " + reason) { Reason = reason; }
    }

    /// <summary>Throw it in OnItemAdd to decline for good: the order is rejected at once and the money released.</summary>
    public sealed class DeclinedException : Exception
    {
        public DeclinedException(string reason) : base(reason) { }
    }

    /// <summary>The webhook took longer than its lease, and another process took it over. Roll back.</summary>
    public sealed class LostClaimException : Exception
    {
        public LostClaimException(string key) : base("coinslot: another process took over the webhook " + key) { }
    }

    /// <summary>The body of a webhook.</summary>
    public sealed class WebhookEvent
    {
        public string EventType { get; internal set; }
        public string IdempotencyKey { get; internal set; }
        public string PlayerId { get; internal set; }
        public string OrderId { get; internal set; }
        /// <summary>Of item.remove: "confirmed" or "unknown", whether the game ever accepted the purchase.</summary>
        public string Grant { get; internal set; }
        public IReadOnlyList<Item> Items { get; internal set; }
        /// <summary>Every field of event_data, as Json reads it.</summary>
        public IReadOnlyDictionary<string, object> Data { get; internal set; }
        /// <summary>Proves to a store that this process still handles the webhook: see IStore.Finish.</summary>
        public string Claim { get; internal set; }
    }

    public sealed class Item
    {
        public string Sku { get; internal set; }
        public long Quantity { get; internal set; }
    }

    /// <summary>What to answer.</summary>
    public struct Answer
    {
        public int Status;
        public string Body;
        public Answer(int status, string body) { Status = status; Body = body; }
    }

    public static class Webhook
    {
        const int ToleranceSeconds = 300, ShortestSecret = 8;

        public static void CheckSecret(string secret)
        {
            // The service takes no shorter one, so that a shorter one is a mistake, and easy to guess.
            if ((secret ?? "").Trim().Length < ShortestSecret)
                throw new ArgumentException("The secret is empty or too short: it is the S2S key, or the secret of the webhook.");
        }

        public static string Sign(string secret, string timestamp, byte[] body)
        {
            byte[] head = Encoding.UTF8.GetBytes(timestamp + ".");
            byte[] signed = new byte[head.Length + body.Length];
            Buffer.BlockCopy(head, 0, signed, 0, head.Length);
            Buffer.BlockCopy(body, 0, signed, head.Length, body.Length);
            using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
                return BitConverter.ToString(mac.ComputeHash(signed)).Replace("-", "").ToLowerInvariant();
        }

        // Takes as long for a wrong text as for the right one.
        static bool Same(string given, string expected)
        {
            int difference = given.Length ^ expected.Length;
            for (int i = 0; i < given.Length; i++) difference |= given[i] ^ expected[i % expected.Length];
            return difference == 0;
        }

        /// <summary>The event, if Coinslot signed it. `header` reads a header by its lower-case name.</summary>
        public static WebhookEvent Verify(byte[] body, Func<string, string> header, string secret, long? now = null)
        {
            CheckSecret(secret);
            string timestamp = header("x-service-signature-timestamp") ?? "";
            string current = header("x-service-signature") ?? "";
            if (timestamp == "" || current == "") throw new RefusalException("missing_headers");
            if (timestamp.Length > 12 || !long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long seconds))
                throw new RefusalException("invalid_timestamp");
            string expected = Sign(secret, timestamp, body);
            // During a rotation the previous secret signs in the second header.
            bool matches = Same(current, expected) | Same(header("x-service-signature-previous") ?? "", expected);
            if (!matches) throw new RefusalException("signature_mismatch");
            long age = (now ?? DateTimeOffset.UtcNow.ToUnixTimeSeconds()) - seconds;
            if (age > ToleranceSeconds) throw new RefusalException("timestamp_too_old");
            if (age < -ToleranceSeconds) throw new RefusalException("timestamp_too_new");
            return Read(body);
        }

        static WebhookEvent Read(byte[] body)
        {
            Dictionary<string, object> event_;
            try { event_ = Json.Parse(new UTF8Encoding(false, true).GetString(body)) as Dictionary<string, object>; }
            catch (Exception) { throw new RefusalException("invalid_body"); }
            if (event_ == null || !(Text(event_, "event_type") is string kind) || !(Text(event_, "idempotency_key") is string key)
                || key == "" || !(Field(event_, "event_data") is Dictionary<string, object> data))
                throw new RefusalException("invalid_body");
            var items = new List<Item>();
            foreach (object one in Field(data, "items") as List<object> ?? new List<object>())
                if (one is Dictionary<string, object> item)
                    items.Add(new Item { Sku = Text(item, "sku"), Quantity = Field(item, "quantity") is double count ? (long)count : 1 });
            return new WebhookEvent
            {
                EventType = kind, IdempotencyKey = key, Data = data, Items = items,
                PlayerId = Text(data, "player_id"), OrderId = Text(data, "order_id"), Grant = Text(data, "grant"),
            };
        }

        static object Field(Dictionary<string, object> from, string name) => from.TryGetValue(name, out object value) ? value : null;
        static string Text(Dictionary<string, object> from, string name) => Field(from, name) as string;
    }
}
