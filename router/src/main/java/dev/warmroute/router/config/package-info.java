/** The router's configuration file: every key, its default and its meaning, and a reader that names all mistakes at once. */
package dev.warmroute.router.config;
