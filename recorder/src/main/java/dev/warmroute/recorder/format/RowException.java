package dev.warmroute.recorder.format;

/** A row that is not what its format says; the reader adds file and line. */
final class RowException extends RuntimeException {
    RowException(String field, String expected) {
        super("field '" + field + "': " + expected);
    }

    RowException(String message) {
        super(message);
    }
}
