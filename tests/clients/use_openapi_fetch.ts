// Uses the server through openapi-fetch with the types of openapi-typescript.

import createClient from "openapi-fetch";
import { expectEqual, settings, until } from "./support.js";
import type { paths } from "./openapi_typescript/schema.js";

const { baseUrl, apiKey, token, callId } = settings();
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });

const found = await client.PUT("/api/leads/extended-data", { body: { city: "Bonn", _fields: ["id", "city"] } });
expectEqual(found.data?.total_leads, 3);
expectEqual(found.data?.leads[0]?.city, "Bonn");

const ids: number[] = [];
let cursor: string | null | undefined = "";
while (cursor !== null && cursor !== undefined) {
  const page: { data?: { leads: { id: number }[]; next_cursor?: string | null } } = await client.PUT(
    "/api/leads/extended-data",
    { body: { city: "Bonn", limit: "2", _cursor: cursor } },
  );
  ids.push(...(page.data?.leads ?? []).map((lead) => lead.id));
  cursor = page.data?.next_cursor;
}
expectEqual(ids, [1, 2, 3]);

const { error } = await client.PUT("/api/leads/extended-data", { body: { city: { gt: 5 } } as never });
expectEqual([error?.code, error?.errors?.[0]?.pointer], ["invalid_filter", "/city/gt"]);

const sent = await client.POST("/api/speech-recognition", {
  body: { call_ids: [callId], token, languages: ["en"], recording_side: "both" },
});
expectEqual(sent.data?.results.calls[callId]?.status, "accepted");
const transcript = await until(async () => {
  const { data } = await client.GET("/api/speech-recognition/{call_id}", {
    params: { path: { call_id: callId } },
    headers: { "x-speech-token": token },
  });
  return typeof data === "object" && "segments" in data ? data : undefined;
});
expectEqual(transcript.call_id, callId);
