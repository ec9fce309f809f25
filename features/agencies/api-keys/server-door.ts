// A key at the door, before anything is asked with it: whose it is, what it may do now, and what is left in its bucket.
import { hashToken, readAccountActor } from '#features/office/access/server.ts'
import { readFactor } from '#features/office/factors/server-standing.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { formatDay } from '#kit/time.ts'
import { KEY_TOKEN } from '#server/callers/api-keys.ts'
import type { ActingKey, Actor, CallsLeft, Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import { actAsSystem } from '#server/system.ts'
import { leftOf } from './rules.ts'

type Asking = Pick<Services, 'database' | 'clock'>

type Found = {
  id: string
  account_id: string
  name: string
  addresses: string[]
  per_minute: number
  until: Date
  is_over: boolean
  is_previous: boolean
  verbs: string[]
}

const KEY = `k.id, k.account_id, k.name, k.addresses, k.per_minute, k.ended_at is not null as is_over,
    array(select n.key from permission_nodes n where n.id = any (k.node_ids)) as verbs`

/** One look-up by the hash, whatever becomes of it: who guesses learns nothing from the time it takes. */
const FIND = `select ${KEY}, k.token_hash <> $1 as is_previous,
    case when k.token_hash = $1 then k.expires_at else least(k.expires_at, k.previous_until) end as until
  from api_keys k where k.token_hash = $1 or k.previous_hash = $1`

const FIND_BY_ID = `select ${KEY}, false as is_previous, k.expires_at as until from api_keys k where k.id = $1`

/** Who makes keys; whoever no longer may has keys that can do nothing. */
const MAKING = 'apiKeys.edit'

/**
 * The account that made the key, able to do what both it and the key may at the moment; null where the key is unknown, over or
 * expired, or the account or its agency is disabled.
 */
export async function readKey(services: Asking, token: string): Promise<Actor | null> {
  if (!KEY_TOKEN.test(token)) return null
  return readFound(services, { name: 'find_api_key', text: FIND, values: [hashToken(token)] })
}

/** The same by its id, for a token that another door has given out in its name. */
export async function readKeyById(services: Asking, id: number): Promise<Actor | null> {
  return readFound(services, { name: 'find_api_key_by_id', text: FIND_BY_ID, values: [id] })
}

async function readFound(
  services: Asking,
  query: { name: string; text: string; values: unknown[] },
): Promise<Actor | null> {
  const { rows } = await services.database.read(SYSTEM, ({ client }) => client.query<Found>(query))
  const [found] = rows
  if (!found || found.is_over || found.until.getTime() <= services.clock.now().getTime()) return null
  const maker = await readAccountActor(services, Number(found.account_id))
  if (!maker) return null
  const verbs = maker.permissions.has(MAKING) ? found.verbs : []
  const key: ActingKey = {
    id: Number(found.id),
    name: found.name,
    addresses: found.addresses,
    perMinute: found.per_minute,
    until: found.until.getTime(),
    isPrevious: found.is_previous,
  }
  return {
    ...maker,
    name: `${maker.name}（密钥：${key.name}）`,
    permissions: new Set(verbs.filter(verb => maker.permissions.has(verb))),
    factor: await readFactor(services, maker.accountId),
    key,
  }
}

/** What is in the bucket at a moment: so many come in each minute as it holds. `$2`: how many it holds. */
export const filledAt = (moment: string) =>
  `least($2::float8, tokens + $2::float8 / 60 * greatest(0, extract(epoch from ${moment} - filled_at)))`
const FILLED = filledAt('now()')

/** Calls of all instances take from the same row, one after the other; each sees what the one before has left. */
const TAKE = `update api_key_uses set tokens = ${FILLED} - 1, filled_at = greatest(filled_at, now()), calls = calls + 1,
    last_used_at = now(), last_ip = $3, previous_used_at = case when $4 then now() else previous_used_at end
  where key_id = $1 and ${FILLED} >= 1 returning tokens`

const LOOK = `select ${FILLED} as tokens from api_key_uses where key_id = $1`

export async function takeCall(
  { database }: Pick<Services, 'database'>,
  { agentId, key }: Pick<Actor, 'agentId'> & { key: ActingKey },
  ip: string,
): Promise<CallsLeft> {
  const { id, perMinute, isPrevious } = key
  const bucket = await database.write({ ...SYSTEM, party: { agentId } }, async ({ client }) => {
    // A crash may give back what was taken in its last moments: nobody has to wait for the disk.
    const settled = client.query('set local synchronous_commit = off')
    const taken = client.query<{ tokens: number }>({
      name: 'take_api_call',
      text: TAKE,
      values: [id, perMinute, ip, isPrevious],
    })
    await settled
    const { rows } = await taken
    if (rows[0]) return { tokens: rows[0].tokens, isTaken: true }
    const left = await client.query<{ tokens: number }>({
      name: 'look_api_calls',
      text: LOOK,
      values: [id, perMinute],
    })
    return { tokens: left.rows[0]?.tokens ?? 0, isTaken: false }
  })
  return leftOf(bucket, perMinute)
}

/** Once a minute it is logged, and once a day its maker is told: somebody else may have the key. */
export async function noteForeign(services: Services, key: ActingKey, ip: string): Promise<boolean> {
  return actAsSystem(services, 'api-keys foreign', async ctx => {
    const { rows } = await ctx.client.query<{ account_id: string }>(
      `update api_key_uses u set foreign_at = now() from api_keys k
         where k.id = u.key_id and u.key_id = $1 and coalesce(u.foreign_at < now() - interval '1 minute', true)
         returning k.account_id`,
      [key.id],
    )
    const [noted] = rows
    if (!noted) return false
    await notify(ctx, {
      accountIds: [Number(noted.account_id)],
      topic: 'ApiKey_Notify',
      title: '接口密钥在陌生地址被使用',
      body: `密钥「${key.name}」从允许范围以外的地址 ${ip} 被使用，已拒绝。若不是您的程序，请轮换或撤销该密钥。`,
      link: '/admin/account/apiKeys',
      onceKey: `api-key foreign ${key.id} ${formatDay(ctx.now)}`,
    })
    return true
  })
}
