import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Start with: java Verify.java (Java 17 or later). */
public class Verify {
    // Use your JSON library for all other fields.
    private static final Pattern CHALLENGE = Pattern.compile("\"challenge\":\"([^\"\\\\]*)\"");

    static boolean isGenuine(byte[] key, Headers headers, byte[] body) throws Exception {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,12}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
        for (String signature : signatures.split(" "))
            if (MessageDigest.isEqual(expected, signature.getBytes())) return true;
        return false;
    }

    public static void main(String[] arguments) throws Exception {
        String secret = System.getenv("PAHATID_CALLBACK_SECRET").replace("whsec_", "");
        byte[] key = Base64.getDecoder().decode(secret);
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8081"));
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean genuine;
            try {
                genuine = isGenuine(key, exchange.getRequestHeaders(), body);
            } catch (Exception error) {
                genuine = false;
            }
            byte[] answer = {};
            if (genuine) {
                String event = new String(body, StandardCharsets.UTF_8);
                // Store it under its webhook-id first: after a 2xx it is not sent again.
                System.out.println(exchange.getRequestHeaders().getFirst("webhook-id") + " " + event);
                var challenge = CHALLENGE.matcher(event);
                if (challenge.find()) answer = challenge.group(1).getBytes(StandardCharsets.UTF_8);
            }
            exchange.sendResponseHeaders(genuine ? 200 : 401, answer.length == 0 ? -1 : answer.length);
            if (answer.length > 0) exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }
}
