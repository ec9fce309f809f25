// The agency's own data: what it may change and what it is told.
import { eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AGENT_PROFILE_FIELDS } from '#features/office/agents/fields.ts'
import { isDomainTaken, lockOwnAgent, updateOwnAgent } from '#features/office/agents/server-own.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { isOfferedDistrict, regionsOf } from '#features/office/regions/server.ts'
import { picked } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { agentProfile as contract } from './contract.ts'
import { asDomain, brokenProfile, PROFILE_REFUSALS, type ProfileRefusal, refuseDomain } from './rules.ts'
import { changePhone, sendPhoneCode } from './server-phone.ts'

const parents = alias(agents, 'parents')

export const find: Verb<typeof contract.find> = async ctx => {
  const { actor, services } = ctx
  const [row] = await ctx.db
    .select({
      agent: agents,
      level: agentLevels,
      discountBasisPoints: discountNow(),
      parentName: parents.companyName,
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .leftJoin(parents, eq(parents.id, agents.parentId))
    .where(eq(agents.id, actor.agentId))
  const { agent, level, discountBasisPoints, parentName } = found(row)
  return {
    ...agent,
    agentId: agent.id,
    levelName: level.name,
    discountBasisPoints,
    parentName,
    mobile: maskPhone(agent.mobile),
    domainSuffix: services.env.agentDomainSuffix ?? null,
    ownPhone: maskPhone(actor.mobile),
  }
}

const LOGGED = picked(AGENT_PROFILE_FIELDS, [
  ...(['contactName', 'telephone', 'address', 'domainLabel', 'hotline', 'qq', 'wechat'] as const),
])

export const change: Verb<typeof contract.change> = async (ctx, { domainLabel: typed, ...input }) => {
  const broken = brokenProfile({ ...input, domainLabel: typed })[0]
  if (broken) refuseField(broken.code, broken.field)
  if (brokenOf(AGENT_PROFILE_FIELDS, input).length > 0) refuseCommon('INPUT_INVALID')
  const before = await lockOwnAgent(ctx)
  const domainLabel = asDomain(typed) || null
  const regions = await regionsOf(ctx)
  if (input.districtCode !== '' && input.districtCode !== before.districtCode)
    if (!(await isOfferedDistrict(ctx, input.districtCode))) refuseField('REGION_UNKNOWN', 'districtCode')
  if (domainLabel !== null && domainLabel !== before.domainLabel)
    refuseField(await refuseTaken(ctx, domainLabel), 'domainLabel')
  if (
    input.logoId !== null &&
    input.logoId !== before.logoId &&
    !(await isUploaded(ctx, input.logoId, 'logo'))
  )
    refuseField('LOGO_UNKNOWN', 'logoId')
  const after = { ...input, domainLabel }
  const changes: FieldChange[] = changesOf(before as Record<string, unknown>, after, LOGGED)
  if (input.districtCode !== before.districtCode)
    changes.push({
      name: AGENT_PROFILE_FIELDS.districtCode.label,
      before: regions.regionName(before.districtCode),
      after: regions.regionName(input.districtCode),
    })
  if (input.logoId !== before.logoId)
    changes.push({
      name: AGENT_PROFILE_FIELDS.logoId.label,
      before: before.logoId && '已上传',
      after: input.logoId && '新图片',
    })
  ctx.object('agent', before.id)
  ctx.note(`${before.companyName} (${before.id})`, changes)
  if (changes.length === 0) ctx.nothingChanged()
  else if ((await updateOwnAgent(ctx, after)) === 'taken') refuseField('DOMAIN_TAKEN', 'domainLabel')
  return { done: true }
}

export const findDomain: Verb<typeof contract.domain> = async (ctx, input) => ({
  refusal: await refuseTaken(ctx, asDomain(input.label)),
})

async function refuseTaken(ctx: Ctx, label: string): Promise<ProfileRefusal | null> {
  if (ctx.services.env.agentDomainSuffix === undefined) return 'DOMAIN_OFF'
  return refuseDomain(label) ?? ((await isDomainTaken(ctx, label)) ? 'DOMAIN_TAKEN' : null)
}

function refuseField(code: ProfileRefusal | null, field: string): void {
  refuse(code, PROFILE_REFUSALS, { field })
}

export const agentProfileRouter = serve(contract, {
  find,
  change,
  domain: findDomain,
  sendPhoneCode,
  changePhone,
})
