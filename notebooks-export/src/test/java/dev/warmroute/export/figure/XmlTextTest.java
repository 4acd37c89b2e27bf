package dev.warmroute.export.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class XmlTextTest {
    @Property(tries = 100)
    void anyTextGoesThroughAParserAsItsCleanSelf(@ForAll String text) throws Exception {
        String xml = "<a b=\"" + XmlText.escaped(text) + "\">" + XmlText.escaped(text) + "</a>";
        String read = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement()
                .getTextContent();
        assertThat(read).isEqualTo(XmlText.clean(text).replace("\r\n", "\n").replace('\r', '\n'));
    }

    @Test
    void whatXmlCannotHoldIsReplaced() {
        assertThat(XmlText.clean("a\u0000b\ud800c\ud83d\ude00")).isEqualTo("a\ufffdb\ufffdc\ud83d\ude00");
    }
}
