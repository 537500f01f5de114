// The few types of Unity that the package uses, so that a test can compile it without Unity.
using System;
using System.Collections;

namespace UnityEngine
{
    public class Object { public static void DontDestroyOnLoad(Object target) { } }
    public class GameObject : Object { public T AddComponent<T>() where T : new() { return new T(); } }
    public class Coroutine { }
    public class MonoBehaviour : Object
    {
        public GameObject gameObject { get { return null; } }
        public bool isActiveAndEnabled { get { return true; } }
        public Coroutine StartCoroutine(IEnumerator routine) { return null; }
    }
    [AttributeUsage(AttributeTargets.Field)] public class SerializeField : Attribute { }
    public static class Application
    {
        public static event Action<string> deepLinkActivated;
        public static string absoluteURL { get { return deepLinkActivated == null ? "" : ""; } }
        public static void OpenURL(string url) { }
    }
    public static class Time { public static float unscaledDeltaTime { get { return 0f; } } }
    public static class GUILayout
    {
        public static bool Button(string text) { return false; }
        public static void Label(string text) { }
    }
}

namespace UnityEngine.Networking
{
    public class DownloadHandler { public string text { get { return ""; } } }
    public class DownloadHandlerBuffer : DownloadHandler { }
    public class UploadHandler { }
    public class UploadHandlerRaw : UploadHandler { public UploadHandlerRaw(byte[] data) { } }
    public class UnityWebRequest : IDisposable
    {
        public UnityWebRequest(string url, string method) { }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public int timeout { get; set; }
        public void SetRequestHeader(string name, string value) { }
        public object SendWebRequest() { return null; }
        public void Dispose() { }
    }
}
