using System;
using System.Collections.Generic;

namespace Coinslot
{
    /// <summary>Verifies webhooks and handles each of them once, behind any web server.</summary>
    public sealed class WebhookHandler
    {
        const int MaxBodyBytes = 1024 * 1024;
        readonly string secret;
        readonly IStore store;
        readonly Dictionary<string, Action<WebhookEvent>> handlers = new Dictionary<string, Action<WebhookEvent>>();
        readonly object[] turns = new object[64];

        /// <summary>Gets every error of a handler or the store.</summary>
        public Action<Exception, WebhookEvent> OnError { get; set; } = (error, _) => Console.Error.WriteLine(error);

        public WebhookHandler(string secret, IStore store, Action<WebhookEvent> onItemAdd, Action<WebhookEvent> onItemRemove)
        {
            Webhook.CheckSecret(secret);
            this.secret = secret;
            this.store = store;
            for (int i = 0; i < turns.Length; i++) turns[i] = new object();
            handlers["item.add"] = onItemAdd;
            handlers["item.remove"] = onItemRemove;
            handlers["webhook.test"] = _ => { };
        }

        /// <summary>Adds a handler of another kind, such as order.paid.</summary>
        public WebhookHandler On(string kind, Action<WebhookEvent> handler)
        {
            handlers[kind] = handler;
            return this;
        }

        public Answer Receive(byte[] body, Func<string, string> header)
        {
            if (body.Length > MaxBodyBytes) return Error(413, "body_too_large");
            WebhookEvent event_;
            try { event_ = Webhook.Verify(body, header, secret); }
            catch (RefusalException refusal) { return Error(refusal.Reason == "invalid_body" ? 400 : 403, refusal.Reason); }
            if (!handlers.ContainsKey(event_.EventType)) return Error(400, "unknown_event_type");
            // A duplicate that arrives while the first is handled here waits for it, and gets the same answer.
            lock (turns[(uint)event_.IdempotencyKey.GetHashCode() % turns.Length])
            {
                try { return Once(event_); }
                catch (Exception error)
                {
                    OnError(error, event_);
                    return Error(503, "store_failed");
                }
            }
        }

        static string Counterpart(string kind) => kind == "item.add" ? "item.remove" : kind == "item.remove" ? "item.add" : null;

        Answer Once(WebhookEvent event_)
        {
            string key = event_.IdempotencyKey, other = Counterpart(event_.EventType);
            bool isItem = other != null && !string.IsNullOrEmpty(event_.OrderId);
            Known known = store.Begin(key, isItem ? event_.EventType + " " + event_.OrderId : null);
            if (known.Done) return Outcome(known.Declined);
            if (known.Claim == null) return Error(503, "in_progress");
            event_.Claim = known.Claim;
            bool isRemoval = event_.EventType == "item.remove";
            if (!isItem || (isRemoval && event_.Grant == "confirmed")) return Run(event_, handlers[event_.EventType]);
            // The removal of a purchase that never arrived would take what the player owned before, so it is ignored; and a
            // purchase that arrives after its removal was refunded.
            Known counterpart = store.Find(other + " " + event_.OrderId);
            if (counterpart.Busy)
            {
                store.Fail(key, known.Claim);
                return Error(503, "in_progress");
            }
            bool happened = counterpart.Done && counterpart.Declined == null;
            return happened == isRemoval ? Run(event_, handlers[event_.EventType]) : Run(event_, _ => { });
        }

        Answer Run(WebhookEvent event_, Action<WebhookEvent> handler)
        {
            string declined = null;
            try { handler(event_); }
            catch (DeclinedException no) { declined = no.Message; }
            catch (Exception error)
            {
                store.Fail(event_.IdempotencyKey, event_.Claim);
                OnError(error, event_);
                return Error(500, "handler_failed");
            }
            store.Finish(event_.IdempotencyKey, event_.Claim, declined);
            return Outcome(declined);
        }

        static Answer Error(int status, string reason) => new Answer(status, "{\"error\":" + Json.Write(reason) + "}");

        static Answer Outcome(string declined) =>
            declined == null ? new Answer(200, "{\"status\":\"ok\"}")
                : new Answer(422, "{\"code\":\"declined\",\"message\":" + Json.Write(declined) + "}");
    }
}
