package dev.warmroute.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private static final String A4000 = "replicas=4,model=Qwen3-4B,gpu=RTX A4000,context=12500,shared=3500,sessions=";

    @Test
    void halfTheBytesHoldTwiceTheTokens() {
        Situation now = now(A4000 + 24);
        Situation fp8 = one(Change.FP8_CACHE, now);
        assertThat((double) fp8.cache().tokens() / now.cache().tokens()).isCloseTo(2, within(0.01));
        assertThat(fp8.how()).isEqualTo(now.how());
        assertThat(Change.FP8_CACHE.of(now(A4000 + "24,kv_dtype=fp8"))).isEmpty();
        assertThat(one(Change.FP8_CACHE, now("capacity_tokens=32000,context=5000,sessions=4"))
                        .cache()
                        .tokens())
                .isEqualTo(64_000);
    }

    @Test
    void whatWasSaidOfACacheIsChangedInProportion() {
        Situation said = now(A4000 + "24,capacity_tokens=32000");
        assertThat((double) one(Change.FP8_CACHE, said).cache().tokens()).isCloseTo(64_000, within(200.0));
        assertThat(one(Change.FP8_CACHE, said).cache().source()).isEqualTo("given");
    }

    @Test
    void cardsAreTheSmallestThatHoldsTheSessionsAndTheNextLarger() {
        List<Situation> cards = Change.CARD.of(now(A4000 + 24));
        assertThat(cards).hasSize(2);
        assertThat(cards.get(0).rule().verdict()).isEqualTo(Verdict.FITS);
        assertThat(cards.get(0).cache().tokens())
                .isLessThan(cards.get(1).cache().tokens());
        assertThat(cards.get(0).detail()).contains("instead of RTX A4000");
        assertThat(Change.CARD.of(now("capacity_tokens=32000,context=5000,sessions=4")))
                .isEmpty();
    }

    @Test
    void aReplicaMoreIsOneReplicaMore() {
        assertThat(one(Change.REPLICA, now(A4000 + 24)).cache().replicas()).isEqualTo(5);
    }

    @Test
    void aCapIsWorthLookingAtWhereThereAreTooManySessions() {
        Situation cap = one(Change.CAP, now(A4000 + 24));
        assertThat(cap.demand().sessions()).isEqualTo(12);
        assertThat(Change.CAP.of(now(A4000 + 4))).isEmpty();
    }

    @Test
    void contextsAreCutUntilTheSessionsFit() {
        Situation shorter = one(Change.SHORTER_CONTEXT, now(A4000 + 24));
        assertThat(shorter.rule().verdict()).isEqualTo(Verdict.FITS);
        assertThat(shorter.demand().sharedTokens()).isEqualTo(3_500);
        assertThat(shorter.demand().contextMeanTokens()).isLessThan(12_500);
        assertThat(Rule.even(now(A4000 + 24).demand().shortened(shorter.contextPct() + 5), shorter.cache())
                        .verdict())
                .isNotEqualTo(Verdict.FITS);
        assertThat(one(Change.SHORTER_CONTEXT, now(A4000 + 4)).contextPct()).isEqualTo(75);
    }

    @Test
    void fitIsAnotherPolicyOnTheSameFleet() {
        Situation fit = one(Change.POLICY_FIT, now(A4000 + 24));
        assertThat(fit.how().policy().name()).isEqualTo("fit");
        assertThat(fit.cache()).isEqualTo(now(A4000 + 24).cache());
        assertThat(Change.POLICY_FIT.of(fit)).isEmpty();
    }

    private static Situation one(Change change, Situation now) {
        List<Situation> situations = change.of(now);
        assertThat(situations).hasSize(1);
        return situations.get(0);
    }

    private static Situation now(String text) {
        FleetDescription description = DescriptionParser.parse(text);
        return Situation.now(description.demand(), description.cache(), description.check(1), description.served());
    }
}
