using System;
using System.Collections.Generic;
using System.Linq;

namespace Coinslot
{
    /// <summary>How far a webhook is: Claim when the caller shall handle it, Done when it was handled, else Busy or neither.</summary>
    public struct Known
    {
        public string Claim;
        public bool Done;
        /// <summary>Why it was declined; null when it was accepted.</summary>
        public string Declined;
        public bool Busy;
    }

    /// <summary>
    /// Remembers which webhooks were handled, by their key. The subject says what a webhook does, such as "item.add ord_1".
    /// To save the grant and the key together, write a store over your database and mark `event.IdempotencyKey` with
    /// `event.Claim` as done in the transaction that grants; Finish then finds it done.
    /// </summary>
    public interface IStore
    {
        Known Begin(string key, string subject);
        Known Find(string subject);
        void Finish(string key, string claim, string declined);
        void Fail(string key, string claim);
    }

    /// <summary>For one process and for tests: a restart forgets everything.</summary>
    public sealed class MemoryStore : IStore
    {
        sealed class Entry
        {
            public string Claim, Subject, Declined;
            public bool Done;
            public DateTime Until;
            public Known Known() => new Known { Done = Done, Declined = Declined, Busy = !Done && Until > DateTime.UtcNow };
        }

        static readonly TimeSpan Lease = TimeSpan.FromMinutes(1);
        readonly Dictionary<string, Entry> entries = new Dictionary<string, Entry>();

        public Known Begin(string key, string subject)
        {
            lock (entries)
            {
                if (entries.TryGetValue(key, out Entry found) && (found.Done || found.Known().Busy)) return found.Known();
                string claim = Guid.NewGuid().ToString("N");
                entries[key] = new Entry { Claim = claim, Subject = subject, Until = DateTime.UtcNow + Lease };
                return new Known { Claim = claim };
            }
        }

        public Known Find(string subject)
        {
            lock (entries)
            {
                List<Known> all = entries.Values.Where(one => one.Subject == subject).Select(one => one.Known()).ToList();
                return all.Any(one => one.Done) ? all.First(one => one.Done) : all.FirstOrDefault(one => one.Busy);
            }
        }

        public void Finish(string key, string claim, string declined)
        {
            lock (entries)
            {
                if (!entries.TryGetValue(key, out Entry found) || found.Claim != claim) throw new LostClaimException(key);
                found.Done = true;
                found.Declined = declined;
            }
        }

        public void Fail(string key, string claim)
        {
            lock (entries)
                if (entries.TryGetValue(key, out Entry found) && found.Claim == claim && !found.Done) entries.Remove(key);
        }
    }
}
