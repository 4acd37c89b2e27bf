package dev.warmroute.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom, over all modules. */
@AnalyzeClasses(packages = "dev.warmroute", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    @ArchTest
    static final ArchRule modulesDependOnlyToTheLeft = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("router")
            .definedBy("dev.warmroute.router..")
            .layer("recorder")
            .definedBy("dev.warmroute.recorder..")
            .layer("simulator")
            .definedBy("dev.warmroute.simulator..")
            .layer("export")
            .definedBy("dev.warmroute.export..")
            .layer("cli")
            .definedBy("dev.warmroute.cli..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("export")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("simulator")
            .mayOnlyBeAccessedByLayers("export", "cli")
            .whereLayer("recorder")
            .mayOnlyBeAccessedByLayers("simulator", "export", "cli");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.warmroute.(*).(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule kafkaServerClassesStayBehindOneClass = noClasses()
            .that()
            .resideOutsideOfPackage("dev.warmroute.router.broker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..");

    @ArchTest
    static final ArchRule tablesAndChartsStayInTheExport = noClasses()
            .that()
            .resideOutsideOfPackage("dev.warmroute.export..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("tech.tablesaw..", "org.jfree..");

    @ArchTest
    static final ArchRule nettyStaysOnTheDataPath = noClasses()
            .that()
            .resideOutsideOfPackage("dev.warmroute.router.proxy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..");

    @ArchTest
    static final ArchRule theSimulatorHasNoWallClock = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.warmroute.simulator.engine..",
                    "dev.warmroute.simulator.kv..",
                    "dev.warmroute.simulator.timing..",
                    "dev.warmroute.simulator.replay..",
                    "dev.warmroute.simulator.capacity..")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(java.util.Random.class);
}
