// The program is killed again and again while one version is released to many mini programs, of which a tenth are refused, corrected and handed in
// again: each must end with the version live, released once, and no audit may be asked for beyond the month's. The platform lives here, and goes on.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { platformCredentials } from '#features/programs/platform/tables.ts'
import { applicationRow } from '#features/programs/program-applications/rows.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { numbersOf, SCOPES } from '#features/programs/program-flow/rules.ts'
import { programFlows } from '#features/programs/program-flow/tables.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { AUTHORIZER_KEYS } from '#kit/ports/mini-programs.ts'
import {
  makeWechatOpenKeys,
  startWechatOpenSimulator,
  type WechatOpenSimulator,
} from '#providers/wechat-open/simulator.ts'
import { insertRows } from '#server/insert-rows.ts'
import { hashPassword, makeSecrets } from '#server/secrets.ts'
import { withOwner } from './payments-killed.ts'
import { type Supervisor, supervise } from './supervisor.ts'

const AGENT = 500
const FIRST_SHOP = 21_000_000
const PASSWORD = 'faults-2026'
const TEMPLATE = { templateId: 2, version: '2.1.0', tag: 'order' } as const
const REFUSED_ONE_IN = 10
const WAVES = 10
const LOOK_MS = 250
const LIVES_MS = 100 * 60_000

export type Released = {
  shops: number
  kills: number
  falls: number
  released: number
  refused: number
  audits: number
  limit: number
  /** Audits that were asked for and that the platform did not take. */
  beyond: number
  seconds: number
  breaches: string[]
}
type Options = {
  shops: number
  kills: number
  /** Audits of the month; just enough unless told. */
  limit?: number
  /** Takes a guard away before anything is asked for. */
  spoil?: (client: pg.Client) => Promise<unknown>
  /** Ends after so many ms, whatever has come of it. */
  within: number
}
type Scene = {
  client: pg.Client
  simulator: WechatOpenSimulator
  supervisor: Supervisor
  staff: string
}

