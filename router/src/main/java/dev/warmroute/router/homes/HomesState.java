package dev.warmroute.router.homes;

import java.util.Optional;
import java.util.Set;

/**
 * How it stands with the homes in Kafka.
 *
 * @param restored whether all homes of earlier runs have been read
 * @param homes records that told of a home so far
 * @param problem why the topic cannot be read, in one line; empty when it can
 * @param otherSalts routers on the same topic whose salt is another, so that no home is shared with them
 */
public record HomesState(boolean restored, long homes, Optional<String> problem, Set<String> otherSalts) {
    public HomesState {
        otherSalts = Set.copyOf(otherSalts);
    }
}
