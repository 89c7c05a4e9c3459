using System;
using System.Collections.Specialized;
using System.IO;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

class Verify
{
    static bool IsGenuine(byte[] key, NameValueCollection headers, byte[] body)
    {
        string id = headers["webhook-id"], timestamp = headers["webhook-timestamp"], signatures = headers["webhook-signature"];
        if (id == null || signatures == null || !long.TryParse(timestamp, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        var start = Encoding.UTF8.GetBytes(id + "." + timestamp + ".");
        var signed = new byte[start.Length + body.Length];
        start.CopyTo(signed, 0);
        body.CopyTo(signed, start.Length);
        using (var hmac = new HMACSHA256(key))
        {
            var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
            foreach (var signature in signatures.Split(' '))
                if (IsSame(expected, signature)) return true;
        }
        return false;
    }

    // In a time that does not depend on where they differ.
    static bool IsSame(string a, string b)
    {
        if (a.Length != b.Length) return false;
        var difference = 0;
        for (var i = 0; i < a.Length; i++) difference |= a[i] ^ b[i];
        return difference == 0;
    }

    static void Main()
    {
        var secret = Environment.GetEnvironmentVariable("PAHATID_CALLBACK_SECRET").Replace("whsec_", "");
        var key = Convert.FromBase64String(secret);
        var listener = new HttpListener();
        listener.Prefixes.Add("http://*:" + (Environment.GetEnvironmentVariable("PORT") ?? "8081") + "/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            var buffer = new MemoryStream();
            context.Request.InputStream.CopyTo(buffer);
            var genuine = IsGenuine(key, context.Request.Headers, buffer.ToArray());
            context.Response.StatusCode = genuine ? 200 : 401;
            if (genuine)
            {
                var body = Encoding.UTF8.GetString(buffer.ToArray());
                // Store it under its webhook-id first: after a 2xx it is not sent again.
                Console.WriteLine(context.Request.Headers["webhook-id"] + " " + body);
                // Use your JSON library for all other fields.
                var challenge = Regex.Match(body, "\"challenge\":\"([^\"\\\\]*)\"");
                var answer = Encoding.UTF8.GetBytes(challenge.Groups[1].Value);
                context.Response.OutputStream.Write(answer, 0, answer.Length);
            }
            context.Response.Close();
        }
    }
}
