package dev.warmroute.export.chart;

import dev.warmroute.export.figure.XmlText;
import java.awt.Color;
import java.awt.Composite;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.GraphicsConfiguration;
import java.awt.Image;
import java.awt.Paint;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.awt.image.BufferedImageOp;
import java.awt.image.ImageObserver;
import java.awt.image.RenderedImage;
import java.awt.image.renderable.RenderableImage;
import java.text.AttributedCharacterIterator;
import java.util.Map;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.SVGHints;

/**
 * Hands everything on to another graphics, except the question how wide text is: {@link PlainFont} answers that. On a
 * picture, text is then drawn as wide as it was measured; hints that only SVG knows are dropped for all others. The class is long
 * because the interface is; there is nothing else in it.
 */
final class MeasuredGraphics extends Graphics2D {
    private final Graphics2D to;
    private final boolean picture;
    private final boolean svg;

    MeasuredGraphics(Graphics2D to) {
        this(to, !(to instanceof SVGGraphics2D));
    }

    private MeasuredGraphics(Graphics2D to, boolean picture) {
        this.to = to;
        this.picture = picture;
        this.svg = to instanceof SVGGraphics2D;
    }

    /** For a graphics that finds a typeface for {@link PlainFont} by itself. */
    static MeasuredGraphics withOwnFonts(Graphics2D to) {
        return new MeasuredGraphics(to, false);
    }

    @Override
    public FontMetrics getFontMetrics(Font font) {
        if (font instanceof PlainFont plain) {
            return plain.metrics();
        }
        throw new IllegalStateException("text of a chart must be set in the style's fonts, not in " + font);
    }

    @Override
    public Graphics create() {
        return new MeasuredGraphics((Graphics2D) to.create(), picture);
    }

    @Override
    public void draw(Shape s) {
        to.draw(s);
    }

    @Override
    public boolean drawImage(Image img, AffineTransform xform, ImageObserver obs) {
        return to.drawImage(img, xform, obs);
    }

    @Override
    public void drawImage(BufferedImage img, BufferedImageOp op, int x, int y) {
        to.drawImage(img, op, x, y);
    }

    @Override
    public void drawRenderedImage(RenderedImage img, AffineTransform xform) {
        to.drawRenderedImage(img, xform);
    }

    @Override
    public void drawRenderableImage(RenderableImage img, AffineTransform xform) {
        to.drawRenderableImage(img, xform);
    }

    @Override
    public void drawString(String str, int x, int y) {
        drawString(str, (float) x, (float) y);
    }

    @Override
    public void drawString(String text, float x, float y) {
        Font font = to.getFont();
        String str = XmlText.clean(text);
        if (!picture || str.isEmpty() || !(font instanceof PlainFont plain)) {
            to.drawString(str, x, y);
            return;
        }
        AffineTransform before = to.getTransform();
        to.setFont(new Font(Font.SANS_SERIF, font.getStyle(), font.getSize()));
        double drawn = to.getFontMetrics().getStringBounds(str, to).getWidth();
        to.translate(x, y);
        to.scale(plain.getStringBounds(str, null).getWidth() / drawn, 1);
        to.drawString(str, 0f, 0f);
        to.setTransform(before);
        to.setFont(font);
    }

    @Override
    public void drawString(AttributedCharacterIterator text, int x, int y) {
        to.drawString(text, x, y);
    }

    @Override
    public void drawString(AttributedCharacterIterator text, float x, float y) {
        to.drawString(text, x, y);
    }

    @Override
    public void drawGlyphVector(GlyphVector g, float x, float y) {
        to.drawGlyphVector(g, x, y);
    }

    @Override
    public void fill(Shape s) {
        to.fill(s);
    }

    @Override
    public boolean hit(Rectangle rect, Shape s, boolean onStroke) {
        return to.hit(rect, s, onStroke);
    }

    @Override
    public GraphicsConfiguration getDeviceConfiguration() {
        return to.getDeviceConfiguration();
    }

    @Override
    public void setComposite(Composite comp) {
        to.setComposite(comp);
    }

    @Override
    public void setPaint(Paint paint) {
        to.setPaint(paint);
    }

    @Override
    public void setStroke(Stroke s) {
        to.setStroke(s);
    }

    @Override
    public void setRenderingHint(RenderingHints.Key key, Object value) {
        if (svg || !(key instanceof SVGHints.Key)) {
            to.setRenderingHint(key, value instanceof String words ? XmlText.clean(words) : value);
        }
    }

    @Override
    public Object getRenderingHint(RenderingHints.Key key) {
        return to.getRenderingHint(key);
    }

    @Override
    public void setRenderingHints(Map<?, ?> hints) {
        to.setRenderingHints(hints);
    }

    @Override
    public void addRenderingHints(Map<?, ?> hints) {
        to.addRenderingHints(hints);
    }

    @Override
    public RenderingHints getRenderingHints() {
        return to.getRenderingHints();
    }

    @Override
    public void translate(int x, int y) {
        to.translate(x, y);
    }

    @Override
    public void translate(double tx, double ty) {
        to.translate(tx, ty);
    }

    @Override
    public void rotate(double theta) {
        to.rotate(theta);
    }

    @Override
    public void rotate(double theta, double x, double y) {
        to.rotate(theta, x, y);
    }

