/**
 * Who is speaking: finds the conversation, the sub-agent and the parent in a request's headers and body fields, and turns
 * them into salted hashes. Pure: no network, no clock, no files.
 */
package dev.warmroute.router.session;
