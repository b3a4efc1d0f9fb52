"""Uses the server through the package of openapi-python-client."""

from leadscribe_client import AuthenticatedClient
from leadscribe_client.api.leads import put_leads_extended_data
from leadscribe_client.api.speech_recognition import get_speech_recognition_call_id, post_speech_recognition
from leadscribe_client.models import (
    ExtendedLeadsResponse,
    LeadFilter,
    Problem,
    Submission,
    SubmissionResponse,
    Transcript,
)
from support import API_KEY, BASE_URL, CALL_ID, SPEECH_TOKEN, until

client = AuthenticatedClient(base_url=BASE_URL, token=API_KEY)


def look_up(**conditions: object) -> ExtendedLeadsResponse:
    response = put_leads_extended_data.sync(client=client, body=LeadFilter.from_dict(conditions))
    assert isinstance(response, ExtendedLeadsResponse), response
    return response


found = look_up(**{"city": "Bonn", "custom.tier": "gold"})
assert (found.total_leads, found.leads[0].city) == (1, "Bonn"), found

ids: list[object] = []
page = look_up(city="Bonn", limit="2", _cursor="")
while True:
    ids += [lead.id for lead in page.leads]
    if not isinstance(page.next_cursor, str):
        break
    page = look_up(city="Bonn", limit="2", _cursor=page.next_cursor)
assert ids == [1, 2, 3], ids

problem = put_leads_extended_data.sync(client=client, body=LeadFilter.from_dict({"custom.tier": {"near": 5}}))
assert isinstance(problem, Problem) and problem.code == "invalid_filter", problem
assert isinstance(problem.errors, list) and problem.errors[0].pointer == "/custom.tier/near", problem

submission = Submission.from_dict(
    {"call_ids": [CALL_ID], "token": SPEECH_TOKEN, "languages": ["en"], "recording_side": "both"}
)
sent = post_speech_recognition.sync(client=client, body=submission)
assert isinstance(sent, SubmissionResponse), sent
assert sent.results.calls[str(CALL_ID)].status == "accepted", sent

token_client = AuthenticatedClient(base_url=BASE_URL, token=SPEECH_TOKEN, prefix="", auth_header_name="X-Speech-Token")


def read_transcript() -> Transcript | None:
    response = get_speech_recognition_call_id.sync(CALL_ID, client=token_client)
    return response if isinstance(response, Transcript) else None


assert until(read_transcript).call_id == CALL_ID
