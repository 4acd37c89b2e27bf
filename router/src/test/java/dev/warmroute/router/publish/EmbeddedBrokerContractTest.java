package dev.warmroute.router.publish;

import dev.warmroute.router.broker.SharedBroker;

class EmbeddedBrokerContractTest extends BrokerContract {
    @Override
    String bootstrap() {
        return SharedBroker.bootstrap();
    }
}
