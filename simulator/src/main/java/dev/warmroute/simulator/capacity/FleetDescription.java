package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.kv.CapacityResolver;
import dev.warmroute.simulator.kv.DerivedCapacity;
import dev.warmroute.simulator.kv.KvCapacity;
import dev.warmroute.simulator.kv.KvLayout;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.timing.MachineTimings;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Sessions and the machine that is to serve them, described in numbers: a question about capacity without a trace.
 *
 * @param replicas number of replicas
 * @param demand the sessions
 * @param blockSize tokens a block
 * @param capacityTokens cache of one replica as somebody said it, in tokens
 * @param usableBlocks the same in blocks
 * @param served model and card from which the cache is worked out where nobody said it, or against which it is held
 * @param maxNumSeqs running requests of a replica, where given
 * @param maxNumBatchedTokens token budget of a step, where given
 * @param timing step times, where given by name
 * @param growthPctPerDay expected growth of the demand, in percent of today's a day
 * @param cpuOffloadGib host memory of a replica as a second cache, in GiB
 */
public record FleetDescription(
        int replicas,
        Demand demand,
        int blockSize,
        Optional<Long> capacityTokens,
        OptionalInt usableBlocks,
        Optional<ServedModel> served,
        OptionalInt maxNumSeqs,
        OptionalInt maxNumBatchedTokens,
        Optional<String> timing,
        OptionalDouble growthPctPerDay,
        OptionalDouble cpuOffloadGib) {
    /** Bandwidth between host and each card, in bytes a second each way, as {@code --cpu-offload-gb-per-s} has it by default. */
    private static final double HOST_BYTES_PER_SECOND = 20e9;

    public FleetDescription {
        Objects.requireNonNull(demand, "demand");
        Objects.requireNonNull(served, "served");
        Objects.requireNonNull(timing, "timing");
        Objects.requireNonNull(growthPctPerDay, "growthPctPerDay");
        if (cpuOffloadGib.isPresent() && !(cpuOffloadGib.getAsDouble() > 0)) {
            throw new UserError("cpu_offload_gib must be above 0, not " + cpuOffloadGib.getAsDouble());
        }
        if (cpuOffloadGib.isPresent() && served.isEmpty()) {
            throw new UserError(
                    "cpu_offload_gib needs model and gpu: how many blocks fit depends on the bytes of a block");
        }
        if (capacityTokens.isEmpty() && usableBlocks.isEmpty() && served.isEmpty()) {
            throw new UserError(
                    "a description needs the cache of a replica: capacity_tokens=N, usable_blocks=N, or model=NAME"
                            + " and gpu=NAME");
        }
        if (capacityTokens.isPresent() && usableBlocks.isPresent()) {
            throw new UserError("a description gives the cache once: capacity_tokens or usable_blocks, not both");
        }
    }

    /** The cache: as said, else worked out; what disagrees with it by more than 5 % is in the explanation. */
    public CacheSize cache() {
        Optional<KvCapacity> given = given();
        if (given.isEmpty()) {
            return CacheSize.of(replicas, served.orElseThrow().capacity());
        }
        List<KvCapacity> known = new ArrayList<>(List.of(given.get()));
        served.ifPresent(s -> derived(s).ifPresent(d -> known.add(d.likely())));
        CapacityResolver.Resolved best = CapacityResolver.resolve(known).orElseThrow();
        List<String> sentences = new ArrayList<>(List.of(best.capacity().explanation()));
        sentences.addAll(best.notes());
        return new CacheSize(
                        replicas,
                        best.capacity().usableBlocks(),
                        best.capacity().blockSize(),
                        best.capacity().source().wireName())
                .withLayout(layout())
                .withExplanation(String.join("; ", sentences));
    }

    private Optional<KvCapacity> given() {
        long tokens = capacityTokens.orElseGet(() -> (long) usableBlocks.orElse(0) * layout().blockSize());
        return tokens == 0 ? Optional.empty() : Optional.of(KvCapacity.given(tokens, layout().blockSize()));
    }

    /** What it should be, unless the model does not fit the card: a given capacity needs no opinion on that. */
    private static Optional<DerivedCapacity> derived(ServedModel served) {
        try {
            return Optional.of(served.capacity());
        } catch (UserError doesNotFit) {
            return Optional.empty();
        }
    }

    private KvLayout layout() {
        return served.map(ServedModel::layout).orElseGet(() -> KvLayout.ofBlockSize(blockSize));
    }

    /** How to simulate it: budgets and times of the model on its card, unless said otherwise. */
    public CapacityRequest.Check check(int threads) {
        CapacityRequest.Check defaults = CapacityRequest.Check.defaults();
        TimingPreset times = timing.map(TimingPresets::named)
                .orElseGet(() -> served.map(MachineTimings::of).orElse(defaults.timing()));
        return new CapacityRequest.Check(
                defaults.policy(),
                times,
                maxNumSeqs.orElseGet(
                        () -> served.map(s -> s.settings().maxNumSeqs()).orElse(defaults.maxNumSeqs())),
                maxNumBatchedTokens.orElseGet(() ->
                        served.map(s -> s.settings().maxNumBatchedTokens()).orElse(defaults.maxNumBatchedTokens())),
                defaults.seconds(),
                defaults.seeds(),
                threads,
                host());
    }

    private Optional<HostMemory> host() {
        return cpuOffloadGib.isEmpty()
                ? Optional.empty()
                : served.map(s -> HostMemory.of(
                        s.offload(cpuOffloadGib.getAsDouble()),
                        HOST_BYTES_PER_SECOND * s.settings().tensorParallel()));
    }

    /** The whole question. */
    public CapacityRequest request(Optional<CapacityRequest.Check> check) {
        return new CapacityRequest(
                layout().blockSize(),
                List.of(),
                Optional.of(cache()),
                OptionalInt.empty(),
                check,
                served,
                new CapacityRequest.Outlook(growthPctPerDay, OptionalDouble.empty(), false));
    }
}
