package dev.warmroute.simulator.timing;

/**
 * How much of a card's published speed an engine reaches, and what a step costs besides.
 *
 * @param bandwidth share of the memory bandwidth
 * @param compute share of the dense bf16 throughput
 * @param stepMicros microseconds a step takes whatever is in it
 * @param layerMicros microseconds a step takes for each layer
 * @param sequenceMicros microseconds a step takes for each decoding sequence
 * @param mixedSequenceMicros microseconds more for each in a step that also computes prompts: such a step runs without the whole
 *     step's CUDA graph, and its decoding sequences go through the kernel for prompts
 */
public record Efficiency(
        double bandwidth,
        double compute,
        double stepMicros,
        double layerMicros,
        double sequenceMicros,
        double mixedSequenceMicros) {

    /**
     * BLIS (inference-sim): 72 % of the bandwidth, 65 % of the throughput, 500 us a step and 20 us a layer in its H100
     * roofline; 6 us a decoding sequence in its fit of Llama-3.1-8B on an H100.
     */
    public static final Efficiency BLIS = new Efficiency(0.72, 0.65, 500, 20, 6);

    public Efficiency {
        if (!(bandwidth > 0 && bandwidth <= 1 && compute > 0)) {
            throw new IllegalArgumentException(
                    "bandwidth must be a share above 0 and at most 1, compute above 0: " + bandwidth + ", " + compute);
        }
        if (!(stepMicros >= 0 && layerMicros >= 0 && sequenceMicros >= 0 && mixedSequenceMicros >= 0)) {
            throw new IllegalArgumentException("times besides must not be negative: " + stepMicros + ", " + layerMicros
                    + ", " + sequenceMicros + ", " + mixedSequenceMicros + " microseconds");
        }
    }

    /** Efficiencies of an engine whose decoding sequences cost the same in every step. */
    public Efficiency(double bandwidth, double compute, double stepMicros, double layerMicros, double sequenceMicros) {
        this(bandwidth, compute, stepMicros, layerMicros, sequenceMicros, 0);
    }

    /** The same with other shares. */
    public Efficiency withShares(double bandwidth, double compute) {
        return new Efficiency(bandwidth, compute, stepMicros, layerMicros, sequenceMicros, mixedSequenceMicros);
    }
}
