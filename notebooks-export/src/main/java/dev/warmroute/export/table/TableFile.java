package dev.warmroute.export.table;

import java.io.IOException;

/** A file that takes a table's rows one after the other. */
interface TableFile<R> extends AutoCloseable {
    void write(R row) throws IOException;

    /** Ends the file; it may be read afterwards. */
    @Override
    void close() throws IOException;
}
