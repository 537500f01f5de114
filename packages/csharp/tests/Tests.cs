// The package's own tests: mcs -out:Tests.exe *.cs tests/Tests.cs && mono Tests.exe signature-vectors.json
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using Coinslot;

static class Tests
{
    const string Secret = "a signing secret";
    static int failed;

    static void Check(string what, object expected, object found)
    {
        if (Equals(expected, found)) return;
        failed++;
        Console.WriteLine("FAIL " + what + ": expected " + expected + ", found " + found);
    }

    static Answer Send(WebhookHandler handler, string kind, string key, string order, string grant)
    {
        string text = "{\"event_type\":\"" + kind + "\",\"idempotency_key\":\"" + key + "\",\"event_data\":{\"player_id\":\"Zo\u00eb\","
            + "\"order_id\":\"" + order + "\",\"grant\":\"" + grant + "\",\"items\":[{\"sku\":\"gem\",\"quantity\":2}]}}";
        byte[] body = Encoding.UTF8.GetBytes(text);
        string timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();
        var headers = new Dictionary<string, string>
        {
            ["x-service-signature-timestamp"] = timestamp, ["x-service-signature"] = Webhook.Sign(Secret, timestamp, body),
        };
        return handler.Receive(body, name => headers.TryGetValue(name, out string value) ? value : null);
    }

    static void EverySharedVector(string path)
    {
        var file = (Dictionary<string, object>)Json.Parse(File.ReadAllText(path));
        var vectors = (List<object>)file["vectors"];
        Check("vectors", true, vectors.Count > 10);
        foreach (Dictionary<string, object> vector in vectors)
        {
            var headers = (Dictionary<string, object>)vector["headers"];
            string reason = null;
            try
            {
                byte[] body = Encoding.UTF8.GetBytes((string)vector["raw_body"]);
                Func<string, string> header = name => headers.TryGetValue(name, out object value) ? (string)value : null;
                Webhook.Verify(body, header, (string)vector["secret"], (long)(double)vector["now"]);
            }
            catch (RefusalException refusal) { reason = refusal.Reason == "invalid_body" ? null : refusal.Reason; }
            Check((string)vector["name"], vector["reason"], reason);
        }
    }

    static void AKeyIsHandledOnce()
    {
        int granted = 0;
        var handler = new WebhookHandler(Secret, new MemoryStore(), _ => System.Threading.Interlocked.Increment(ref granted), _ => { });
        Parallel.For(0, 16, _ => Check("at once", 200, Send(handler, "item.add", "same", "ord_1", "").Status));
        Check("granted", 1, granted);
    }

    static void AnErrorGivesTheKeyBackAndADeclineStays()
    {
        int calls = 0;
        Action<WebhookEvent> add = _ =>
        {
            if (++calls == 1) throw new InvalidOperationException("the database is away");
            throw new DeclinedException("level \"too low\"");
        };
        var handler = new WebhookHandler(Secret, new MemoryStore(), add, add) { OnError = (error, event_) => { } };
        foreach (int status in new[] { 500, 422, 422 }) Check("status", status, Send(handler, "item.add", "no", "ord_1", "").Status);
        Check("unknown kind", 400, Send(handler, "item.polish", "odd", "ord_1", "").Status);
        Check("calls", 2, calls);
    }

    static void OnlyWhatWasGrantedIsRevoked()
    {
        string changes = "";
        var store = new MemoryStore();
        var handler = new WebhookHandler(Secret, store, _ => changes += "+", _ => changes += "-");
        Send(handler, "item.remove", "1", "ord_never", "unknown");
        Send(handler, "item.add", "2", "ord_never", "");
        Check("never arrived", "", changes);
        Send(handler, "item.remove", "3", "ord_forgotten", "confirmed");
        Send(handler, "item.add", "4", "ord_1", "");
        Send(handler, "item.remove", "5", "ord_1", "unknown");
        Check("changes", "-+-", changes);
        store.Begin("running", "item.add ord_2");
        Check("under way", 503, Send(handler, "item.remove", "6", "ord_2", "unknown").Status);
    }

    static void AModelIsReadWithWhatMayBeAbsent()
    {
        var data = Coinslot.Models.ItemEventData.From(Json.Parse(
            "{\"player_id\":\"ann\",\"payment_id\":null,\"metadata\":{\"a\":\"b\"},\"items\":[{\"sku\":\"gem\",\"quantity\":3,\"price_decimal\":null}]}"));
        Check("player", "ann", data.PlayerId);
        Check("null", null, data.PaymentId);
        Check("quantity", 3L, data.Items[0].Quantity);
        Check("price", null, data.Items[0].PriceDecimal);
        Check("metadata", "b", data.Metadata["a"]);
    }

    static int Main(string[] args)
    {
        AModelIsReadWithWhatMayBeAbsent();
        EverySharedVector(args[0]);
        AKeyIsHandledOnce();
        AnErrorGivesTheKeyBackAndADeclineStays();
        OnlyWhatWasGrantedIsRevoked();
        foreach (string weak in new[] { null, "", "short" })
        {
            try { new WebhookHandler(weak, new MemoryStore(), _ => { }, _ => { }); Check("weak secret", "refused", "taken"); }
            catch (ArgumentException) { }
        }
        Console.WriteLine(failed == 0 ? "ok" : failed + " FAILED");
        return failed == 0 ? 0 : 1;
    }
}
