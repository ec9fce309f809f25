// Verbs that other features call and that have no operation of their own, called as an account in a transaction.
import { type Actor, type Ctx, identityOf, NO_CALLER } from '#server/ctx.ts'
import { makeCtx } from '#server/serve.ts'
import type { Office } from './app.ts'

/** Runs the work as the account of this session cookie; what is written is committed, or nothing where it throws. */
export async function acting<T>(office: Office, cookie: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { services } = office.app
  const actor = (await services.actorOf(cookie.slice(cookie.indexOf('=') + 1))) as Actor
  const request = {
    id: 'test',
    ip: '127.0.0.1',
    userAgent: '',
    ...NO_CALLER,
    setSession: () => undefined,
    setView: () => undefined,
    setDevice: () => undefined,
  }
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}
