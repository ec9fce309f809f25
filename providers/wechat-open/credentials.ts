// Tickets and tokens of the platform: kept in the store, renewed before they end by one program of all, and once more where the platform
// says that one is void. A renewal whose answer was lost is made again with what is kept: the platform knows the refresh token of before
// for some minutes after it gave another [K].
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { AUTHORIZER_KEYS, type CredentialStore } from '#kit/ports/mini-programs.ts'
import { ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import { readShape, type Transport } from './transport.ts'

type Token = { token: string; until: number }
type Ticket = { ticket: string; at: number }
/** `userName`: the platform's own name of the account, which its messages bear. */
export type AuthorizerTokens = Token & { refreshToken: string; scopes: number[]; userName: string | null }
type Owner = 'component' | { appid: string }

const COMPONENT_KEY = 'component'
const TICKET_KEY = 'ticket'
const authorizerKey = (appid: string) => `${AUTHORIZER_KEYS}${appid}`

/** Before a token ends it is renewed; the platform lets the one of before live as long. */
const RENEWED_BEFORE_MS = 5 * 60_000
const LOOK_EVERY_MS = 50
const TRIES = 2
/** Codes of the platform by which a token is void; nothing was done then. */
const VOID_TOKEN = new Set(['40001', '40014', '42001'])
/** No ticket, one that has ended (half a day), and one that is none: tickets have stopped coming, or have not begun. */
const NO_TICKET = new Set(['61005', '61006'])
/** As often as the platform sends them. */
const TICKETS_EVERY_MS = 10 * 60_000

const seconds = z.number().positive()
const ComponentToken = z.object({ component_access_token: z.string().min(1), expires_in: seconds })
const Renewed = z.object({
  authorizer_access_token: z.string().min(1),
  expires_in: seconds,
  authorizer_refresh_token: z.string().nullish(),
})

export type Credentials = {
  /** With a token of the platform, or of a mini program; made again with a new one where that was void. */
  using<T>(owner: Owner, work: (token: string) => Promise<T>): Promise<T>
  keepTicket(ticket: string, at: number): Promise<void>
  keepAuthorizer(appid: string, tokens: AuthorizerTokens): Promise<void>
  /** Null: it is not authorised. */
  authorizer(appid: string): Promise<AuthorizerTokens | null>
  nameAuthorizer(appid: string, userName: string): Promise<void>
  forget(appid: string): Promise<void>
}
type Told = { appid: string; secret: string }

export function makeCredentials(
  { appid: componentAppid, secret }: Told,
  surroundings: Surroundings,
  { transport, store }: { transport: Transport; store: CredentialStore },
): Credentials {
  /** What is under way in this program; others wait for it by the store. */
  const underWay = new Map<string, Promise<Token>>()
  const claimedMs = surroundings.timeoutMs * (TRIES + 2) + 5_000

  async function read<T>(key: string): Promise<{ value: T | null; version: number }> {
    const kept = await store.read(key)
    return kept ? { value: JSON.parse(kept.text) as T, version: kept.version } : { value: null, version: 0 }
  }

  /** Until it is written: `next` is asked again where somebody else wrote meanwhile; null of it: what is kept stays. */
  async function change<T>(key: string, next: (before: T | null) => T | null): Promise<void> {
    for (;;) {
      const { value, version } = await read<T>(key)
      const changed = next(value)
      if (changed === null || (await store.write(key, JSON.stringify(changed), version))) return
    }
  }

  const isFresh = (kept: Token | null, isVoid: string | null): kept is Token =>
    kept !== null && kept.token !== isVoid && kept.until - RENEWED_BEFORE_MS > surroundings.now().getTime()

  async function renew(key: string, isVoid: string | null, ask: (before: Token | null) => Promise<Token>) {
    const holder = surroundings.nonce()
    const endsAt = performance.now() + claimedMs * 2
    while (performance.now() < endsAt) {
      const { value } = await read<Token>(key)
      if (isFresh(value, isVoid)) return value
      if (!(await store.claim(key, holder, claimedMs))) {
        await pause(LOOK_EVERY_MS)
        continue
      }
      try {
        const { value: before, version } = await read<Token>(key)
        if (isFresh(before, isVoid)) return before
        const next = await twice(() => ask(before))
        if (await store.write(key, JSON.stringify(next), version)) return next
      } finally {
        await store.release(key, holder)
      }
    }
    throw new ProviderUnknown(`no token of ${key} came`)
  }

  function tokenOf(owner: Owner, isVoid: string | null = null): Promise<Token> {
    const key = owner === 'component' ? COMPONENT_KEY : authorizerKey(owner.appid)
    // Whoever holds a void one must not be given what is fresh by its time alone.
    const sought = `${key} ${isVoid ?? ''}`
    const known = underWay.get(sought)
    if (known) return known
    const ask = owner === 'component' ? askComponent : askAuthorizer(owner.appid)
    const made = renew(key, isVoid, ask).finally(() => underWay.delete(sought))
    underWay.set(sought, made)
    return made
  }

  async function askComponent(): Promise<Token> {
    try {
      return await tradeTicket()
    } catch (error) {
      if (error instanceof ProviderRefused && NO_TICKET.has(error.code)) await startTickets()
      throw error
    }
  }

  /** Tickets come by a message, not by this answer. One program of all asks, once between two tickets. */
  async function startTickets(): Promise<void> {
    if (!(await store.claim(TICKET_KEY, surroundings.nonce(), TICKETS_EVERY_MS))) return
    const path = '/cgi-bin/component/api_start_push_ticket'
    await transport.ask({ path, body: { component_appid: componentAppid, component_secret: secret } })
  }

  async function tradeTicket(): Promise<Token> {
    const { value } = await read<Ticket>(TICKET_KEY)
    if (!value) throw new ProviderRefused('61006', 'no component_verify_ticket has come yet')
    const path = '/cgi-bin/component/api_component_token'
    const askedAt = surroundings.now().getTime()
    const answer = await transport.ask({
      path,
      body: {
        component_appid: componentAppid,
        component_appsecret: secret,
        component_verify_ticket: value.ticket,
      },
    })
    const { component_access_token: token, expires_in: lives } = readShape(ComponentToken, path, answer)
    return { token, until: askedAt + lives * 1_000 }
  }

  const askAuthorizer = (appid: string) => async (kept: Token | null) => {
    const before = kept as AuthorizerTokens | null
    if (!before) throw new ProviderRefused('61003', 'component is not authorized by this account')
    const path = '/cgi-bin/component/api_authorizer_token'
    const askedAt = surroundings.now().getTime()
    const answer = await using('component', token =>
      transport.ask({
        path,
        query: { component_access_token: token },
        body: {
          component_appid: componentAppid,
          authorizer_appid: appid,
          authorizer_refresh_token: before.refreshToken,
        },
      }),
    )
    const renewed = readShape(Renewed, path, answer)
    return {
      ...before,
      token: renewed.authorizer_access_token,
      until: askedAt + renewed.expires_in * 1_000,
      refreshToken: renewed.authorizer_refresh_token || before.refreshToken,
    }
  }

  async function using<T>(owner: Owner, work: (token: string) => Promise<T>): Promise<T> {
    const { token } = await tokenOf(owner)
    try {
      return await work(token)
    } catch (error) {
      if (!(error instanceof ProviderRefused && VOID_TOKEN.has(error.code))) throw error
      return work((await tokenOf(owner, token)).token)
    }
  }

  return {
    using,
    keepTicket: (ticket, at) =>
      change<Ticket>(TICKET_KEY, before => (before && before.at >= at ? null : { ticket, at })),
    keepAuthorizer: (appid, tokens) => change<AuthorizerTokens>(authorizerKey(appid), () => tokens),
    authorizer: async appid => (await read<AuthorizerTokens>(authorizerKey(appid))).value,
    nameAuthorizer: (appid, userName) =>
      change<AuthorizerTokens>(authorizerKey(appid), before => before && { ...before, userName }),
    forget: appid => store.remove(authorizerKey(appid)),
  }
}

/** A renewal may be made again: the second answers what the first did, or newer. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderUnknown)) throw error
    return work()
  }
}
