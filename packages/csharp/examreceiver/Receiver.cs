// A receiver made with the package, for the exam. One line of the journal is a webhook that was handled, with what it
// changed; so a crash saves both or neither. A game has a database in its place.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;
using Coinslot;

sealed class Journal : IStore
{
    readonly MemoryStore memory = new MemoryStore();
    readonly Dictionary<string, string> subjects = new Dictionary<string, string>();
    readonly Dictionary<string, List<string[]>> changes = new Dictionary<string, List<string[]>>();
    readonly Dictionary<string, long> inventory = new Dictionary<string, long>();
    readonly string path;

    public Journal(string path)
    {
        this.path = path;
        foreach (string line in File.Exists(path) ? File.ReadAllLines(path) : new string[0])
        {
            if (!line.EndsWith("|")) continue; // a line that a crash cut off was never answered
            string[] parts = Array.ConvertAll(line.TrimEnd('|').Split(' '), one => Encoding.UTF8.GetString(Convert.FromBase64String(one)));
            Known known = memory.Begin(parts[0], parts[1] == "" ? null : parts[1]);
            for (int i = 3; i + 3 < parts.Length; i += 4) Apply(new[] { parts[i], parts[i + 1], parts[i + 2], parts[i + 3] }, false);
            memory.Finish(parts[0], known.Claim, parts[2] == "" ? null : parts[2]);
        }
        File.AppendAllText(path, "\n");
    }

    void Apply(string[] change, bool say)
    {
        string held = change[1] + " " + change[2];
        inventory.TryGetValue(held, out long before);
        inventory[held] = before + long.Parse(change[3]);
        if (say) Console.WriteLine(change[0] + " " + held + " " + inventory[held]);
    }

    public Action<WebhookEvent> Change(int sign) => event_ =>
    {
        if (sign > 0 && event_.PlayerId == "banned") throw new DeclinedException("This player is banned.");
        var made = new List<string[]>();
        foreach (Item item in event_.Items)
            made.Add(new[] { event_.EventType, event_.PlayerId, item.Sku, (sign * item.Quantity).ToString() });
        lock (changes) changes[event_.IdempotencyKey] = made;
    };

    public Known Begin(string key, string subject)
    {
        Known known = memory.Begin(key, subject);
        lock (changes) if (known.Claim != null) subjects[key] = subject ?? "";
        return known;
    }

    public Known Find(string subject) => memory.Find(subject);

    public void Finish(string key, string claim, string declined)
    {
        lock (changes)
        {
            if (!changes.TryGetValue(key, out List<string[]> made)) made = new List<string[]>();
            var parts = new List<string> { key, subjects[key], declined ?? "" };
            foreach (string[] change in made) parts.AddRange(change);
            string line = string.Join(" ", parts.ConvertAll(one => Convert.ToBase64String(Encoding.UTF8.GetBytes(one))));
            File.AppendAllText(path, line + "|\n");
            foreach (string[] change in made) Apply(change, true);
            changes.Remove(key);
            memory.Finish(key, claim, declined);
        }
    }

    public void Fail(string key, string claim) => memory.Fail(key, claim);
}

static class Receiver
{
    static void Main()
    {
        var journal = new Journal(Environment.GetEnvironmentVariable("JOURNAL") ?? "granted.journal");
        string secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
        var handler = new WebhookHandler(secret, journal, journal.Change(1), journal.Change(-1));
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + Environment.GetEnvironmentVariable("PORT") + "/");
        for (listener.Start(); ; )
        {
            HttpListenerContext context = listener.GetContext();
            ThreadPool.QueueUserWorkItem(_ =>
            {
                byte[] body = new BinaryReader(context.Request.InputStream).ReadBytes(1024 * 1024 + 1);
                Answer answer = handler.Receive(body, name => context.Request.Headers[name]);
                context.Response.StatusCode = answer.Status;
                context.Response.ContentType = "application/json";
                context.Response.Close(Encoding.UTF8.GetBytes(answer.Body), false);
            });
        }
    }
}