export async function killDuringTrain({ shops, kills, limit, spoil, within }: Options): Promise<Released> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-trains-'))
  const keys = makeWechatOpenKeys()
  const simulator = await startWechatOpenSimulator(keys, { checkMs: 0, auditMs: 1_000, callbackScale: 0.05 })
  const secretKey = randomBytes(32).toString('hex')
  const supervisor = await supervise(dataDir, {
    ...{ SECRET_KEY: secretKey, LOGIN_FAILURES_MAX: '1000', WECHAT_OPEN_BASE_URL: simulator.url },
    ...{ WECHAT_OPEN_APPID: keys.appid, WECHAT_OPEN_SECRET: keys.secret, WECHAT_OPEN_TOKEN: keys.token },
    ...{ WECHAT_OPEN_AES_KEY: keys.encodingAesKey },
  })
  try {
    return await withOwner(dataDir, async client => {
      await spoil?.(client)
      await createOffice(client, simulator, { secretKey, shops })
      const url = `${supervisor.url}/callbacks/wechat-open`
      simulator.setEventUrls({ platform: url, program: appid => `${url}/${appid}` })
      await simulator.settle()
      const refused = Math.floor(shops / REFUSED_ONE_IN)
      const { quota, verdicts } = simulator.book()
      quota.auditLimit = limit ?? shops + refused
      for (let at = 1; at <= shops; at++)
        verdicts.push(
          at % REFUSED_ONE_IN === 0
            ? { verdict: 'refuse', reason: `${at}、首页缺少经营许可` }
            : { verdict: 'pass', reason: '' },
        )
      const scene = { client, simulator, supervisor, staff: await login(supervisor.url) }
      return await release(scene, { shops, kills, within })
    })
  } finally {
    await supervisor.stop()
    await simulator.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function release(
  { client, simulator, supervisor, staff }: Scene,
  { shops, kills, within }: { shops: number; kills: number; within: number },
): Promise<Released> {
  const began = Date.now()
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    send(supervisor.url, staff, method, path, body)
  const { quota } = simulator.book()
  const found: Released = {
    ...{ shops, kills: 0, falls: 0, released: 0, refused: 0, audits: 0, limit: quota.auditLimit, beyond: 0 },
    ...{ seconds: 0, breaches: [] },
  }
  let asked = 0
  const { take } = simulator.control
  simulator.control.take = (kind, name) => {
    // Asked for once for each request, first of all.
    if (kind === 'latency' && name === 'submit_audit') asked++
    return take(kind, name)
  }
  const { id } = await call('POST', 'release-trains', {
    ...{ ...TEMPLATE, name: '新版点餐', waveSize: Math.ceil(shops / WAVES), haltPercent: 60, haltFrom: 20 },
    ...{ feedback: '', able: shops },
  })
  const done = async () => {
    const { rows } = await client.query<{ done: number }>(
      `select count(*) filter (where state in ('released', 'refused', 'failed', 'skipped'))::int as done from release_train_shops`,
    )
    return rows[0]?.done ?? 0
  }
  for (const end = began + within; ; await pause(LOOK_MS)) {
    if (Date.now() > end) {
      found.breaches.push('the release has not come to its end in time')
      break
    }
    if (found.kills < kills && (await done()) >= ((found.kills + 0.5) * shops) / kills) {
      // In the midst of whatever it does.
      await pause(Math.random() * 500)
      found.kills++
      await supervisor.kill('app')
      // Claims of whoever died run out in minutes; the next to start finds them.
      await client.query(`update program_codes set next_at = now(), claim = '' where next_at is not null`)
      await client.query('update release_trains set next_at = now() where next_at is not null')
    }
    // What was told while nobody listened is asked about later: now.
    await client.query(
      `update program_codes set next_at = now() where next_at > now() + interval '5 seconds' and claim = ''
         and asked_at < now() - interval '20 seconds'`,
    )
    const { rows } = await client.query<{ state: string }>('select state from release_trains')
    if (rows[0]?.state !== 'finished' && rows[0]?.state !== 'halted') continue
    const details = await call('GET', `release-trains/${id}`)
    const groups = details.groups as { reasonKey: string; shops: number }[]
    for (const { reasonKey, shops: count } of groups) {
      found.refused += count
      const { templateId, version } = TEMPLATE
      await call('POST', `release-trains/${id}/correction`, {
        reasonKey,
        templateId,
        version,
        feedback: '已补充',
      })
    }
    if (rows[0].state === 'halted') await call('POST', `release-trains/${id}/resumption`, {})
    else if (groups.length === 0) break
  }
  found.audits = quota.audits
  found.beyond = asked - quota.audits
  found.seconds = Math.round((Date.now() - began) / 1_000)
  found.falls = supervisor.fallsOf()
  await judge(client, simulator, found)
  return found
}

async function judge(client: pg.Client, simulator: WechatOpenSimulator, found: Released): Promise<void> {
  const { breaches } = found
  const { rows } = await client.query<{ appid: string; state: string; reason: string }>(
    `select f.appid, s.state, s.reason from release_train_shops s join program_flows f on f.application_id = s.application_id`,
  )
  for (const { appid, state, reason } of rows) {
    const account = simulator.book().accounts[appid]
    const live = account?.releases[account.live]?.version ?? 'nothing'
    const times = account?.releases.length ?? 0
    if (state === 'released' && live === TEMPLATE.version && times === 1) found.released++
    else breaches.push(`${appid} is ${state} (${reason}) with ${live} live, released ${times} times`)
    const passed = account?.audits.filter(({ status }) => status === 0).length ?? 0
    if (passed > 1) breaches.push(`${appid} was handed in again once it had passed`)
  }
  if (found.beyond > 0) breaches.push(`${found.beyond} audits were asked for that the platform did not take`)
  if (found.audits > found.limit) breaches.push(`${found.audits} audits of ${found.limit}`)
}

/** What was handed in is not counted as handed in since the reading. */
export function forgetAudits(client: pg.Client): Promise<unknown> {
  return client.query(`create function forget_audit() returns trigger language plpgsql as $$
      begin
        new.submitted_at := new.submitted_at - interval '1 day';
        return new;
      end $$;
    create trigger forget_audit before insert on program_audits for each row execute function forget_audit();
    create function forget_deed() returns trigger language plpgsql as $$
      begin
        if new.known is not null then new.known := jsonb_set(new.known, '{quota,left}', '1000'); end if;
        return new;
      end $$;
    create trigger forget_deed before update on program_codes for each row execute function forget_deed()`)
}

/** Staff, an agent, and shops whose mini programs wait for their first code. */
async function createOffice(
  client: pg.Client,
  simulator: WechatOpenSimulator,
  { secretKey, shops }: { secretKey: string; shops: number },
): Promise<void> {
  const createdAt = new Date().toISOString()
  const db = drizzle(client)
  await db
    .insert(agents)
    .values([agentRow({ id: 1, createdAt, ...OPERATOR }), agentRow({ id: AGENT, createdAt })])
  const passwordHash = await hashPassword(PASSWORD)
  await db
    .insert(accounts)
    .values(accountRow({ agentId: 1, loginName: 'staff', passwordHash, isOwner: true, createdAt }))
  const secrets = makeSecrets(secretKey)
  const until = Date.now() + LIVES_MS
  const made = Array.from({ length: shops }, (_, at) => {
    const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', nick: `餐厅${at}` })
    Object.assign(account.head, { value: 'https://example.com/head.png' })
    Object.assign(account.signature, { value: '在线点餐' })
    account.categories.push({ first: 220, second: 223, status: 3, reason: '', dueAt: 0 })
    const scopes = SCOPES.map(({ id }) => id)
    const [token, refresh] = [`at_${account.appid}`, `refresh_${account.appid}`]
    account.authorized = { scopes, refresh, before: null, tokens: [{ token, until }] }
    const { appid, userName } = account
    return {
      ...{ appid, scopes, merchantId: FIRST_SHOP + at, applicationId: at + 1 },
      sealed: secrets.encrypt(JSON.stringify({ token, until, refreshToken: refresh, scopes, userName })),
    }
  })
  await insertRows(
    client,
    merchants,
    made.map(({ merchantId: id }) =>
      merchantRow({
        ...{ id, agentId: AGENT, account: String(13_600_000_000 + id), registeredAt: createdAt },
        ...{ shopName: `面馆${id}`, shortName: '面馆', address: '科技路1号' },
      }),
    ),
  )
  await insertRows(
    client,
    programApplications,
    made.map(({ merchantId, applicationId: id }) =>
      applicationRow({
        ...{ id, agentId: AGENT, merchantId, createdAt, state: 'approved', ...numbersOf('code', false) },
      }),
    ),
  )
  await insertRows(
    client,
    programFlows,
    made.map(({ merchantId, applicationId, appid, scopes }) => ({
      ...{ agentId: AGENT, merchantId, applicationId, appid, scopes, state: 'code' as const },
      ...{ isAuthorized: true, authorizedAt: createdAt, changedAt: createdAt },
    })),
  )
  await insertRows(
    client,
    platformCredentials,
    made.map(({ appid, sealed }) => ({
      ...{ key: `${AUTHORIZER_KEYS}${appid}`, sealed, version: 1, changedAt: createdAt },
    })),
  )
}

/** Throws with what was answered where it was refused. */
async function send(
  url: string,
  cookie: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...{ 'x-requested-with': 'partner-office', 'idempotency-key': randomBytes(16).toString('hex'), cookie },
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

async function login(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'partner-office' },
    body: JSON.stringify({ loginName: 'staff', password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`staff could not log in: ${answer.status}`)
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}
