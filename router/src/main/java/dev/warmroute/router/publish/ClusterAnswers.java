package dev.warmroute.router.publish;

import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * What a Kafka cluster answers to whoever administers it, within 30 seconds.
 *
 * @param setting what names the cluster, for people to check: {@code kafka.bootstrap} or an option
 */
public record ClusterAnswers(String setting) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * Waits for an answer.
     *
     * @param what was asked, as in "list the topics"
     * @throws UserError if Kafka does not answer or refuses; its cause is Kafka's own
     */
    public <T> T await(KafkaFuture<T> asked, String what) {
        try {
            return asked.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw refused(what, e.getCause());
        } catch (TimeoutException e) {
            throw refused(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(what, e);
        }
    }

    /**
     * Waits until a topic is there.
     *
     * @return whether this call made it; somebody else may have been faster
     * @throws UserError if Kafka does not answer or refuses
     */
    public boolean created(KafkaFuture<Void> asked, String topic) {
        try {
            await(asked, "create topic " + topic);
            return true;
        } catch (UserError e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw e;
        }
    }

    private UserError refused(String what, Throwable cause) {
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new UserError(
                "Kafka did not " + what + ": " + why + "; check " + setting + " and the rights of this user", cause);
    }
}
