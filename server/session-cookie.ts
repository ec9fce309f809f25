/** Its name says that only our own host over TLS may have set it, where there is TLS. */
export function sessionCookieName(publicUrl: string | undefined): string {
  return publicUrl?.startsWith('https:') ? '__Host-session' : 'session'
}

/** Of a look through another's account, beside the session that it began in. */
export function viewCookieName(publicUrl: string | undefined): string {
  return publicUrl?.startsWith('https:') ? '__Host-view' : 'view'
}

/** What a browser keeps that somebody signed in with; it outlasts sessions. */
export function deviceCookieName(publicUrl: string | undefined): string {
  return publicUrl?.startsWith('https:') ? '__Host-device' : 'device'
}

/** Of a browser that has changed something a moment ago. */
export function changedCookieName(publicUrl: string | undefined): string {
  return publicUrl?.startsWith('https:') ? '__Host-changed' : 'changed'
}

/** Pages without an account at which somebody signs in: a shop's own, and the one on which its owner hands in papers. */
const GUEST_COOKIES = { shop: 'guest', owner: 'owner' } as const
export type GuestPage = keyof typeof GUEST_COOKIES

/** Each has its own: who signs in at one stays signed in at the other. */
export function guestCookieName(page: GuestPage, publicUrl: string | undefined): string {
  return `${publicUrl?.startsWith('https:') ? '__Host-' : ''}${GUEST_COOKIES[page]}`
}

/** Browsers keep no cookie for longer. */
export const DEVICE_COOKIE_DAYS = 400

/** What a login gives out; anything else is nobody's, and is not asked for. */
export const SESSION_TOKEN = /^[\w-]{43}$/
