package dev.warmroute.router.proxy;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for I/O as another handler does, but under load not at once again: bytes that come in quick succession, of one answer
 * or of many, are then read and written together, as network cards moderate their interrupts. Ten reads, writes and looks for
 * events that carry one token each cost ten times what one does that carries ten. Nothing waits for longer than a nap, and
 * nothing waits in a loop that has been quiet for {@link #PACE_NANOS}, or while no request is being answered.
 */
final class PacedIoHandler implements IoHandler {
    private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private static final Logger LOG = LoggerFactory.getLogger(PacedIoHandler.class);

    private static final FastThreadLocal<PacedIoHandler> OF_LOOP = new FastThreadLocal<>();

    private final IoHandler handler;
    /** Requests that are being answered. */
    private int answering;

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
        if (answering > 0 && now - lastEnded < PACE_NANOS && context.canBlock()) {
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

    /** A request begins to be answered on this thread's loop. */
    static void begins() {
        OF_LOOP.get().answering++;
    }

    /** A request ends that began on this thread's loop. */
    static void ends() {
        OF_LOOP.get().answering--;
    }

    @Override
    public void initialize() {
        OF_LOOP.set(this);
        handler.initialize();
        napExactly();
    }

    /** Linux ends a thread's naps up to 50 microseconds late, unless that thread asks for less; where it may not, they are longer. */
    private static void napExactly() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), "1000");
        } catch (IOException | SecurityException e) {
            LOG.debug("naps of an event loop stay inexact: {}", e.toString());
        }
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