    @Override
    public void scale(double sx, double sy) {
        to.scale(sx, sy);
    }

    @Override
    public void shear(double shx, double shy) {
        to.shear(shx, shy);
    }

    @Override
    public void transform(AffineTransform t) {
        to.transform(t);
    }

    @Override
    public void setTransform(AffineTransform t) {
        to.setTransform(t);
    }

    @Override
    public AffineTransform getTransform() {
        return to.getTransform();
    }

    @Override
    public Paint getPaint() {
        return to.getPaint();
    }

    @Override
    public Composite getComposite() {
        return to.getComposite();
    }

    @Override
    public void setBackground(Color color) {
        to.setBackground(color);
    }

    @Override
    public Color getBackground() {
        return to.getBackground();
    }

    @Override
    public Stroke getStroke() {
        return to.getStroke();
    }

    @Override
    public void clip(Shape s) {
        to.clip(s);
    }

    @Override
    public FontRenderContext getFontRenderContext() {
        return to.getFontRenderContext();
    }

    @Override
    public Color getColor() {
        return to.getColor();
    }

    @Override
    public void setColor(Color c) {
        to.setColor(c);
    }

    @Override
    public void setPaintMode() {
        to.setPaintMode();
    }

    @Override
    public void setXORMode(Color c) {
        to.setXORMode(c);
    }

    @Override
    public Font getFont() {
        return to.getFont();
    }

    @Override
    public void setFont(Font font) {
        to.setFont(font);
    }

    @Override
    public Rectangle getClipBounds() {
        return to.getClipBounds();
    }

    @Override
    public void clipRect(int x, int y, int width, int height) {
        to.clipRect(x, y, width, height);
    }

    @Override
    public void setClip(int x, int y, int width, int height) {
        to.setClip(x, y, width, height);
    }

    @Override
    public Shape getClip() {
        return to.getClip();
    }

    @Override
    public void setClip(Shape clip) {
        to.setClip(clip);
    }

    @Override
    public void copyArea(int x, int y, int width, int height, int dx, int dy) {
        to.copyArea(x, y, width, height, dx, dy);
    }

    @Override
    public void drawLine(int x1, int y1, int x2, int y2) {
        to.drawLine(x1, y1, x2, y2);
    }

    @Override
    public void fillRect(int x, int y, int width, int height) {
        to.fillRect(x, y, width, height);
    }

    @Override
    public void clearRect(int x, int y, int width, int height) {
        to.clearRect(x, y, width, height);
    }

    @Override
    public void drawRoundRect(int x, int y, int width, int height, int arcWidth, int arcHeight) {
        to.drawRoundRect(x, y, width, height, arcWidth, arcHeight);
    }

    @Override
    public void fillRoundRect(int x, int y, int width, int height, int arcWidth, int arcHeight) {
        to.fillRoundRect(x, y, width, height, arcWidth, arcHeight);
    }

    @Override
    public void drawOval(int x, int y, int width, int height) {
        to.drawOval(x, y, width, height);
    }

    @Override
    public void fillOval(int x, int y, int width, int height) {
        to.fillOval(x, y, width, height);
    }

    @Override
    public void drawArc(int x, int y, int width, int height, int startAngle, int arcAngle) {
        to.drawArc(x, y, width, height, startAngle, arcAngle);
    }

    @Override
    public void fillArc(int x, int y, int width, int height, int startAngle, int arcAngle) {
        to.fillArc(x, y, width, height, startAngle, arcAngle);
    }

    @Override
    public void drawPolyline(int[] xs, int[] ys, int n) {
        to.drawPolyline(xs, ys, n);
    }

    @Override
    public void drawPolygon(int[] xs, int[] ys, int n) {
        to.drawPolygon(xs, ys, n);
    }

    @Override
    public void fillPolygon(int[] xs, int[] ys, int n) {
        to.fillPolygon(xs, ys, n);
    }

    @Override
    public boolean drawImage(Image img, int x, int y, ImageObserver observer) {
        return to.drawImage(img, x, y, observer);
    }

    @Override
    public boolean drawImage(Image img, int x, int y, int width, int height, ImageObserver observer) {
        return to.drawImage(img, x, y, width, height, observer);
    }

    @Override
    public boolean drawImage(Image img, int x, int y, Color bgcolor, ImageObserver observer) {
        return to.drawImage(img, x, y, bgcolor, observer);
    }

    @Override
    public boolean drawImage(Image img, int x, int y, int width, int height, Color bgcolor, ImageObserver observer) {
        return to.drawImage(img, x, y, width, height, bgcolor, observer);
    }

    @Override
    public void dispose() {
        to.dispose();
    }

    @Override
    public boolean drawImage(
            Image img, int dx1, int dy1, int dx2, int dy2, int sx1, int sy1, int sx2, int sy2, ImageObserver o) {
        return to.drawImage(img, dx1, dy1, dx2, dy2, sx1, sy1, sx2, sy2, o);
    }

    @Override
    public boolean drawImage(
            Image img,
            int dx1,
            int dy1,
            int dx2,
            int dy2,
            int sx1,
            int sy1,
            int sx2,
            int sy2,
            Color c,
            ImageObserver o) {
        return to.drawImage(img, dx1, dy1, dx2, dy2, sx1, sy1, sx2, sy2, c, o);
    }
}
