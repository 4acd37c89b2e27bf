/** The operator's side, on its own address: health, readiness, metrics and status. Never on the data path. */
package dev.warmroute.router.admin;
