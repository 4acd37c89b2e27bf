package dev.warmroute.router.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** An answer of the operator's side. */
record AdminAnswer(int status, String contentType, byte[] body, Map<String, String> headers) {
    AdminAnswer {
        headers = Map.copyOf(headers);
    }

    static AdminAnswer text(int status, String text) {
        return new AdminAnswer(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static AdminAnswer json(JsonNode json) {
        return json(200, json);
    }

    static AdminAnswer json(int status, JsonNode json) {
        return new AdminAnswer(
                status,
                "application/json",
                (json + "\n").getBytes(StandardCharsets.UTF_8),
                Map.of("cache-control", "no-store"));
    }

    AdminAnswer with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new AdminAnswer(status, contentType, body, more);
    }
}
