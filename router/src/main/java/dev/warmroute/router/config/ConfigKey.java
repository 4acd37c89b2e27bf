package dev.warmroute.router.config;

import java.util.Arrays;
import java.util.List;

/**
 * Every key of {@code router.yaml}: the one place where its type, default and meaning stand. The reader takes defaults from
 * here as if they had been written in the file; the table of the operator's manual is printed from here.
 */
public enum ConfigKey {
    INSTANCE(
            "instance",
            Type.TEXT,
            "",
            "name of this router in events and status, the same after a restart; default HOST:PORT"),
    LISTEN("listen", Type.ADDRESS, "127.0.0.1:8080", "address that clients connect to; port 0 takes a free one"),
    ADMIN("admin", Type.MAP, "", "the operator's side"),
    ADMIN_LISTEN(
            "admin.listen", Type.ADDRESS, "127.0.0.1:8081", "address of panel, status, health, metrics and changes"),
    ADMIN_TOKEN("admin.token", Type.TEXT, "", "token that changes need; without one they are refused"),
    DATA_DIR("data_dir", Type.TEXT, "./warmroute-data", "directory of the embedded broker"),
    SALT_FILE(
            "salt_file",
            Type.TEXT,
            "",
            "secret behind all hashes, made on first start, shared between routers; default DATA_DIR/salt"),
    MODELS("models", Type.LIST, null, "the models that are served, at least one"),
    MODEL_NAME("models[].name", Type.TEXT, null, "name that requests ask for"),
    MODEL_MAX_NUM_SEQS(
            "models[].max_num_seqs",
            Type.COUNT,
            "256",
            "the engines' --max-num-seqs, from which thresholds are derived"),
    MODEL_AFFINITY(
            "models[].affinity",
            Type.SWITCH,
            "on",
            "off: conversations are not kept together, least_in_flight decides"),
    MODEL_POLICY("models[].policy", Type.POLICY, "warden", "routing policy: a name, or a map of name and parameters"),
    MODEL_REPLICAS("models[].replicas", Type.LIST, null, "the replicas, at least one"),
    REPLICA_ID("models[].replicas[].id", Type.TEXT, null, "name of the replica in events and status, unique"),
    REPLICA_URL("models[].replicas[].url", Type.URL, null, "base URL of its vLLM server, http or https"),
    REPLICA_RANK(
            "models[].replicas[].data_parallel_rank",
            Type.COUNT,
            "",
            "rank behind that URL, sent as X-data-parallel-rank"),
    REPLICA_API_KEY(
            "models[].replicas[].api_key", Type.TEXT, "", "sent upstream instead of the client's Authorization"),
    COUNTERS("counters", Type.MAP, "", "reading the replicas' /metrics"),
    COUNTERS_INTERVAL("counters.interval", Type.DURATION, "1s", "time between two reads of a replica's /metrics"),
    SESSION("session", Type.MAP, "", "who is speaking"),
    SESSION_HEADERS("session.headers", Type.LIST, "", "headers looked at before the built-in table"),
    PROMPT("prompt", Type.MAP, "", "what is said"),
    PROMPT_FINGERPRINT(
            "prompt.fingerprint",
            Type.CHOICE,
            "bytes",
            "bytes, tokenize or off: how prompts become prompt events; off also means that a conversation without an id is not known by its first message"),
    KAFKA("kafka", Type.MAP, "", "where events go"),
    KAFKA_BOOTSTRAP("kafka.bootstrap", Type.TEXT, "", "brokers; without it a broker is started inside this process"),
    KAFKA_PREFIX("kafka.prefix", Type.TEXT, "warmroute", "what topic names begin with"),
    KAFKA_BUFFER(
            "kafka.buffer",
            Type.COUNT,
            "100000",
            "events that wait while the broker is away; more are lost and counted"),
    KAFKA_PROPERTIES("kafka.properties", Type.PROPERTIES, "", "further properties of the Kafka client"),
    HOMES("homes", Type.MAP, "", "the homes of conversations in Kafka"),
    HOMES_WAIT(
            "homes.wait",
            Type.DURATION,
            "10s",
            "how long a start waits for the homes of earlier runs before it routes without them"),
    WARM_PROMPTS("warm_prompts", Type.MAP, "", "prompts sent to a replica that comes up cold"),
    WARM_PROMPTS_FILE("warm_prompts.file", Type.TEXT, "", "file with the prompts; none: no warming"),
    WARM_PROMPTS_CONCURRENCY("warm_prompts.concurrency", Type.COUNT, "2", "warm prompts at a time on one replica"),
    WARM_PROMPTS_REPLICAS(
            "warm_prompts.replicas",
            Type.CHOICE,
            "all",
            "all, or placed: each prompt only where the policy would place a request that begins with it"),
    WARM_PROMPTS_MAX_CACHE_SHARE(
            "warm_prompts.max_cache_share",
            Type.SHARE,
            "0.25",
            "a warning is given when the warm prompts take more than this part of a replica's cache"),
    LIMITS("limits", Type.MAP, "", "limits"),
    LIMITS_MAX_BODY("limits.max_body", Type.SIZE, "32MB", "largest request body; larger ones are answered with 413"),
    LIMITS_MAX_HELD("limits.max_held", Type.COUNT, "10000", "requests that a holding policy may keep waiting"),
    LIMITS_MAX_HOLD("limits.max_hold", Type.DURATION, "150s", "longest time that a request is held"),
    LIMITS_CONNECT("limits.connect", Type.DURATION, "2s", "time to connect to a replica"),
    LIMITS_FIRST_BYTE("limits.first_byte", Type.DURATION, "0", "time to the first byte of an answer; 0: no limit"),
    LIMITS_IDLE("limits.idle", Type.DURATION, "0", "time between two bytes of an answer; 0: no limit"),
    LIMITS_HALF_CLOSED(
            "limits.half_closed",
            Type.DURATION,
            "5ms",
            "a client that has ended its side in the middle of an answer, and is sent nothing for so long, has gone"),
    TLS("tls", Type.MAP, "", "serves HTTPS when given"),
    TLS_CERT("tls.cert", Type.TEXT, "", "certificate chain, PEM"),
    TLS_KEY("tls.key", Type.TEXT, "", "private key, PKCS#8 PEM");

