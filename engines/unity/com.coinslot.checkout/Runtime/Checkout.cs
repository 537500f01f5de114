using System;
using System.Collections;
using System.Runtime.InteropServices;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

namespace Coinslot.Unity
{
    /// <summary>
    /// Opens the payment page of an order, and says when the game's own backend has granted it. The client never has the
    /// S2S key. It asks your backend, which has two calls: POST /api/buy with {"sku": …} answers orderId and checkoutUrl,
    /// GET /api/orders/ORDER_ID answers status.
    /// </summary>
    public class Checkout : MonoBehaviour
    {
        const float PollSeconds = 2f;
        const float LongestSeconds = 900f;

        [SerializeField] string backendUrl = "";
        [SerializeField] string scheme = "mygame";

        /// <summary>How your backend knows the player: the value of the Authorization header.</summary>
        public string Authorization { get; set; }
        public string BackendUrl { get { return backendUrl; } set { backendUrl = value; } }
        public string Scheme { get { return scheme; } set { scheme = value; } }

        /// <summary>The page is open in the player's browser.</summary>
        public event Action<string> Opened;
        /// <summary>The game's backend has the items: show them. A deep link alone proves nothing.</summary>
        public event Action<string> Granted;
        /// <summary>The order ended without items, with its status.</summary>
        public event Action<string, string> Ended;
        /// <summary>The backend could not be asked, or it refused to sell.</summary>
        public event Action<string> Failed;

        string orderId = "";
        float waited;
        float sinceLook;
        bool isLooking;

#if UNITY_WEBGL && !UNITY_EDITOR
        [DllImport("__Internal")] static extern void CoinslotOpenTab();
        [DllImport("__Internal")] static extern void CoinslotLeadTab(string address);
        [DllImport("__Internal")] static extern void CoinslotCloseTab();
#else
        static void CoinslotOpenTab() { }
        static void CoinslotLeadTab(string address) { Application.OpenURL(address); }
        static void CoinslotCloseTab() { }
#endif

        void Awake()
        {
            DontDestroyOnLoad(gameObject);
            Application.deepLinkActivated += OnDeepLink;
            // The link may have started the game; then the event was before us.
            if (!string.IsNullOrEmpty(Application.absoluteURL)) OnDeepLink(Application.absoluteURL);
        }

        void OnDestroy() { Application.deepLinkActivated -= OnDeepLink; }

        /// <summary>Call it in the handler of a button: a browser opens a tab only then.</summary>
        public void Buy(string sku)
        {
            // A tab that is opened after the answer counts as a pop-up, so a web build opens it now and leads it later.
            CoinslotOpenTab();
            StartCoroutine(BuyNow(sku));
        }

        IEnumerator BuyNow(string sku)
        {
            string body = "{\"sku\":" + Json.Write(sku) + "}";
            using (UnityWebRequest request = Ask("/api/buy", "POST", body))
            {
                yield return request.SendWebRequest();
                string text = TextOf(request);
                string address = Json.Field(text, "checkoutUrl");
                if (!IsSafe(address))
                {
                    CoinslotCloseTab();
                    Raise(Failed, Json.Field(text, "problem") ?? "The shop cannot be reached.");
                    yield break;
                }
                Watch(Json.Field(text, "orderId") ?? "");
                CoinslotLeadTab(address);
                Raise(Opened, orderId);
            }
        }

        /// <summary>Goes on with an order of an earlier run of the game.</summary>
        public void Watch(string order)
        {
            orderId = order;
            waited = 0f;
            sinceLook = 0f;
        }

        void OnDeepLink(string link)
        {
            string order = Links.OrderOf(link, scheme);
            if (order == null) return;
            Watch(order);
            Look();
        }

        // The player came back by the link or by hand: ask at once.
        void OnApplicationFocus(bool hasFocus) { if (hasFocus) Look(); }
        void OnApplicationPause(bool isPaused) { if (!isPaused) Look(); }

        void Update()
        {
            if (orderId == "") return;
            waited += Time.unscaledDeltaTime;
            sinceLook += Time.unscaledDeltaTime;
            if (waited > LongestSeconds) orderId = "";
            else if (sinceLook >= PollSeconds) Look();
        }

        void Look()
        {
            if (orderId == "" || isLooking || !isActiveAndEnabled) return;
            isLooking = true;
            sinceLook = 0f;
            StartCoroutine(LookNow(orderId));
        }

        IEnumerator LookNow(string order)
        {
            using (UnityWebRequest request = Ask("/api/orders/" + Uri.EscapeDataString(order), "GET", null))
            {
                yield return request.SendWebRequest();
                isLooking = false;
                string status = Json.Field(TextOf(request), "status");
                if (status == null || order != orderId || Links.IsOpen(status)) yield break;
                orderId = "";
                if (Links.IsGranted(status)) Raise(Granted, order);
                else if (Ended != null) Ended(order, status);
            }
        }

        /// <summary>The page of a real shop is encrypted; only one on this machine may be without.</summary>
        public static bool IsSafe(string address) { return Links.IsSafe(address); }

        UnityWebRequest Ask(string path, string method, string body)
        {
            var request = new UnityWebRequest(backendUrl + path, method);
            request.downloadHandler = new DownloadHandlerBuffer();
            if (body != null) request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(body));
            request.SetRequestHeader("Content-Type", "application/json");
            if (!string.IsNullOrEmpty(Authorization)) request.SetRequestHeader("Authorization", Authorization);
            request.timeout = 10;
            return request;
        }

        static string TextOf(UnityWebRequest request)
        {
            return request.downloadHandler == null ? "" : request.downloadHandler.text ?? "";
        }

        static void Raise(Action<string> raised, string value) { if (raised != null) raised(value); }
    }
}
