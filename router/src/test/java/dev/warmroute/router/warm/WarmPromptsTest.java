package dev.warmroute.router.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmPromptsTest {
    private static WarmPrompts parse(String json) {
        return WarmPrompts.parse("agents.json", json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anEntryIsAListOfMessagesOrAnObjectThatSaysMore() {
        WarmPrompts read = parse("""
                [[{"role": "system", "content": "You review code."}],
                 {"name": "coder", "messages": [{"role": "system", "content": [{"type": "text", "text": "You write code."}]}],
                  "tools": [{"type": "function", "function": {"name": "ls", "parameters": {"type": "object"}}}],
                  "chat_template_kwargs": {"enable_thinking": false}}]""");
        assertThat(read.prompts()).extracting(WarmPrompt::name).containsExactly("entry [0]", "coder");
        ObjectNode second = read.prompts().get(1).chat();
        assertThat(second.at("/messages/0/content/0/text").asText()).isEqualTo("You write code.");
        assertThat(second.at("/tools/0/function/name").asText()).isEqualTo("ls");
        assertThat(second.at("/chat_template_kwargs/enable_thinking").isBoolean())
                .isTrue();
        assertThat(second.has("name")).isFalse();
    }

    @Test
    void whatTheUserSaysAtTheEndIsAPlaceHolder() {
        WarmPrompts read = parse("""
                [[{"role": "system", "content": "s"}],
                 [{"role": "system", "content": "s"}, {"role": "user", "content": "old"}],
                 [{"role": "user", "content": "u"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]}]]""");
        assertThat(read.prompts())
                .map(p -> p.asking("new").get("messages").toString())
                .containsExactly(
                        "[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"new\"}]",
                        "[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"new\"}]",
                        "[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\"}]},"
                                + "{\"role\":\"user\",\"content\":\"new\"}]");
        assertThat(read.prompts().get(1).chat().at("/messages/1/content").asText())
                .isEqualTo("old");
    }

    @Test
    void aPromptIsNotShown() {
        assertThat(parse("[[{\"role\":\"system\",\"content\":\"secret\"}]]").toString())
                .doesNotContain("secret");
        assertThatThrownBy(() -> parse("[[\"my secret words\"]]")).hasMessageNotContaining("secret");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> WarmPrompts.read(Path.of("no-such-file.json")))
                .isInstanceOf(UserError.class)
                .hasMessage("no-such-file.json: there is no such file");
    }

    /** Each file, and where it says what is wrong: entry and field, then what is expected. Quotes are written as '. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | is empty; expected is a list of prompts, each a list of messages or an object with ^messages^",
                "{} | must be a list of prompts, each a list of messages or an object with ^messages^, not an object",
                "^system^ | must be a list of prompts, each a list of messages or an object with ^messages^, not ^system^",
                "[] | has no entry; expected is a list of prompts",
                "[[]] | entry [0], messages: must be a list of at least one message with ^role^ and ^content^, not an empty list",
                "[[{~role~:~system~,~content~:~a~}],7] | entry [1]: must be a list of messages, or an object with ^messages^, not 7",
                "[null] | entry [0]: must be a list of messages, or an object with ^messages^, not null",
                "[~You are a coder~] | entry [0]: must be a list of messages, or an object with ^messages^, not a text of 15 characters",
                "[{}] | entry [0], messages: is missing; it must be a list of at least one message with ^role^ and ^content^",
                "[{~messages~:~hi~}] | entry [0], messages: must be a list of at least one message with ^role^ and ^content^, not ^hi^",
                "[{~messages~:[]}] | entry [0], messages: must be a list of at least one message",
                "[{~mesages~:[]}] | entry [0], mesages: unknown; did you mean ^messages^? (and 1 more like this)",
                "[[~hi~]] | entry [0], messages[0]: must be an object with ^role^ and ^content^, not ^hi^",
                "[[{~content~:~a~}]] | entry [0], messages[0].role: is missing; it must be one of system, developer, user, assistant, tool",
                "[[{~role~:~system~}]] | entry [0], messages[0].content: is missing; it must be text, or a list of text parts",
                "[[{~role~:~sytem~,~content~:~a~}]] | entry [0], messages[0].role: must be one of system, developer, user, assistant, tool, not ^sytem^",
                "[[{~role~:1,~content~:~a~}]] | entry [0], messages[0].role: must be one of system, developer, user, assistant, tool, not 1",
                "[[{~role~:~user~,~content~:null}]] | entry [0], messages[0].content: must be text, or a list of text parts, not null",
                "[[{~role~:~user~,~content~:5}]] | entry [0], messages[0].content: must be text, or a list of text parts, not 5",
                "[[{~role~:~user~,~content~:{}}]] | entry [0], messages[0].content: must be text, or a list of text parts, not an object",
                "[[{~role~:~user~,~content~:[]}]] | entry [0], messages[0].content: must be text, or a list of text parts, not an empty list",
                "[[{~role~:~user~,~content~:[~a~]}]] | entry [0], messages[0].content[0]: must be an object",
                "[[{~role~:~user~,~content~:[{~type~:~image_url~}]}]] | entry [0], messages[0].content[0].type: must be ^text^, since only text can be warmed, not ^image_url^",
                "[[{~role~:~user~,~content~:[{~type~:~text~}]}]] | entry [0], messages[0].content[0].text: is missing; it must be text",
                "[[{~role~:~user~,~content~:~a~,~contnet~:~b~}]] | entry [0], messages[0].contnet: unknown; did you mean ^content^?",
                "[[{~role~:~user~,~content~:~a~,~tool_calls~:[]}]] | entry [0], messages[0].tool_calls: must be a list, in a message of the assistant",
                "[[{~role~:~system~,~content~:~a~},{~role~:~user~}]] | entry [0], messages[1].content: is missing",
                "[[{~role~:~system~,~role~:~user~,~content~:~a~}]] | line 1: entry [0], messages[0].role: cannot be read as JSON: Duplicate field ^role^",
                "[[{~role~:~system~,~content~:~\\ud800~}]] | entry [0], messages[0].content: has a lone surrogate",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~name~:~~}] | entry [0], name: must be text of 1 to 128 characters",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~name~:3}] | entry [0], name: must be text of 1 to 128 characters, not 3",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~name~:~x~},{~messages~:[{~role~:~user~,~content~:~b~}],~name~:~x~}] | entry [1], name: ^x^ is taken by entry [0]; choose another one",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:{}}] | entry [0], tools: must be a list of at least one tool, or left out, not an object",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[]}] | entry [0], tools: must be a list of at least one tool, or left out, not an empty list",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[3]}] | entry [0], tools[0]: must be an object with ^type^ and ^function^, not 3",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[{~name~:~ls~,~input_schema~:{}}]}] | entry [0], tools[0].type: is missing; it must be ^function^",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[{~type~:~function~}]}] | entry [0], tools[0].function: is missing",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[{~type~:~function~,~function~:{}}]}] | entry [0], tools[0].function.name: is missing; it must be the tool^s name",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~tools~:[{~type~:~function~,~function~:{~name~:~ls~,~parameters~:[]}}]}] | entry [0], tools[0].function.parameters: must be an object",
                "[{~messages~:[{~role~:~user~,~content~:~a~}],~chat_template_kwargs~:[]}] | entry [0], chat_template_kwargs: must be an object, the arguments of the chat template, not an empty list",
                "[[{~role~:~system~,~content~:~a~}],[{~role~:~system~,~content~:~b~ | line 1: entry [1], messages[0].content: cannot be read as JSON: Unexpected end-of-input",
                "[{~messages~:[{~role~:~system~,~content~:oops}]}] | line 1: entry [0], messages[0].content: cannot be read as JSON: Unrecognized token ^oops^",
                "[[{~role~:~user~,~content~:~a~}]] [] | line 1: goes on after the list; expected is one list",
            })
    void aWrongFileIsRefusedWithEntryAndField(String file, String message) {
        assertThatThrownBy(() -> parse(file.replace('~', '"').replace('^', '"')))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("agents.json: " + message.replace('^', '\''))
                .hasMessageNotContaining("\n");
    }
}
