"""Drives vLLM's own scheduler, KV cache manager and native offloading connector (no model, no GPU) through a seeded workload
and writes every decision, step by step, as JSON Lines: what oracle.py of ../shared/tools/real-vllm does, with host memory
behind the cache. `validate oracle` compares the simulated replica with it.

    python offload_oracle.py ORACLE_PY --host-blocks N [--transfer T] [--concurrent-batches 1|2] [options of oracle.py]

The worker that copies blocks is played here: loads and stores each go one after another and take T steps each, a load from
the step in which it was decided, a store from the step after. Recorded beside oracle.py's fields: "loading"
[[id, hit on the card, tokens loaded]...], "external_queries", "external_hits", "host_blocks", "host_evicted".
"""
import json, os, random, sys

oracle = sys.argv.pop(1)
source = open(oracle).read()
assert source.rstrip().endswith("main()"), "not the recorder that this script builds on: " + oracle
shared = {"__name__": "oracle", "__file__": oracle}
exec(compile(source.rstrip()[: -len("main()")], oracle, "exec"), shared)

import argparse
from vllm.config import KVTransferConfig
from vllm.distributed.kv_transfer.kv_connector.v1.offloading.common import OffloadingWorkerMetadata
from vllm.v1.outputs import KVConnectorOutput, ModelRunnerOutput
from vllm.v1.request import Request, RequestStatus
from vllm.sampling_params import SamplingParams
from vllm.engine.arg_utils import EngineArgs
from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash
from vllm.utils.hashing import sha256
import vllm

p = argparse.ArgumentParser()
for n, d in dict(seed=1, blocks=256, block_size=16, max_num_seqs=8, budget=512, max_model_len=4096, sessions=12, requests=300, turns=8,
                 systems=2, shared=400, user=120, output=40, gap=40, spread=60, long_prefill=0, swa=0, swa_groups=1, gdn=0,
                 host_blocks=1000, transfer=0, concurrent_batches=1).items():
    p.add_argument("--" + n.replace("_", "-"), type=int, default=d)
p.add_argument("--edit", type=float, default=0.03)
p.add_argument("--abort", type=float, default=0.0)
p.add_argument("--watermark", type=float, default=0.0)
p.add_argument("--async-scheduling", action="store_true")
p.add_argument("--no-full-isl", action="store_true")
p.add_argument("--no-caching", action="store_true")
p.add_argument("--model", default=os.path.expanduser("~/.cache/warmroute-vllm/tiny"))
p.add_argument("--out", required=True)
a = p.parse_args()

plain = EngineArgs.create_engine_config
def with_connector(self, *args, **kwargs):
    config = plain(self, *args, **kwargs)
    config.kv_transfer_config = KVTransferConfig(kv_connector="OffloadingConnector", kv_role="kv_both",
        kv_connector_extra_config={"spec_name": "CPUOffloadingSpec", "cpu_bytes_to_use": 1 << 30})
    return config
EngineArgs.create_engine_config = with_connector
_, s = shared["build"](a)
s.defer_block_free = a.concurrent_batches > 1
manager = s.connector.connector_scheduler.manager
manager._num_chunks = a.host_blocks
evicted = 0
lru_evict = manager._policy.evict
def counting_evict(n, protected):
    global evicted
    gone = lru_evict(n, protected)
    evicted += len(gone or [])
    return gone
manager._policy.evict = counting_evict

loading = []
alloc = s.connector.update_state_after_alloc
def watch_alloc(request, blocks, external):
    if external:
        local = s.connector.connector_scheduler._req_status[request.request_id].num_locally_computed_tokens
        loading.append([int(request.request_id), local, external])
    return alloc(request, blocks, external)
s.connector.update_state_after_alloc = watch_alloc

rng = random.Random(a.seed)
init_none_hash(sha256)
hasher = get_request_block_hasher(a.block_size, sha256)
world = shared["World"](a, rng)
pool = s.kv_cache_manager.block_pool
removed = 0
plain_evict = pool._maybe_evict_cached_block
def watch_evict(block):
    global removed
    gone = plain_evict(block)
    removed += bool(gone)
    return gone
pool._maybe_evict_cached_block = watch_evict

f = open(a.out, "w")
def write(record):
    f.write(json.dumps(record, separators=(",", ":")) + "\n")
write({"kind": "config", "vllm": vllm.__version__, "seed": a.seed, "num_gpu_blocks": a.blocks, "block_size": a.block_size,
       "max_num_seqs": a.max_num_seqs, "max_num_batched_tokens": a.budget, "max_model_len": a.max_model_len, "prefix_caching": True,
       "async_scheduling": a.async_scheduling, "scheduler_reserve_full_isl": not a.no_full_isl, "watermark": a.watermark,
       "long_prefill_token_threshold": a.long_prefill, "policy": "fcfs", "groups": ["full"],
       "max_concurrent_batches": a.concurrent_batches, "host_memory": {"blocks": a.host_blocks, "transfer": a.transfer}})

# The worker: (moment at which it is over, job, request of a load). A batch scheduled at moment n is over at n + 1, with
# asynchronous scheduling at n + 2.
length = 2 if a.async_scheduling else 1
jobs = {}
free = {"load": 0, "store": 0}
def decide(step, meta):
    for job, entry in meta.load_jobs.items():
        free["load"] = max(free["load"], step) + a.transfer
        jobs[job] = [free["load"], entry.req_id]
    for job in meta.store_jobs:
        free["store"] = max(free["store"], step + spans) + a.transfer
        jobs[job] = [free["store"], None]
    for job in meta.jobs_to_flush:
        if job in jobs:
            jobs[job][0] = min(jobs[job][0], step + spans)
