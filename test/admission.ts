// What the guard says to a caller, asked without a call: the same that stands before every operation and download.
import { bearerOf } from '#server/callers/api-keys.ts'
import { type CallContext, NO_CALLER, type Services } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { sessionCookieName, viewCookieName } from '#server/session-cookie.ts'
import { sentAs, type Walked } from './walk.ts'

/** A call of somebody with this session cookie or key (Bearer …), or of nobody; the look through another's account stands first. */
export function callBy(services: Services, caller: string | null): CallContext {
  const { authorization, cookie = '' } = sentAs(caller)
  const cookies = new Map(cookie.split('; ').map(text => text.split('=', 2) as [string, string]))
  const view = cookies.get(viewCookieName(undefined))
  const request = {
    ...NO_CALLER,
    ...{ id: 'admission', ip: '127.0.0.1', userAgent: '' },
    keyToken: bearerOf(authorization),
    sessionToken: view ?? cookies.get(sessionCookieName(undefined)),
    isViewing: view !== undefined,
    setSession: () => undefined,
    setView: () => undefined,
    setDevice: () => undefined,
  }
  return { services, request }
}

/** The code that the call is refused with by the guard of the operation; null: it is past that. */
export async function refusalBy(operation: Walked, call: CallContext): Promise<string | null> {
  try {
    await operation.admit(call)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
