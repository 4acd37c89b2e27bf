package dev.warmroute.simulator.replica;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A metrics page, read line by line: samples by name and labels, types by family. */
record MetricsText(Map<String, Double> samples, Map<String, String> types) {
    private static final Pattern SAMPLE = Pattern.compile("([A-Za-z0-9_:]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z0-9_]+)=\"([^\"]*)\"");

    static MetricsText of(int port) {
        return parse(RawAnswer.ask(port, "GET", "/metrics", "").body());
    }

    static MetricsText parse(String page) {
        Map<String, Double> samples = new LinkedHashMap<>();
        Map<String, String> types = new TreeMap<>();
        for (String line : page.split("\n")) {
            if (line.startsWith("# TYPE ")) {
                types.put(line.split(" ")[2], line.split(" ")[3]);
            } else if (!line.startsWith("#")) {
                Matcher sample = SAMPLE.matcher(line);
                if (!sample.matches()) {
                    throw new AssertionError("not a sample: " + line);
                }
                String labels = sample.group(2) == null ? "" : sample.group(2);
                if (samples.put(sample.group(1) + '{' + labels + '}', Double.valueOf(sample.group(3))) != null) {
                    throw new AssertionError("twice on one page: " + line);
                }
            }
        }
        return new MetricsText(samples, types);
    }

    /** Returns the sum of all samples of a series that has vLLM's prefix. */
    double sum(String name) {
        return samples.entrySet().stream()
                .filter(e -> e.getKey().startsWith("vllm:" + name + '{'))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Returns the labels of a sample, in order. */
    static Map<String, String> labels(String sample) {
        Map<String, String> labels = new LinkedHashMap<>();
        Matcher label = LABEL.matcher(sample);
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        return labels;
    }
}
