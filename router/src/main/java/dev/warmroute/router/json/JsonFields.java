package dev.warmroute.router.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which fields are wanted, by path: names from the top joined by dots, for example {@code usage.prompt_tokens}. A list on
 * the way is looked through: {@code choices.finish_reason} finds the reason of every choice.
 */
public final class JsonFields {
    /** A step on the way to wanted fields. */
    static final class Node {
        /** Position of the wanted field that ends here, or -1. */
        private int field = -1;

        private final Map<String, Node> children = new TreeMap<>();
        private byte[][] names = {};
        private Node[] nodes = {};

        int field() {
            return field;
        }

        boolean isLeaf() {
            return nodes.length == 0;
        }

        /** The step behind a name, or null. */
        Node child(byte[] name, int length) {
            for (int i = 0; i < names.length; i++) {
                if (equal(names[i], name, length)) {
                    return nodes[i];
                }
            }
            return null;
        }

        private static boolean equal(byte[] wanted, byte[] name, int length) {
            if (wanted.length != length) {
                return false;
            }
            for (int i = length - 1; i >= 0; i--) {
                if (wanted[i] != name[i]) {
                    return false;
                }
            }
            return true;
        }

        private void freeze() {
            names = children.keySet().stream()
                    .map(n -> n.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            nodes = children.values().toArray(Node[]::new);
            for (Node n : nodes) {
                n.freeze();
            }
        }
    }

    private final Node root = new Node();
    private final List<String> paths;

    private JsonFields(List<String> paths) {
        this.paths = List.copyOf(paths);
        List<String> seen = new ArrayList<>();
        for (String path : paths) {
            Node node = root;
            for (String name : path.split("\\.")) {
                node = node.children.computeIfAbsent(name, n -> new Node());
            }
            node.field = seen.size();
            seen.add(path);
        }
        root.freeze();
    }

    /** The fields with these paths; a field's position in this order is its number. */
    public static JsonFields of(String... paths) {
        return new JsonFields(List.of(paths));
    }

    public int size() {
        return paths.size();
    }

    Node root() {
        return root;
    }
}
