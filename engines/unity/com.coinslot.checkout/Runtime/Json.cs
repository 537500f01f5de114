using System;
using System.Globalization;
using System.Text;

namespace Coinslot.Unity
{
    /// <summary>The texts of one flat object, read by hand: no reflection, so IL2CPP strips and breaks nothing.</summary>
    public static class Json
    {
        public static string Write(string text)
        {
            var written = new StringBuilder("\"");
            foreach (char c in text)
                if (c == '"' || c == '\\') written.Append('\\').Append(c);
                else if (c < ' ') written.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else written.Append(c);
            return written.Append('"').ToString();
        }

        /// <summary>The text of a field of the outermost object; null when it is absent or something else.</summary>
        public static string Field(string json, string name)
        {
            int at = 0;
            try
            {
                if (Next(json, ref at) != '{') return null;
                do
                {
                    string key = Text(json, ref at);
                    if (key == null || Next(json, ref at) != ':') return null;
                    int start = at;
                    string value = Text(json, ref at);
                    if (key == name) return value;
                    if (value == null) { at = start; Skip(json, ref at); }
                } while (Next(json, ref at) == ',');
            }
            catch (IndexOutOfRangeException) { }
            catch (FormatException) { }
            return null;
        }

        static char Next(string json, ref int at)
        {
            while (" \t\r\n".IndexOf(json[at]) >= 0) at++;
            return json[at++];
        }

        static string Text(string json, ref int at)
        {
            int before = at;
            if (Next(json, ref at) != '"') { at = before; return null; }
            var text = new StringBuilder();
            for (char c = json[at++]; c != '"'; c = json[at++]) text.Append(c == '\\' ? Escaped(json, ref at) : c);
            return text.ToString();
        }

        static char Escaped(string json, ref int at)
        {
            char c = json[at++];
            switch (c)
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'u':
                    if (at + 4 > json.Length) throw new FormatException();
                    at += 4;
                    return (char)int.Parse(json.Substring(at - 4, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                default: return c;
            }
        }

        // Anything but a text: up to the comma or the bracket that ends it.
        static void Skip(string json, ref int at)
        {
            int depth = 0;
            for (; ; at++)
            {
                char c = json[at];
                if (c == '"') { Text(json, ref at); at--; }
                else if (c == '{' || c == '[') depth++;
                else if (depth == 0 && (c == ',' || c == '}')) return;
                else if (c == '}' || c == ']') depth--;
            }
        }
    }
}
