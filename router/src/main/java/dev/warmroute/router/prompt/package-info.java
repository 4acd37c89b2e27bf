/**
 * What is said, without saying it: prompts as chains of salted hashes. Equal prefixes give equal chains under the same salt;
 * nothing of the text can be read from them.
 */
package dev.warmroute.router.prompt;
