package dev.warmroute.router.proxy;

import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.proxy.ModelRoute.Routed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;

/**
 * What routing knows of one request: each attempt is decided and told, the place that it takes is given back exactly once, and
 * so is its end told. Used on one event loop only.
 */
final class RoutedRequest {
    private final Loop loop;
    private final ModelRoute route;
    private final Told told;
    /** Replica that the client named, or that alone can answer. */
    private final Optional<Replica> pinned;

    private int attempts;
    /** The decision whose place is taken; nothing when none is. */
    private Optional<Routed> placed = Optional.empty();

    RoutedRequest(Loop loop, ModelRoute route, Told told, Optional<Replica> pinned) {
        this.loop = loop;
        this.route = route;
        this.told = told;
        this.pinned = pinned;
    }

    /** Decides where the next attempt goes; nowhere when nobody can take it. A place taken before is given back. */
    Optional<Replica> attempt(ByteBuf body) {
        int attempt = ++attempts;
        Optional<Routed> failed = placed; // its place is given back by the next decision
        placed = Optional.empty();
        PromptChain prompt = route.readsPrompts() ? loop.fingerprint(body) : PromptChain.NOTHING;
        Routed routed = route.route(
                told.routing(prompt),
                prompt,
                failed,
                failed.isPresent() ? Optional.empty() : pinned,
                r -> loop.shared().events().publish(router -> told.decision(r, attempt, router)));
        if (routed.replica().isPresent()) {
            placed = Optional.of(routed);
            routed.replica().get().totals().decided(routed.decision().placement().kind());
        }
        return routed.replica();
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
        loop.shared().totals().ended(end.by());
        Runnable tell = () -> loop.shared().events().publish(router -> told.completed(end, router));
        Optional<Routed> from = placed;
        placed = Optional.empty();
        from.ifPresentOrElse(r -> route.release(r, end.usage().completion(), tell), tell);
    }
}
