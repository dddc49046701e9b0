"""The JSON of rocprofv3: kernels, copies, launches and ranges of each process."""

import json
from pathlib import Path

import pytest

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces import TraceError, rocprof_json
from overlap_widget.model.traces.options import Options

PATH = Path(__file__).parents[1] / "data" / "rocprof" / "two-processes.json"


@pytest.fixture
def load(tmp_path):
    def loaded(document=None, text=None, **options):
        path = PATH
        if document is not None or text is not None:
            path = tmp_path / "results.json"
            path.write_bytes(text or json.dumps(document).encode())
        return rocprof_json.load(str(path), Options(**options))

    return loaded


@pytest.fixture
def document():
    return json.loads(PATH.read_text())


def test_each_process_is_a_recording_in_the_order_of_its_id(load):
    assert rocprof_json.recognises(PATH.read_bytes()[: 1 << 16])
    first, second = load()
    assert (first.rank, second.rank) == (0, 1)
    assert len(first.spans) == 1
    assert any("order of their ids" in said for said in first.warnings)
    assert second.format == "rocprofv3 (JSON)"


def test_kernels_without_a_name_are_counted(load, document):
    said = "without a name counts as compute"
    assert f"1 kernel {said}" in load()[0].warnings
    for process in document["rocprofiler-sdk-tool"]:
        process["kernel_symbols"] = []
    (first, *_) = load(document)
    assert any(one.endswith(said.replace("counts", "count")) for one in first.warnings)


def test_work_has_names_gpus_streams_and_steps(load):
    # ns        500    1000   2000    3000   6000  7000   9000
    # GPU 1     [copy] [ gemm        ]                            stream 1
    #                         [ collective   ]                    stream 2
    #                                [copy to GPU 0]
    # GPU 0                                         [ nameless ]
    _, recording = load()
    spans = recording.spans
    assert [spans.names[name] for name in spans.name] == [
        "MEMORY_COPY_HOST_TO_DEVICE",
        "gemm()",
        "ncclDevKernel_Generic_4.kd",
        "MEMORY_COPY_DEVICE_TO_DEVICE (peer)",
        "(kernel without a name, 9)",
    ]
    assert recording.device.tolist() == [1, 1, 1, 1, 0]
    kernels = spans.kind != Kind.OTHER
    assert spans.stream[kernels].tolist() == [1, 2, 1]
    assert [step.name for step in recording.steps] == ["6"]
    assert recording.step[kernels].tolist() == [0, 0, -1]


def test_rccl_names_collectives_and_copies_have_their_bytes(load):
    spans = load()[1].spans
    assert spans.collective[2] == Collective.ALL_REDUCE
    assert spans.collective[3] == Collective.PEER_COPY
    assert spans.size_bytes[3] == 4096
    assert spans.size_bytes[0] == 0


def test_the_tool_may_be_an_object_and_numbers_text(load, document):
    tool = document["rocprofiler-sdk-tool"][1]
    record = tool["buffer_records"]["kernel_dispatch"][0]
    record["start_timestamp"] = str(record["start_timestamp"])
    (recording,) = load({"rocprofiler-sdk-tool": tool})
    assert recording.rank is None
    assert round(recording.spans.end_s[0] * 1e9) == 1000


def test_huge_numbers_do_not_break_the_columns(load, document):
    tool = document["rocprofiler-sdk-tool"][1]
    record = tool["buffer_records"]["kernel_dispatch"][0]
    record["dispatch_info"]["queue_id"]["handle"] = 2**64 - 1
    record["correlation_id"]["internal"] = 2**64 - 1
    (recording,) = load(document={"rocprofiler-sdk-tool": [tool]})
    assert len(recording.spans) == 1
    record["end_timestamp"] = 2**64 - 1
    with pytest.raises(TraceError, match="longer than an hour"):
        load(document={"rocprofiler-sdk-tool": [tool]})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'{"rocprofiler-sdk-tool": []}', "holds no kernels and no copies"),
        (b'{"rocprofiler-sdk-tool": [{"buffer_records": 5}]}', "isn't what rocprofv3"),
        (PATH.read_bytes()[:700], "damaged or cut off"),
        (b'{"rocprofiler-sdk-tool": [\xff]}', "damaged or cut off"),
    ],
)
def test_what_can_not_be_read_is_one_sentence(load, text, sentence):
    with pytest.raises(TraceError, match=sentence):
        load(text=text)


def test_the_limit_holds_and_the_progress_hears(load):
    heard = []
    load(progress=heard.append)
    assert heard[-1] == 1
    with pytest.raises(TraceError, match="the limit here"):
        load(limit_bytes=1000)


def test_times_and_threads_that_no_integer_of_a_machine_holds_are_read(load, document):
    records = document["rocprofiler-sdk-tool"][0]["buffer_records"]
    most = 2**64 - 1
    for call in (records["marker_api"][0], records["rccl_api"][0]):
        call |= {"end_timestamp": most, "thread_id": most}
    second = load(document)[1]
    assert [step.name for step in second.steps] == ["6"]
    assert len(second.spans) == len(load()[1].spans)
