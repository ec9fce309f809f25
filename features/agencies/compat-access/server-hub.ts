// Whose the tokens of old clients are that listen at the hub, for many at once: a thousand of them come back together.
import { hashToken } from '#features/office/access/server.ts'
import { isWithin } from '#kit/words/addresses.ts'
import type { Services } from '#server/ctx.ts'
import { SYSTEM } from '#server/db.ts'
import type { Brought, Program, Programs } from '#server/realtime/realtime-admission.ts'
import { HUB_CALL } from './rules.ts'
import { COMPAT_TOKEN } from './server-door.ts'

/** Its key and itself not over, of an account and an agent that are enabled, with a password of its own; nobody's while the hub is closed. */
const HOLDERS = `select encode(t.token_hash, 'hex') as hash, t.account_id, t.agent_id,
    k.id, k.name, k.addresses, k.per_minute, k.expires_at
  from compat_tokens t
  join api_keys k on k.id = t.key_id and k.ended_at is null and k.expires_at > now()
  join accounts a on a.id = t.account_id and a.enabled and not a.must_change_password
  join agents g on g.id = a.agent_id and g.enabled
  where t.token_hash = any ($1::bytea[]) and t.expires_at > now()
    and not exists (select 1 from compat_closed_calls c where c.call = $2)`

/** All in one order, so that none waits for another that waits for it. */
const USES = `insert into compat_uses (agent_id, account_id, call, calls, last_used_at, last_ip)
  select a.agent_id, a.id, $3, count(*), now(), max(u.ip)
  from unnest($1::bigint[], $2::text[]) as u (account_id, ip) join accounts a on a.id = u.account_id
  group by a.agent_id, a.id order by a.id
  on conflict (call, account_id) do update
  set calls = compat_uses.calls + excluded.calls, last_used_at = now(), last_ip = excluded.last_ip`

type Row = {
  hash: string
  account_id: string
  agent_id: string
  id: string
  name: string
  addresses: string[]
  per_minute: number
  expires_at: Date
}

const mayFrom = ({ addresses }: Row, ip: string) => addresses.length === 0 || isWithin(ip, addresses)

export function hubPrograms(services: Services): Programs {
  async function rowsOf(hashes: readonly Buffer[]): Promise<Map<string, Row>> {
    const { rows } = await services.database.read(SYSTEM, ({ client }) =>
      client.query<Row>({ name: 'compat_token_holders', text: HOLDERS, values: [hashes, HUB_CALL] }),
    )
    return new Map(rows.map(row => [row.hash, row]))
  }

  /** Its maker is told, as of every key that is used from elsewhere. */
  async function noteElsewhere(row: Row, ip: string): Promise<void> {
    const { id, name, addresses, per_minute: perMinute, expires_at: until } = row
    const key = { id: Number(id), name, addresses, perMinute, until: until.getTime(), isPrevious: false }
    await services.noteForeign(key, ip)
  }

  async function admitted(row: Row, ip: string): Promise<Program | null> {
    if (mayFrom(row, ip))
      return { accountId: Number(row.account_id), agentId: Number(row.agent_id), tokenHash: row.hash, ip }
    await noteElsewhere(row, ip)
    return null
  }

  async function noteUses(programs: readonly Program[]): Promise<void> {
    if (programs.length === 0) return
    await services.database.write(SYSTEM, ({ client }) =>
      client.query({
        name: 'note_hub_uses',
        text: USES,
        values: [programs.map(one => one.accountId), programs.map(one => one.ip), HUB_CALL],
      }),
    )
  }

  return {
    isToken: text => COMPAT_TOKEN.test(text),
    async holders(brought: readonly Brought[]) {
      const hashes = brought.map(({ token }) => hashToken(token))
      const rows = await rowsOf(hashes)
      const programs = await Promise.all(
        brought.map(({ ip }, i) => {
          const row = rows.get(hashes[i]?.toString('hex') ?? '')
          return row ? admitted(row, ip) : null
        }),
      )
      noteUses(programs.filter(program => program !== null)).catch(services.onProblem)
      return programs
    },
    async standing(programs) {
      const rows = await rowsOf(programs.map(({ tokenHash }) => Buffer.from(tokenHash, 'hex')))
      return new Set(
        programs.filter(({ tokenHash, ip }) => {
          const row = rows.get(tokenHash)
          return row !== undefined && mayFrom(row, ip)
        }),
      )
    },
  }
}
