package dev.warmroute.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit from the jar's manifest, and what it runs on. */
public final class BuildVersion implements IVersionProvider {
    /** Anything else stands there when the build was made outside a checkout. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}");

    /** Version of this build; {@code development} when it does not run from a jar. */
    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /**
     * What tells this build from others, for results that must not be mixed: {@code 0.1.0 1a2b3c4}, with {@code changed} behind it
     * when the sources were not those of the commit. Two such builds of one commit are not told apart.
     */
    public static String program() {
        return version() + manifest().map(BuildVersion::mark).orElse("");
    }

    static String mark(Attributes build) {
        return commitOf(build)
                .map(c -> ' ' + c + (changed(build) ? " changed" : ""))
                .orElse("");
    }

    @Override
    public String[] getVersion() {
        Runtime.Version java = Runtime.version();
        List<String> lines = new ArrayList<>();
        lines.add("warmroute " + version());
        manifest().flatMap(BuildVersion::commit).ifPresent(lines::add);
        lines.add("Java " + java + " (" + System.getProperty("java.vm.name") + "), " + System.getProperty("os.name")
                + " " + System.getProperty("os.arch"));
        return lines.toArray(String[]::new);
    }

    /** Which commit was built, in words; empty for a build outside a checkout. */
    static Optional<String> commit(Attributes build) {
        return commitOf(build)
                .map(c -> "commit " + c + " of " + build.getValue("Build-Commit-Time")
                        + (changed(build) ? ", with changes" : ""));
    }

    private static Optional<String> commitOf(Attributes build) {
        return Optional.ofNullable(build.getValue("Build-Commit")).filter(COMMIT.asMatchPredicate());
    }

    private static boolean changed(Attributes build) {
        return Boolean.parseBoolean(build.getValue("Build-Changed"));
    }

    private static Optional<Attributes> manifest() {
        String own = Main.class.getName().replace('.', '/') + ".class";
        URL here = Main.class.getClassLoader().getResource(own);
        if (here == null || !here.getProtocol().equals("jar")) {
            return Optional.empty();
        }
        String jar = here.toString();
        try (InputStream in = URI.create(jar.substring(0, jar.indexOf("!/") + 2) + "META-INF/MANIFEST.MF")
                .toURL()
                .openStream()) {
            return Optional.of(new Manifest(in).getMainAttributes());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
