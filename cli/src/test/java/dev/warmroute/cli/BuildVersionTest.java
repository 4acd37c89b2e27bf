package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuildVersionTest {
    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "1a2b3c4,false,' 1a2b3c4'",
                "1a2b3c4,true,' 1a2b3c4 changed'",
                "${git.commit.id.abbrev},true,''",
                "'',false,''",
            })
    void buildsAreToldApartByCommitAndChanges(String commit, String changed, String mark) {
        Attributes build = new Attributes();
        build.putValue("Build-Commit", commit);
        build.putValue("Build-Changed", changed);
        assertThat(BuildVersion.mark(build)).isEqualTo(mark);
        assertThat(BuildVersion.commit(build).isEmpty()).isEqualTo(mark.isEmpty());
    }

    @Test
    void aBuildOutsideACheckoutHasNoMark() {
        assertThat(BuildVersion.mark(new Attributes())).isEmpty();
    }
}
