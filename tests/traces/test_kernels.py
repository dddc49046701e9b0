"""The class of a kernel by category, by what the profiler noted, and by name."""

import math

import pytest

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces import load
from overlap_widget.model.traces.kernels import (
    Category,
    category_of,
    classify,
    collective_bytes,
    copied_bytes,
    is_fused,
)

_ALL_REDUCE, _ALL_TO_ALL = Collective.ALL_REDUCE, Collective.ALL_TO_ALL


@pytest.mark.parametrize(
    ("cat", "category"),
    [
        ("kernel", Category.KERNEL),
        ("Kernel", Category.KERNEL),
        ("gpu_memcpy", Category.COPY),
        ("Memcpy", Category.COPY),
        ("gpu_memset", Category.FILL),
        ("Memset", Category.FILL),
        ("cuda_runtime", Category.LAUNCH),
        ("cuda_driver", Category.LAUNCH),
        ("hip_runtime", Category.LAUNCH),
        ("Runtime", Category.LAUNCH),
        ("gpu_user_annotation", Category.GPU_RANGE),
        ("gpu_user_Annotation", Category.GPU_RANGE),  # Kineto in 2022
        ("user_annotation", Category.HOST),
        ("cpu_op", Category.HOST),
        ("Operator", Category.HOST),
        ("cuda_sync", Category.HOST),
        ("cuda_event", Category.HOST),
        ("python_function", Category.HOST),
        ("None", Category.HOST),
    ],
)
def test_a_category_of_any_age_is_known(cat, category):
    assert category_of(cat) is category


@pytest.mark.parametrize(
    ("name", "collective"),
    [
        ("ncclAllReduceRingLLKernel_sum_f32(ncclColl)", Collective.ALL_REDUCE),
        ("ncclReduceScatterRingLLKernel_sum_f32", Collective.REDUCE_SCATTER),
        ("ncclReduceRingLLKernel_sum_f32(ncclColl)", Collective.REDUCE),
        ("ncclBroadcastRingLLKernel_copy_i8(ncclColl)", Collective.BROADCAST),
        ("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWork*)", Collective.ALL_REDUCE),
        ("ncclKernel_AllGather_RING_LL_Sum_int8_t()", Collective.ALL_GATHER),
        ("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t()", Collective.SEND_RECV),
        ("ncclKernel_Reduce_RING_LL_Sum_float()", Collective.REDUCE),
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL()", Collective.ALL_REDUCE),
        ("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL()", Collective.REDUCE_SCATTER),
        ("ncclDevKernel_Broadcast_RING_LL()", Collective.BROADCAST),
        ("ncclSymkDevKernel_ReduceScatter_LDMC()", Collective.REDUCE_SCATTER),
        ("ncclSymkDevKernel_AllReduce_AGxLL_R_sum_f32()", Collective.ALL_REDUCE),
        ("ncclDevKernel_Generic_4()", Collective.UNKNOWN),
        ("ncclDevKernel_Generic(ncclDevKernelArgs4K)", Collective.UNKNOWN),
        ("mscclKernel_Sum_half_LL()", Collective.UNKNOWN),
        ("rcclKernel", Collective.UNKNOWN),
        ("oneccl_allreduce_entry", Collective.ALL_REDUCE),
        ("void vllm::cross_device_reduce_1stage<half, 8>()", Collective.ALL_REDUCE),
        ("void sglang::cross_device_reduce_2stage<half>()", Collective.ALL_REDUCE),
        (
            "void (anonymous namespace)::multimem_all_reduce_kernel<float, 16>(float*)",
            Collective.ALL_REDUCE,
        ),
        ("two_shot_all_reduce_kernel_inplace", Collective.ALL_REDUCE),
        (
            "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot"
            "_lamport<1>()",
            Collective.ALL_REDUCE,
        ),
        ("moefinalize_allreduce_fusion_kernel_oneshot_lamport", Collective.ALL_REDUCE),
        ("aiter::allgather_lastdim", Collective.ALL_GATHER),
        ("dlslime::intranode_alltoall_kernel", Collective.ALL_TO_ALL),
        ("void deep_ep::intranode::dispatch<8, 768>(int4*)", Collective.ALL_TO_ALL),
        ("void deep_ep::internode_ll::combine<8>(int4*)", Collective.ALL_TO_ALL),
        ("deep_ep::intranode::notify_dispatch", Collective.ALL_TO_ALL),
        ("kuserbuffers_pushsend", Collective.SEND_RECV),
        ("userbuffers_fp16_sum_inplace_gpu_rw_ag", Collective.UNKNOWN),
        ("nvshmemi_barrier_all_on_stream", Collective.UNKNOWN),
        ("nvshmem_put_kernel", Collective.SEND_RECV),
        ("ncclAllGatherRingLLKernel_copy_i8(ncclColl)", Collective.ALL_GATHER),
        ("ncclKernel_AllReduce_TREE_LL128_Sum_half(ncclDevComm*)", _ALL_REDUCE),
        ("ncclDevKernel_AllReduce_Sum_bf16_NVLS", _ALL_REDUCE),
        ("ncclDevKernel_AllToAll_RING_LL", Collective.ALL_TO_ALL),
        ("ncclDevFunc_AllReduce_RING_LL_Sum_f32", _ALL_REDUCE),  # RCCL, not inlined
        ("ncclSymDevKernel_AllReduce_RSxLD_AGxST_sum_bf16", _ALL_REDUCE),  # 2.27
        ("ncclDevKernel_Generic_4.kd", Collective.UNKNOWN),  # as rocprofv3 writes it
        ("void mscclpp::collective::allreducePacket<0, float>(float*)", _ALL_REDUCE),
        ("void mscclpp::collective::allgatherFullmesh2<true>()", Collective.ALL_GATHER),
        ("void mscclpp::collective::alltoallvKernel()", Collective.ALL_TO_ALL),
        (
            "void quickreduce::allreduce_prototype_twoshot<AllReduceTwoshot<__half,"
            " CodecQ4<__half, 4>, true>, __half>(__half const*)",
            _ALL_REDUCE,
        ),
        ("aiter::cross_device_reduce_1stage_naive<half, 8, false>", _ALL_REDUCE),
        (
            "void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<half>()",
            _ALL_REDUCE,
        ),
        (
            # waits for what its partner kernel sends, then norms it
            "void flashinfer::trtllm_mnnvl_allreduce::rmsNormLamport<half>()",
            _ALL_REDUCE,
        ),
        ("tensorrt_llm::kernels::oneShotAllReduceKernel<half, 8>", _ALL_REDUCE),
        ("tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel", _ALL_TO_ALL),
        ("mori::moe::EpCombineIntraNodeKernel<hip_bfloat16>", _ALL_TO_ALL),
        ("pplx::internode::dispatchKernel", _ALL_TO_ALL),
        ("hybrid_ep::combine_kernel", _ALL_TO_ALL),
        ("deep_ep::intranode::barrier", Collective.UNKNOWN),  # it waits for others
        ("c10d::symmetric_memory::barrier_kernel(unsigned int**)", Collective.UNKNOWN),
        ("kuserbuffers_pullrecv<4>", Collective.SEND_RECV),
        ("hcom_allReduce__631_0", _ALL_REDUCE),
        ("hcom_receive__12_1", Collective.SEND_RECV),
        ("cncl_broadcast_kernel", Collective.BROADCAST),
        ("ccl::v1::reduce_kernel", Collective.REDUCE),
        ("ucc_ec_cuda_executor_kernel", Collective.UNKNOWN),
        ("all_gather_kernel_of_attention", Collective.ALL_GATHER),  # "gemm" is absent
    ],
)
def test_communication_is_known_by_its_name(name, collective):
    assert classify(Category.KERNEL, name) == (Kind.COMMUNICATION, collective)


