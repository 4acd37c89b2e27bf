package dev.warmroute.recorder.format;

/** What rows are read from, one after the other: it knows where it is. */
interface RowSource extends AutoCloseable {
    /** Where the row read last stands, file included. */
    String place();

    /** Share of it that has been read, from 0 to 1. */
    double progress();

    @Override
    void close();
}
