package dev.warmroute.router.broker;

/** One embedded broker for all tests of this module that do not stop it; they keep apart by their topics' prefix. */
public final class SharedBroker {
    private static final class Holder {
        private static final EmbeddedBroker BROKER = EmbeddedBroker.temporary();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close));
        }
    }

    private SharedBroker() {}

    /** Value for {@code bootstrap.servers}; starts the broker when it is asked for the first time. */
    public static String bootstrap() {
        return Holder.BROKER.bootstrap();
    }
}
