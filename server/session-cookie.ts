/** Its name says that only our own host over TLS may have set it, where there is TLS. */
export function sessionCookieName(publicUrl: string | undefined): string {
  return publicUrl?.startsWith('https:') ? '__Host-session' : 'session'
}

/** What a login gives out; anything else is nobody's, and is not asked for. */
export const SESSION_TOKEN = /^[\w-]{43}$/
