package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.Batch;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.engine.EngineRules;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.engine.KvGroup;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** One recording: its requests are given to an engine at the recorded steps, and what the engine does is compared. */
final class OracleReplay implements EngineListener {
    private static final ObjectReader JSON = new ObjectMapper().reader();

    /** Numbers a recorded segment occupies in the linear token space; generated segments have a space of their own. */
    private static final int SEGMENT_BITS = 20;

    private static final long GENERATED = 1L << 45;

    private final String file;
    private final Engine engine;
    private final boolean hasHost;
    private final Int2IntOpenHashMap handles = new Int2IntOpenHashMap(); // recorded id -> handle, of live requests
    private final Int2IntOpenHashMap ids = new Int2IntOpenHashMap(); // handle -> recorded id

    // What the engine did in the current step, written as the recording writes it.
    private final Pairs admitted = new Pairs();
    private final Pairs resumed = new Pairs();
    private final Pairs loading = new Pairs();
    private final Pairs finished = new Pairs();
    private final Pairs scheduled = new Pairs();
    private final List<Integer> preempted = new ArrayList<>();

    private long step;
    private long steps;
    private long requests;
    private long mismatches;
    private Optional<OracleMismatch> first = Optional.empty();

    private OracleReplay(String file, EngineConfig config) {
        this.file = file;
        this.engine = new Engine(config, new ChainInterner(config.blockSize()), this);
        this.hasHost = config.hostMemory().isPresent();
    }

    static OracleResult run(Path path) {
        String name = path.getFileName().toString();
        int line = 1;
        try (BufferedReader reader = open(path)) {
            JsonNode config = JSON.readTree(orEmpty(reader.readLine()));
            if (!config.path("kind").asText().equals("config")) {
                throw new UserError(path + ": line 1 is not the configuration of a recorded scheduler; expected"
                        + " {\"kind\":\"config\", ...} as oracle.py writes it");
            }
            OracleReplay replay = new OracleReplay(name, config(config));
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line++;
                JsonNode node = JSON.readTree(text);
                if (!node.has("kind")) {
                    replay.step(node);
                }
            }
            return new OracleResult(1, replay.steps, replay.requests, replay.mismatches, replay.first);
        } catch (JsonProcessingException e) {
            throw new UserError(path + ": line " + line + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new UserError(path + ": line " + line + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UserError(path + ": cannot be read: " + reason(e), e);
        }
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such file" : e.getMessage();
    }

    private static BufferedReader open(Path path) throws IOException {
        InputStream in = Files.newInputStream(path);
        if (path.getFileName().toString().endsWith(".gz")) {
            in = new GZIPInputStream(in, 1 << 16);
        }
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16);
    }

    private static String orEmpty(String line) {
        return line == null ? "{}" : line;
    }

    private static EngineConfig config(JsonNode c) {
        List<KvGroup> groups = new ArrayList<>();
        for (JsonNode group : c.withArray("groups")) {
            groups.add(KvGroup.parse(group.asText()));
        }
        if (!c.path("policy").asText("fcfs").equals("fcfs")) {
            throw new IllegalArgumentException("policy " + c.get("policy") + ": only fcfs is simulated");
        }
        return new EngineConfig(
                number(c, "num_gpu_blocks").intValue(),
                number(c, "block_size").intValue(),
                number(c, "max_num_seqs").intValue(),
                number(c, "max_num_batched_tokens").intValue(),
                number(c, "max_model_len").intValue(),
                c.path("prefix_caching").asBoolean(),
                c.path("async_scheduling").asBoolean(),
                c.path("max_concurrent_batches").asInt(1), // what the recorder's platform reports, asynchronous or not
                c.path("scheduler_reserve_full_isl").asBoolean(),
                c.path("watermark").asDouble(),
                c.path("long_prefill_token_threshold").asInt(),
                groups.isEmpty() ? KvGroup.FULL_ONLY : groups,
                EngineRules.NEWEST,
                c.has("host_memory") ? Optional.of(hostMemory(c.path("host_memory"))) : Optional.empty());
    }

    /** Host memory whose transfers take whole steps: the replay's clock counts steps. */
    private static HostMemory hostMemory(JsonNode c) {
        return new HostMemory(
                number(c, "blocks").intValue(), number(c, "transfer").longValue(), 0, 0);
    }

