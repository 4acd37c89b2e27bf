package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.config.RouterConfig.Admin;
import dev.warmroute.router.config.RouterConfig.Fingerprint;
import dev.warmroute.router.config.RouterConfig.Kafka;
import dev.warmroute.router.config.RouterConfig.Limits;
import dev.warmroute.router.config.RouterConfig.Tls;
import dev.warmroute.router.config.RouterConfig.Warming;
import dev.warmroute.router.config.RouterConfig.Where;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Reads {@code router.yaml}. All mistakes are collected and reported in one {@link UserError}, each with its path and what
 * was expected.
 */
public final class RouterConfigReader {
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern TOPIC_PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final int LARGEST_BODY = 1 << 30;

    private final UnaryOperator<String> environment;

    /** @param environment value of an environment variable, or null when it is not set */
    public RouterConfigReader(UnaryOperator<String> environment) {
        this.environment = environment;
    }

    public RouterConfig read(Path file) {
        return parse(YamlText.read(file));
    }

    /** @param name stands for the file in messages */
    public RouterConfig parse(String name, String yaml) {
        return parse(new YamlText(name, yaml));
    }

    private RouterConfig parse(YamlText file) {
        Problems problems = new Problems(file.name());
        JsonNode root = file.tree("'models'");
        new EnvironmentReferences(environment, problems).expand(root, "");
        Parts parts = parts(new ConfigSection(root, "", "", problems), problems);
        problems.throwIfAny();
        return parts.build();
    }

    /** What was read; built into a configuration only when there were no problems, since records refuse wrong values. */
    private interface Parts {
        RouterConfig build();
    }

    private static Parts parts(ConfigSection root, Problems problems) {
        Optional<String> instance = instance(root);
        Address listen = root.address(ConfigKey.LISTEN);
        Admin admin = admin(root.section(ConfigKey.ADMIN));
        if (listen.port() != 0 && listen.equals(admin.listen())) {
            problems.add("admin.listen", "must not be the same as listen, " + listen);
        }
        Path dataDir = Path.of(root.text(ConfigKey.DATA_DIR));
        String salt = root.text(ConfigKey.SALT_FILE);
        Path saltFile = salt.isEmpty() ? dataDir.resolve("salt") : Path.of(salt);
        Fingerprint fingerprint = fingerprint(root.section(ConfigKey.PROMPT));
        Supplied<List<ModelConfig>> models =
                new ModelsReader(problems, fingerprint != Fingerprint.OFF).read(root.sections(ConfigKey.MODELS));
        var interval = root.section(ConfigKey.COUNTERS).duration(ConfigKey.COUNTERS_INTERVAL);
        if (interval.toMillis() < 50) {
            problems.add("counters.interval", "must be at least 50ms");
        }
        List<String> headers = headers(root.section(ConfigKey.SESSION), problems);
        Kafka kafka = kafka(root.section(ConfigKey.KAFKA));
        Duration homesWait = root.section(ConfigKey.HOMES).duration(ConfigKey.HOMES_WAIT);
        Warming warming = warming(root.section(ConfigKey.WARM_PROMPTS));
        Limits limits = limits(root.section(ConfigKey.LIMITS));
        Optional<Tls> tls = root.has(ConfigKey.TLS) ? tls(root.section(ConfigKey.TLS)) : Optional.empty();
        return () -> new RouterConfig(
                instance,
                listen,
                admin,
                dataDir,
                saltFile,
                models.get(),
                interval,
                headers,
                fingerprint,
                kafka,
                homesWait,
                warming,
                limits,
                tls);
    }

    private static Optional<String> instance(ConfigSection root) {
        String name = root.text(ConfigKey.INSTANCE);
        if (root.has(ConfigKey.INSTANCE) && !INSTANCE.matcher(name).matches()) {
            root.problem(
                    ConfigKey.INSTANCE, "must have 1 to 128 letters, digits, '.', '_', ':' or '-', not '" + name + "'");
        }
        return present(name);
    }

    private static Admin admin(ConfigSection admin) {
        return new Admin(admin.address(ConfigKey.ADMIN_LISTEN), present(admin.text(ConfigKey.ADMIN_TOKEN)));
    }

    private static List<String> headers(ConfigSection session, Problems problems) {
        List<String> headers = session.texts(ConfigKey.SESSION_HEADERS);
        for (int i = 0; i < headers.size(); i++) {
            if (!HEADER_NAME.matcher(headers.get(i)).matches()) {
                problems.add("session.headers[" + i + "]", "'" + headers.get(i) + "' is not a header's name");
            }
        }
        return headers.stream().map(h -> h.toLowerCase(Locale.ROOT)).toList();
    }

