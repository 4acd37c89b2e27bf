package dev.warmroute.recorder.format;

/**
 * A trace whose rows come from one source, which is closed with the reader.
 *
 * @param <S> the source
 */
abstract class StreamedReader<S extends RowSource> extends RowReader {
    final S source;

    StreamedReader(TraceFile file, OnError onError, TraceFormat format, S source) {
        super(file, onError, format.formatName());
        this.source = source;
    }

    @Override
    final String place() {
        return source.place();
    }

    @Override
    public final double progress() {
        return source.progress();
    }

    @Override
    public final void close() {
        source.close();
    }
}
