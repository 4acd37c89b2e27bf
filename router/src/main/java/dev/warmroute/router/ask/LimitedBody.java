package dev.warmroute.router.ask;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Keeps a body of limited size; refuses a larger one with an {@link AnswerTooLarge} as soon as that is seen. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> kept = BodySubscribers.ofByteArray();
    private final int mostBytes;
    private Subscription subscription;
    private long bytes;

    LimitedBody(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return kept.getBody();
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        kept.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        boolean refused = bytes > mostBytes;
        for (ByteBuffer piece : pieces) {
            bytes += piece.remaining();
        }
        if (bytes <= mostBytes) {
            kept.onNext(pieces);
        } else if (!refused) {
            subscription.cancel();
            kept.onError(new AnswerTooLarge(mostBytes));
        }
    }

    @Override
    public void onError(Throwable failure) {
        kept.onError(failure);
    }

    @Override
    public void onComplete() {
        kept.onComplete();
    }
}
