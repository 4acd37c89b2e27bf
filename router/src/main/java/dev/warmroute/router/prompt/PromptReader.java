package dev.warmroute.router.prompt;

/**
 * Reads a request's body into the fingerprint that a policy decides by: from bytes alone, in blocks of about 64 tokens, so
 * that it costs no more than the decision is worth. Not thread-safe.
 */
public final class PromptReader {
    /** Tokens in a block of the fingerprints that policies decide by. */
    public static final int BLOCK_TOKENS = 64;

    private static final int BLOCK_BYTES = BLOCK_TOKENS * PromptChain.BYTES_PER_TOKEN;

    private final PromptHasher hasher;

    /** @param salt secret of at least 16 bytes */
    public PromptReader(byte[] salt) {
        this.hasher = new PromptHasher(salt);
    }

    /** The fingerprint of a body; {@link PromptChain#NOTHING} when it is not JSON or says nothing. */
    public PromptChain read(byte[] body) {
        return PromptText.of(body)
                .map(content -> switch (content) {
                    case PromptText.Tokens tokens -> hasher.tokens(tokens.ids(), BLOCK_TOKENS, tokens.cacheSalt());
                    case PromptText.Text text -> hasher.bytes(text.bytes(), BLOCK_BYTES, text.cacheSalt());
                })
                .orElse(PromptChain.NOTHING);
    }
}
