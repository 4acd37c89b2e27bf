package dev.warmroute.router.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PoliciesTest {
    @ParameterizedTest
    @EnumSource(Policies.class)
    void everyPolicyIsBuiltUnderItsNameAndAgainFromWhatAnEventSaysOfIt(Policies registered) {
        RoutingPolicy policy = Policies.create(registered.policyName(), Map.of(), 48);
        assertThat(policy.spec().name()).isEqualTo(registered.policyName());
        assertThat(registered.summary()).isNotEmpty();
        assertThat(Policies.recorded(policy.spec().identity()).spec()).isEqualTo(policy.spec());
    }

    @ParameterizedTest
    @EnumSource(Policies.class)
    void nobodyIsChosenWhereNobodyMayBe(Policies registered) {
        RoutingPolicy policy = Policies.create(registered.policyName(), Map.of(), 32);
        String model = "@cursor=1 @prefix_key=7 ";
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view(model + "x0/0;cached=9 x0/0"))))
                .isEqualTo("unrouted - -");
        assertThat(FleetText.words(policy.choose(FleetText.request("s"), FleetText.view(model + "x0/0 *x0/0"))))
                .as("the home stays for later")
                .isEqualTo("unrouted - 1");
        assertThat(FleetText.words(policy.choose(FleetText.request(""), FleetText.view(model + "x0/0"))))
                .isEqualTo("unrouted - -");
    }

    @Test
    void namesAreUnique() {
        assertThat(Arrays.stream(Policies.values()).map(Policies::policyName)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "least_inflight,least_in_flight",
        "warden_hash,hash",
        "blake2b_mod,hash",
        "affinity,warden",
    })
    void oldNamesAreAccepted(String old, String name) {
        assertThat(Policies.create(old, Map.of(), 32).spec().name()).isEqualTo(name);
    }

    @Test
    void anUnknownPolicyIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> Policies.named("clever"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'clever'")
                .hasMessageContaining("warden")
                .hasMessageContaining("round_robin");
        assertThatThrownBy(() -> Policies.named("round-robbin")).hasMessageContaining("did you mean 'round_robin'?");
    }

    @Test
    void aMisspeltParameterIsToldTheNearest() {
        assertThatThrownBy(() -> Policies.create("warden", Map.of("overflow_treshold", "3"), 32))
                .isInstanceOfSatisfying(
                        PolicyError.class, e -> assertThat(e.key()).isEqualTo("overflow_treshold"))
                .hasMessageContaining("did you mean 'overflow_threshold'?");
    }

    @ParameterizedTest
    @EnumSource(Policies.class)
    void anUnknownParameterIsRefused(Policies registered) {
        assertThatThrownBy(() -> Policies.create(registered.policyName(), Map.of("overflow_treshold", "3"), 32))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(registered.policyName())
                .hasMessageContaining("overflow_treshold");
    }

    @ParameterizedTest
    @CsvSource({
        "live_weight,heavy,a number",
        "live_weight,NaN,a number",
        "kv_weight,Infinity,a number",
        "overflow_threshold,0,at least 1",
        "overflow_threshold,2.5,a whole number",
        "max_counter_age_ms,-1,at least 0",
    })
    void aValueThatIsNotOneIsRefusedWithParameterAndValue(String parameter, String value, String expected) {
        assertThatThrownBy(() -> Policies.create("warden", Map.of(parameter, value), 32))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(parameter)
                .hasMessageContaining("'" + value + "'")
                .hasMessageContaining(expected);
    }

    @Test
    void aRecordingOfAnotherVersionIsRefused() {
        PolicyIdentity later = new PolicyIdentity("random", 99, "0", Map.of());
        assertThatThrownBy(() -> Policies.recorded(later))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("version 1");
    }

    @Test
    void theHashNamesThePolicyItsVersionAndEveryParameter() {
        PolicySpec spec = Policies.create("warden", Map.of(), 32).spec();
        assertThat(spec.hash())
                .hasSize(16)
                .isEqualTo(Policies.create("affinity", Map.of("overflow_threshold", "8"), 999)
                        .spec()
                        .hash())
                .isNotEqualTo(Policies.create("warden", Map.of(), 36).spec().hash())
                .isNotEqualTo(PolicySpec.of("warden", 2, spec.parameters()).hash())
                .isNotEqualTo(PolicySpec.of("guard", 1, spec.parameters()).hash());
    }
}
