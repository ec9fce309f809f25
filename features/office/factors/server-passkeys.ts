// Passkeys by WebAuthn: made and used under the product's own address alone; the key itself asks for finger, face or PIN.
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Ctx, Services } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { FACTOR_REFUSALS, type FactorRefusal, PASSKEYS_MAX } from './rules.ts'
import { openChallenge, takeChallenge } from './server-challenges.ts'
import { passkeys } from './tables.ts'

export const PRODUCT = '合作伙伴后台'
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** With all that it reads certificates with: loaded by the first key. */
const webauthn = () => import('@simplewebauthn/server')

type Party = { id: string; origin: string }

/** Whose keys they are: the host of our own address. Null where that is an address by number, for which there are no keys. */
export function relyingParty(services: Pick<Services, 'baseUrl'>): Party | null {
  const url = new URL(services.baseUrl())
  if (LOOPBACK.includes(url.hostname)) {
    url.hostname = 'localhost'
    return { id: 'localhost', origin: url.origin }
  }
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) || url.protocol !== 'https:') return null
  return { id: url.hostname, origin: url.origin }
}

function partyOf(ctx: Ctx): Party {
  const party = relyingParty(ctx.services)
  if (!party) refuse('PASSKEYS_ELSEWHERE', FACTOR_REFUSALS)
  return party as Party
}

const keysOf = (ctx: Ctx, accountId: number) =>
  ctx.db.select().from(passkeys).where(eq(passkeys.accountId, accountId)).orderBy(passkeys.id)

const named = (key: { credentialId: string; transports: string[] }) => ({
  id: key.credentialId,
  transports: key.transports as AuthenticatorTransport[],
})

export async function beginRegistration(ctx: Ctx) {
  const { id: rpID } = partyOf(ctx)
  const { accountId, loginName, name } = ctx.actor
  const known = await keysOf(ctx, accountId)
  if (known.length >= PASSKEYS_MAX) refuse('PASSKEYS_FULL', FACTOR_REFUSALS)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: PRODUCT,
    rpID,
    userName: loginName,
    userDisplayName: name,
    userID: new TextEncoder().encode(`account ${accountId}`),
    attestationType: 'none',
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const token = await openChallenge(ctx, { purpose: 'register', accountId, value: options.challenge })
  return { token, options: { ...options } }
}

/** Used up, whatever becomes of it. */
function failed(code: FactorRefusal): never {
  throw new Refusal(code, FACTOR_REFUSALS[code], undefined, true)
}

export async function finishRegistration(
  ctx: Ctx,
  given: { token: string; name: string; response: object },
): Promise<void> {
  const { accountId, agentId } = ctx.actor
  const { id, origin } = partyOf(ctx)
  const challenge = await takeChallenge(ctx, given.token, 'register', accountId)
  if (!challenge) return failed('FACTOR_EXPIRED')
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: given.response as RegistrationResponseJSON,
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return failed('PASSKEY_FAILED')
  const { credential } = verified.registrationInfo
  const [added] = await ctx.db
    .insert(passkeys)
    .values({
      accountId,
      agentId,
      name: given.name.trim(),
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      createdAt: sql`now()`,
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id })
  if (!added) failed('PASSKEY_KNOWN')
}

/** What a key is to sign: any key of this account, or of whoever signs in by it. Null where there is none to ask for. */
export async function beginAssertion(ctx: Ctx, accountId: number | null) {
  const party = relyingParty(ctx.services)
  const keys = accountId === null ? [] : await keysOf(ctx, accountId)
  if (!party || (accountId !== null && keys.length === 0)) return null
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: keys.map(named),
  })
  const token = await openChallenge(ctx, { purpose: 'assert', accountId, value: options.challenge })
  return { token, options: { ...options } }
}

/** Whose key has signed; `accountId` is whom it was asked for. A copy of a key shows by a counter that does not rise. */
export async function finishAssertion(
  ctx: Ctx,
  given: { token: string; response: object },
  accountId: number | null,
): Promise<number> {
  const { id, origin } = partyOf(ctx)
  const challenge = await takeChallenge(ctx, given.token, 'assert', accountId)
  if (!challenge) return failed('FACTOR_EXPIRED')
  const response = given.response as AuthenticationResponseJSON
  const [key] = await ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, String(response.id)))
  if (!key || (accountId !== null && key.accountId !== accountId)) return failed('PASSKEY_FAILED')
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { ...named(key), publicKey: new Uint8Array(key.publicKey), counter: key.counter },
  }).catch(() => null)
  if (!verified?.verified) return failed('PASSKEY_FAILED')
  const { newCounter } = verified.authenticationInfo
  const [used] = await ctx.db
    .update(passkeys)
    .set({ counter: newCounter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, key.id), or(lt(passkeys.counter, newCounter), eq(passkeys.counter, 0))))
    .returning({ id: passkeys.id })
  if (!used) failed('PASSKEY_FAILED')
  return key.accountId
}
