package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

class PdfReportTest {
    private static final ReportModel MODEL = SampleReports.full();
    private static final byte[] PDF = new PdfReport().render(MODEL);

    @Test
    void saysWhatThePageSays() throws Exception {
        try (PDDocument document = Loader.loadPDF(PDF)) {
            String text = new PDFTextStripper()
                    .getText(document)
                    .replace('\u00a0', ' ')
                    .replaceAll("\\s+", " ");
            assertThat(text)
                    .contains(
                            MODEL.title(), MODEL.verdict().headline(), "Source: kafka://warmroute@2026-11-28T10:00/2h");
            ReportSections.of(MODEL).forEach(s -> assertThat(text).contains(s.title()));
            assertThat(text).as("text of a chart").contains("Time since the first send");
            assertThat(text)
                    .as("minus, ticks and other signs")
                    .contains("\u2212")
                    .doesNotContain("#");
        }
    }

    @Test
    void hasItsTypefacesInItAndOutlinesToTheSections() throws Exception {
        try (PDDocument document = Loader.loadPDF(PDF)) {
            List<PDFont> fonts = new ArrayList<>();
            for (PDPage page : document.getPages()) {
                for (var name : page.getResources().getFontNames()) {
                    fonts.add(page.getResources().getFont(name));
                }
            }
            assertThat(fonts).isNotEmpty().allMatch(PDFont::isEmbedded);
            assertThat(document.getDocumentCatalog().getDocumentOutline().children())
                    .hasSize(ReportSections.of(MODEL).size());
        }
    }

    @Test
    void isTheSameAgain() {
        assertThat(new PdfReport().render(MODEL)).isEqualTo(PDF);
    }
}
