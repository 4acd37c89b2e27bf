/** Questions of the router's own to replicas, beside the traffic that it passes on. */
package dev.warmroute.router.ask;
