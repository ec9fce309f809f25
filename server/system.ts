// The program's own acts: jobs, callbacks and public forms, in a transaction of their own and in the name of the system.
import { type Actor, type Ctx, NO_CALLER, NO_FACTOR, type Request, type Services } from './ctx.ts'
import { type Lent, SYSTEM } from './db.ts'
import { objectKey } from './operation-log.ts'
import { Refusal } from './refuse.ts'
import { makeCtx } from './serve.ts'
import type { FieldChange } from './tables.ts'

/** Account 0 is nobody's: what it did, the program did by itself. */
export const SYSTEM_ACTOR: Actor = {
  accountId: 0,
  agentId: 0,
  sessionId: 0,
  loginName: '',
  name: '系统',
  mobile: '',
  companyName: '',
  isOwner: false,
  isOperator: false,
  isVendorStaff: true,
  hasFullMenu: false,
  seesOwnShops: false,
  viewer: null,
  key: null,
  suspendedFor: null,
  mustChangePassword: false,
  permissions: new Set(),
  factor: NO_FACTOR,
}

/** What the program does by itself was asked for by nobody. */
export function requestOf(what: string): Request {
  return {
    id: what,
    ip: '',
    userAgent: '',
    ...NO_CALLER,
    setSession() {
      throw new Error('the system has no session')
    },
    setView() {
      throw new Error('the system looks through no account')
    },
    setDevice() {
      throw new Error('the system has no device')
    },
  }
}

/** Who calls in the program's own name, for what opens transactions of its own. */
export const systemCaller = (services: Services, what: string) => ({
  ...{ services, request: requestOf(what), actor: SYSTEM_ACTOR },
})

/** One transaction over the rows of all agents. `what` names the work in the operation log. */
export async function actAsSystem<T>(
  services: Services,
  what: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const made: ReturnType<typeof makeCtx>[] = []
  const result = await services.database.write(SYSTEM, (lent: Lent) => {
    const one = makeCtx(lent, { services, request: requestOf(what) }, SYSTEM_ACTOR)
    made.push(one)
    return work(one.ctx)
  })
  for (const { runAfterCommit } of made) runAfterCommit()
  return result
}

/**
 * One transaction of a public operation that is detached, in its caller's request; a refusal that keeps its writes keeps them here, too.
 */
export async function actForNobody<T>(
  { services, request }: Pick<Ctx, 'services' | 'request'>,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const made: ReturnType<typeof makeCtx>[] = []
  const keeps = (error: unknown) => error instanceof Refusal && error.keepsWrites
  const result = await services.database.write(
    SYSTEM,
    (lent: Lent) => {
      const one = makeCtx(lent, { services, request }, null)
      made.push(one)
      return work(one.ctx)
    },
    keeps,
  )
  for (const { runAfterCommit } of made) runAfterCommit()
  return result
}

/** Whether the work would go through, all of which is taken back; what refuses it, refuses here. */
export async function rehearse(
  ctx: Pick<Ctx, 'services' | 'request'>,
  work: (ctx: Ctx) => Promise<unknown>,
): Promise<void> {
  const undone = new Refusal('REHEARSED', '')
  try {
    await actForNobody(ctx, async one => {
      await work(one)
      throw undone
    })
  } catch (error) {
    if (error !== undone) throw error
  }
}

/** Reads over the rows of all agents, without a transaction. */
export function readAsSystem<T>(services: Services, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return services.database.read(SYSTEM, lent =>
    work(makeCtx(lent, { services, request: requestOf('read') }, SYSTEM_ACTOR).ctx),
  )
}

/**
 * The same unit of work in the name of another: for verbs that a public operation or the program calls for an agent. What they
 * note for the log goes to `noted`, not into this operation's row.
 */
export function inTheNameOf(ctx: Ctx, actor: Actor): { ctx: Ctx; noted: Noted } {
  const noted: Noted = { subject: '', changes: [], objects: [] }
  const own: Pick<Ctx, 'actor' | 'about' | 'note' | 'object' | 'nothingChanged'> = {
    actor,
    about: () => undefined,
    nothingChanged: () => undefined,
    note(subject, changes = []) {
      Object.assign(noted, { subject, changes })
    },
    object(kind, ...ids) {
      noted.objects.push(...ids.map(id => objectKey(kind, id)))
    },
  }
  return { ctx: Object.create(ctx, Object.getOwnPropertyDescriptors(own)) as Ctx, noted }
}

export type Noted = { subject: string; changes: FieldChange[]; objects: string[] }

/** The program, where it does for an agent what the agent's own people may do. */
export function systemOf(agent: { agentId: number; companyName?: string }): Actor {
  return { ...SYSTEM_ACTOR, isVendorStaff: false, companyName: '', ...agent }
}
