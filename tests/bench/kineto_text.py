"""A trace as libkineto writes it, of any size: the same training step over and over.

Text layout, mix of events and their sizes are those of real captures: 57 % operators
and Python functions, 20 % arrows, 12 % runtime calls, 8.5 % GPU work. Each copy of the
step has later times and numbers of its own.
"""

LAYERS = 60
STEP_NS = 400_000_000
IDS = 1 << 16  # more than a step uses

HEAD = """
{
  "schemaVersion": 1,
  "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85031714816,
      "computeMajor": 8, "computeMinor": 0, "numSms": 108
    }
  ],
  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2},
  "cupti_version": 24,
  "traceEvents": [
"""
TAIL = """
  {
    "name": "Record Window End", "ph": "i", "s": "g",
    "pid": "", "tid": "", "ts": %s
  }
  ],
  "traceName": "./trace.json",
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1711964646000000000
}
"""
RANGE = """  {
    "ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": %d,
    "ts": @T, "dur": %.3f,
    "args": {
      %s
    }
  },
"""
ARROW = """  {
    "ph": "%s", "id": @I, "pid": %d, "tid": %d, "ts": @T,
    "cat": "%s", "name": "%s"%s
  },
"""
KERNELS = (
    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3"
    "_nt_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16::Params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add"
    "<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3>)",
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::"
    "(anonymous namespace)::TensorListMetadata<4>, at::native::(anonymous namespace)"
    "::FusedOptimizerTensorListMetadata>(at::native::(anonymous namespace)::"
    "TensorListMetadata<4>, float, float)",
)
KERNEL_ARGS = (
    '"External id": @I,      "queued": 0, "device": 0, "context": 1,      "stream": %d,'
    ' "correlation": @I,      "registers per thread": 40,      "shared memory": 400,   '
    '   "blocks per SM": 4.740741,      "warps per SM": 75.851852,      "grid": [512, '
    '1, 1],      "block": [512, 1, 1],      "est. achieved occupancy %%": 75'
)
NCCL_ARGS = (
    ', "Collective name": "allreduce", "In msg nelems": %d, "Out msg nelems": %d, '
    '"Group size": 2, "dtype": "Float", "In split size": "[]", "Out split size": "[]", '
    '"Process Group Name": "0", "Process Group Description": "default_pg", '
    '"Process Group Ranks": "[0, 1]"'
)
OPERATOR_ARGS = (
    '"External id": @I,"Record function id": 36, "Concrete Inputs": ["", "", "[128]"], '
    '"Input type": ["float", "float", "ScalarList"], "Input Strides": [[1024, 1], [1]'
    ', []], "Input Dims": [[512, 1024], [1024], []], "Ev Idx": @I'
)
PYTHON_ARGS = '"Python parent id": @I, "Python id": @I, "Python thread": 0'
PYTHON = "torch/nn/modules/module.py(1553): _call_impl"
CPU, MAIN, AUTOGRAD = 4242, 4242, 4377


def write_trace(path, size_bytes):
    """Write at least so many bytes; returns how many pieces of GPU work there are."""
    pieces = _pieces("".join(_step()))
    kernels = sum('"device": 0' in piece for piece in pieces)
    written = 0
    with path.open("w", encoding="utf-8") as file:
        written += file.write(HEAD.removeprefix("\n"))
        copy = 0
        while written < size_bytes:
            copy += 1
            written += file.write(_filled(pieces, copy))
        file.write(TAIL.removeprefix("\n") % _time(copy * STEP_NS * 2))
    return kernels * copy


def _filled(pieces, copy):
    """The step of a copy: times a little different from the last one's."""
    begin_ns = 4_458_676_000_000_000 + copy * STEP_NS
    texts, number, at_ns = [], copy * IDS, begin_ns
    for piece in pieces:
        kind, text = piece[:2], piece[2:]
        if kind == "@T":
            at_ns += 9_001 + 17 * ((number * 7919 + copy) % 101)
            text = _time(at_ns) + text
        elif kind == "@I":
            text = f"{number}{text}"
        elif kind == "@N":  # the next launch
            number += 1
        elif kind == "@S":
            text = f"{copy}{text}"
        texts.append(text)
    return "".join(texts)


def _pieces(text):
    """Cut before each mark, which stays as the first two letters."""
    first, *rest = text.split("@")
    return ["@-" + first, *("@" + piece for piece in rest)]


def _time(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def _step():
    step = '"External id": @I,"Record function id": 1, "Ev Idx": @I'
    yield _range("user_annotation", "ProfilerStep#@S", STEP_NS / 1e3 - 900, step)
    for layer in range(LAYERS):
        yield from _pass("aten::linear", "cpu_op", MAIN, layer)
    for layer in range(LAYERS):
        name = "autograd::engine::evaluate_function: AddmmBackward0"
        yield _range("cpu_op", name, 900, OPERATOR_ARGS, AUTOGRAD)
        yield from _pass("AddmmBackward0", "cpu_op", AUTOGRAD, layer)
        yield from _pass("aten::mm", "cpu_op", AUTOGRAD, layer + 1)
        if layer % 6 == 5:
            yield from _all_reduce(1_000_000 + 4096 * layer)
    name = "Optimizer.step#AdamW.step"
    yield _range("user_annotation", name, 5000, step)
    for layer in range(LAYERS // 4):
        yield from _pass("aten::_foreach_add_", "cpu_op", MAIN, layer)


def _range(cat, name, length_us, args, thread=MAIN, process=CPU):
    return RANGE % (cat, name, process, thread, length_us, args)


def _arrow(letter, process, thread, name):
    end = ', "bp": "e"' if letter == "f" else ""
    return ARROW % (letter, process, thread, name, name, end)


def _pass(name, cat, thread, layer):
    """A layer: operators around one launch that matters and one call that doesn't."""
    for depth in range(3):
        yield _range("python_function", PYTHON, 80 - depth, PYTHON_ARGS, thread)
    for depth, operator in enumerate((name, "aten::t", "aten::addmm", "aten::view")):
        yield _range(cat, operator, 60 - depth, OPERATOR_ARGS, thread)
    if layer % 3 == 0:
        yield _arrow("s", CPU, thread, "fwdbwd")
    if layer % 2 == 0:
        yield from _call("cudaStreamIsCapturing", thread)
    yield from _call("cudaLaunchKernel", thread)
    kernel = KERNELS[layer % len(KERNELS)]
    yield _range("kernel", kernel, 20 + layer, KERNEL_ARGS % 7, 7, 0)
    yield _arrow("f", 0, 7, "ac2g")


def _call(name, thread):
    yield "@N"
    args = '"External id": @I,      "cbid": 211, "correlation": @I'
    yield _range("cuda_runtime", name, 6.5, args, thread)
    yield _arrow("s", CPU, thread, "ac2g")


def _all_reduce(elements):
    yield _range("user_annotation", "nccl:all_reduce", 90, OPERATOR_ARGS, AUTOGRAD)
    yield _range("cpu_op", "record_param_comms", 80, OPERATOR_ARGS, AUTOGRAD)
    yield from _call("cudaLaunchKernelExC", AUTOGRAD)
    name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
    args = KERNEL_ARGS % 20 + NCCL_ARGS % (elements, elements)
    yield _range("kernel", name, elements / 4e3, args, 20, 0)
    yield _arrow("f", 0, 20, "ac2g")
    yield _range("gpu_user_annotation", "nccl:all_reduce", 200, '"x": 0', 20, 0)
