package dev.warmroute.recorder.format;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.recorder.format.ClaudeCodeTurns.Request;
import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Claude Code sessions as kv-cache-tester records them and others publish them again: one JSON object a session, one a file or
 * one after the other, or a directory of files: {@code id, block_size, hash_id_scope} and then {@code requests[]} with {@code
 * t, type} ("s" streamed, "n" not), {@code model, in, out, hash_ids, stop} and, where known, {@code api_time, think_time,
 * ttft}. An entry of type "subagent" has an {@code agent_id} and requests of its own, whose {@code t} counts from the entry in
 * the raw files and from the session's start in the releases: they count from the entry when they end within its {@code
 * duration_ms} or, without one, when the first of them is before it. See {@link ClaudeCodeTurns}.
 */
final class KvCacheTesterReader extends StreamedReader<JsonSessions> {
    private static final int USUAL_BLOCK_SIZE = 64;
    private static final long SLACK = JsonRows.SECOND;

    private final ClaudeCodeTurns turns = new ClaudeCodeTurns();
    private OptionalInt blockSize = OptionalInt.empty();
    private boolean global;

    KvCacheTesterReader(TraceFile file, OnError onError) {
        this(file, onError, TraceFormat.KV_CACHE_TESTER);
    }

    KvCacheTesterReader(TraceFile file, OnError onError, TraceFormat format) {
        super(file, onError, format, new JsonSessions(file, "requests"));
    }

    @Override
    boolean readRow() {
        if (!source.next()) {
            return false;
        }
        JsonFields head = source.head();
        int size = head.has("block_size") ? head.count("block_size", 1) : USUAL_BLOCK_SIZE;
        if (blockSize.isEmpty()) {
            blockSize = OptionalInt.of(size);
            global = head.textOr("hash_id_scope", "local").equals("global");
        }
        if (size != blockSize.getAsInt()) {
            throw new RowException(
                    "block_size", "expected " + blockSize.getAsInt() + " as in the sessions before, found " + size);
        }
        request(source.element(), head.text("id"), "", "", 0);
        return true;
    }

    /** Reads an entry: a request, or a sub-agent with its requests. */
    private void request(JsonFields entry, String session, String agent, String parentAgent, long offset) {
        if (!entry.textOr("type", "").equals("subagent")) {
            emit(turns.turn(
                    read(entry, session, agent, parentAgent, offset),
                    "hash_ids",
                    blockSize.getAsInt(),
                    !global,
                    index()));
            return;
        }
        long at = offset + entry.nanos("t");
        long within = relative(entry) ? at : offset;
        for (JsonNode nested : entry.list("requests")) {
            try {
                request(new JsonFields(nested), session, entry.text("agent_id"), agent, within);
            } catch (RowException e) {
                wrong(e);
            }
        }
    }

    /** Whether the times of a sub-agent's requests count from its entry. */
    private static boolean relative(JsonFields entry) {
        long first = Long.MAX_VALUE;
        long last = -1;
        for (JsonNode nested : entry.list("requests")) {
            long t = new JsonFields(nested).nanosOr("t", 0);
            first = Math.min(first, t);
            last = Math.max(last, t);
        }
        if (entry.has("duration_ms")) {
            return last <= Math.round(entry.number("duration_ms") * JsonRows.MILLI) + SLACK;
        }
        return first < entry.nanos("t");
    }

    private static Request read(JsonFields entry, String session, String agent, String parentAgent, long offset) {
        return new Request(
                session,
                agent,
                offset + entry.nanos("t"),
                entry.tokens("in", 1),
                entry.tokens("out", 0),
                runs(entry.list("hash_ids")),
                entry.nanosOr("api_time", Turn.UNKNOWN),
                entry.nanosOr("think_time", Turn.UNKNOWN),
                entry.nanosOr("ttft", Turn.UNKNOWN),
                new Turn.Labels(
                        "",
                        "",
                        parentAgent,
                        entry.textOr("model", ""),
                        entry.textOr("type", ""),
                        entry.textOr("stop", "")));
    }

    private static int[] runs(JsonNode ids) {
        int[] runs = new int[8];
        int n = 0;
        for (JsonNode id : ids) {
            if (!id.canConvertToInt() || !id.isIntegralNumber() || id.asInt() < 0 || id.asInt() >= 1 << 26) {
                throw JsonFields.wrong("hash_ids", "whole numbers from 0 to " + ((1 << 26) - 1), id);
            }
            if (n > 0 && id.asInt() == runs[n - 2] + runs[n - 1]) {
                runs[n - 1]++;
                continue;
            }
            if (n == runs.length) {
                runs = Arrays.copyOf(runs, 2 * n);
            }
            runs[n++] = id.asInt();
            runs[n++] = 1;
        }
        return Arrays.copyOf(runs, n);
    }

    @Override
    int blockSize() {
        return blockSize.orElse(USUAL_BLOCK_SIZE);
    }

    @Override
    boolean commonClock() {
        return false;
    }

    @Override
    Prefixes prefixes() {
        return global ? Prefixes.BLOCKS : Prefixes.SESSION_BLOCKS;
    }
}
