package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {
    @Test
    void namesCannotBreakOutOfTheirTable() {
        String evil = "a|b\n# c *d* <e> `f` [g](h)";
        var row = SampleReports.row(evil, 1000, 50, 1, 100, 5, 1, 2, 3, 4, 1, 50, 0, new TreeMap<>());
        String text = new MarkdownReport()
                .render(new ReportBuilder(evil)
                        .command("x `y`")
                        .whatIf(new WhatIfResult(
                                new TraceSummary(evil, "", 1, 1, 0, 1, 1, 1), Optional.empty(), 1, "", List.of(row)))
                        .build());
        assertThat(text).contains("a\\|b \\# c \\*d\\* \\<e\\> \\`f\\` \\[g\\](h)", "`` x `y` ``");
        assertThat(text.lines().filter(l -> l.startsWith("#"))).allMatch(l -> l.matches("#{1,2} [A-Za-z].*"));
    }

    @Test
    void everyTableIsEven() {
        String text = new MarkdownReport().render(SampleReports.full());
        int columns = 0;
        for (String line : text.lines().toList()) {
            int bars = line.startsWith("|")
                    ? line.replace("\\|", "").replaceAll("[^|]", "").length()
                    : 0;
            assertThat(bars == 0 || columns == 0 || bars == columns).as(line).isTrue();
            columns = bars;
        }
    }
}
