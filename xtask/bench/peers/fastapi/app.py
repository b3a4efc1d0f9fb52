"""Hand-written search in Python: FastAPI, asyncpg, orjson.

DSN=postgres://... uvicorn app:app --port N --workers 2 --no-access-log
"""
import datetime
import os
from contextlib import asynccontextmanager

import asyncpg
import orjson
from fastapi import FastAPI, Request, Response

NOW = "2026-01-01 00:00:00"
FINAL = {"converted", "refused", "invalid", "dnc"}
TIME_KEYS = {"updated_at", "global_updated_at", "campaign_updated_at"}
CAMPAIGN_LEAD = {"campaign_id": "c.campaign_id", "campaign_status": "c.status", "campaign_updated_at": "c.updated_at"}
LEAD = ("id first_name last_name phone email country city postal_code language status source owner_id score "
        "created_at updated_at global_updated_at").split()

LEADS_SQL = "SELECT " + ",".join(f"l.{c}::text" if c.endswith("_at") else f"l.{c}" for c in LEAD) + " FROM leads l WHERE "
CAMPAIGN_LEADS_SQL = """SELECT c.lead_id, c.campaign_id, k.name AS campaign_name, c.status, c.calls_count, c.last_call_at::text,
 c.frozen_until::text, c.priority, c.updated_at::text, k.status AS campaign_state, k.max_calls
 FROM campaign_leads c JOIN campaigns k ON k.id = c.campaign_id WHERE c.lead_id = ANY($1) ORDER BY c.lead_id, c.campaign_id"""


@asynccontextmanager
async def lifespan(app):
    async with asyncpg.create_pool(os.environ["DSN"], min_size=8, max_size=8) as app.state.pool:
        yield


app = FastAPI(lifespan=lifespan)


class Where:
    """SQL text of a condition, and its values."""

    def __init__(self, body):
        self.values = []
        lead = {k: v for k, v in body.items() if k not in CAMPAIGN_LEAD and k != "limit"}
        rows = {k: v for k, v in body.items() if k in CAMPAIGN_LEAD}
        parts = self.conditions(lead)
        if rows:
            campaign_condition = " AND ".join(self.conditions(rows))
            parts.append(f"EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND {campaign_condition})")
        self.text = " AND ".join(parts)

    def value(self, value):
        self.values.append(value)
        return f"${len(self.values)}"

    def conditions(self, keys):
        return [part for key, value in keys.items() for part in self.condition(key, value)]

    def condition(self, key, value):
        if key == "_or":
            branches = (" AND ".join(self.conditions(branch)) for branch in value)
            return ["(" + " OR ".join(branches) + ")"]
        if key not in LEAD and key not in CAMPAIGN_LEAD:
            raise ValueError(f"unknown key {key}")
        column = CAMPAIGN_LEAD.get(key, f"l.{key}")
        if key in TIME_KEYS:
            expressions = (expression.split(";") for expression in value.split("|"))
            return [f"{column} {operator} {self.value(datetime.datetime.fromisoformat(time))}"
                    for time, operator in expressions if operator in "<>"]
        if isinstance(value, list):
            return [f"{column} = ANY({self.value(value)})"]
        if isinstance(value, dict):
            return [f"{column} LIKE {self.value('%' + value['contains'] + '%')}"]
        return [f"{column} = {self.value(value)}"]


def not_callable(lead, row, campaign_state, max_calls):
    reasons = []
    if campaign_state != "active":
        reasons.append("campaign_inactive")
    if row["frozen_until"] and row["frozen_until"] > NOW:
        reasons.append("frozen")
    if row["calls_count"] >= max_calls:
        reasons.append("max_calls")
    if row["status"] in FINAL:
        reasons.append("final_status")
    if lead["status"] == "blocked":
        reasons.append("lead_blocked")
    return reasons


@app.put("/api/leads/extended-data")
async def extended_data(request: Request):
    body = orjson.loads(await request.body() or b"{}")
    if not body:
        return Response(b'{"error":"empty filter"}', 400, media_type="application/json")
    where = Where(body)
    count, offset = (int(part) for part in body.get("limit", "200;0").split(";"))
    async with app.state.pool.acquire() as connection:
        total = await connection.fetchval("SELECT count(*) FROM leads l WHERE " + where.text, *where.values)
        page = f" ORDER BY l.id LIMIT {count} OFFSET {offset}"
        leads = [dict(row) for row in await connection.fetch(LEADS_SQL + where.text + page, *where.values)]
        rows = await connection.fetch(CAMPAIGN_LEADS_SQL, [lead["id"] for lead in leads]) if leads else []
    by_id = {lead["id"]: lead for lead in leads}
    for lead in leads:
        lead["campaigns"] = []
    for row in map(dict, rows):
        lead = by_id[row.pop("lead_id")]
        row["not_callable_reasons"] = not_callable(lead, row, row.pop("campaign_state"), row.pop("max_calls"))
        lead["campaigns"].append(row)
    return Response(orjson.dumps({"leads": leads, "total_leads": total}), media_type="application/json")
