// What an operation is told of an HTTP request: whose it claims to be, and what it may say in the answer's headers.
import { createHash } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Request, Services } from '#server/ctx.ts'
import {
  changedCookieName,
  DEVICE_COOKIE_DAYS,
  deviceCookieName,
  guestCookieName,
  sessionCookieName,
  viewCookieName,
} from '#server/session-cookie.ts'
import { LAG_MS } from '#server/standby.ts'
import { bearerOf } from './api-keys.ts'

/** Sent by a page that was told of a change a moment ago. */
const HEARD_HEADER = 'x-heard'

/** Whose a request claims to be. With an API key no cookie is read. */
export function tokensOf({ headers, cookies }: FastifyRequest, { publicUrl }: Services['env']) {
  const keyToken = bearerOf(headers.authorization)
  const sent = { view: cookies[viewCookieName(publicUrl)], session: cookies[sessionCookieName(publicUrl)] }
  const isSent = (sent.view ?? sent.session) !== undefined
  if (keyToken !== undefined)
    return { keyToken, isMixed: isSent, viewToken: undefined, sessionToken: undefined }
  return { keyToken, isMixed: false, viewToken: sent.view, sessionToken: sent.view ?? sent.session }
}

export function callRequest(request: FastifyRequest, reply: FastifyReply, services: Services): Request {
  const secure = services.env.publicUrl?.startsWith('https:') ?? false
  const cookieName = sessionCookieName(services.env.publicUrl)
  const viewName = viewCookieName(services.env.publicUrl)
  const deviceName = deviceCookieName(services.env.publicUrl)
  const changedName = changedCookieName(services.env.publicUrl)
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  const { keyToken, sessionToken, viewToken, isMixed } = tokensOf(request, services.env)
  const keep = (name: string, token: string | null) => {
    if (token === null) reply.clearCookie(name, attributes)
    else reply.setCookie(name, token, attributes)
  }
  return {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    sessionToken,
    isViewing: viewToken !== undefined,
    keyToken,
    isMixed,
    keyCall: null,
    idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    deviceToken: request.cookies[deviceName],
    setSession(token) {
      keep(cookieName, token)
      if (viewToken !== undefined) keep(viewName, null)
    },
    setView: token => keep(viewName, token),
    setDevice(token) {
      reply.setCookie(deviceName, token, { ...attributes, maxAge: DEVICE_COOKIE_DAYS * 86_400 })
    },
    hasChanged: request.cookies[changedName] !== undefined || request.headers[HEARD_HEADER] !== undefined,
    noteChange() {
      if (services.standby) reply.setCookie(changedName, '1', { ...attributes, maxAge: LAG_MS / 1_000 + 1 })
    },
    guestToken: page => request.cookies[guestCookieName(page, services.env.publicUrl)],
    setGuest: (page, token) => keep(guestCookieName(page, services.env.publicUrl), token),
    tag(state) {
      const tag = `"${createHash('sha256').update(state).digest('base64url').slice(0, 27)}"`
      reply.header('etag', tag).header('cache-control', 'private, no-cache')
    },
    retryAfter(seconds) {
      reply.header('retry-after', seconds)
    },
    tellLimit(perMinute, { remaining, fullInS, retryInS }) {
      reply.header('ratelimit-policy', `"default";q=${perMinute};w=60`)
      reply.header('ratelimit', `"default";r=${remaining};t=${retryInS ?? fullInS}`)
    },
    askForKey() {
      reply.header('www-authenticate', 'Bearer error="invalid_token"')
    },
  }
}
