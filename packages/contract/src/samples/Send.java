import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Start with: java Send.java (Java 17 or later). */
public class Send {
    public static void main(String[] arguments) throws Exception {
        String credentials = System.getenv("PAHATID_APP_ID") + ":" + System.getenv("PAHATID_APP_SECRET");
        byte[] octets = credentials.getBytes(StandardCharsets.UTF_8);
        // Use your JSON library for texts that come from elsewhere.
        String body = """
            {"to": "+639171234567", "smsType": 2, "content": "Your order 10293 is ready for pick-up."}
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create("{{origin}}/api/v1/messages"))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(octets))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "order-10293-ready")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
