package dev.warmroute.router;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What the live router and the simulator share is pure, and knows only what lies below it. */
@AnalyzeClasses(packages = "dev.warmroute.router", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageRulesTest {
    private static final String ROUTER = "dev.warmroute.router.";
    private static final String[] PURE = {
        ROUTER + "event..",
        ROUTER + "session..",
        ROUTER + "prompt..",
        ROUTER + "fleet..",
        ROUTER + "policy..",
        ROUTER + "state.."
    };

    @ArchTest
    static final ArchRule purePackagesDoNoInputAndOutputAndNoThreads = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.net..",
                            "java.nio.channels..",
                            "java.util.concurrent..",
                            "java.lang.ref..",
                            "io.netty..",
                            "io.vertx..",
                            "org.apache.kafka..",
                            "kafka..",
                            "org.slf4j..")
                    .and(not(equivalentTo(TimeUnit.class))))
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class, ThreadLocal.class, Runtime.class, ProcessHandle.class);

    @ArchTest
    static final ArchRule purePackagesAskNoClockAndDrawNoUnseededNumbers = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "getenv", String.class)
            .orShould()
            .callMethod(System.class, "getProperty", String.class)
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Clock.class, InstantSource.class, Random.class, ThreadLocalRandom.class);

    @ArchTest
    static final ArchRule eventsKnowNobody = knowsOnly("event");

    @ArchTest
    static final ArchRule sessionsKnowEvents = knowsOnly("session", "event", "json");

    @ArchTest
    static final ArchRule promptsKnowEvents = knowsOnly("prompt", "event", "json");

    @ArchTest
    static final ArchRule theFleetKnowsEvents = knowsOnly("fleet", "event");

    @ArchTest
    static final ArchRule policiesKnowTheFleetAndEvents = knowsOnly("policy", "fleet", "event");

    @ArchTest
    static final ArchRule stateKnowsPoliciesAndWhatTheyKnow =
            knowsOnly("state", "policy", "fleet", "event", "prompt", "session");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.warmroute.router.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule kafkasServerStaysBehindOneClass = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROUTER + "broker.EmbeddedBroker")
            .and()
            .haveNameNotMatching(".*\\.EmbeddedBroker\\$.*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "kafka..",
                    "org.apache.kafka.server..",
                    "org.apache.kafka.metadata..",
                    "org.apache.kafka.common.utils.internals..");

    /** Besides these, a package may use what is outside the router, {@link UserError} and {@link Nearest}. */
    private static ArchRule knowsOnly(String name, String... others) {
        DescribedPredicate<JavaClass> allowed = DescribedPredicate.describe(
                "in " + name + ", " + String.join(", ", others) + " or outside the router", type -> {
                    if (!type.getPackageName().startsWith("dev.warmroute")
                            || type.isEquivalentTo(UserError.class)
                            || type.isEquivalentTo(Nearest.class)) {
                        return true;
                    }
                    if (type.getPackageName().equals(ROUTER + name)) {
                        return true;
                    }
                    for (String other : others) {
                        if (type.getPackageName().equals(ROUTER + other)) {
                            return true;
                        }
                    }
                    return false;
                });
        return classes().that().resideInAPackage(ROUTER + name + "..").should().onlyDependOnClassesThat(allowed);
    }
}
