"""Writes static/example-trace.json.gz: a trace as PyTorch's profiler would write it.

No machine recorded it. One rank of four trains twelve equal layers with DDP for four
steps. In the first step all gradients go in one bucket, as DDP has not arranged its
buckets yet; then there are five. In each step the GPU waits once for the CPU in the
middle of the backward pass, so a part of a transfer is exposed there, and the tail is
exposed at the end.

Run it with `python tests/example_trace.py`.
"""

import gzip
import itertools
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

TARGET = Path(__file__).parents[1] / "static" / "example-trace.json.gz"

LAYERS = 12
PARAMETERS_OF_LAYER = 7_087_872  # a block of GPT-2 small
BUCKETS = (1, 3, 3, 3, 2)  # layers each, in backward order
FIRST_STEP = 10
STEPS = 4

# microseconds on the GPU
FORWARD = {"ampere_sgemm_128x64_tn": 900.0, "gelu_forward_kernel": 160.0}
BACKWARD = {
    "ampere_sgemm_128x128_nn": 1050.0,
    "ampere_sgemm_128x128_nt": 1100.0,
    "gelu_backward_kernel": 240.0,
}
OPTIMIZER = 330.0
LATE_LAYER, LATE_US = 6, 2100.0  # before it the GPU waits for the CPU
OVERHEAD_US = 90.0
BYTES_PER_US = 14_000.0  # 14 GB/s
LAG_US = 3000.0  # the CPU launches that much before the GPU gets there
STEP_GAP_US = 1500.0

COMPUTE_STREAM, NCCL_STREAM = 7, 20
PROCESS, AUTOGRAD_THREAD = 4242, 4301


@dataclass
class Capture:
    """The events so far, the time on the GPU and the source of all chance."""

    events: list[dict] = field(default_factory=list)
    now_us: float = 10_000.0
    link_free_us: float = 0.0
    chance: random.Random = field(default_factory=lambda: random.Random(20))
    correlations: itertools.count = field(default_factory=lambda: itertools.count(1))

    def jittered(self, length_us: float) -> float:
        return length_us * self.chance.uniform(0.97, 1.03)

    def add(self, cat: str, name: str, thread: tuple, start_us: float, **rest) -> None:
        pid, tid = thread
        self.events.append(
            {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid}
            | {"ts": round(start_us, 3), "dur": round(rest["length_us"], 3)}
            | {"args": rest.get("args", {})}
        )

    def launch(self, call: str, tid: int, start_us: float) -> int:
        """A call of the CUDA runtime; returns its correlation number."""
        number = next(self.correlations)
        args = {"External id": number + 500, "cbid": 211, "correlation": number}
        thread = (PROCESS, tid)
        self.add("cuda_runtime", call, thread, start_us, length_us=6.5, args=args)
        return number

    def compute(self, name: str, length_us: float, tid: int = PROCESS) -> float:
        """A kernel after all before it; returns when it was launched."""
        launched_us = self.now_us - LAG_US
        number = self.launch("cudaLaunchKernel", tid, launched_us)
        length_us = self.jittered(length_us)
        args = {"device": 0, "context": 1, "stream": COMPUTE_STREAM}
        args |= {"correlation": number, "grid": [128, 12, 1], "block": [256, 1, 1]}
        thread = (0, COMPUTE_STREAM)
        self.add("kernel", name, thread, self.now_us, length_us=length_us, args=args)
        self.now_us += length_us + 1.2
        return launched_us

    def all_reduce(self, parameters: int, launched_us: float) -> None:
        """A transfer once its gradients are there and the link is free."""
        start_us = max(self.now_us, self.link_free_us) + 4.0
        wire_us = 4 * parameters / BYTES_PER_US
        length_us = OVERHEAD_US + self.jittered(wire_us)
        number = self.launch("cudaLaunchKernelExC", AUTOGRAD_THREAD, launched_us)
        args = {"device": 0, "context": 1, "stream": NCCL_STREAM}
        args |= {"correlation": number, "Collective name": "allreduce"}
        args |= {"In msg nelems": parameters, "Out msg nelems": parameters}
        args |= {"Group size": 4, "dtype": "Float", "Process Group Name": "0"}
        name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)"
        thread = (0, NCCL_STREAM)
        self.add("kernel", name, thread, start_us, length_us=length_us, args=args)
        self.link_free_us = start_us + length_us


def forward(capture: Capture) -> None:
    for _ in range(LAYERS):
        for name, length_us in FORWARD.items():
            capture.compute(name, length_us)


def backward(capture: Capture, buckets: tuple[int, ...]) -> None:
    """Last layer first; a bucket leaves once its last layer is done."""
    full = set(itertools.accumulate(buckets))
    sizes = iter(buckets)
    for done, layer in enumerate(range(LAYERS, 0, -1), start=1):
        if layer == LATE_LAYER:
            capture.now_us += capture.jittered(LATE_US)
        launched_us = [
            capture.compute(name, length_us, AUTOGRAD_THREAD)
            for name, length_us in BACKWARD.items()
        ]
        capture.add(
            "cpu_op",
            "autograd::engine::evaluate_function: AddmmBackward0",
            (PROCESS, AUTOGRAD_THREAD),
            launched_us[0] - 20.0,
            length_us=launched_us[-1] - launched_us[0] + 60.0,
            args={"Sequence number": 100 + layer, "Fwd thread id": 1},
        )
        if done in full:
            parameters = next(sizes) * PARAMETERS_OF_LAYER
            capture.all_reduce(parameters, launched_us[-1] + 15.0)


def step(capture: Capture, number: int, buckets: tuple[int, ...]) -> None:
    """Forward, backward, and the optimizer once the last transfer is done."""
    begin_us = capture.now_us - LAG_US - 50.0
    forward(capture)
    backward(capture, buckets)
    capture.now_us = max(capture.now_us, capture.link_free_us + 10.0)
    for _ in range(3):
        last_us = capture.compute("multi_tensor_apply_kernel_adamw", OPTIMIZER)
    capture.add(
        "user_annotation",
        f"ProfilerStep#{number}",
        (PROCESS, PROCESS),
        begin_us,
        length_us=last_us + 50.0 - begin_us,
    )
    capture.now_us += capture.jittered(STEP_GAP_US)


def document() -> dict:
    """The whole trace; the same one every time."""
    capture = Capture()
    for number in range(STEPS):
        step(capture, FIRST_STEP + number, BUCKETS if number else (LAYERS,))
    return {
        "schemaVersion": 1,
        "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 4},
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": 0,
        "traceEvents": capture.events,
        "traceName": "example-trace.json",
    }


def packed() -> bytes:
    """Compressed JSON, without a date in it."""
    text = json.dumps(document(), separators=(",", ":"))
    return gzip.compress(text.replace('},{"ph"', '},\n{"ph"').encode(), mtime=0)


if __name__ == "__main__":
    TARGET.write_bytes(packed())
