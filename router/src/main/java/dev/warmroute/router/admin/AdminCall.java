package dev.warmroute.router.admin;

import java.util.Map;

/**
 * A request to the operator's side.
 *
 * @param path as it was sent, without the query
 * @param query parameters of the query
 * @param authorization value of that header; empty when there was none
 */
record AdminCall(String method, String path, Map<String, String> query, String authorization, byte[] body) {}
