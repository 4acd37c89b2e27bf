package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warmroute.router.live.LiveRouter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.WebElement;

/** The panel in a real browser, before a router under load. {@code -Dwarmroute.screenshots=DIR} keeps pictures of it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PanelTest {
    private static final String ARM = "arm-that-nobody-may-see";

    /** The least contrast of any text that can be seen, by WCAG 2.2, and the text that has it. */
    private static final String LEAST_CONTRAST = """
            const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
            const rgba = (css) => css.match(/[\\d.]+/g).map(Number);
            const behind = (node) => {
              for (let n = node; n; n = n.parentElement) {
                const c = rgba(getComputedStyle(n).backgroundColor);
                if (c.length < 4 || c[3] > 0) return c;
              }
              return [255, 255, 255];
            };
            let least = [99, ""];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const node = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
              const box = node.getBoundingClientRect();
              if (!text || node.closest("script,style,template,noscript,.hidden,.skip,svg,:disabled") || box.width < 2) continue;
              const a = luminance(rgba(getComputedStyle(node).color)), b = luminance(behind(node));
              const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
              if (ratio < least[0]) least = [ratio, text];
            }
            return least;
            """;

    /** Controls without a name that a screen reader could say. */
    private static final String NAMELESS = """
            return [...document.querySelectorAll("button,input,select,summary,a,dialog,[role=region]")]
                .filter((e) => !(e.textContent.trim() || e.labels?.length || e.getAttribute("aria-label")
                    || e.getAttribute("aria-labelledby")))
                .map((e) => e.outerHTML);
            """;

    private static Machine machine;
    private static LiveRouter router;
    private static Browser browser;
    private static int driven;

    @BeforeAll
    static void open(@TempDir Path directory) {
        assumeTrue(Browser.present(), Browser.whyAbsent());
        machine = new Machine(directory);
        router = machine.router("warden", 100_000);
        drive();
        browser = Browser.start();
        browser.size(1440, 900);
        browser.open(admin("/warmroute/"));
        browser.await("the first figures", b -> b.all("[data-replica]").size() == Machine.REPLICAS);
    }

    private static void drive() {
        driven += Machine.drive(router, ARM + driven).requests();
    }

    private static String admin(String path) {
        return "http://127.0.0.1:" + router.server().adminPort() + path;
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        if (router != null) {
            router.close();
        }
        if (machine != null) {
            machine.close();
        }
    }

    private static String get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(admin(path))).build(), BodyHandlers.ofString())
                .body();
    }

    private static void finishedIs(int requests) {
        browser.await(
                requests + " finished requests",
                b -> b.text("#tiles div:nth-child(2) dd").startsWith(Integer.toString(requests)));
    }

    @Test
    @Order(1)
    void figuresAndDecisionsComeWithoutLoadingThePageAgain() {
        finishedIs(driven);
        Object page = browser.run("return window.samePage = Math.random()");
        drive();
        finishedIs(driven);
        assertThat(browser.run("return window.samePage")).isEqualTo(page);
        assertThat(browser.text("#state-text")).isEqualTo("All 4 replicas are up");
        assertThat(browser.text("[data-replica=r2] th")).contains("r2", "up", "vLLM");
        assertThat(browser.all("[data-replica=r0] td")).hasSize(17);
        browser.await("the decisions", b -> !b.all("[data-decision]").isEmpty());
        browser.await("the chart", b -> !b.all(".chart .area-cached").isEmpty());
    }

    @Test
    @Order(2)
    void aDecisionShowsItsCandidatesAndWhyAndStaysWhileItIsRead() {
        browser.await("a decision to open", b -> {
            b.click("[data-more]");
            return !b.all("tr.open").isEmpty();
        });
        assertThat(browser.all("tr.open tbody tr")).hasSize(Machine.REPLICAS);
        assertThat(browser.all("tr.open tr.chosen")).hasSize(1);
        assertThat(browser.text("#decisions .why")).matches("(at home on|new conversation|home r).*");
        assertThat(browser.text("#pause")).isEqualTo("Go on");
        browser.click("#pause");
        assertThat(browser.all("tr.open")).isEmpty();
    }

    @Test
    @Order(3)
    void routingIsChangedWithTheTokenAndRefusedWithAnother() throws Exception {
        browser.click(".change-model");
        type("#threshold", "3");
        type("#token", "not the token");
        browser.click("#dialog-buttons .primary");
        browser.await("the refusal", b -> b.text("#dialog-error").contains("not the token of admin.token"));
        type("#token", Machine.TOKEN);
        browser.click("#dialog-buttons .primary");
        browser.await("the change", b -> b.text(".model-policy").contains("overflows at 3 in flight"));
        assertThat(browser.shows("#dialog")).isFalse();
        assertThat(get("/warmroute/status")).contains("\"overflow_threshold\":\"3\"");
        assertThat(browser.text(".model-policy")).contains("changed by admin");
    }

    @Test
    @Order(4)
    void aReplicaIsDrainedAndServesAgain() {
        manage("r1");
        browser.click("#dialog-buttons .primary");
        browser.await("r1 to be drained", b -> b.text("[data-replica=r1] th").contains("draining"));
        assertThat(browser.text("#state-text")).isEqualTo("1 of 4 replicas out: r1");
        manage("r1");
        browser.click("#dialog-buttons .primary");
        browser.await("r1 to serve", b -> b.text("#state-text").equals("All 4 replicas are up"));
    }

    private static void manage(String replica) {
        browser.await("the dialog of " + replica, b -> {
            b.click("[data-manage=" + replica + "]");
            return b.shows("#dialog");
        });
    }

    private static void type(String field, String text) {
        WebElement input = browser.find(field);
        input.clear();
        input.sendKeys(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    @Order(5)
    void everyTextStandsOutFromItsBackground(String scheme) {
        browser.prefer(scheme);
        List<?> least = (List<?>) browser.run(LEAST_CONTRAST);
        assertThat(((Number) least.get(0)).doubleValue())
                .as("contrast of '%s'", least.get(1))
                .isGreaterThanOrEqualTo(4.5);
        Number red = (Number) browser.run("return +getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]");
        assertThat(red.intValue() < 128).isEqualTo(scheme.equals("dark"));
        picture(scheme);
        browser.prefer("light");
    }

    @ParameterizedTest
    @ValueSource(ints = {360, 768, 1024, 1280, 1920})
    @Order(6)
    void thePageFitsItsWindow(int width) {
        browser.size(width, 900);
        browser.await(
                "the chart in its new size",
                b -> Boolean.TRUE.equals(
                        b.run(
                                "const c = document.querySelector('.chart'); return c.firstChild.clientWidth <= c.clientWidth")));
        assertThat(((Number) browser.run("return document.documentElement.scrollWidth")).intValue())
                .isLessThanOrEqualTo(width);
        assertThat(browser.shows("[data-replica=r3]")).isTrue();
        picture("width-" + width);
        browser.size(1440, 900);
    }

    @Test
    @Order(7)
    void everyControlHasANameAndAllIsInReachOfTheKeyboard() {
        assertThat((List<?>) browser.run(NAMELESS)).isEmpty();
        assertThat((List<?>) browser.run(
                        "return [...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex > 0)"))
                .isEmpty();
        assertThat(browser.run("return document.documentElement.lang")).isEqualTo("en");
    }

    @Test
    @Order(8)
    void nothingIsLoadedFromElsewhereAndNothingSecretIsShown() throws Exception {
        List<?> loaded = (List<?>) browser.run("return performance.getEntriesByType('resource').map((r) => r.name)");
        assertThat(loaded)
                .isNotEmpty()
                .allSatisfy(url -> assertThat((String) url).startsWith(admin("/warmroute/")));
        String shown = browser.run("return document.documentElement.outerHTML")
                + get("/warmroute/status")
                + get("/warmroute/decisions?limit=200")
                + get("/metrics");
        assertThat(shown).doesNotContain(ARM, Machine.TOKEN);
        assertThat(browser.complaints()).filteredOn(c -> !c.contains("401")).isEmpty();
    }

    @Test
    @Order(9)
    void aRouterThatIsGoneIsNotShownAsIfItWereThere() {
        router.close();
        browser.await("the router to be missed", b -> b.text("#state-text").startsWith("No answer since"));
        assertThat(browser.all("[data-replica]")).hasSize(Machine.REPLICAS);
    }

    private static void picture(String name) {
        String directory = System.getProperty("warmroute.screenshots", "");
        if (!directory.isEmpty()) {
            Number height = (Number) browser.run("return document.documentElement.scrollHeight");
            Number width = (Number) browser.run("return window.innerWidth");
            browser.size(width.intValue(), height.intValue());
            browser.await(
                    "the whole page",
                    b -> Boolean.TRUE.equals(b.run("return window.innerHeight >= document.body.clientHeight")));
            browser.screenshot(Path.of(directory, name + ".png"));
            browser.size(width.intValue(), 900);
        }
    }
}
