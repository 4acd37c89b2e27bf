/** The whole live router as one thing to start and stop: broker, publisher, scraping, fingerprints and the server. */
package dev.warmroute.router.live;
