package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
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
        Optional<String> timing) {
    public FleetDescription {
        Objects.requireNonNull(demand, "demand");
        Objects.requireNonNull(served, "served");
        Objects.requireNonNull(timing, "timing");
        if (capacityTokens.isEmpty() && usableBlocks.isEmpty() && served.isEmpty()) {
            throw new UserError("a description needs the cache of a replica: capacity_tokens=N, usable_blocks=N, or model=NAME"
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
                        replicas, best.capacity().usableBlocks(), best.capacity().blockSize(), best.capacity().source().wireName())
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
                maxNumSeqs.orElseGet(() -> served.map(s -> s.settings().maxNumSeqs()).orElse(defaults.maxNumSeqs())),
                maxNumBatchedTokens.orElseGet(() ->
                        served.map(s -> s.settings().maxNumBatchedTokens()).orElse(defaults.maxNumBatchedTokens())),
                defaults.seconds(),
                defaults.seeds(),
                threads);
    }

    /** The whole question. */
    public CapacityRequest request(Optional<CapacityRequest.Check> check) {
        return new CapacityRequest(
                layout().blockSize(), List.of(), Optional.of(cache()), OptionalInt.empty(), check, served);
    }
}
