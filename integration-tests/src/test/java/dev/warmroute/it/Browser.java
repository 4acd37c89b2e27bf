package dev.warmroute.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * Chromium without a window, driven through its own driver. Both are looked for where Debian puts them, or at
 * {@code -Dwarmroute.chromium} and {@code -Dwarmroute.chromedriver}; nothing is downloaded.
 */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of(System.getProperty("warmroute.chromium", "/usr/bin/chromium"));
    private static final Path DRIVER = Path.of(System.getProperty("warmroute.chromedriver", "/usr/bin/chromedriver"));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ChromeDriver driver;
    private final Path profile;

    private Browser(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    static boolean present() {
        return Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
    }

    static String whyAbsent() {
        return "there is no browser at " + CHROMIUM + " with a driver at " + DRIVER
                + ", so the panel was not looked at;"
                + " install chromium and chromium-driver, or name them by -Dwarmroute.chromium and -Dwarmroute.chromedriver";
    }

    static Browser start() {
        try {
            Path profile = Files.createTempDirectory("warmroute-browser");
            ChromeOptions options = new ChromeOptions();
            options.setBinary(CHROMIUM.toFile());
            options.addArguments(
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--disable-dev-shm-usage",
                    "--hide-scrollbars",
                    "--user-data-dir=" + profile);
            options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
            ChromeDriverService service = new ChromeDriverService.Builder()
                    .usingDriverExecutable(DRIVER.toFile())
                    .usingAnyFreePort()
                    .build();
            return new Browser(new ChromeDriver(service, options), profile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void open(String url) {
        driver.get(url);
    }

    /** A page of this width, in CSS pixels. */
    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    /** @param scheme light or dark */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    String text(String css) {
        return look(css, WebElement::getText);
    }

    boolean shows(String css) {
        return look(css, WebElement::isDisplayed);
    }

    void click(String css) {
        look(css, element -> {
            element.click();
            return true;
        });
    }

    /** What an element says now; a page that draws itself again between finding and asking is asked again. */
    private <T> T look(String css, Function<WebElement, T> question) {
        return Awaitility.await(css)
                .pollDelay(Duration.ZERO)
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> question.apply(find(css)), answer -> true);
    }

    Object run(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    /** Waits until something is so; what is thrown because the page changed under the question is asked again. */
    void await(String what, Function<Browser, Boolean> so) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> so.apply(this));
    }

    /** Errors that the page or its policy caused so far. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    void screenshot(Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // the browser is still putting its things away
        }
    }
}
