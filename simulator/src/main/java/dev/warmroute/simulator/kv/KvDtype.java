package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How KV cache entries are stored (vLLM's {@code --kv-cache-dtype}). */
public enum KvDtype {
    /** Two bytes an element; also what "auto" means for a bf16 or fp16 model. */
    BF16("bf16", List.of("auto", "bfloat16", "fp16", "float16", "half"), 16, 0, 0),
    /** One byte an element, one scale for the whole tensor. */
    FP8("fp8", List.of("fp8_e4m3", "fp8_e5m2", "fp8_inc"), 8, 0, 0),
    /** One byte an element and a 4-byte scale for each token and head, for keys and for values. */
    FP8_PER_TOKEN_HEAD("fp8_per_token_head", List.of(), 8, 4, 0),
    /** As {@link #FP8_PER_TOKEN_HEAD}, in integers. */
    INT8_PER_TOKEN_HEAD("int8_per_token_head", List.of("int8"), 8, 4, 0),
    /** Half a byte an element and a one-byte scale for every 16. */
    NVFP4("nvfp4", List.of(), 4, 0, 16),
    /** DeepSeek's packed latent: 656 bytes a token and layer, for latent attention only. */
    FP8_DS_MLA("fp8_ds_mla", List.of(), 8, 0, 0);

    private static final int DS_MLA_BYTES = 656;
    private static final Names<KvDtype> NAMES = new Names<>("KV cache type", Set.of());

    static {
        for (KvDtype dtype : values()) {
            NAMES.add(dtype.wireName, dtype.aliases, dtype);
        }
    }

    private final String wireName;
    private final List<String> aliases;
    private final int bits;
    private final int scaleBytesPerHead;
    private final int elementsPerScaleByte;

    KvDtype(String wireName, List<String> aliases, int bits, int scaleBytesPerHead, int elementsPerScaleByte) {
        this.wireName = wireName;
        this.aliases = aliases;
        this.bits = bits;
        this.scaleBytesPerHead = scaleBytesPerHead;
        this.elementsPerScaleByte = elementsPerScaleByte;
    }

    /** Returns the type that vLLM calls so, or refuses with the nearest names. */
    public static KvDtype named(String name) {
        return NAMES.named(name.toLowerCase(Locale.ROOT));
    }

    public String wireName() {
        return wireName;
    }

    /** Bytes of the keys and values of one token in one attention layer, for the heads of one rank. */
    public long attentionBytes(int kvHeads, int headDim) {
        if (this == FP8_DS_MLA) {
            throw new UserError(
                    "the KV cache type fp8_ds_mla is for models with latent attention (DeepSeek, Kimi); use fp8");
        }
        return 2L * kvHeads * (elements(headDim) + scaleBytesPerHead);
    }

    /** Bytes of the latent vector of one token in one layer. */
    public long latentBytes(int latentDim) {
        if (this == FP8_DS_MLA) {
            return DS_MLA_BYTES;
        }
        if (this != BF16 && this != FP8) {
            throw new UserError(
                    "the KV cache type " + wireName + " is not for latent attention; use bf16, fp8 or fp8_ds_mla");
        }
        return elements(latentDim);
    }

    private long elements(int count) {
        long scales = elementsPerScaleByte == 0 ? 0 : count / elementsPerScaleByte;
        return (long) count * bits / 8 + scales;
    }
}
