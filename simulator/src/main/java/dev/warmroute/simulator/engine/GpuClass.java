package dev.warmroute.simulator.engine;

import java.util.Locale;

/**
 * What vLLM looks at when it chooses the budgets of a server: the size of the card's memory, and whether it is an A100.
 */
public enum GpuClass {
    /** At least 70 GiB and not an A100: H100, H200, B200, MI300X, RTX PRO 6000. */
    LARGE,
    /** All others, the A100 with 80 GB among them. */
    OTHER;

    private static final double LARGE_GIB = 70;

    /**
     * Returns the class of a card.
     *
     * @param name as the driver gives it, as {@code NVIDIA H100 80GB HBM3}
     * @param memoryGib its whole memory in GiB
     */
    public static GpuClass of(String name, double memoryGib) {
        boolean a100 = name.toLowerCase(Locale.ROOT).contains("a100");
        return memoryGib >= LARGE_GIB && !a100 ? LARGE : OTHER;
    }
}