    /** What a value must be. */
    public enum Type {
        MAP("a map"),
        LIST("a list"),
        TEXT("text"),
        ADDRESS("host:port"),
        URL("a URL such as http://127.0.0.1:8000"),
        COUNT("a whole number"),
        DURATION("a duration such as 150s, 2m or 500ms"),
        SIZE("a size such as 32MB"),
        SHARE("a share such as 0.25 or 25%"),
        SWITCH("on or off"),
        CHOICE("one of the words listed"),
        POLICY("a policy's name, or a map with its name and parameters"),
        PROPERTIES("a map of texts");

        private final String expected;

        Type(String expected) {
            this.expected = expected;
        }

        /** What was expected, for a message. */
        public String expected() {
            return expected;
        }
    }

    private final String path;
    private final Type type;
    private final String byDefault;
    private final String meaning;

    ConfigKey(String path, Type type, String byDefault, String meaning) {
        this.path = path;
        this.type = type;
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    /** Path with {@code []} for list elements, for example {@code models[].replicas[].url}. */
    public String path() {
        return path;
    }

    /** Last part of the path. */
    public String leaf() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Path of the map that holds the key; empty at the top. */
    public String parent() {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    public Type type() {
        return type;
    }

    public boolean required() {
        return byDefault == null;
    }

    /** The default as it would be written in the file; empty when there is none, or when it is required. */
    public String byDefault() {
        return byDefault == null ? "" : byDefault;
    }

    public String meaning() {
        return meaning;
    }

    /** The keys of one map, in order. */
    static List<String> leavesOf(String parent) {
        return Arrays.stream(values())
                .filter(k -> k.parent().equals(parent))
                .map(ConfigKey::leaf)
                .toList();
    }
}