@pytest.mark.parametrize(
    "name",
    [
        "ampere_sgemm_128x64_nn",
        "void at::native::elementwise_kernel<128, 4, at::native::reduce_kernel<1>>()",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>()",
        "void at::native::(anonymous namespace)::scatter_reduce_two_dim()",
        "small_reduce_kernel",  # "all_reduce" is in it
        "ball_gather_kernel",
        "batch_norm_reduce_statistics",
        "vectorized_broadcast_kernel",
        "triton_per_fused_all_reduce_mean_0",
        "deep_ep::layout::get_dispatch_layout",
        "send_message_passing_gnn",
        "triton_poi_fused_all_gather_into_tensor_wait_tensor_3",  # unpacks it
        "void segment_reduce_forward_kernel<float>()",
        "overall_gather_stats",  # "all_gather" is in it
        "layer_norm_warpAllReduce<float>",  # all lanes of a warp
        "softmax<BlockAllReduce<SumOp>>",  # all threads of a block
        "c10d::checkForNaN<float>(float*)",  # before a collective, on one GPU
        "__amd_rocclr_copyBuffer.kd",  # "ccl" is in it; a copy, but by a kernel
        "__amd_rocclr_fillBufferAligned.kd",
        "Cijk_Ailk_Bljk_accl_MT64",
        "vectorized_gather_kernel<16, long>",
        "index_put_with_sort_kernel",
        "reduce_kernel",
        "scatter_add",
        "multi_tensor_apply_kernel",
        "oneRankReduce<FuncPreMulSum<float>>",  # NCCL with one rank moves nothing
        "fused_all_gather_matmul_kernel",  # both in one; see below
        "cutlass::device_kernel<GemmAllReduce>",
        "Kernel",
        "",
    ],
)
def test_compute_with_a_similar_name_stays_compute(name):
    assert classify(Category.KERNEL, name) == (Kind.COMPUTE, Collective.NONE)


