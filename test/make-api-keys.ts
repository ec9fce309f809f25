// Keys of programs, made as their page makes them, and calls with them as a program makes them.
import { PERMISSION_NODES } from '#app/joined.ts'
import { addDays, formatDay } from '#kit/time.ts'
import type { Office } from './app.ts'
import { type Answered, type CallOptions, call, everyPosOperation } from './walk.ts'

export const nodeId = (key: string): number => {
  const node = PERMISSION_NODES.find(one => one.key === key)
  if (!node) throw new Error(`there is no node ${key}`)
  return node.id
}

let made = 0

export const keyForm = (verbs: readonly string[], more: object = {}) => ({
  name: `程序${++made}`,
  nodeIds: verbs.map(nodeId),
  addresses: [] as string[],
  perMinute: 600,
  expiresOn: addDays(formatDay(new Date()), 30),
  ...more,
})

export type MadeKey = { id: number; token: string; bearer: string }

/** A key of the session's account. */
export async function makeKey(
  office: Office,
  cookie: string,
  verbs: readonly string[],
  more: object = {},
): Promise<MadeKey> {
  const { id, token } = await office.as(cookie).apiKeys.add(keyForm(verbs, more))
  return { id, token, bearer: `Bearer ${token}` }
}

type AskedOf = Pick<CallOptions, 'key' | 'headers'> & { by?: string }

/** Asks at the door for point-of-sale software, with this key or the one that is named. */
export const posCaller =
  (office: Office, bearer: string) =>
  async (name: string, input: object = {}, { by = bearer, ...options }: AskedOf = {}): Promise<Answered> => {
    const operation = everyPosOperation().find(one => one.name === name)
    if (!operation) throw new Error(`there is no ${name} at the door`)
    return call(office.app, by, operation, { ...input }, { ...options, prefix: '/pos' })
  }

/** So many calls a minute that no walk waits for them. */
export async function withoutLimit(office: Office, { id }: { id: number }): Promise<void> {
  await office.owner.query('update api_keys set per_minute = 1000000 where id = $1', [id])
  await office.owner.query('update api_key_uses set tokens = 1000000 where key_id = $1', [id])
}
