package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table looked up by a name as people write it: case, spaces, dashes and an organisation before a slash do not matter,
 * nor do words that say nothing about what is looked up (a vendor, "Instruct", a quantisation). An unknown name is refused
 * with the nearest ones.
 *
 * @param <T> what is looked up
 */
public final class Names<T> {
    private static final int SUGGESTIONS = 3;

    private final String kind;
    private final Set<String> ignored;
    private final Map<String, T> byName = new LinkedHashMap<>();
    private final Map<String, T> byKey = new LinkedHashMap<>();

    /**
     * Starts an empty table.
     *
     * @param kind what the names are names of, for messages: "model", "GPU"
     * @param ignoredWords words, in lower case, that are left out of every name
     */
    public Names(String kind, Set<String> ignoredWords) {
        this.kind = kind;
        this.ignored = Set.copyOf(ignoredWords);
    }

    /**
     * Adds an entry under its name and other names for it.
     *
     * @throws IllegalArgumentException if a name is taken by a different entry
     */
    public Names<T> add(String name, List<String> aliases, T entry) {
        byName.put(name, entry);
        put(name, entry);
        aliases.forEach(alias -> put(alias, entry));
        return this;
    }

    private void put(String name, T entry) {
        T before = byKey.putIfAbsent(key(name), entry);
        if (before != null && before != entry) {
            throw new IllegalArgumentException("two entries are called like " + kind + " '" + name + "'");
        }
    }

    /** Returns the entries' own names, in the order of the table. */
    public List<String> all() {
        return List.copyOf(byName.keySet());
    }

    /** Returns the entries, in the order of the table. */
    public List<T> entries() {
        return List.copyOf(byName.values());
    }

    /** Says whether {@link #named} would find this name. */
    public boolean contains(String name) {
        return byKey.containsKey(key(name));
    }

    /**
     * Returns the entry with this name.
     *
     * @throws UserError if there is none; the message has the nearest names
     */
    public T named(String name) {
        T found = byKey.get(key(name));
        if (found == null) {
            throw new UserError("unknown " + kind + " '" + name + "'; nearest: " + String.join(", ", nearest(name))
                    + " (of " + byName.size() + ")");
        }
        return found;
    }

    /** Returns the names most like this one, nearest first; ties in the order of the table. */
    public List<String> nearest(String name) {
        String wanted = key(name);
        List<String> names = new ArrayList<>(byName.keySet());
        names.sort(Comparator.comparingInt(candidate -> unlikeness(wanted, key(candidate))));
        return names.subList(0, Math.min(SUGGESTIONS, names.size()));
    }

    /** Lower case, the last part of a path, without ignored words and without anything but letters and digits. */
    private String key(String name) {
        String lower = name.toLowerCase(Locale.ROOT).strip();
        String last = lower.substring(lower.lastIndexOf('/') + 1);
        String kept = List.of(last.split("[^a-z0-9.]+")).stream()
                .filter(word -> !ignored.contains(word))
                .collect(Collectors.joining());
        return kept.isEmpty() ? last : kept;
    }

    /** Edit distance, shortened where one name contains the other. */
    private static int unlikeness(String a, String b) {
        int distance = editDistance(a, b);
        return !a.isEmpty() && (a.contains(b) || b.contains(a)) ? distance / 2 : distance;
    }

    private static int editDistance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
