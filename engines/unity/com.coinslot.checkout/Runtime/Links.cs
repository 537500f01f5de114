using System;

namespace Coinslot.Unity
{
    /// <summary>What a deep link, an address and a status mean. Nothing of the engine is needed for it.</summary>
    public static class Links
    {
        /// <summary>The order in mygame://paid?order=ord_1, or null.</summary>
        public static string OrderOf(string link, string scheme)
        {
            if (link == null || !link.StartsWith(scheme + "://", StringComparison.Ordinal)) return null;
            int query = link.IndexOf('?');
            if (query < 0) return null;
            int end = link.IndexOf('#');
            string fields = end < 0 ? link.Substring(query + 1) : link.Substring(query + 1, end - query - 1);
            foreach (string field in fields.Split('&'))
                if (field.StartsWith("order=", StringComparison.Ordinal)) return Checked(field.Substring(6));
            return null;
        }

        static string Checked(string order)
        {
            if (!order.StartsWith("ord_", StringComparison.Ordinal) || order.Length < 5) return null;
            for (int i = 4; i < order.Length; i++)
                if (!(order[i] >= '0' && order[i] <= '9') && !(order[i] >= 'a' && order[i] <= 'z')) return null;
            return order;
        }

        public static bool IsSafe(string address)
        {
            if (address == null) return false;
            foreach (string start in new[] { "https://", "http://localhost:", "http://127.0.0.1:" })
                if (address.StartsWith(start, StringComparison.Ordinal)) return true;
            return false;
        }

        public static bool IsOpen(string status) { return status == "" || status == "created" || status == "pending"; }

        public static bool IsGranted(string status)
        {
            return status == "authorized" || status == "paid" || status == "disputed";
        }
    }
}
