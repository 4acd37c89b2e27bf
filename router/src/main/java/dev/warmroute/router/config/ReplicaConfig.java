package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import java.net.URI;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * One replica.
 *
 * @param id its name, unique among all models
 * @param url base URL of its vLLM server; an optional path is put in front of every request's path
 * @param dataParallelRank rank behind that URL
 * @param apiKey sent upstream instead of the client's credentials
 */
public record ReplicaConfig(String id, URI url, OptionalInt dataParallelRank, Optional<String> apiKey) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /** A replica that is no data-parallel rank and needs no key; refuses what cannot be one. */
    public static ReplicaConfig of(String id, String url) {
        return of(id, url, OptionalInt.empty(), Optional.empty());
    }

    /** A replica; refuses what cannot be one. */
    public static ReplicaConfig of(String id, String url, OptionalInt dataParallelRank, Optional<String> apiKey) {
        Optional<URI> parsed = parseUrl(url);
        String problem = problemWithId(id)
                .or(() -> parsed.isPresent() ? Optional.empty() : Optional.of("url must be " + urlExpected(url)))
                .or(() -> apiKey.flatMap(ReplicaConfig::problemWithKey).map(p -> "api_key " + p))
                .orElse("");
        if (!problem.isEmpty()) {
            throw new UserError("replica: " + problem);
        }
        return new ReplicaConfig(id, parsed.orElseThrow(), dataParallelRank, apiKey);
    }

    /**
     * A replica from JSON with the keys that {@code router.yaml} has.
     *
     * @throws ConfigError if it is wrong; every mistake is named with its path
     */
    public static ReplicaConfig read(JsonNode json) {
        Problems problems = new Problems("the replica");
        ConfigSection section = new ConfigSection(json, "", ConfigKey.MODEL_REPLICAS.path() + "[]", problems);
        RouterConfigReader.Supplied<ReplicaConfig> replica =
                new ModelsReader(problems, true).replica(section, new HashSet<>());
        problems.throwIfAny();
        return replica.get();
    }

    static Optional<String> problemWithId(String id) {
        return ID.matcher(id).matches()
                ? Optional.empty()
                : Optional.of("'" + id + "' must have 1 to 64 letters, digits, '.', '_', ':' or '-'");
    }

    static Optional<String> problemWithKey(String key) {
        return key.chars().anyMatch(c -> c < ' ' || c > '~')
                ? Optional.of("has a character that no header may have")
                : Optional.empty();
    }

    static String urlExpected(String found) {
        return ConfigKey.REPLICA_URL.type().expected() + ", not '" + found + "'";
    }

    /** A base URL: http or https, with a host, without query, fragment or user. Empty when it is none. */
    static Optional<URI> parseUrl(String text) {
        try {
            URI url = URI.create(text);
            boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            boolean base = url.getHost() != null
                    && url.getPort() <= 65_535
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null
                    && url.getRawUserInfo() == null;
            return web && base ? Optional.of(url) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean tls() {
        return url.getScheme().equalsIgnoreCase("https");
    }

    public String host() {
        String host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    public int port() {
        return url.getPort() >= 0 ? url.getPort() : tls() ? 443 : 80;
    }

    /** Path in front of every request's path: empty, or beginning but not ending with a slash. */
    public String basePath() {
        String path = url.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Never shows the key. */
    @Override
    public String toString() {
        return "ReplicaConfig[" + id + ", " + url + (apiKey.isPresent() ? ", with api_key" : "") + ']';
    }

    /** Address of a path below the base URL. */
    public URI at(String path) {
        String base = url.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }

    /** Its key as the value of an Authorization field. */
    public Optional<String> authorization() {
        return apiKey.map(key -> key.regionMatches(true, 0, "Bearer ", 0, 7) ? key : "Bearer " + key);
    }
}
