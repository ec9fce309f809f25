// What the platform tells: verified, kept once per event, and answered. A ticket is kept where the next token is made of it.
import { sql } from 'drizzle-orm'
import type { PlatformEvent } from '#kit/ports/mini-programs.ts'
import { CallbackRejected, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { CallbackCall, CallbackHandler } from '#server/callbacks.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { platformOf } from './server-platform.ts'
import { platformEvents } from './tables.ts'

const answer = (status: number, body: string) => ({ status, type: 'text/plain', body })

export const platformCallback: CallbackHandler = {
  path: '/wechat-open',
  handle: (services, call) => take(services, call, null),
}

export const programCallback: CallbackHandler = {
  path: '/wechat-open/:appid',
  handle: (services, call) => take(services, call, call.params.appid ?? ''),
}

async function take(services: Services, { query, body }: CallbackCall, appid: string | null) {
  const platform = platformOf(services)
  if (!platform) return answer(404, '')
  try {
    const event = await platform.readCallback(query, body, appid)
    if (event.kind === 'ticket') await platform.keepTicket(event.ticket, event.at)
    else await keep(services, event)
    return answer(200, 'success')
  } catch (error) {
    // Forged ones come as often as anybody likes.
    if (error instanceof CallbackRejected) return answer(error.reason === 'signature' ? 401 : 400, '')
    // Whose it is was asked of the platform, which did not say: it comes again.
    if (!(error instanceof ProviderUnknown || error instanceof ProviderRefused)) throw error
    services.onProblem(error)
    return answer(503, '')
  }
}

async function keep(services: Services, event: PlatformEvent): Promise<void> {
  await actAsSystem(services, 'platform event', async ({ db }) => {
    await db
      .insert(platformEvents)
      .values({
        eventId: event.eventId,
        appid: 'appid' in event ? event.appid : null,
        kind: event.kind,
        sealed: services.secrets.encrypt(JSON.stringify(event)),
        happenedAt: sql`${event.at}::timestamptz`,
        receivedAt: sql`now()`,
      })
      .onConflictDoUpdate({
        target: platformEvents.eventId,
        set: { times: sql`${platformEvents.times} + 1` },
      })
  })
}
