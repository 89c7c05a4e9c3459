using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

class Send
{
    static int Main()
    {
        return SendAsync().GetAwaiter().GetResult();
    }

    static async Task<int> SendAsync()
    {
        var appId = Environment.GetEnvironmentVariable("PAHATID_APP_ID");
        var appSecret = Environment.GetEnvironmentVariable("PAHATID_APP_SECRET");
        var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes(appId + ":" + appSecret));
        using (var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) })
        using (var request = new HttpRequestMessage(HttpMethod.Post, "{{origin}}/api/v1/messages"))
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Basic", credentials);
            request.Headers.Add("Idempotency-Key", "order-10293-ready");
            // Use your JSON library for texts that come from elsewhere.
            request.Content = new StringContent(
                "{\"to\": \"+639171234567\", \"smsType\": 2, \"content\": \"Your order 10293 is ready for pick-up.\"}",
                Encoding.UTF8,
                "application/json");
            var answer = await client.SendAsync(request);
            var message = await answer.Content.ReadAsStringAsync();
            (answer.IsSuccessStatusCode ? Console.Out : Console.Error).WriteLine(message);
            return answer.IsSuccessStatusCode ? 0 : 1;
        }
    }
}
