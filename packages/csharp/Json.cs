using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Coinslot
{
    /// <summary>Reads JSON without reflection, so that it works where code is compiled ahead (IL2CPP).</summary>
    public static class Json
    {
        const int Deepest = 64;

        /// <summary>Dictionary, List, string, double, bool or null.</summary>
        public static object Parse(string text)
        {
            int at = 0;
            object value = Value(text, ref at, 0);
            Space(text, ref at);
            if (at != text.Length) throw new FormatException("more than one value");
            return value;
        }

        public static string Write(string text)
        {
            var written = new StringBuilder("\"");
            foreach (char c in text)
                if (c == '"' || c == '\\') written.Append('\\').Append(c);
                else if (c < ' ') written.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else written.Append(c);
            return written.Append('"').ToString();
        }

        static void Space(string text, ref int at)
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        static char Next(string text, ref int at)
        {
            Space(text, ref at);
            if (at >= text.Length) throw new FormatException("it ends too early");
            return text[at];
        }

        static object Value(string text, ref int at, int depth)
        {
            if (depth > Deepest) throw new FormatException("too deep");
            char first = Next(text, ref at);
            if (first == '"') return String(text, ref at);
            if (first == '{') return Object(text, ref at, depth);
            if (first == '[') return Array(text, ref at, depth);
            int start = at;
            while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0) at++;
            string word = text.Substring(start, at - start);
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            const NumberStyles number = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
            return double.Parse(word, number, CultureInfo.InvariantCulture);
        }

        static Dictionary<string, object> Object(string text, ref int at, int depth)
        {
            var fields = new Dictionary<string, object>();
            at++;
            if (Next(text, ref at) == '}') { at++; return fields; }
            for (; ; )
            {
                if (Next(text, ref at) != '"') throw new FormatException("a name is expected");
                string name = String(text, ref at);
                if (Next(text, ref at) != ':') throw new FormatException("a colon is expected");
                at++;
                fields[name] = Value(text, ref at, depth + 1);
                char after = Next(text, ref at);
                at++;
                if (after == '}') return fields;
                if (after != ',') throw new FormatException("a comma is expected");
            }
        }

        static List<object> Array(string text, ref int at, int depth)
        {
            var entries = new List<object>();
            at++;
            if (Next(text, ref at) == ']') { at++; return entries; }
            for (; ; )
            {
                entries.Add(Value(text, ref at, depth + 1));
                char after = Next(text, ref at);
                at++;
                if (after == ']') return entries;
                if (after != ',') throw new FormatException("a comma is expected");
            }
        }

        static string String(string text, ref int at)
        {
            var read = new StringBuilder();
            for (at++; ; at++)
            {
                if (at >= text.Length) throw new FormatException("a text does not end");
                char c = text[at];
                if (c == '"') { at++; return read.ToString(); }
                if (c == '\\')
                {
                    if (++at >= text.Length) throw new FormatException("a text does not end");
                    c = text[at];
                    int letter = "bfnrt".IndexOf(c);
                    if (letter >= 0) c = "\b\f\n\r\t"[letter];
                    else if (c == 'u')
                    {
                        if (at + 4 >= text.Length) throw new FormatException("a text does not end");
                        c = (char)ushort.Parse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                        at += 4;
                    }
                }
                read.Append(c);
            }
        }
    }
}
