package dev.warmroute.recorder.trace;

/**
 * A column taken out of an event's JSON, so that a notebook needs no JSON to ask the usual questions. Null where the event
 * has no such field or it is of another type.
 *
 * @param name name of the column
 * @param path name of the field in the JSON, with a dot before a field of a nested object
 */
record EventColumn(String name, String path, Type type) {
    enum Type {
        LONG,
        DOUBLE,
        TEXT,
        FLAG
    }

    static EventColumn whole(String name) {
        return new EventColumn(name, name, Type.LONG);
    }

    static EventColumn number(String name) {
        return new EventColumn(name, name, Type.DOUBLE);
    }

    static EventColumn text(String name) {
        return new EventColumn(name, name, Type.TEXT);
    }

    static EventColumn flag(String name) {
        return new EventColumn(name, name, Type.FLAG);
    }

    /** The same column, read from another field. */
    EventColumn at(String otherPath) {
        return new EventColumn(name, otherPath, type);
    }
}
