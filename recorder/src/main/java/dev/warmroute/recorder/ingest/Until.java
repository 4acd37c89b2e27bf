package dev.warmroute.recorder.ingest;

/** When a recorder ends by itself. It ends earlier when it is stopped. */
public sealed interface Until {
    /** Never. */
    record Stopped() implements Until {}

    /** At what the topics hold when the recorder starts. */
    record End() implements Until {}

    /**
     * Before the first record with this timestamp or a later one; while the time lies ahead, the recorder goes on until
     * then.
     *
     * @param epochMillis milliseconds since the epoch
     */
    record Time(long epochMillis) implements Until {}

    Until STOPPED = new Stopped();
    Until END = new End();
}
