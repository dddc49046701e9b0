"""How messages to a page go out: in the turn of the session where it has one."""

from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.document.events import MessageSentEvent
from panel.custom import JSComponent
from panel.io.state import set_curdoc

from overlap_widget.app.front import linked_front


@pytest.fixture
def past(monkeypatch):
    """What went out in Panel's own way, past the lock of a session."""
    sent = []
    monkeypatch.setattr(JSComponent, "_send_msg", lambda _, data: sent.append(data))
    return sent


def shown_in(document, pending):
    """A front of a session whose lock is held if `pending` is a list; what it sends."""
    front, sent = linked_front(), []
    document.add_root(front.get_root(document))
    session = SimpleNamespace(_pending_writes=pending)
    document._session_context = lambda: SimpleNamespace(session=session)
    document.on_change(
        lambda event: isinstance(event, MessageSentEvent) and sent.append(event)
    )
    return front, sent


def test_with_the_lock_held_a_message_is_one_of_the_documents_own(past):
    document = Document()
    front, sent = shown_in(document, pending=[])
    with set_curdoc(document):
        front.tell({"seq": 3})

    [event] = sent
    assert event.msg_data.data == {"parts": '{"seq":3}'}
    assert past == []


def test_without_it_the_library_sends_in_its_own_way(past):
    document = Document()
    front, sent = shown_in(document, pending=None)
    with set_curdoc(document):
        front.tell({"seq": 3})
    front.tell({"seq": 4})  # from elsewhere

    assert sent == []
    assert past == [{"parts": '{"seq":3}'}, {"parts": '{"seq":4}'}]
