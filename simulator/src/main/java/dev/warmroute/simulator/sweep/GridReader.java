package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.Nearest;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Reads a grid file: YAML with the keys of {@link GridKey}. What is wrong is told with its path. */
public final class GridReader {
    /** More is a slip, and would not fit into memory with its results. */
    private static final long MOST_SCENARIOS = 1_000_000;

    private static final double DEFAULT_SECONDS = 600;

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    private GridReader() {}

    /**
     * Reads a grid and names what it replays: a trace is read once, for its hash.
     *
     * @param program version and build of warmroute
     * @throws UserError if the file, a value in it or the trace is wrong
     */
    public static Sweep read(Path file, String program) {
        try {
            return parse(file.toString(), Files.readString(file), program);
        } catch (NoSuchFileException e) {
            throw new UserError("there is no grid file " + file, e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** @param name stands for the file in messages */
    static Sweep parse(String name, String yaml, String program) {
        JsonNode root;
        try {
            root = YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new UserError(
                    name + ": " + where + "not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
        GridNode top = new GridNode(name, "", root);
        top.requireKeys(GridKey.leaves(false));
        List<Scenario> scenarios = scenarios(top);
        return Sweep.of(program, subject(top), scenarios);
    }

    private static SweepSubject subject(GridNode top) {
        Optional<GridNode> trace = top.key(GridKey.TRACE.leaf());
        Optional<GridNode> workload = top.key(GridKey.WORKLOAD.leaf());
        if (trace.isPresent() == workload.isPresent()) {
            throw top.wrong("name what is replayed: either 'trace' or 'workload'");
        }
        Optional<GridNode> mode = top.key(GridKey.MODE.leaf());
        Optional<GridNode> seconds = top.key(GridKey.SECONDS.leaf());
        if (workload.isPresent()) {
            mode.ifPresent(m -> {
                throw m.wrong("a workload is a closed loop: leave out mode");
            });
            WorkloadSpec spec = workload.get().at(w -> WorkloadSpec.named(w.text()));
            return new SweepSubject.OfWorkload(
                    spec, seconds.map(GridReader::positive).orElse(DEFAULT_SECONDS));
        }
        seconds.ifPresent(s -> {
            throw s.wrong("a trace is replayed to its end: leave out seconds, which is the time of a workload");
        });
        Optional<Subject.Mode> how = mode.map(GridReader::mode);
        if (how.isPresent() && how.get() != Subject.Mode.CLOSED) {
            top.key(GridKey.SESSIONS.leaf()).ifPresent(s -> {
                throw s.wrong("sessions are played as closed loops: leave them out, or mode");
            });
        }
        return trace.get().at(t -> SweepSubject.OfTrace.now(t.text(), how));
    }

    private static double positive(GridNode node) {
        try {
            double value = Double.parseDouble(node.text());
            if (value > 0 && value < Double.POSITIVE_INFINITY) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw node.wrong("expected a number above 0, not '" + node.text() + "'");
    }

    private static Subject.Mode mode(GridNode node) {
        return Arrays.stream(Subject.Mode.values())
                .filter(m -> m.wireName().equals(node.text()))
                .findFirst()
                .orElseThrow(() -> {
                    List<String> known = Arrays.stream(Subject.Mode.values())
                            .map(Subject.Mode::wireName)
                            .toList();
                    return node.wrong("there is no mode '" + node.text() + "'; "
                            + Nearest.to(node.text(), known)
                                    .map(n -> "did you mean '" + n + "'?")
                                    .orElse("there are " + String.join(", ", known)));
                });
    }

    private static List<Scenario> scenarios(GridNode top) {
        boolean ofTrace = top.key(GridKey.TRACE.leaf()).isPresent();
        List<EngineChoice> engines = axis(top, GridKey.ENGINES, GridReader::engine, EngineChoice.newest());
        requireNames(top, engines);
        List<OptionalInt> replicas = axis(top, GridKey.REPLICAS, GridReader::replicas, OptionalInt.empty());
        List<CacheChoice> caches = axis(top, GridKey.CAPACITIES, n -> CacheChoice.parse(n.text()), CacheChoice.OWN);
        List<OptionalInt> sessions = axis(top, GridKey.SESSIONS, n -> sessions(n, ofTrace), OptionalInt.empty());
        List<PolicyChoice> policies = policies(top);
        List<Integer> seeds = axis(top, GridKey.SEEDS, n -> n.whole(1), 1);
        long size = (long) engines.size() * replicas.size() * caches.size();
        for (int factor : new int[] {sessions.size(), policies.size(), seeds.size()}) {
            size = Math.min(size, MOST_SCENARIOS + 1) * factor;
        }
        if (size > MOST_SCENARIOS) {
            throw top.wrong("the grid has more than " + MOST_SCENARIOS + " scenarios: ask for less at a time");
        }
        List<Scenario> all = new ArrayList<>((int) size);
        for (EngineChoice engine : engines) {
            for (OptionalInt number : replicas) {
                for (CacheChoice cache : caches) {
                    for (OptionalInt atATime : sessions) {
                        for (PolicyChoice policy : policies) {
                            for (int seed : seeds) {
                                all.add(new Scenario(policy, atATime, cache, number, seed, engine));
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    /** The values of a key, each once. */
    private static <T> List<T> axis(GridNode top, GridKey key, Function<GridNode, T> reading, T byDefault) {
        Optional<GridNode> given = top.key(key.leaf());
        if (given.isEmpty()) {
            return List.of(byDefault);
        }
        Map<T, GridNode> values = new LinkedHashMap<>();
        for (GridNode element : given.get().elements()) {
            put(values, element.at(reading), element);
        }
        return List.copyOf(values.keySet());
    }

    private static <T> void put(Map<T, GridNode> values, T value, GridNode from) {
        GridNode before = values.put(value, from);
        if (before != null) {
            throw from.wrong("is the same as " + before.path() + "; name each once");
        }
    }

    /** In the results an engine is known by its name. */
    private static void requireNames(GridNode top, List<EngineChoice> engines) {
        Set<String> names = new HashSet<>();
        for (EngineChoice engine : engines) {
            if (!names.add(engine.name())) {
                throw top.key(GridKey.ENGINES.leaf())
                        .orElse(top)
                        .wrong("two are called '" + engine.name() + "': give each a name");
            }
        }
    }

    private static OptionalInt sessions(GridNode node, boolean ofTrace) {
        if (ofTrace && node.text().equals("recorded")) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(node.whole(1));
    }

    private static OptionalInt replicas(GridNode node) {
        int number = node.whole(1);
        if (number > FleetSpec.MOST_REPLICAS) {
            throw node.wrong("a fleet has at most " + FleetSpec.MOST_REPLICAS + " replicas, not " + number);
        }
        return OptionalInt.of(number);
    }

    private static List<PolicyChoice> policies(GridNode top) {
        GridNode given = top.key(GridKey.POLICIES.leaf())
                .orElseThrow(() -> top.wrong("'policies' is missing: name at least one"));
        Map<String, GridNode> labels = new LinkedHashMap<>();
        List<PolicyChoice> policies = new ArrayList<>();
        for (GridNode element : given.elements()) {
            for (PolicyChoice policy : element.at(GridReader::policy)) {
                put(labels, policy.label(), element);
                policies.add(policy);
            }
        }
        return policies;
    }

    /** One policy, or one for each combination of its parameters. */
    private static List<PolicyChoice> policy(GridNode node) {
        List<Map<String, String>> combinations = new ArrayList<>();
        String name;
        if (node.json().isObject()) {
            Map<String, GridNode> keys = node.keys();
            GridNode named = keys.remove("name");
            if (named == null) {
                throw node.wrong("a policy needs a 'name' beside its parameters");
            }
            name = named.text();
            combinations.add(Map.of());
            for (Map.Entry<String, GridNode> parameter : keys.entrySet()) {
                combine(combinations, parameter.getKey(), parameter.getValue().elements());
            }
        } else {
            PolicyChoice one = PolicyChoice.parse(node.text());
            name = one.name();
            combinations.add(one.parameters());
        }
        return combinations.stream()
                .map(parameters -> new PolicyChoice(name, parameters).checked())
                .toList();
    }

    private static void combine(List<Map<String, String>> combinations, String parameter, List<GridNode> values) {
        List<Map<String, String>> more = new ArrayList<>();
        for (Map<String, String> before : combinations) {
            for (GridNode value : values) {
                Map<String, String> with = new HashMap<>(before);
                with.put(parameter, value.text());
                more.add(with);
            }
        }
        combinations.clear();
        combinations.addAll(more);
    }

    private static EngineChoice engine(GridNode node) {
        if (!node.json().isObject()) {
            return EngineChoice.ofVersion(version(node));
        }
        node.requireKeys(GridKey.leaves(true));
        String vllm = node.key(GridKey.ENGINE_VLLM.leaf())
                .map(v -> v.at(GridReader::version))
                .orElse(EngineChoice.newest().vllm());
        return new EngineChoice(
                node.key(GridKey.ENGINE_NAME.leaf()).map(GridNode::text).orElse(vllm),
                vllm,
                node.key(GridKey.ENGINE_TIMING.leaf()).map(GridNode::text),
                node.wholeOf(GridKey.ENGINE_BLOCK_SIZE.leaf(), 1),
                node.wholeOf(GridKey.ENGINE_MAX_NUM_SEQS.leaf(), 1),
                node.wholeOf(GridKey.ENGINE_MAX_NUM_BATCHED_TOKENS.leaf(), 1),
                node.wholeOf(GridKey.ENGINE_MAX_MODEL_LEN.leaf(), 2));
    }

    /** A version; of 0.10 and 0.1 YAML makes the same number. */
    private static String version(GridNode node) {
        if (node.json().isNumber()) {
            throw node.wrong("write a version with three numbers, as in 0.32.0, or in quotes");
        }
        return EngineChoice.ofVersion(node.text()).vllm();
    }
}
