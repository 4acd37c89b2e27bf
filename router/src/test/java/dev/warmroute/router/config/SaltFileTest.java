package dev.warmroute.router.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SaltFileTest {
    @TempDir
    private Path dir;

    @Test
    void theSaltIsMadeOnceAndReadableByItsOwnerAlone() throws Exception {
        Path file = dir.resolve("new/dir/salt");
        String id = SaltFile.readOrCreate(file).id();
        assertThat(SaltFile.readOrCreate(file).id()).isEqualTo(id);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.list(file.getParent())).containsExactly(file);
    }

    @Test
    void routersThatStartTogetherGetTheSameSalt() throws Exception {
        Path file = dir.resolve("salt");
        Set<String> ids = ConcurrentHashMap.newKeySet();
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            Callable<Object> start = () -> ids.add(SaltFile.readOrCreate(file).id());
            for (var done :
                    pool.invokeAll(IntStream.range(0, 8).mapToObj(i -> start).toList())) {
                done.get();
            }
        }
        assertThat(ids).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not hexadecimal", "abcd"})
    void aFileThatHoldsNoSecretIsRefused(String content) throws Exception {
        Path file = Files.writeString(dir.resolve("salt"), content);
        assertThatThrownBy(() -> SaltFile.readOrCreate(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("must hold at least 32 hexadecimal digits");
    }
}
