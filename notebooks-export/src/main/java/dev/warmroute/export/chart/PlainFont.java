package dev.warmroute.export.chart;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics;
import java.awt.font.FontRenderContext;
import java.awt.font.LineMetrics;
import java.awt.geom.Rectangle2D;
import java.util.Locale;

/** A font that is measured by {@link TextWidths} and never asks the machine's font system. */
final class PlainFont extends Font {
    private static final long serialVersionUID = 1;

    /** A name of its own: JFreeChart would keep its default font in place of one that equals it. */
    private static final String NAME = "warmroute-plain";

    PlainFont(int style, float size) {
        super(NAME, style, Math.round(size));
        this.pointSize = size;
    }

    @Override
    public String getFamily() {
        return name;
    }

    @Override
    public String getFamily(Locale locale) {
        return name;
    }

    @Override
    public Font deriveFont(int style, float size) {
        return new PlainFont(style, size);
    }

    @Override
    public Font deriveFont(float size) {
        return new PlainFont(getStyle(), size);
    }

    @Override
    public Font deriveFont(int style) {
        return new PlainFont(style, pointSize);
    }

    @Override
    public LineMetrics getLineMetrics(String text, FontRenderContext context) {
        return new Line(text.length());
    }

    @Override
    public Rectangle2D getStringBounds(String text, FontRenderContext context) {
        double ascent = TextWidths.ASCENT * pointSize;
        double height = ascent + TextWidths.DESCENT * pointSize;
        return new Rectangle2D.Double(0, -ascent, TextWidths.of(text, pointSize, isBold()), height);
    }

    FontMetrics metrics() {
        return new Metrics(this);
    }

    /** Measures as {@link PlainFont} does. */
    private static final class Metrics extends FontMetrics {
        private static final long serialVersionUID = 1;

        private Metrics(PlainFont font) {
            super(font);
        }

        @Override
        public int getAscent() {
            return (int) Math.ceil(TextWidths.ASCENT * font.getSize2D());
        }

        @Override
        public int getDescent() {
            return (int) Math.ceil(TextWidths.DESCENT * font.getSize2D());
        }

        @Override
        public int stringWidth(String text) {
            return (int) Math.ceil(TextWidths.of(text, font.getSize2D(), font.isBold()));
        }

        @Override
        public int charWidth(char c) {
            return stringWidth(String.valueOf(c));
        }

        @Override
        public int charsWidth(char[] data, int from, int length) {
            return stringWidth(new String(data, from, length));
        }

        @Override
        public LineMetrics getLineMetrics(String text, Graphics context) {
            return font.getLineMetrics(text, (FontRenderContext) null);
        }

        @Override
        public Rectangle2D getStringBounds(String text, Graphics context) {
            return font.getStringBounds(text, (FontRenderContext) null);
        }
    }

    private final class Line extends LineMetrics {
        private final int characters;

        private Line(int characters) {
            this.characters = characters;
        }

        @Override
        public int getNumChars() {
            return characters;
        }

        @Override
        public float getAscent() {
            return (float) (TextWidths.ASCENT * pointSize);
        }

        @Override
        public float getDescent() {
            return (float) (TextWidths.DESCENT * pointSize);
        }

        @Override
        public float getLeading() {
            return 0;
        }

        @Override
        public float getHeight() {
            return getAscent() + getDescent();
        }

        @Override
        public int getBaselineIndex() {
            return Font.ROMAN_BASELINE;
        }

        @Override
        public float[] getBaselineOffsets() {
            return new float[] {0, 0, 0};
        }

        @Override
        public float getStrikethroughOffset() {
            return -getAscent() / 3;
        }

        @Override
        public float getStrikethroughThickness() {
            return 1;
        }

        @Override
        public float getUnderlineOffset() {
            return 1;
        }

        @Override
        public float getUnderlineThickness() {
            return 1;
        }
    }
}
