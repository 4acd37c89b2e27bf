package dev.warmroute.export.report;

import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import com.openhtmltopdf.pdfboxout.PdfBoxRenderer;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import com.openhtmltopdf.util.XRLog;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * Writes a report as PDF on A4: the page of {@link HtmlReport} without what only a screen can do, set by openhtmltopdf, its
 * charts drawn as lines and text. Fonts are embedded, so that it looks the same everywhere; outlines lead to the sections.
 */
public final class PdfReport {
    private static final String FAMILY = "report";
    private static final int BOLD = 700;
    private static final int REGULAR = 400;

    /** Of every report: a moment would make two of the same result differ. */
    private static final long DOCUMENT_ID = 1;

    /** Returns the document. The same model gives the same bytes. */
    public byte[] render(ReportModel model) {
        XRLog.setLoggingEnabled(
                false); // its notes are about style sheets, and nobody who reads a report can act on them
        try (PdfPictures pictures = new PdfPictures(model)) {
            PdfRendererBuilder builder = new PdfRendererBuilder();
            builder.useFont(() -> PdfFonts.open(PdfFonts.REGULAR), FAMILY, REGULAR, FontStyle.NORMAL, true);
            builder.useFont(() -> PdfFonts.open(PdfFonts.BOLD), FAMILY, BOLD, FontStyle.NORMAL, true);
            builder.useObjectDrawerFactory(pictures);
            builder.withHtmlContent(page(model, pictures), null);
            builder.withProducer("warmroute");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (PdfBoxRenderer renderer = builder.buildPdfRenderer()) {
                renderer.layout();
                renderer.createPDFWithoutClosing();
                PDDocument document = renderer.getPdfDocument();
                document.setDocumentId(DOCUMENT_ID);
                document.getDocumentInformation().getCOSObject().removeItem(COSName.CREATION_DATE);
                document.save(out);
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("the report could not be set as PDF", e);
        }
    }

    /**
     * Writes the document to a file; its directory is made if it is missing.
     *
     * @throws UserError when the file cannot be written
     */
    public void write(ReportModel model, Path file) {
        WholeFile.save(file, render(model));
    }

    private static String page(ReportModel model, Pictures pictures) {
        List<Section> sections = ReportSections.of(model);
        Markup html = new Markup();
        html.open("html", "lang", "en").open("head");
        html.element("title", model.title() + " - " + model.verdict().headline());
        html.open("bookmarks");
        sections.forEach(s ->
                html.open("bookmark", "name", s.title(), "href", "#" + s.id()).close());
        html.close();
        html.open("style").trusted(css()).close().close();
        html.open("body").open("header").element("p", "warmroute report", "class", "brand");
        html.element("h1", model.title());
        html.element("p", model.provenance().sourceWithoutIntervals().text(), "class", "source")
                .close();
        HtmlBody body = new HtmlBody(html, pictures);
        model.doubt().ifPresent(body::doubt);
        body.verdict(model.verdict());
        sections.forEach(body::section);
        return html.close().close().done();
    }

    private static String css() {
        try (InputStream in = PdfReport.class.getResourceAsStream("report-pdf.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("report-pdf.css cannot be read", e);
        }
    }
}
