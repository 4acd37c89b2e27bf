package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.kv.KvCapacity;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The KV cache of a replica in a scenario.
 *
 * @param amount blocks or tokens; 0 for the other kinds
 */
public record CacheChoice(Kind kind, long amount) {
    /** The machine's own. */
    public static final CacheChoice OWN = new CacheChoice(Kind.OWN, 0);

    public static final CacheChoice UNLIMITED = new CacheChoice(Kind.UNLIMITED, 0);

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})(?:\\s*(blocks|tokens))?");

    /** What the amount counts. */
    public enum Kind {
        /** As the recorded machine or the workload's has it, in tokens; without limit where neither is known. */
        OWN,
        UNLIMITED,
        /** Usable blocks, whatever their size. */
        BLOCKS,
        /** Tokens, in as many whole blocks as the engine's block size gives. */
        TOKENS
    }

    public CacheChoice {
        Objects.requireNonNull(kind, "kind");
        boolean counted = kind == Kind.BLOCKS || kind == Kind.TOKENS;
        if (counted ? amount < 1 : amount != 0) {
            throw new UserError("a cache has at least 1 block, not " + amount);
        }
        if (kind == Kind.BLOCKS) {
            KvCapacity.blocks(amount, 1);
        }
    }

    /** Reads {@code 2095}, {@code 2095 blocks}, {@code 33520 tokens}, {@code unlimited} or {@code own}. */
    @JsonCreator
    public static CacheChoice parse(String text) {
        if (text.equals("unlimited")) {
            return UNLIMITED;
        }
        if (text.equals("own")) {
            return OWN;
        }
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new UserError(
                    "'" + text + "' is no capacity: write a number of usable blocks, '33520 tokens' or 'unlimited'");
        }
        return new CacheChoice("tokens".equals(m.group(2)) ? Kind.TOKENS : Kind.BLOCKS, Long.parseLong(m.group(1)));
    }

    /**
     * Gives an engine this cache.
     *
     * @param machine whose own cache is meant by {@link Kind#OWN}
     */
    EngineConfig of(EngineConfig engine, EngineConfig machine) {
        return switch (kind) {
            case UNLIMITED -> engine.withUnlimitedBlocks();
            case BLOCKS -> engine.withUsableBlocks((int) amount);
            case TOKENS -> engine.withUsableBlocks(KvCapacity.blocks(amount, engine.blockSize()));
            case OWN ->
                machine.unlimited()
                        ? engine.withUnlimitedBlocks()
                        : engine.withUsableBlocks(KvCapacity.blocks(
                                (long) machine.usableBlocks() * machine.blockSize(), engine.blockSize()));
        };
    }

    /** Usable blocks that were asked for; empty for what was asked for otherwise. */
    public OptionalLong blocks() {
        return kind == Kind.BLOCKS ? OptionalLong.of(amount) : OptionalLong.empty();
    }

    @JsonValue
    @Override
    public String toString() {
        return switch (kind) {
            case OWN -> "own";
            case UNLIMITED -> "unlimited";
            case BLOCKS -> Long.toString(amount);
            case TOKENS -> amount + " tokens";
        };
    }
}
