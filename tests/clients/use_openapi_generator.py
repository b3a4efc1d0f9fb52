"""Uses the server through the Python package of openapi-generator."""

import json

from openapi_client import ApiClient, Configuration, LeadFilter, LeadsApi, SpeechRecognitionApi, Submission, TextCondition
from openapi_client.exceptions import BadRequestException
from openapi_client.models.transcript import Transcript
from support import API_KEY, BASE_URL, CALL_ID, SPEECH_TOKEN, until

client = ApiClient(Configuration(host=BASE_URL, access_token=API_KEY, api_key={"speech_token": SPEECH_TOKEN}))
leads = LeadsApi(client)
speech = SpeechRecognitionApi(client)


def filter_of(city: str, **controls: object) -> LeadFilter:
    # `from_dict` would set every other condition to null.
    return LeadFilter.model_validate({"city": TextCondition(city), **controls})


found = leads.put_leads_extended_data(filter_of(city="Bonn"))
assert (found.total_leads, found.leads[0].city) == (3, "Bonn"), found

ids: list[object] = []
cursor: str | None = ""
while cursor is not None:
    page = leads.put_leads_extended_data(filter_of(city="Bonn", limit="2", _cursor=cursor))
    ids += [lead.id for lead in page.leads]
    cursor = page.next_cursor
assert ids == [1, 2, 3], ids

try:
    leads.put_leads_extended_data(filter_of(city="Bonn", limit="100000"))
    raise AssertionError("the filter was accepted")
except BadRequestException as error:
    problem = json.loads(error.body or "")
    assert problem["code"] == "invalid_filter", problem
    assert problem["errors"][0]["pointer"] == "/limit", problem

submission = Submission.from_dict(
    {"call_ids": [CALL_ID], "token": SPEECH_TOKEN, "languages": ["en"], "recording_side": "both"}
)
assert submission is not None
sent = speech.post_speech_recognition(submission)
outcome = sent.results.calls[str(CALL_ID)].actual_instance
assert outcome is not None and outcome.status == "accepted", sent


def read_transcript() -> Transcript | None:
    response = speech.get_speech_recognition_call_id_with_http_info(CALL_ID)
    return response.data if response.status_code == 200 else None


assert until(read_transcript).call_id == CALL_ID