    private static Fingerprint fingerprint(ConfigSection prompt) {
        return switch (prompt.text(ConfigKey.PROMPT_FINGERPRINT)) {
            case "bytes" -> Fingerprint.BYTES;
            case "tokenize" -> Fingerprint.TOKENIZE;
            case "off", "false" -> Fingerprint.OFF;
            default -> {
                prompt.problem(ConfigKey.PROMPT_FINGERPRINT, "must be bytes, tokenize or off");
                yield Fingerprint.OFF;
            }
        };
    }

    private static Kafka kafka(ConfigSection kafka) {
        String prefix = kafka.text(ConfigKey.KAFKA_PREFIX);
        if (!TOPIC_PREFIX.matcher(prefix).matches()) {
            kafka.problem(
                    ConfigKey.KAFKA_PREFIX,
                    "'" + prefix + "' cannot begin a topic's name; use letters, digits, '.', '_' and '-'");
        }
        if (kafka.has(ConfigKey.KAFKA_BOOTSTRAP)) {
            for (String server : kafka.text(ConfigKey.KAFKA_BOOTSTRAP).split(",", -1)) {
                if (Address.parse(server).isEmpty()) {
                    kafka.problem(
                            ConfigKey.KAFKA_BOOTSTRAP,
                            "must be host:port, or several separated by commas, not '" + server + "'");
                }
            }
        }
        return new Kafka(
                present(kafka.text(ConfigKey.KAFKA_BOOTSTRAP)),
                prefix,
                kafka.count(ConfigKey.KAFKA_BUFFER, 1),
                kafka.properties(ConfigKey.KAFKA_PROPERTIES));
    }

    private static Warming warming(ConfigSection warm) {
        Where where = switch (warm.text(ConfigKey.WARM_PROMPTS_REPLICAS)) {
            case "all" -> Where.ALL;
            case "placed" -> Where.PLACED;
            default -> {
                warm.problem(ConfigKey.WARM_PROMPTS_REPLICAS, "must be all or placed");
                yield Where.ALL;
            }
        };
        return new Warming(
                present(warm.text(ConfigKey.WARM_PROMPTS_FILE)).map(Path::of),
                warm.count(ConfigKey.WARM_PROMPTS_CONCURRENCY, 1),
                where,
                warm.share(ConfigKey.WARM_PROMPTS_MAX_CACHE_SHARE));
    }

    private static Limits limits(ConfigSection limits) {
        long maxBody = limits.size(ConfigKey.LIMITS_MAX_BODY);
        if (maxBody < 1 || maxBody > LARGEST_BODY) {
            limits.problem(ConfigKey.LIMITS_MAX_BODY, "must be between 1B and 1GB");
        }
        var connect = limits.duration(ConfigKey.LIMITS_CONNECT);
        if (connect.isZero() || connect.toHours() > 1) {
            limits.problem(ConfigKey.LIMITS_CONNECT, "must be between 1ms and 1h");
        }
        return new Limits(
                (int) Math.min(maxBody, LARGEST_BODY),
                limits.count(ConfigKey.LIMITS_MAX_HELD, 0),
                limits.duration(ConfigKey.LIMITS_MAX_HOLD),
                connect,
                limits.duration(ConfigKey.LIMITS_FIRST_BYTE),
                limits.duration(ConfigKey.LIMITS_IDLE),
                limits.duration(ConfigKey.LIMITS_HALF_CLOSED));
    }

    private static Optional<Tls> tls(ConfigSection tls) {
        Optional<Path> cert = readable(tls, ConfigKey.TLS_CERT);
        Optional<Path> key = readable(tls, ConfigKey.TLS_KEY);
        return cert.flatMap(c -> key.map(k -> new Tls(c, k)));
    }

    private static Optional<Path> readable(ConfigSection section, ConfigKey key) {
        String text = section.text(key);
        if (text.isEmpty()) {
            section.problem(key, "is missing; it is the " + key.meaning());
            return Optional.empty();
        }
        if (!Files.isReadable(Path.of(text))) {
            section.problem(key, "cannot be read: " + text);
            return Optional.empty();
        }
        return Optional.of(Path.of(text));
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** A part that is valid once no problem was found. */
    interface Supplied<T> {
        T get();
    }
}
