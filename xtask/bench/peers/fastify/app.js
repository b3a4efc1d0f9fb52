// Hand-written search in JavaScript: fastify and pg, in two processes.
// DSN=postgres://... PORT=N node app.js
const cluster = require('node:cluster');

if (cluster.isPrimary) {
  for (let i = 0; i < 2; i++) cluster.fork();
} else {
  serve();
}

function serve() {
  const pg = require('pg');
  const BIGINT = 20;
  pg.types.setTypeParser(BIGINT, Number);
  const pool = new pg.Pool({ connectionString: process.env.DSN, max: 8 });
  const app = require('fastify')();
  const final = new Set(['converted', 'refused', 'invalid', 'dnc']);
  const timeKeys = new Set(['updated_at', 'global_updated_at', 'campaign_updated_at']);
  const campaignLead = { campaign_id: 'c.campaign_id', campaign_status: 'c.status', campaign_updated_at: 'c.updated_at' };
  const lead = ('id first_name last_name phone email country city postal_code language status source owner_id score ' +
    'created_at updated_at global_updated_at').split(' ');
  const selected = lead.map((c) => `l.${c}${c.endsWith('_at') ? '::text' : ''}`).join(',');
  const campaignLeads = `SELECT c.lead_id, c.campaign_id, k.name AS campaign_name, c.status, c.calls_count, c.last_call_at::text,
    c.frozen_until::text, c.priority, c.updated_at::text, k.status AS campaign_state, k.max_calls
    FROM campaign_leads c JOIN campaigns k ON k.id = c.campaign_id WHERE c.lead_id = ANY($1) ORDER BY c.lead_id, c.campaign_id`;

  // PostgreSQL truncates names of prepared statements to 63 characters.
  const names = new Map();
  const prepared = (text, values) => {
    if (!names.has(text)) names.set(text, `s${names.size}`);
    return { name: names.get(text), text, values };
  };

  function where(body) {
    const values = [];
    const bind = (value) => `$${values.push(value)}`;
    const conditions = (keys) => keys.flatMap(([key, value]) => {
      if (key === '_or') {
        return [`(${value.map((branch) => conditions(Object.entries(branch)).join(' AND ')).join(' OR ')})`];
      }
      if (!campaignLead[key] && !lead.includes(key)) throw new Error(`unknown key ${key}`);
      const column = campaignLead[key] || `l.${key}`;
      if (timeKeys.has(key)) {
        return value.split('|').map((expression) => {
          const [time, operator] = expression.split(';');
          if (operator !== '>' && operator !== '<') throw new Error('bad operator');
          return `${column} ${operator} ${bind(time)}`;
        });
      }
      if (Array.isArray(value)) return [`${column} = ANY(${bind(value)})`];
      if (typeof value === 'object') return [`${column} LIKE ${bind(`%${value.contains}%`)}`];
      return [`${column} = ${bind(value)}`];
    });
    const keys = Object.entries(body).filter(([key]) => key !== 'limit');
    const parts = conditions(keys.filter(([key]) => !campaignLead[key]));
    const campaignCondition = conditions(keys.filter(([key]) => campaignLead[key])).join(' AND ');
    if (campaignCondition) parts.push(`EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND ${campaignCondition})`);
    return [parts.join(' AND '), values];
  }

  function notCallable(lead, row, campaignState, maxCalls) {
    const reasons = [];
    if (campaignState !== 'active') reasons.push('campaign_inactive');
    if (row.frozen_until && row.frozen_until > '2026-01-01 00:00:00') reasons.push('frozen');
    if (row.calls_count >= maxCalls) reasons.push('max_calls');
    if (final.has(row.status)) reasons.push('final_status');
    if (lead.status === 'blocked') reasons.push('lead_blocked');
    return reasons;
  }

  app.put('/api/leads/extended-data', async (request, reply) => {
    const { body } = request;
    if (!body || !Object.keys(body).length) return reply.code(400).send({ error: 'empty filter' });
    const [text, values] = where(body);
    const [count, offset] = (body.limit || '200;0').split(';').map(Number);
    const connection = await pool.connect();
    let total;
    let leads;
    let rows = [];
    try {
      const counted = await connection.query(prepared(`SELECT count(*) AS n FROM leads l WHERE ${text}`, values));
      total = counted.rows[0].n;
      const page = `ORDER BY l.id LIMIT ${count | 0} OFFSET ${offset | 0}`;
      leads = (await connection.query(prepared(`SELECT ${selected} FROM leads l WHERE ${text} ${page}`, values))).rows;
      if (leads.length) rows = (await connection.query(prepared(campaignLeads, [leads.map((lead) => lead.id)]))).rows;
    } finally {
      connection.release();
    }
    const byId = new Map(leads.map((lead) => [lead.id, Object.assign(lead, { campaigns: [] })]));
    for (const { lead_id, campaign_state, max_calls, ...row } of rows) {
      const lead = byId.get(lead_id);
      lead.campaigns.push({ ...row, not_callable_reasons: notCallable(lead, row, campaign_state, max_calls) });
    }
    return { leads, total_leads: total };
  });
  app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
