package dev.warmroute.router.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PrefixesTest {
    @Property(tries = 300)
    void whatIsCommonIsInAllAndNothingLongerIs(
            @ForAll @Size(min = 2, max = 4) List<@Size(max = 6) List<@LongRange(max = 1) Long>> lists) {
        List<long[]> all = lists.stream()
                .map(l -> l.stream().mapToLong(Long::longValue).toArray())
                .toList();
        long[] common = Prefixes.common(all);
        assertThat(all)
                .allSatisfy(a -> assertThat(Arrays.copyOf(a, common.length)).isEqualTo(common));
        boolean differ = all.stream().anyMatch(a -> !Arrays.equals(a, all.get(0)));
        assertThat(differ || common.length == 0).isTrue();
        int next = common.length + 1;
        assertThat(differ
                        && all.stream()
                                .allMatch(a -> a.length >= next
                                        && Arrays.equals(Arrays.copyOf(a, next), Arrays.copyOf(all.get(0), next))))
                .isFalse();
    }

    @Property(tries = 300)
    void tokensAreCountedOnceForEachBeginning(
            @ForAll @Size(max = 5) List<@Size(max = 6) List<@LongRange(max = 1) Long>> lists) {
        Set<List<Long>> beginnings = new HashSet<>();
        lists.forEach(l -> {
            for (int i = 1; i <= l.size(); i++) {
                beginnings.add(l.subList(0, i));
            }
        });
        List<long[]> all = lists.stream()
                .map(l -> l.stream().mapToLong(Long::longValue).toArray())
                .toList();
        assertThat(Prefixes.distinctTokens(all)).isEqualTo(beginnings.size());
    }

    @Test
    void aTemplateThatDoesNotShowWhatTheUserSaysHasNoPrefix() {
        assertThat(Prefixes.common(List.of(new long[] {1, 2}, new long[] {1, 2})))
                .isEmpty();
    }
}
