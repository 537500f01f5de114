// What needs no engine: run by a test of ours with Mono.
using System;
using Coinslot.Unity;

static class Tests
{
    static int failures;

    static void Is(object expected, object actual, string what)
    {
        if (Equals(expected, actual)) return;
        failures++;
        Console.WriteLine("FAIL " + what + ": " + actual);
    }

    static int Main()
    {
        Is("ord_1a", Links.OrderOf("mygame://paid?order=ord_1a", "mygame"), "plain link");
        Is("ord_2b", Links.OrderOf("mygame://paid?x=1&order=ord_2b#end", "mygame"), "link with more");
        foreach (string link in new[] { null, "", "mygame://paid", "other://paid?order=ord_1a", "mygame://paid?order=ord_1a/..", "mygame://paid?reorder=ord_1", "mygame://paid?order=" })
            Is(null, Links.OrderOf(link, "mygame"), "link " + link);
        foreach (string address in new[] { "https://pay.example.com/x", "http://localhost:4242/x", "http://127.0.0.1:1/x" })
            Is(true, Links.IsSafe(address), address);
        foreach (string address in new[] { null, "", "http://pay.example.com", "file:///x", "javascript:alert(1)", "http://localhost.evil.example" })
            Is(false, Links.IsSafe(address), address);
        const string Json1 = "{ \"n\": 1.5, \"o\": {\"checkoutUrl\": \"inner\", \"a\": [1, \"}\"]}, \"checkoutUrl\":\"https:\\/\\/x\\u0041\\n\", \"z\": null }";
        Is("https://xA\n", Json.Field(Json1, "checkoutUrl"), "field after others");
        Is(null, Json.Field(Json1, "z"), "null");
        Is(null, Json.Field(Json1, "a"), "inner field");
        foreach (string broken in new[] { "", "{", "[]", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"\\u00", "nonsense", "{\"a\":\"\\uZZZZ\"}" })
            Is(null, Json.Field(broken, "a"), "broken " + broken);
        Is("x\"\\\n", Json.Field("{\"a\":" + Json.Write("x\"\\\n") + "}", "a"), "written and read");
        Console.WriteLine(failures == 0 ? "OK" : failures + " failed");
        return failures == 0 ? 0 : 1;
    }
}
