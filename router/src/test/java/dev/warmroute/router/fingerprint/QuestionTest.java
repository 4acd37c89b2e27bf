package dev.warmroute.router.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHAT = "/v1/chat/completions";
    private static final String MESSAGES = "/v1/messages";

    private static Optional<Question> about(String path, String body) {
        return Question.about(path, body.replace('\'', '"').getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'model':'m','prompt':'a b','max_tokens':3,'add_special_tokens':false} | {'model':'m','add_special_tokens':false,'prompt':'a b'}
        {'prompt':['a b']}                                                     | {'prompt':'a b'}
        """)
    void asksForACompletionsPrompt(String body, String question) throws IOException {
        expect(COMPLETIONS, body, question, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'model':'m','messages':[{'role':'user','content':'a'}],'temperature':1,'stream':true} | {'model':'m','messages':[{'role':'user','content':'a'}]}
        {'messages':[{'role':'assistant','tool_calls':[{'id':'1'}]},{'role':'user','content':[{'type':'text','text':'a'}]}],'tools':[{'type':'function'}],'add_generation_prompt':false,'continue_final_message':true,'add_special_tokens':true,'chat_template':'t','chat_template_kwargs':{'x':1}} | {'messages':[{'role':'assistant','tool_calls':[{'id':'1'}]},{'role':'user','content':[{'type':'text','text':'a'}]}],'tools':[{'type':'function'}],'add_generation_prompt':false,'continue_final_message':true,'add_special_tokens':true,'chat_template':'t','chat_template_kwargs':{'x':1}}
        {'messages':[],'documents':[{'a':'b'}],'chat_template_kwargs':{'x':1}}                  | {'messages':[],'chat_template_kwargs':{'x':1,'documents':[{'a':'b'}]}}
        """)
    void asksForAChatWithAllThatItsTemplateReads(String body, String question) throws IOException {
        expect(CHAT, body, question, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'model':'m','max_tokens':9,'system':'s','messages':[{'role':'user','content':'a'}]} | {'model':'m','messages':[{'role':'system','content':'s'},{'role':'user','content':'a'}]}
        {'model':'m','system':[{'type':'text','text':'x-anthropic-billing-header: cch=1;'},{'type':'text','text':'s'},{'type':'text','text':'t'}],'messages':[]} | {'model':'m','messages':[{'role':'system','content':'st'}]}
        {'model':'m','messages':[{'role':'user','content':[{'type':'text','text':'a','cache_control':{'type':'ephemeral'}},{'type':'text','text':''},{'type':'text','text':'b'}]}]} | {'model':'m','messages':[{'role':'user','content':[{'type':'text','text':'a'},{'type':'text','text':'b'}]}]}
        {'model':'m','messages':[{'role':'assistant','content':[{'type':'thinking','thinking':'h','signature':'x'},{'type':'text','text':'a'},{'type':'tool_use','id':'1','name':'f','input':{'x':1.0}}]}]} | {'model':'m','messages':[{'role':'assistant','reasoning':'h','tool_calls':[{'id':'1','type':'function','function':{'name':'f','arguments':'{\\'x\\':1.0}'}}],'content':'a'}]}
        {'model':'m','messages':[{'role':'user','content':[{'type':'tool_result','tool_use_id':'1','content':[{'type':'text','text':'r'},{'type':'text','text':'s'}]}]}]} | {'model':'m','messages':[{'role':'tool','tool_call_id':'1','content':'r\\ns'}]}
        {'model':'m','messages':[{'role':'user','content':[{'type':'tool_result','tool_use_id':'1','content':'r'},{'type':'text','text':'a'}]}]} | {'model':'m','messages':[{'role':'tool','tool_call_id':'1','content':'r'},{'role':'user','content':'a'}]}
        {'model':'m','messages':[],'tools':[{'name':'f','description':'d','input_schema':{'properties':{}}}]} | {'model':'m','messages':[],'tools':[{'type':'function','function':{'name':'f','description':'d','parameters':{'properties':{},'type':'object'}}}]}
        {'model':'m','messages':[],'thinking':{'type':'adaptive'},'output_config':{'effort':'high'},'chat_template_kwargs':{'x':1}} | {'model':'m','messages':[],'chat_template_kwargs':{'x':1,'reasoning_effort':'high','enable_thinking':true}}
        """)
    void asksForAnthropicMessagesAsTheChatThatTheEngineMakesOfThem(String body, String question) throws IOException {
        expect(MESSAGES, body, question, true);
    }

    private static void expect(String path, String body, String question, boolean counted) throws IOException {
        Question asked = about(path, body).orElseThrow();
        assertThat(MAPPER.readTree(asked.json())).isEqualTo(json(question));
        assertThat(asked.countedByMessages()).isEqualTo(counted);
    }

    private static Object json(String text) throws JsonProcessingException {
        return MAPPER.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /v1/completions      | {'prompt':['a','b']}
        /v1/completions      | {'prompt':'a','truncate_prompt_tokens':3}
        /v1/completions      | {'prompt':'a','suffix':'b'}
        /v1/completions      | {'prompt':'a','prompt_embeds':'AA=='}
        /v1/completions      | {'model':'m'}
        /v1/completions      | [1]
        /v1/completions      | {'prompt':
        /v1/chat/completions | {'prompt':'a'}
        /v1/chat/completions | {'messages':[{'role':'user','content':[{'type':'image_url','image_url':{'url':'data:'}}]}]}
        /v1/chat/completions | {'messages':[{'role':'user','content':[{'type':'input_audio'}]}]}
        /v1/chat/completions | {'messages':[],'reasoning_effort':'low'}
        /v1/chat/completions | {'messages':[],'tools':[{'type':'function'}],'tool_choice':'none'}
        /v1/chat/completions | {'messages':[],'truncate_prompt_tokens':3}
        /v1/messages         | {'messages':[{'role':'user','content':[{'type':'image','source':{}}]}]}
        /v1/messages         | {'messages':[{'role':'user','content':[{'type':'tool_result','content':[{'type':'image'}]}]}]}
        /v1/messages         | {'messages':[{'role':'system','content':'a'}]}
        /v1/messages         | {'messages':[{'role':'user','content':[{'type':'document'}]}]}
        /v1/messages         | {'messages':[],'thinking':{'type':'disabled'}}
        /v1/messages         | {'messages':[],'tools':[{'type':'web_search_20250305','name':'web_search'}]}
        /v1/messages         | {'messages':[],'tools':[{'name':'f','input_schema':{}}],'tool_choice':{'type':'none'}}
        /v1/messages         | {'messages':[{'role':'assistant','content':[{'type':'tool_result','content':'r'}]}]}
        /v1/responses        | {'input':'a'}
        /v1/embeddings       | {'input':'a'}
        """)
    void thereIsNoneWhereTheAnswerCouldBeWrong(String path, String body) {
        assertThat(about(path, body)).isEmpty();
    }
}
