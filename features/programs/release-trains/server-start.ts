// A release begins: which templates there are, whom it would reach and why not the others, and its rows.
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { nameOf } from '#features/programs/program-applications/server-save.ts'
import { TEMPLATE_TAGS, templatesFor } from '#features/programs/program-versions/rules.ts'
import type { In } from '#kit/declare/op.ts'
import { cleanLine, cleanLines } from '#kit/words/cleaned.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { insertRows } from '#server/insert-rows.ts'
import { found, refuse } from '#server/refuse.ts'
import type { releaseTrains as contract } from './contract.ts'
import { TRAIN_FIELDS } from './fields.ts'
import { BAR_KEYS, type Bar, barOf, brokenForm, LIMITS, TRAIN_REFUSALS, wavesOf } from './rules.ts'
import { eachProgram, type Program, refuseOthers } from './server-standing.ts'
import { lockMembership, subjectOf } from './server-steps.ts'
import { releaseTrainShops, releaseTrains as trains } from './tables.ts'

export const templates: Verb<typeof contract.templates> = async ({ services }) => {
  const all = await askPlatform(services, TRAIN_REFUSALS, platform => platform.templates())
  return { templates: TEMPLATE_TAGS.flatMap(tag => templatesFor(all, tag).map(one => ({ ...one, tag }))) }
}

type Asked = In<typeof contract.rehearse>
type Able = Pick<Program, 'applicationId' | 'agentId' | 'merchantId'>
type Group = { bar: Bar; shops: number; samples: { applicationId: number; shopName: string }[] }

async function judge(ctx: Ctx, { tag, version, ...range }: Asked) {
  const able: Able[] = []
  const groups = new Map<Bar, Group>()
  let chosen = 0
  await eachProgram(ctx, range, program => {
    const { applicationId, agentId, merchantId, shopName } = program
    chosen++
    const bar = barOf(program, { tag, version })
    if (bar === null) {
      able.push({ applicationId, agentId, merchantId })
      return
    }
    const group = groups.get(bar) ?? { bar, shops: 0, samples: [] }
    group.shops++
    if (group.samples.length < LIMITS.samples) group.samples.push({ applicationId, shopName })
    groups.set(bar, group)
  })
  return { chosen, able, bars: BAR_KEYS.flatMap(bar => groups.get(bar) ?? []) }
}

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, asked) => {
  refuseOthers(ctx)
  const { chosen, able, bars } = await judge(ctx, asked)
  return { chosen, able: able.length, bars }
}

export const start: Verb<typeof contract.start> = async (ctx, input) => {
  refuseOthers(ctx)
  const { templateId, version, tag, name, feedback, able: expected, ...rest } = input
  const { waveSize: size, haltPercent: percent, haltFrom: from, ...range } = rest
  const form = {
    ...{ name: cleanLine(name), feedback: cleanLines(feedback) },
    ...{ waveSize: size ?? 0, haltPercent: percent ?? -1, haltFrom: from ?? 0 },
  }
  const [broken] = brokenForm(form)
  if (broken) refuse(broken.code, TRAIN_REFUSALS, { field: broken.field })
  await lockMembership(ctx)
  const { able } = await judge(ctx, { templateId, version, tag, ...range })
  refuse(able.length === 0 ? 'NO_SHOPS' : null, TRAIN_REFUSALS)
  refuse(able.length > LIMITS.shops ? 'TOO_MANY' : null, TRAIN_REFUSALS)
  refuse(able.length === expected ? null : 'SHOPS_CHANGED', TRAIN_REFUSALS)
  const now = ctx.now.toISOString()
  const [row] = await ctx.db
    .insert(trains)
    .values({
      ...form,
      ...{ templateId, version, tag, filter: range, state: 'running', wave: 1 },
      ...{ waves: wavesOf(able.length, form.waveSize), shops: able.length, nextAt: now },
      ...{ createdBy: ctx.actor.accountId, createdByName: nameOf(ctx), createdAt: now, changedAt: now },
    })
    .returning()
  const train = found(row)
  await insertRows(
    ctx.client,
    releaseTrainShops,
    able.map((one, place) => ({
      ...one,
      ...{ trainId: train.id, wave: Math.floor(place / form.waveSize) + 1, state: 'waiting' as const },
      ...{ templateId, version, feedback: form.feedback, changedAt: now },
    })),
  )
  ctx.object('releaseTrain', train.id)
  ctx.note(subjectOf(train), [
    { name: TRAIN_FIELDS.version.label, before: null, after: `${tag} ${version}` },
    { name: TRAIN_FIELDS.shops.label, before: null, after: `${able.length} 家` },
    { name: TRAIN_FIELDS.waveSize.label, before: null, after: `${form.waveSize} 家` },
  ])
  ctx.afterCommit(() => ctx.services.wake('releaseTrains'))
  return { id: train.id, state: train.state }
}
