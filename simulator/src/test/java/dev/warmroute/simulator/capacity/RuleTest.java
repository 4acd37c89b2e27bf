package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import dev.warmroute.simulator.kv.KvGroup;
import dev.warmroute.simulator.kv.KvLayout;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RuleTest {
    private static final CacheSize SEVEN_CARDS = CacheSize.ofTokens(7, 195_000, 16, "given");
    private static final CacheSize FOUR_CARDS = CacheSize.ofTokens(4, 33_520, 16, "given");

    @Test
    void sevenCardsHold21SessionsOf58000TokensAndNot26() {
        Rule many = Rule.even(Demand.uniform(26, 58_000, 5_000), SEVEN_CARDS);
        assertThat(many.verdict()).isEqualTo(Verdict.DOES_NOT_FIT);
        assertThat(many.sessionsFit()).isEqualTo(new SessionsFit(21, 21));
        assertThat(many.limit()).isEqualTo(Limit.CACHE);
        assertThat(many.ledger().machine().utilisationMean()).isCloseTo(1.035, within(0.001));
        assertThat(Rule.even(Demand.uniform(16, 58_000, 5_000), SEVEN_CARDS).verdict())
                .isEqualTo(Verdict.FITS);
        assertThat(Rule.even(Demand.uniform(21, 58_000, 5_000), SEVEN_CARDS).verdict())
                .isEqualTo(Verdict.FITS);
        assertThat(Rule.even(Demand.uniform(22, 58_000, 5_000), SEVEN_CARDS).verdict())
                .isEqualTo(Verdict.DOES_NOT_FIT);
    }

    @Test
    void thePublishedTableFits13SessionsByMeanAnd11ByPeakContextWhenPooled() {
        RuleLedger.Machine machine = Rule.even(new Demand(16, 3_500, 12_500, 14_100, 0, 0), FOUR_CARDS)
                .ledger()
                .machine();
        assertThat(machine.sessionsFitRaw()).isCloseTo(10.7, within(0.05));
        assertThat(machine.sessionsFitPooledMean()).isEqualTo(13);
        assertThat(machine.sessionsFitPooledP95()).isEqualTo(11);
        assertThat(machine.sessionsFitMean()).isEqualTo(12);
        assertThat(machine.sessionsFitP95()).isEqualTo(8);
    }

    @Test
    void oneCardOfThePublishedCliffHolds7To14Sessions() {
        // 10k shared, contexts growing from 11k to 22.8k
        Rule rule =
                Rule.even(new Demand(12, 10_000, 16_900, 22_800, 0, 0), CacheSize.ofTokens(1, 109_000, 16, "given"));
        assertThat(rule.sessionsFit()).isEqualTo(new SessionsFit(7, 14));
        assertThat(rule.verdict()).isEqualTo(Verdict.EDGE);
    }

    @Test
    void sessionsCrowdedOnSomeReplicasAreAPlacementProblem() {
        Rule crowded = Rule.placed(Demand.uniform(0, 58_000, 5_000), SEVEN_CARDS, new int[] {5, 5, 4, 2, 0, 0, 0});
        assertThat(crowded.verdict()).isEqualTo(Verdict.DOES_NOT_FIT);
        assertThat(crowded.limit()).isEqualTo(Limit.PLACEMENT);
        RuleLedger ledger = crowded.ledger();
        assertThat(ledger.machine().sessions()).isEqualTo(16);
        assertThat(ledger.machine().utilisationMean()).isLessThan(1);
        assertThat(ledger.replicas().get(0).headroomTokens()).isNegative();
        assertThat(ledger.replicas().get(6).demandMeanTokens()).isZero();
    }

    @Test
    void onlyFullBlocksOfThePrefixAreSharedAndTheLastBlockCountsWhole() {
        // 100 shared tokens are 6 blocks of 16; 200 tokens and 10 of output are 14 blocks: 8 private ones
        Rule rule = Rule.even(new Demand(1, 100, 200, 200, 10, 10), new CacheSize(1, 22, 16, "given"));
        assertThat(rule.ledger().replicas().get(0).demandMeanTokens()).isEqualTo(14 * 16);
        assertThat(rule.sessionsFit()).isEqualTo(new SessionsFit(2, 2));
    }

    /** By hand: 6 shared blocks; 8 private ones of mean length, 14 at the 95th percentile; two caches of 44. */
    @Test
    void theLedgerToTheLastFigure() {
        Rule rule =
                Rule.placed(new Demand(0, 100, 200, 300, 10, 20), new CacheSize(2, 44, 16, "given"), new int[] {3, 2});
        assertThat(rule.ledger())
                .isEqualTo(new RuleLedger(
                        new RuleLedger.Machine(
                                5,
                                2,
                                88 * 16,
                                100,
                                210,
                                320,
                                52 / 88.0,
                                82 / 88.0,
                                38 / 8.0,
                                38 / 14.0,
                                88 * 16 / 210.0,
                                76 / 8,
                                76 / 14,
                                2 * 4,
                                2 * 2,
                                36 * 16),
                        List.of(
                                new RuleLedger.Replica(
                                        "r0", 3, 44 * 16, 30 * 16, 48 * 16, 30 / 44.0, 48 / 44.0, 4, 2, 14 * 16),
                                new RuleLedger.Replica(
                                        "r1", 2, 44 * 16, 22 * 16, 34 * 16, 22 / 44.0, 34 / 44.0, 4, 2, 22 * 16))));
        assertThat(rule.verdict()).isEqualTo(Verdict.EDGE);
        assertThat(rule.demand().sessions()).isEqualTo(5);
        assertThat(rule.capacityTokens()).isEqualTo(88 * 16);
        assertThat(rule.utilisation()).isEqualTo(30 / 44.0);
        assertThat(rule.sessionsFitWhereTheyAre()).as("5 x 4 / 3").isEqualTo(6);
    }

    @Test
    void aReplicaIsFullWithItsLastBlockAndFitsUpTo85Percent() {
        Demand two = new Demand(2, 100, 200, 300, 10, 20); // 22 blocks of mean length, 34 at the 95th percentile
        assertThat(Rule.even(two, new CacheSize(1, 40, 16, "given")).verdict()).isEqualTo(Verdict.FITS);
        assertThat(Rule.even(two, new CacheSize(1, 39, 16, "given")).verdict()).isEqualTo(Verdict.EDGE);
        assertThat(Rule.even(two, new CacheSize(1, 22, 16, "given")).verdict()).isEqualTo(Verdict.EDGE);
        assertThat(Rule.even(two, new CacheSize(1, 21, 16, "given")).verdict()).isEqualTo(Verdict.DOES_NOT_FIT);
    }

    /**
     * By hand, with full attention and a window of 100 tokens, which keeps 7 blocks: 12 shared blocks, 15 private ones of mean length,
     * 21 at the 95th percentile; a prompt of 300 tokens passes 19 blocks through the window's group.
     */
    @Test
    void withASlidingWindowThereMustBeRoomForAColdPromptToPassThrough() {
        KvLayout hybrid = new KvLayout(16, 1, 1, List.of(new KvGroup.Full(), new KvGroup.SlidingWindow(100)));
        Demand two = new Demand(2, 100, 200, 300, 10, 20);
        Rule enough = Rule.even(two, new CacheSize(1, 73, hybrid, "given", 73, 73, ""));
        assertThat(enough.ledger().replicas().get(0).demandMeanTokens()).isEqualTo((12 + 2 * 15) * 16);
        assertThat(enough.ledger().replicas().get(0).demandP95Tokens()).isEqualTo((12 + 2 * 21) * 16);
        assertThat(enough.passingBlocks()).isEqualTo(19);
        assertThat(enough.overwrittenByColdPrompt()).isFalse();
        assertThat(enough.verdict()).isEqualTo(Verdict.FITS);
        Rule tight = Rule.even(two, new CacheSize(1, 72, hybrid, "given", 72, 72, ""));
        assertThat(tight.overwrittenByColdPrompt()).isTrue();
        assertThat(tight.verdict()).isEqualTo(Verdict.EDGE);
    }

    @Test
    void sessionsAreUnevenlySpreadWhenOneReplicaHasMoreThanItsShare() {
        Demand demand = Demand.uniform(0, 1_000, 100);
        assertThat(Rule.placed(demand, FOUR_CARDS, new int[] {2, 2, 1, 0}).uneven())
                .isFalse();
        assertThat(Rule.placed(demand, FOUR_CARDS, new int[] {3, 1, 1, 0}).uneven())
                .isTrue();
        assertThat(Rule.placed(demand, FOUR_CARDS, new int[] {0, 0, 0, 0}).sessionsFitWhereTheyAre())
                .isZero();
    }

    @Test
    void aPrefixThatFillsTheCacheLeavesRoomForNobody() {
        Rule rule = Rule.even(Demand.uniform(1, 2_000, 1_900), CacheSize.ofTokens(2, 1_600, 16, "given"));
        assertThat(rule.sessionsFit()).isEqualTo(new SessionsFit(0, 0));
        assertThat(rule.verdict()).isEqualTo(Verdict.DOES_NOT_FIT);
    }

    @Property
    void asManySessionsAsFitAreNeverRedAndOneMoreOnEachReplicaAlwaysIs(
            @ForAll @IntRange(min = 1, max = 8) int replicas,
            @ForAll @IntRange(min = 100, max = 20_000) int blocks,
            @ForAll @IntRange(max = 1_000) int shared,
            @ForAll @IntRange(min = 1, max = 30_000) int own) {
        CacheSize cache = new CacheSize(replicas, blocks, 16, "given");
        Demand demand = Demand.uniform(0, (double) shared + own, shared);
        int fit = Rule.even(demand, cache).sessionsFit().high();
        assertThat(Rule.even(demand.withSessions(fit), cache).verdict()).isNotEqualTo(Verdict.DOES_NOT_FIT);
        assertThat(Rule.even(demand.withSessions(fit + 1), cache).verdict()).isEqualTo(Verdict.DOES_NOT_FIT);
    }

    @Test
    void impossibleNumbersAreRefusedInWords() {
        assertThatThrownBy(() -> Demand.uniform(3, 100, 200))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("shared prefix (200 tokens) is longer than the context");
        assertThatThrownBy(() -> new CacheSize(0, 1, 16, "given")).isInstanceOf(UserError.class);
    }
}
