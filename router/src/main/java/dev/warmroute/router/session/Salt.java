package dev.warmroute.router.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret behind all hashes. {@code hash = first 16 bytes of HMAC-SHA256(secret, domain NUL tenant NUL id)} in hex:
 * without the secret nobody can test a guess, and the same id of two tenants gives two hashes. Thread-safe.
 */
public final class Salt {
    private static final int HASH_BYTES = 16;

    private final byte[] secret;
    private final Mac mac;
    private final String id;

    /** @param secret at least 16 bytes */
    public Salt(byte[] secret) {
        if (secret.length < 16) {
            throw new IllegalArgumentException("a salt needs at least 16 bytes, not " + secret.length);
        }
        this.secret = secret.clone();
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
        this.id = hash("salt", "", "id").substring(0, 16);
    }

    /** Name of this salt, which tells nothing about it; hashes under different salts cannot be compared. */
    public String id() {
        return id;
    }

    /** The secret, for those who hash prompts. */
    public byte[] secret() {
        return secret.clone();
    }

    /**
     * Hash of an id.
     *
     * @param domain what kind of id, so that equal texts of different kinds differ
     * @param tenant whose id: the client's credentials, or the empty string
     */
    public String hash(String domain, String tenant, String id) {
        Mac own = copy();
        own.update(domain.getBytes(StandardCharsets.UTF_8));
        own.update((byte) 0);
        own.update(tenant.getBytes(StandardCharsets.UTF_8));
        own.update((byte) 0);
        byte[] digest = own.doFinal(id.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    }

    private Mac copy() {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's HmacSHA256 can be cloned", e);
        }
    }

    @Override
    public String toString() {
        return "Salt " + id;
    }
}