@pytest.mark.parametrize(
    ("name", "fused"),
    [
        ("fused_all_gather_matmul_kernel", True),
        ("_gemm_reduce_scatter", True),
        ("all_gather_mm", True),
        ("sm90_xmma_gemm_f32", False),
        ("multimem_all_reduce_kernel", False),  # "mm" is no word of it
        ("triton_tem_fused_mm_all_gather_1", False),  # nothing is sent
        ("ncclDevKernel_AllReduce_gemm_like", False),
    ],
)
def test_a_kernel_that_multiplies_and_communicates_is_told(name, fused):
    assert is_fused(name) is fused


def test_such_kernels_are_named_in_a_warning(tmp_path):
    path = tmp_path / "trace.json"
    event = '{"ph":"X","cat":"kernel","name":"%s","ts":%d,"dur":3}'
    names = ("ag_gemm_all_gather", "ag_gemm_all_gather", "relu")
    rows = [event % (name, at * 5) for at, name in enumerate(names)]
    path.write_text(f"[{','.join(rows)}]")
    assert (
        "2 kernels that multiply and communicate in one count as compute "
        "(ag_gemm_all_gather)"
    ) in load(str(path)).warnings


@pytest.mark.parametrize(
    ("noted", "collective"),
    [
        ("allreduce", Collective.ALL_REDUCE),
        ("allreduce_coalesced", Collective.ALL_REDUCE),
        ("all_reduce", Collective.ALL_REDUCE),
        ("_reduce_scatter_base", Collective.REDUCE_SCATTER),
        ("reduce_scatter_tensor_coalesced", Collective.REDUCE_SCATTER),
        ("_allgather_base", Collective.ALL_GATHER),
        ("all_gather_into_tensor_coalesced", Collective.ALL_GATHER),
        ("all_to_allv", Collective.ALL_TO_ALL),
        ("alltoall_base", Collective.ALL_TO_ALL),
        ("broadcast", Collective.BROADCAST),
        ("_broadcast_oop", Collective.BROADCAST),
        ("reduce", Collective.REDUCE),
        ("_reduce_oop", Collective.REDUCE),
        ("send", Collective.SEND_RECV),
        ("recvAnySource", Collective.SEND_RECV),
    ],
)
def test_what_the_profiler_noted_comes_before_the_name(noted, collective):
    name = "ncclDevKernel_Generic_4()"
    assert classify(Category.KERNEL, name, noted) == (Kind.COMMUNICATION, collective)
    own = classify(Category.KERNEL, "a_kernel_of_its_own", noted)
    assert own == (Kind.COMMUNICATION, collective)


def test_a_note_that_names_no_operation_leaves_it_to_the_name():
    name = "ncclDevKernel_SendRecv()"
    noted = classify(Category.KERNEL, name, "gather")
    assert noted == (Kind.COMMUNICATION, Collective.SEND_RECV)


def test_the_copies_that_pack_for_a_collective_are_compute():
    name = "void at::native::vectorized_elementwise_kernel<4>()"
    noted = classify(Category.KERNEL, name, "_allgather_base")
    assert noted == (Kind.COMPUTE, Collective.NONE)


@pytest.mark.parametrize(
    ("category", "name", "collective"),
    [
        (Category.COPY, "Memcpy PtoP (Device -> Device)", Collective.PEER_COPY),
        (Category.COPY, "Memcpy P2P", Collective.PEER_COPY),
        (Category.COPY, "Memcpy DtoD (Device -> Device)", Collective.NONE),
        (Category.COPY, "Memcpy HtoD (Pinned -> Device)", Collective.NONE),
        (Category.FILL, "Memset (Device)", Collective.NONE),
    ],
)
def test_copies_and_fills_are_neither_but_peer_copies_are_told(
    category, name, collective
):
    assert classify(category, name) == (Kind.OTHER, collective)


@pytest.mark.parametrize(
    ("args", "size_bytes"),
    [
        ({"In msg nelems": 10, "dtype": "Float"}, 40),
        ({"In msg nelems": "10", "dtype": "c10::Half"}, 20),
        ({"In msg nelems": 10, "Out msg nelems": 40, "dtype": "BFloat16"}, 80),
        ({"In msg nelems": 40, "Out msg nelems": 10, "dtype": "Double"}, 320),
        ({"In msg nelems": 7, "dtype": "Float8_e4m3fn"}, 7),
        ({"In msg nelems": 7, "dtype": "float16"}, 14),
        ({"In msg nelems": 0, "dtype": "Int"}, 0),
    ],
)
def test_the_size_is_that_of_the_larger_side(args, size_bytes):
    assert collective_bytes(args) == size_bytes


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"In msg nelems": 10},
        {"In msg nelems": 10, "dtype": "Mystery"},
        {"In msg nelems": -1, "dtype": "Float"},
        {"In msg nelems": "many", "dtype": "Float"},
        {"In msg nelems": [10], "dtype": "Float"},
        {"In msg nelems": math.inf, "dtype": "Float"},
        {"dtype": "Float"},
    ],
)
def test_a_size_that_was_not_noted_is_unknown(args):
    assert math.isnan(collective_bytes(args))


def test_a_copy_tells_its_bytes():
    assert copied_bytes({"bytes": 512}) == 512
    assert math.isnan(copied_bytes({}))