def report(moment):
    over = [j for j, (at, _) in jobs.items() if at <= moment]
    if over:
        out = KVConnectorOutput(finished_recving={jobs[j][1] for j in over if jobs[j][1] is not None},
                                kv_connector_worker_meta=OffloadingWorkerMetadata(completed_jobs={j: 1 for j in over}))
        s._update_from_kv_xfer_finished(out)
        for j in over:
            del jobs[j]

busy, reqs, pending, step = {}, {}, [], 0
Q = H = EQ = EH = 0
def count(outputs):
    global Q, H, EQ, EH
    for e in outputs.values():
        stats = e.scheduler_stats
        if stats is not None and stats.prefix_cache_stats:
            Q += stats.prefix_cache_stats.queries
            H += stats.prefix_cache_stats.hits
        if stats is not None and stats.connector_prefix_cache_stats:
            EQ += stats.connector_prefix_cache_stats.queries
            EH += stats.connector_prefix_cache_stats.hits
while True:
    arrivals = world.due(step, busy)
    for q in arrivals:
        busy[q["session"]] = q
        reqs[q["id"]] = q
        q["_r"] = Request(request_id=str(q["id"]), prompt_token_ids=shared["tokens"](q["prompt"]),
            sampling_params=SamplingParams(max_tokens=q["max_tokens"], ignore_eos=True, temperature=0), pooling_params=None,
            arrival_time=float(step), block_hasher=hasher)
        s.add_request(q["_r"])
    aborts = [q["id"] for q in list(busy.values()) if a.abort and rng.random() < a.abort]
    for i in aborts:
        s.finish_requests(str(i), RequestStatus.FINISHED_ABORTED)
        q = reqs[i]
        busy.pop(q["session"], None)
        world.done(q, step, q["_r"].num_output_tokens)
    record = {"step": step, "arrive": [{k: v for k, v in q.items() if k != "_r"} for q in arrivals]}
    if aborts:
        record["abort"] = [[i, reqs[i]["_r"].num_output_tokens] for i in aborts]
    loading.clear()
    out = s.schedule()
    spans = length if out.total_num_scheduled_tokens > 0 else 0
    decide(step, out.kv_connector_metadata)
    cached = out.scheduled_cached_reqs
    record.update(scheduled=[[int(k), v] for k, v in out.num_scheduled_tokens.items()],
        new=[[int(n.req_id), n.num_computed_tokens] for n in out.scheduled_new_reqs],
        resumed=[[int(r), cached.num_computed_tokens[i]] for i, r in enumerate(cached.req_ids) if r in cached.resumed_req_ids],
        preempted=sorted(int(x) for x in (out.preempted_req_ids or ())), loading=list(loading))
    record["after_schedule"] = {"used": a.blocks - 1 - pool.get_num_free_blocks(), "cached": len(pool.cached_block_hash_to_block),
                                "host_blocks": len(manager._policy.chunks), "host_evicted": evicted}
    empty = out.total_num_scheduled_tokens == 0
    if empty:
        count(s.update_from_output(out, ModelRunnerOutput(req_ids=[], req_id_to_index={}, sampled_token_ids=[])))
    else:
        pending.append(out)
    finished = []
    while pending and (len(pending) > (1 if a.async_scheduling else 0) or empty):
        o = pending.pop(0)
        ids = list(o.num_scheduled_tokens)
        sampled = []
        for rid in ids:
            q = reqs[int(rid)]
            if rid not in s.requests or not o._snap[rid]:
                sampled.append([])
                continue
            sampled.append([(1 << 45) + (int(rid) + 1) * (1 << 20) + q.setdefault("_n", 0)])
            q["_n"] += 1
        result = s.update_from_output(o, ModelRunnerOutput(req_ids=ids, req_id_to_index={x: i for i, x in enumerate(ids)},
                                                           sampled_token_ids=sampled))
        count(result)
        finished += [int(x.request_id) for e in result.values() for x in e.outputs if x.finish_reason is not None]
        if empty:
            break
    report(step + 1)
    record["finished"] = [[i, reqs[i]["_r"].num_output_tokens] for i in finished]
    for i in finished:
        q = reqs[i]
        if busy.get(q["session"]) is q:
            busy.pop(q["session"])
            world.done(q, step, q["_r"].num_output_tokens)
    un, ex = s.kv_cache_manager.prefix_cache_stats, s.connector_prefix_cache_stats
    running, waiting = s.get_request_counts()
    record.update(running=running, waiting=waiting, used_blocks=a.blocks - 1 - pool.get_num_free_blocks(),
        cached_blocks=len(pool.cached_block_hash_to_block), removed=removed, queries=Q + un.queries, hits=H + un.hits,
        external_queries=EQ + ex.queries, external_hits=EH + ex.hits)
    write(record)
    step += 1
    if world.nextid >= a.requests and not busy and not pending and not jobs or step > 200000:
        break
print(f"seed {a.seed}: {step} steps, {len(reqs)} requests, hits {H / max(1, Q):.4f}, of the rest {EH / max(1, EQ):.4f} from the host, "
      f"host evicted {evicted}", file=sys.stderr)
