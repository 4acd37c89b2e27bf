package dev.warmroute.router.policy;

import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy's name, version and every parameter with its value, defaults included.
 *
 * @param version grows when the same parameters would decide differently
 * @param parameters by name, as text; sorted
 */
public record PolicySpec(String name, int version, SortedMap<String, String> parameters) {
    public PolicySpec {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    public static PolicySpec of(String name, int version) {
        return new PolicySpec(name, version, new TreeMap<>());
    }

    public static PolicySpec of(String name, int version, Map<String, String> parameters) {
        return new PolicySpec(name, version, new TreeMap<>(parameters));
    }

    /** First 16 hex digits of the SHA-256 of name, version and sorted parameters. */
    public String hash() {
        StringBuilder text = new StringBuilder(name).append('\n').append(version);
        parameters.forEach((k, v) -> text.append('\n').append(k).append('=').append(v));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public PolicyIdentity identity() {
        return new PolicyIdentity(name, version, hash(), parameters);
    }
}
