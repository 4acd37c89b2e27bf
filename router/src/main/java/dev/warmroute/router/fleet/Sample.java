package dev.warmroute.router.fleet;

import java.util.Map;

/**
 * One line of a metrics page.
 *
 * @param name as it stands there, {@code vllm:} and {@code _total} included
 * @param labels by name, in the order of the page
 */
public record Sample(String name, Map<String, String> labels, double value) {
    /** Value of a label, or the empty string: Prometheus takes an empty label for a missing one. */
    public String label(String label) {
        return labels.getOrDefault(label, "");
    }
}
