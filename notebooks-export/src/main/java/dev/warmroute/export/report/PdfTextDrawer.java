package dev.warmroute.export.report;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
import java.awt.Font;
import java.io.IOException;
import java.io.InputStream;
import java.text.AttributedCharacterIterator;
import java.util.HashMap;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;

/** Writes the text of charts as text, in the page's typeface, and asks no font of the machine. */
final class PdfTextDrawer extends PdfBoxGraphics2DFontTextDrawer {
    private final Map<String, PDFont> fonts = new HashMap<>();

    @Override
    public boolean canDrawText(AttributedCharacterIterator text, IFontTextDrawerEnv env) {
        return true;
    }

    @Override
    protected PDFont mapFont(Font font, IFontTextDrawerEnv env) throws IOException {
        String name = font.isBold() ? PdfFonts.BOLD : PdfFonts.REGULAR;
        if (!fonts.containsKey(name)) {
            fonts.put(name, load(env.getDocument(), name));
        }
        return fonts.get(name);
    }

    private static PDFont load(PDDocument document, String name) throws IOException {
        try (InputStream font = PdfFonts.open(name)) {
            return PDType0Font.load(document, font, true);
        }
    }
}
