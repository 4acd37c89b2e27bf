package dev.warmroute.router.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/**
 * The panel page: one document with its style and script inside. Its policy lets exactly these two run, and lets them talk to
 * this address only.
 */
final class Panel {
    private final AdminAnswer page;

    private Panel(AdminAnswer page) {
        this.page = page;
    }

    /** Puts the page together from the resources. */
    static Panel load() {
        String style = resource("panel.css");
        String script = resource("panel.js");
        String html = resource("panel.html").replace("/*STYLE*/", style).replace("/*SCRIPT*/", script);
        String policy = "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script)
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return new Panel(new AdminAnswer(
                200,
                "text/html; charset=utf-8",
                html.getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "content-security-policy", policy,
                        "cache-control", "no-cache",
                        "referrer-policy", "no-referrer",
                        "x-content-type-options", "nosniff")));
    }

    private static String resource(String name) {
        try (InputStream in = Panel.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    AdminAnswer answer() {
        return page;
    }
}
