// What is still to be set up: every step is asked for what it reads now.
import { and, eq } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import type { SetupReading } from '#kit/ports/setup.ts'
import type { Ctx, SetupStep, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { setup as contract } from './contract.ts'
import { refusePuttingOff, SETUP_REFUSALS, settingLine } from './rules.ts'
import { setupPutOff } from './tables.ts'

type Row = Out<typeof contract.list>['steps'][number]

/** Those of whoever looks: the operator's people and a partner's owner have some. */
function stepsFor(ctx: Ctx): SetupStep[] {
  const { actor, services } = ctx
  if (services.env.demo || !(actor.isOperator || (actor.isOwner && !actor.isVendorStaff))) return []
  const whose = actor.isOperator ? 'operator' : 'partner'
  return services.setup.filter(step => step.for === whose && holds(ctx, step.permission))
}

const holds = ({ actor }: Ctx, permission: string) =>
  permission === 'session' || actor.permissions.has(permission)

const isNecessary = ({ optional }: SetupStep) => optional !== true

const own = ({ actor }: Ctx) =>
  and(eq(setupPutOff.accountId, actor.accountId), eq(setupPutOff.agentId, actor.agentId))

export async function listSteps(ctx: Ctx): Promise<Out<typeof contract.list>> {
  const readings = new Map<SetupStep, SetupReading>()
  const read = async (steps: readonly SetupStep[]) => {
    for (const step of steps) {
      const reading = await step.read(ctx)
      if (reading !== null) readings.set(step, reading)
    }
  }
  const steps = stepsFor(ctx)
  await read(steps.filter(isNecessary))
  // Every start page asks: an office that is set up is asked for no more.
  if ([...readings.values()].every(({ state }) => state === 'done')) return { steps: [] }
  await read(steps.filter(step => !isNecessary(step)))
  const putOff = await ctx.db.select({ step: setupPutOff.step }).from(setupPutOff).where(own(ctx))
  const rows = steps.flatMap((step): Row[] => {
    const reading = readings.get(step)
    if (!reading) return []
    const { state, words, settings = [], path = step.path } = reading
    const row: Row = {
      key: step.key,
      label: step.label,
      state,
      words,
      path,
      settings: settings.map(({ name, meaning, example }) => ({
        name,
        meaning,
        line: settingLine({ name, example }),
      })),
      isOptional: step.optional === true,
      isPutOff: step.optional === true && putOff.some(one => one.step === step.key),
    }
    return [row]
  })
  return { steps: rows }
}

const putOff: Verb<typeof contract.putOff> = async (ctx, { key, isPutOff }) => {
  const step = stepsFor(ctx).find(one => one.key === key)
  refuse(refusePuttingOff(step), SETUP_REFUSALS)
  const { accountId, agentId } = ctx.actor
  const changed = isPutOff
    ? await ctx.db
        .insert(setupPutOff)
        .values({ accountId, agentId, step: key, putOffAt: ctx.now.toISOString() })
        .onConflictDoNothing()
        .returning({ step: setupPutOff.step })
    : await ctx.db
        .delete(setupPutOff)
        .where(and(own(ctx), eq(setupPutOff.step, key)))
        .returning({ step: setupPutOff.step })
  if (changed.length === 0) ctx.nothingChanged()
  ctx.note(found(step).label, [
    { name: '推迟', before: isPutOff ? '否' : '是', after: isPutOff ? '是' : '否' },
  ])
  return { key, isPutOff }
}

export const setupRouter = serve(contract, { list: listSteps, putOff })
