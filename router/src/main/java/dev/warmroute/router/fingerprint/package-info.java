/** Fingerprints prompts off the request path: reads bodies, asks a replica's tokenizer where exactness is wanted, publishes. */
package dev.warmroute.router.fingerprint;
