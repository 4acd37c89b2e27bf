"""Prints the figures of load generator runs as Markdown: requests/s, and what each target adds to one stream."""
import json
import sys

runs = [r for path in sys.argv[1:] for r in json.load(open(path))]
for size in sorted({r["body_bytes"] for r in runs}):
    for streams in sorted({r["conc"] for r in runs if r["body_bytes"] == size}):
        rows = [r for r in runs if (r["body_bytes"], r["conc"]) == (size, streams)]
        direct, peers = rows[0], [r for r in rows if r["target"].startswith(("vllm", "sglang", "nginx"))]
        print(f"\n{size // 1024} KB, {streams} streams, {direct['n']} requests a target\n")
        print("| target | requests/s | x direct | " + "".join(f"x {p['target']} | " for p in peers)
              + "added total p50 | added first byte p50 | p99 | errors |")
        print("|" + "---|" * (7 + len(peers)))
        for r in rows:
            print(f"| {r['target']} | {r['rps']:,.0f} | {r['rps'] / direct['rps']:.2f} | "
                  + "".join(f"{r['rps'] / max(p['rps'], 1e-9):.2f} | " for p in peers)
                  + f"{r['total_p50_us'] - direct['total_p50_us']:+,.0f} us | {r['ttfb_p50_us'] - direct['ttfb_p50_us']:+,.0f} us | "
                  + f"{r['ttfb_p99_us'] - direct['ttfb_p99_us']:+,.0f} us | {r['errors']} |")
