// Uses the server through the SDK of @hey-api/openapi-ts.

import { client } from "./hey_api/client.gen.js";
import { getSpeechRecognitionCallId, postSpeechRecognition, putLeadsExtendedData } from "./hey_api/sdk.gen.js";
import { expectEqual, settings, until } from "./support.js";

const { baseUrl, apiKey, token, callId } = settings();
// The client sends a credential of every scheme that has one.
const credential = (scheme: { scheme?: string; name?: string }) =>
  scheme.scheme === "bearer" ? apiKey : scheme.name === "X-Speech-Token" ? token : undefined;
client.setConfig({ baseUrl, auth: credential });

const found = await putLeadsExtendedData({ body: { city: "Bonn", "custom.tier": "gold" } });
expectEqual(found.data?.total_leads, 1);
expectEqual(found.data?.leads[0]?.custom_fields, { tier: "gold" });

const ids: (number | undefined)[] = [];
let cursor: string | null | undefined = "";
while (cursor !== null && cursor !== undefined) {
  const page: Awaited<ReturnType<typeof putLeadsExtendedData>> = await putLeadsExtendedData({
    body: { city: "Bonn", limit: "2", _cursor: cursor },
  });
  ids.push(...(page.data?.leads ?? []).map((lead) => lead.id));
  cursor = page.data?.next_cursor;
}
expectEqual(ids, [1, 2, 3]);

const { error } = await putLeadsExtendedData({ body: { city: { gt: 5 } } as never });
expectEqual([error?.code, error?.errors?.[0]?.pointer], ["invalid_filter", "/city/gt"]);

const sent = await postSpeechRecognition({
  body: { call_ids: [callId], token, languages: ["en"], recording_side: "both" },
});
expectEqual(sent.data?.results.calls[callId]?.status, "accepted");
const transcript = await until(async () => {
  const { data } = await getSpeechRecognitionCallId({ path: { call_id: callId } });
  return data !== undefined && typeof data === "object" && "segments" in data ? data : undefined;
});
expectEqual(transcript.call_id, callId);
