// The operation log at a million rows: its pages through the app's role and row-level security against the bare statements as the
// owner, alone and behind a bare HTTP server as the other measurements have them (the floor), and its check. npm run bench -- log [rows]; a database of its own under DATA_DIR.
import { spawnSync } from 'node:child_process'
import type pg from 'pg'
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { ROOT } from './child.ts'
import { compare, inOwnOffice, type OwnOffice, wanted } from './office.ts'

const ROWS = 1_000_000
/** One agent has a tenth of all; the others share what is left. */
const LARGE = DEMO_AGENTS.first
const OTHERS = 90
const CALLS = 160

const FILL = `
  create temp table told as
    select case when n % 10 = 0 then ${LARGE} else 5000 + n % ${OTHERS} end::bigint as agent_id, n,
      date_trunc('milliseconds', now() - interval '700 days' + interval '700 days' * (n / $1::numeric)) as at
    from generate_series(1, $1::int) as n`
const CHAIN = `
  do $$
  declare
    one record;
    entry operation_logs;
    place bigint;
    previous bytea;
    agent bigint := 0;
  begin
    create temp table chained (like operation_logs);
    create temp table linked (like operation_log_links);
    for one in select * from told order by agent_id, n loop
      if one.agent_id <> agent then
        agent := one.agent_id; previous := null; place := 0;
      end if;
      entry.id := one.n; entry.agent_id := agent; place := place + 1;
      entry.account_id := agent * 10 + one.n % 7; entry.account_name := '员工' || one.n % 7;
      entry.operation := '/merchants/{id}/remark setRemark'; entry.title := '修改商户备注';
      entry.merchant_id := 10000000 + one.n / 50 * 50 % 400000 + agent % 50;
      entry.subject := '店铺' || one.n % 4000 || ' (' || entry.merchant_id || ')';
      entry.objects := array['merchant:' || entry.merchant_id]; entry.outcome := 'done';
      entry.changes := '[{"name": "备注", "before": "旧", "after": "新"}]';
      entry.request_id := 'bench'; entry.ip := '127.0.0.1'; entry.user_agent := 'bench'; entry.created_at := one.at;
      entry.module := 'merchants'; entry.object_kind := 'merchant'; entry.search_text := '';
      previous := operation_log_hash(previous, entry, place);
      insert into chained values (entry.*);
      insert into linked (agent_id, sequence, id, hash, created_at) values (agent, place, entry.id, previous, one.at);
    end loop;
  end $$`
const COLUMNS = `id, agent_id, account_id, account_name, operation, title, subject, objects, merchant_id,
  about_agent_id, outcome, changes, request_id, ip, user_agent, created_at`

const LATEST = 'order by created_at desc, id desc'
const CAPPED = (where: string) =>
  `select count(*) from (select 1 from operation_logs where ${where} limit 10001) c`
/** What is asked of the program, and the bare statements that answer the same. */
function cases(merchant: number) {
  const own = `agent_id = ${LARGE}`
  const searched = `${own} and bigrams(search_text) @> bigrams('${merchant}') and search_text like '%${merchant}%'`
  const object = `objects @> array['merchant:${merchant}']`
  return {
    list: ['/api/operation-log', `select * from operation_logs where ${own} ${LATEST} limit 10`, CAPPED(own)],
    search: [
      `/api/operation-log?search=${merchant}`,
      `select * from operation_logs where ${searched} ${LATEST} limit 10`,
      CAPPED(searched),
    ],
    history: [
      `/api/operation-log/objects?kind=merchant&id=${merchant}`,
      `select * from operation_logs where ${object} and ${own} ${LATEST} limit 21`,
    ],
  } satisfies Record<string, [address: string, ...bare: string[]]>
}

export function measureLog(): Promise<void> {
  return inOwnOffice('log', async office => {
    await fill(office.owner, wanted(ROWS))
    await measure(office)
  })
}

async function fill(owner: pg.Client, rows: number): Promise<void> {
  const { rows: found } = await owner.query<{ n: string }>('select count(*) as n from operation_logs')
  if (Number(found[0]?.n) >= rows) return
  await owner.query(
    `truncate operation_logs, operation_log_links, operation_log_waiting, operation_log_heads`,
  )
  await owner.query(`select make_operation_log_months(now() - interval '701 days')`)
  await owner.query(FILL.replaceAll('$1', String(rows)))
  await owner.query(CHAIN)
  await owner.query(
    `insert into operation_logs (${COLUMNS}) select ${COLUMNS} from chained order by created_at`,
  )
  await owner.query('insert into operation_log_links select * from linked order by created_at')
  await owner.query(`insert into operation_log_heads select distinct on (agent_id) agent_id, sequence, hash, created_at
    from linked order by agent_id, sequence desc`)
  await owner.query(`select setval('operation_logs_id_seq', ${rows})`)
  await owner.query('vacuum analyze operation_logs, operation_log_links')
}

async function measure({ owner, logIn, ask: answer }: OwnOffice): Promise<void> {
  const { rows } = await owner.query<{ login: string; shop: string }>(
    `select (select login_name from accounts where agent_id = ${LARGE} and is_owner) as login,
       (select merchant_id from operation_logs where agent_id = ${LARGE} order by created_at desc limit 1) as shop`,
  )
  const cookie = await logIn(String(rows[0]?.login))
  for (const [name, [address, ...bare]] of Object.entries(cases(Number(rows[0]?.shop)))) {
    const ask = () => answer(address as string, cookie)
    const plain = async () => {
      const answers: unknown[] = []
      for (const text of bare) answers.push((await owner.query({ name: text.slice(-60), text })).rows)
      return answers
    }
    await compare(`log ${name}`, CALLS, ask, plain)
  }
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/log-verify.ts'], {
    cwd: ROOT,
    env: process.env,
  })
  process.stdout.write(`${stdout}${stderr}`)
}
