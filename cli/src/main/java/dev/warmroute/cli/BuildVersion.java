package dev.warmroute.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest, and what it runs on. */
final class BuildVersion implements IVersionProvider {
    /** Version of this build; {@code development} when it does not run from a jar. */
    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        Runtime.Version java = Runtime.version();
        return new String[] {
            "warmroute " + version(),
            "Java " + java + " (" + System.getProperty("java.vm.name") + "), " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch")
        };
    }
}
