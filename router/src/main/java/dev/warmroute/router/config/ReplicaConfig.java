package dev.warmroute.router.config;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One replica.
 *
 * @param id its name, unique among all models
 * @param url base URL of its vLLM server; an optional path is put in front of every request's path
 * @param dataParallelRank rank behind that URL
 * @param apiKey sent upstream instead of the client's credentials
 */
public record ReplicaConfig(String id, URI url, OptionalInt dataParallelRank, Optional<String> apiKey) {
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
}
