package dev.warmroute.cli;

/**
 * One run of the demo: so many sessions under one policy.
 *
 * @param sessions concurrent agent sessions
 * @param policy routing policy
 */
record DemoArm(int sessions, String policy) {
    String title() {
        return sessions + " sessions, " + policy;
    }

    /** Name in session ids, which two arms must not share. */
    String id() {
        return "demo-" + sessions + '-' + policy;
    }
}
