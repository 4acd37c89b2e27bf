package dev.warmroute.router.proxy;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for I/O as another handler does, but under load not at once again: bytes that come in quick succession, of one answer
 * or of many, are then read and written together, as network cards moderate their interrupts. Ten reads, writes and looks for
 * events that carry one token each cost ten times what one does that carries ten. What comes to a loop that has been quiet for
 * {@link #PACE_NANOS} never waits; nothing waits for longer than a nap, which is some 30 to 90 microseconds, as exact as the
 * system's timers are.
 */
final class PacedIoHandler implements IoHandler {
    private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    private final IoHandler handler;
    private long lastEnded = System.nanoTime() - PACE_NANOS;

    private PacedIoHandler(IoHandler handler) {
        this.handler = handler;
    }

    static IoHandlerFactory over(IoHandlerFactory factory) {
        return executor -> new PacedIoHandler(factory.newHandler(executor));
    }

    @Override
    public int run(IoHandlerContext context) {
        int handled = handler.run(context);
        long now = System.nanoTime();
        if (now - lastEnded < PACE_NANOS && context.canBlock()) {
            LockSupport.parkNanos(this, NAP_NANOS);
            now = System.nanoTime();
        }
        lastEnded = now;
        return handled;
    }

    @Override
    public void wakeup() {
        handler.wakeup();
    }

    @Override
    public void initialize() {
        handler.initialize();
    }

    @Override
    public void prepareToDestroy() {
        handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
        handler.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return handler.register(handle);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return handler.isCompatible(type);
    }
}
