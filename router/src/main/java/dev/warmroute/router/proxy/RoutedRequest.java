package dev.warmroute.router.proxy;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.proxy.HoldingQueue.Held;
import dev.warmroute.router.proxy.ModelRoute.Routed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What routing knows of one request: each attempt is decided and told, the place that it takes is given back exactly once, and
 * so is its end told. Used on one event loop only.
 */
final class RoutedRequest implements HoldingQueue.Waiter {
    private final Loop loop;
    private final ModelRoute route;
    private final Told told;
    /** Replica that the client named, or that alone can answer. */
    private final Optional<Replica> pinned;

    private int attempts;
    /** The decision whose place is taken; nothing when none is. */
    private Optional<Routed> placed = Optional.empty();
    /** What the request waits as while it is held, and since when; how long it was before, and what happens then. */
    private Optional<Held> held = Optional.empty();

    private long heldSince;
    private long heldNanos;
    private Consumer<Optional<Replica>> then = to -> {};
    private boolean over;

    RoutedRequest(Loop loop, ModelRoute route, Told told, Optional<Replica> pinned) {
        this.loop = loop;
        this.route = route;
        this.told = told;
        this.pinned = pinned;
    }

    /**
     * Decides where the next attempt goes; nowhere when nobody can take it. A place taken before is given back.
     *
     * @param go called once with where it goes, at once or when the request has been held for as long as it takes
     * @param tooManyWait called instead when the request would have to be held and no more may be
     */
    void attempt(ByteBuf body, Consumer<Optional<Replica>> go, Runnable tooManyWait) {
        then = go;
        int attempt = ++attempts;
        Optional<Routed> failed = placed; // its place is given back by the next decision
        placed = Optional.empty();
        PromptChain prompt = route.readsPrompts() ? loop.fingerprint(body) : PromptChain.NOTHING;
        Routed routed = route.route(
                told.routing(prompt),
                prompt,
                failed,
                failed.isPresent() ? Optional.empty() : pinned,
                r -> loop.shared().events().publish(router -> told.decision(r, attempt, router)),
                this);
        if (routed.held().isEmpty()) {
            go(routed);
        } else if (route.waits(routed.held().get())) {
            held = routed.held();
            heldSince = routed.decidedAt(); // where limits.max_hold counts from, too
        } else {
            tooManyWait.run();
        }
    }

    private void go(Routed routed) {
        if (routed.replica().isPresent()) {
            placed = Optional.of(routed);
            routed.replica()
                    .get()
                    .totals()
                    .decided(routed.decision().placement().kind());
        }
        then.accept(routed.replica());
    }

    @Override
    public void later(Runnable look, long nanos) {
        loop.executor().schedule(look, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void placed(Routed routed) {
        loop.executor().execute(() -> {
            if (!over) {
                heldNanos = heldFor();
                held = Optional.empty();
                go(routed);
            }
        });
    }

    private long heldFor() {
        return held.isPresent() ? heldNanos + loop.now() - heldSince : heldNanos;
    }

    /** The request is on its way; now is the time to tell what it says. */
    void sent(String path, Replica to, ByteBuf body) {
        PromptListener prompts = loop.shared().prompts();
        if (Paths.hasPrompt(path) && body.isReadable() && prompts.wanted()) {
            prompts.prompt(new PromptListener.Request(
                    told.requestId(),
                    told.session(),
                    told.model(),
                    path,
                    to.id(),
                    to.config().at("").toString(),
                    ByteBufUtil.getBytes(body)));
        }
    }

    /** The first byte of the answer's content is there. */
    void answering() {
        placed.ifPresent(route::answering);
    }

    void ended(Told.End end) {
        over = true;
        loop.shared().totals().ended(end.by());
        long kept = heldFor();
        Runnable tell = () -> loop.shared().events().publish(router -> told.completed(end, kept, router));
        if (held.isPresent()) {
            route.leave(held.get(), tell);
            return;
        }
        Optional<Routed> from = placed;
        placed = Optional.empty();
        from.ifPresentOrElse(r -> route.release(r, end.usage().completion(), tell), tell);
    }
}
