package dev.warmroute.router.prompt;

import dev.warmroute.router.prompt.PromptChain.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Chains a prompt: {@code hash(i) = HMAC-SHA256(salt, hash(i-1) || block i)}, cut to 64 bits, with {@code hash(-1)} made from
 * unit, block size and the client's cache salt. Keyed, so that nobody without the salt can test a guess of the text. Not thread-safe.
 */
public final class PromptHasher {
    private final Mac mac;

    /** @param salt secret of at least 16 bytes */
    public PromptHasher(byte[] salt) {
        if (salt.length < 16) {
            throw new IllegalArgumentException("a salt needs at least 16 bytes, not " + salt.length);
        }
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(salt, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    /**
     * Chains text by blocks of {@code blockSize} bytes.
     *
     * @param cacheSalt what the client keeps its blocks apart with in the engine's cache, or the empty string
     */
    public PromptChain bytes(byte[] text, int blockSize, String cacheSalt) {
        long[] hashes = new long[text.length / blockSize];
        long parent = seed(Unit.BYTES, blockSize, cacheSalt);
        for (int i = 0; i < hashes.length; i++) {
            mac.update(longBytes(parent));
            mac.update(text, i * blockSize, blockSize);
            parent = first64(mac.doFinal());
            hashes[i] = parent;
        }
        return new PromptChain(Unit.BYTES, blockSize, text.length, hashes);
    }

    /**
     * Chains token ids by blocks of {@code blockSize} tokens, as the engine's own cache does.
     *
     * @param cacheSalt as in {@link #bytes}
     */
    public PromptChain tokens(long[] tokens, int blockSize, String cacheSalt) {
        long[] hashes = new long[tokens.length / blockSize];
        long parent = seed(Unit.TOKENS, blockSize, cacheSalt);
        ByteBuffer block = ByteBuffer.allocate(Long.BYTES + blockSize * Long.BYTES);
        for (int i = 0; i < hashes.length; i++) {
            block.clear().putLong(parent);
            for (int t = i * blockSize; t < (i + 1) * blockSize; t++) {
                block.putLong(tokens[t]);
            }
            parent = first64(mac.doFinal(block.array()));
            hashes[i] = parent;
        }
        return new PromptChain(Unit.TOKENS, blockSize, tokens.length, hashes);
    }

    private long seed(Unit unit, int blockSize, String cacheSalt) {
        mac.update((byte) unit.ordinal());
        mac.update(cacheSalt.getBytes(StandardCharsets.UTF_8));
        return first64(mac.doFinal(longBytes(blockSize)));
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static long first64(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}
