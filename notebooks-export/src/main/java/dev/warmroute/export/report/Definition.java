package dev.warmroute.export.report;

/** A term of the report and what it means. */
public record Definition(String term, String meaning) {}
