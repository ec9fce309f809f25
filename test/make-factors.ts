// Second factors of accounts, set up over the operations themselves.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeAt, stepAt } from '#features/office/factors/server-totp.ts'
import type { Office } from './app.ts'
import { makeAuthenticator } from './authenticator.ts'
import { soon } from './walk.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What an authenticator app shows now, or so many steps later. */
export function codeOf(secret: string, later = 0): string {
  const bits = [...secret].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2))
  return codeAt(Buffer.from(bytes), stepAt(Date.now()) + later)
}

const STEP_MS = 30_000
const ROOM_MS = 12_000

/** Waits where a step of codes is about to end: the code of the step before is refused in the next one. */
export async function stepWithRoom(): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < ROOM_MS) await sleep(left)
}

/** Signs in with a password that somebody else made, and gives the account one of its own: what it was with `-own`. */
export async function firstSignIn(office: Office, loginName: string, given: string): Promise<string> {
  const cookie = await office.login(loginName, given)
  const newPassword = `${given}-own`
  const client = office.as(cookie)
  await client.signIn.changePassword({ oldPassword: given, newPassword, confirmation: newPassword })
  // What the account may do is remembered until the change is heard of.
  assert.ok(await soon(async () => !(await client.access.current()).mustChangePassword))
  return cookie
}

/** The app is set up with the code of the step before, so that those of now can be used. */
export async function makeTotp(office: Office, cookie: string) {
  const client = office.as(cookie)
  const { token, secret } = await client.factors.startTotp()
  const add = () => client.factors.addTotp({ token, code: codeOf(secret, -1) })
  // The step can end on the way.
  const { recoveryCodes } = await add().catch(add)
  return { secret, recoveryCodes: recoveryCodes ?? [] }
}

export async function makePasskey(office: Office, cookie: string, name = '钥匙') {
  const client = office.as(cookie)
  const key = makeAuthenticator(await originOf(office, cookie))
  const { recoveryCodes } = await client.factors.addPasskey({
    ...key.make(await client.factors.startPasskey()),
    name,
  })
  return { key, recoveryCodes }
}

export async function originOf(office: Office, cookie: string): Promise<string> {
  return (await office.as(cookie).factors.standing()).passkeyOrigin as string
}

/** Sessions of the account have proven nothing of late. */
export async function forgetProofs(office: Office): Promise<void> {
  await office.owner.query('delete from factor_proofs')
}