    private static Number number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isNumber()) {
            throw new IllegalArgumentException("field " + field + " is missing or no number");
        }
        return value.numberValue();
    }

    private void step(JsonNode recorded) {
        step = number(recorded, "step").longValue();
        steps++;
        admitted.clear();
        resumed.clear();
        loading.clear();
        finished.clear();
        scheduled.clear();
        preempted.clear();
        for (JsonNode arrival : recorded.path("arrive")) {
            arrive(arrival);
        }
        for (JsonNode pair : recorded.path("abort")) {
            abort(pair.path(0).asInt(), pair.path(1));
        }

        Batch batch = engine.schedule();
        engine.launch(step, batch.isEmpty() ? step : step + engine.depth());
        for (int i = 0; i < batch.size(); i++) {
            scheduled.add(ids.get(batch.request(i)), batch.tokens(i));
        }
        compare("scheduled", recorded.path("scheduled"), scheduled.text());
        compare("new", recorded.path("new"), admitted.text());
        compare("resumed", recorded.path("resumed"), resumed.text());
        preempted.sort(null);
        compare("preempted", recorded.path("preempted"), preempted.toString().replace(" ", ""));
        JsonNode after = recorded.path("after_schedule");
        compare("after_schedule.used", after.path("used"), engine.usedBlocks());
        compare("after_schedule.cached", after.path("cached"), engine.cachedBlocks());
        if (hasHost) {
            compare("loading", recorded.path("loading"), loading.text());
            compare("after_schedule.host_blocks", after.path("host_blocks"), engine.hostBlocks());
            compare("after_schedule.host_evicted", after.path("host_evicted"), engine.evictedHostBlocks());
        }

        if (engine.inFlight() == engine.depth() || batch.isEmpty() && engine.inFlight() > 0) {
            engine.settle();
        }
        engine.arrive(step + 1);
        compare("finished", recorded.path("finished"), finished.text());
        compare("running", recorded.path("running"), engine.running());
        compare("waiting", recorded.path("waiting"), engine.waiting());
        compare("used_blocks", recorded.path("used_blocks"), engine.usedBlocks());
        compare("cached_blocks", recorded.path("cached_blocks"), engine.cachedBlocks());
        compare("removed", recorded.path("removed"), engine.evictedBlocks());
        compare("queries", recorded.path("queries"), engine.counters().queries());
        compare("hits", recorded.path("hits"), engine.counters().hits());
        if (hasHost) {
            compare(
                    "external_queries",
                    recorded.path("external_queries"),
                    engine.counters().externalQueries());
            compare(
                    "external_hits",
                    recorded.path("external_hits"),
                    engine.counters().externalHits());
        }
    }

    private void arrive(JsonNode arrival) {
        Prompt.Builder prompt = Prompt.builder();
        for (JsonNode part : arrival.path("prompt")) {
            long segment = part.path(0).asLong();
            long start = segment > 0 ? segment << SEGMENT_BITS : GENERATED + (-segment << SEGMENT_BITS);
            prompt.span(start + part.path(1).asLong(), part.path(2).asInt());
        }
        int id = number(arrival, "id").intValue();
        int maxTokens = number(arrival, "max_tokens").intValue();
        int stop = arrival.path("stop").asInt(maxTokens); // output tokens after which it ended by itself
        int handle = engine.add(prompt.build(), maxTokens, stop, GENERATED + ((id + 1L) << SEGMENT_BITS));
        handles.put(id, handle);
        ids.put(handle, id);
        requests++;
    }

    private void abort(int id, JsonNode outputs) {
        if (!handles.containsKey(id)) {
            compare("abort", outputs, "finished before");
            return;
        }
        int handle = handles.remove(id);
        compare("abort", outputs, engine.outputTokens(handle));
        engine.abort(handle);
    }

    @Override
    public void admitted(int request, int cachedTokens, boolean again) {
        (again ? resumed : admitted).add(ids.get(request), cachedTokens);
    }

    @Override
    public void loading(int request, int cachedTokens, int loadedTokens, boolean again) {
        loading.add(ids.get(request), cachedTokens, loadedTokens);
    }

    @Override
    public void preempted(int request) {
        preempted.add(ids.get(request));
    }

    @Override
    public void finished(int request, int outputTokens) {
        int id = ids.get(request);
        handles.remove(id);
        finished.add(id, outputTokens);
    }

    private void compare(String field, JsonNode expected, long found) {
        if (!expected.isIntegralNumber() || expected.longValue() != found) {
            mismatch(field, expected, Long.toString(found));
        }
    }

    private void compare(String field, JsonNode expected, String found) {
        if (!expected.toString().equals(found)) {
            mismatch(field, expected, found);
        }
    }

    private void mismatch(String field, JsonNode expected, String found) {
        mismatches++;
        if (first.isEmpty()) {
            String recorded = expected.isMissingNode() ? "no such field" : expected.toString();
            first = Optional.of(new OracleMismatch(file, step, field, recorded, found));
        }
    }

    /** A list of pairs, or of triples, written as compact JSON. */
    private static final class Pairs {
        private final StringBuilder text = new StringBuilder("[");

        void clear() {
            text.setLength(1);
        }

        void add(long... numbers) {
            text.append(text.length() > 1 ? ",[" : "[");
            for (int i = 0; i < numbers.length; i++) {
                text.append(i > 0 ? "," : "").append(numbers[i]);
            }
            text.append(']');
        }

        String text() {
            return text + "]";
        }
    }
}
