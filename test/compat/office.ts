// An office whose second door is open, and clients that came in by it.
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { type CompatClient, compatClient } from './client.ts'

/** So many calls a minute that no walk waits for them. */
const UNLIMITED = 1_000_000

export function openCompatOffice(options: Parameters<typeof openOffice>[0] = {}): Promise<Office> {
  return openOffice({ ...options, listen: true, settings: { COMPAT_CALLS: 'on', ...options.settings } })
}

/** A client of this account, which its person has opened the door for. */
export async function signedIn(office: Office, loginName: string): Promise<CompatClient> {
  const cookie = await office.login(loginName)
  await office.as(cookie).compatAccess.open({ password: PASSWORD, days: 'd30' })
  await office.owner.query('update api_keys set per_minute = $1', [UNLIMITED])
  await office.owner.query('update api_key_uses set tokens = $1', [UNLIMITED])
  const client = compatClient(office.url)
  const answer = await client.signIn(loginName, PASSWORD)
  if (!answer.ok) throw new Error(`${loginName} was not let in: ${answer.error}`)
  return client
}
