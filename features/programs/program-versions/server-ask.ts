// What people have done about the code of a mini program. None of it waits for the platform: what is asked for is kept, and asked by server-rounds.ts.
import { nameOf } from '#features/programs/program-applications/server-save.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { programVersions as contract } from './contract.ts'
import {
  DEEDS,
  type Deed,
  domainsWanted,
  hasBoard,
  mayOf,
  preflightOf,
  redText,
  refuseFeedback,
  refuseWithdrawal,
  templateTagOf,
  VERSION_REFUSALS,
  type VersionRefusal,
} from './rules.ts'
import { changeCode, type Locked, lockCode, withdrawalsOf } from './server-codes.ts'
import type { DeedArgs } from './tables.ts'

/** Keeps that it is asked for; the same again changes nothing, another meanwhile is refused. `refusal`: of what stands. */
async function ask(
  ctx: Ctx,
  id: number,
  deed: Deed,
  args: DeedArgs,
  refusal: (locked: Locked) => VersionRefusal | null | Promise<VersionRefusal | null>,
): Promise<{ deed: Deed }> {
  const locked = await lockCode(ctx, id)
  const { shop, row, code } = locked
  ctx.object('programApplication', row.id)
  ctx.note(`${shop.shopName} (${shop.id})`, noteOf(deed, args))
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const given = { ...args, byName: nameOf(ctx) }
  if (code.deed === deed && sameArgs(code.args, args)) {
    ctx.nothingChanged()
    return { deed }
  }
  // Reading only is given up for what somebody wants to have done.
  refuse(code.deed === '' || code.deed === 'read' ? null : 'BUSY', VERSION_REFUSALS)
  refuse(await refusal(locked), VERSION_REFUSALS)
  await changeCode(ctx, code, {
    ...{ deed, args: given, message: '', tries: 0, claim: '', nextAt: ctx.now.toISOString() },
  })
  return { deed }
}

const sameArgs = ({ byName: _, isQuiet: _q, ...kept }: DeedArgs, asked: DeedArgs) =>
  JSON.stringify(Object.entries(kept).toSorted()) === JSON.stringify(Object.entries(asked).toSorted())

function noteOf(deed: Deed, { templateId, version, feedback }: DeedArgs): Parameters<Ctx['note']>[1] {
  const told =
    templateId !== undefined
      ? `模板 ${templateId}`
      : version !== undefined
        ? `版本 ${version}`
        : (feedback ?? '')
  return told === '' ? [] : [{ name: DEEDS[deed], before: '', after: told }]
}

const mayNow = ({ flow, audit, code }: Locked) =>
  mayOf(flow.state, audit, { hasCode: code.version !== '', releases: code.known?.releases.length ?? 0 })
const unless = (holds: boolean, code: VersionRefusal): VersionRefusal | null => (holds ? null : code)
const seen = ({ audit }: Locked, auditId: number) => unless(audit?.auditId === auditId, 'OTHER_AUDIT')

export const look: Verb<typeof contract.look> = async (ctx, { id }) => {
  const { code, flow } = await lockCode(ctx, id)
  refuse(hasBoard(flow.state) ? null : 'NOT_NOW', VERSION_REFUSALS)
  // What is being asked is read with it.
  if (code.deed === '')
    await changeCode(ctx, code, {
      ...{ deed: 'read', args: {}, message: '', tries: 0, claim: '', nextAt: ctx.now.toISOString() },
    })
  return { deed: 'read' }
}

export const setCode: Verb<typeof contract.setCode> = (ctx, { id, templateId }) =>
  ask(ctx, id, 'commit', { templateId }, locked =>
    !mayNow(locked).setCode
      ? 'NOT_NOW'
      : unless(templateTagOf(locked.row.programType) !== null, 'NO_TEMPLATE'),
  )

export const declarePrivacy: Verb<typeof contract.declarePrivacy> = (ctx, { id }) =>
  ask(ctx, id, 'privacy', {}, ({ flow, code }) =>
    unless(hasBoard(flow.state) && code.version !== '', 'NOT_NOW'),
  )

export const setDomains: Verb<typeof contract.setDomains> = (ctx, { id }) =>
  ask(ctx, id, 'domains', {}, ({ flow }) => unless(hasBoard(flow.state), 'NOT_NOW'))

export const submit: Verb<typeof contract.submit> = async (ctx, { id, feedback }) => {
  refuse(refuseFeedback(feedback), VERSION_REFUSALS, { field: 'feedback' })
  return ask(ctx, id, 'submit', { feedback }, locked => {
    const { known, version } = locked.code
    if (!mayNow(locked).submit) return 'NOT_NOW'
    const wanted = domainsWanted(ctx.services.baseUrl())
    if (known === null || redText(preflightOf(known, version, wanted)) !== null) return 'NOT_READY'
    return unless(known.quota.left > 0, 'NO_AUDIT_LEFT')
  })
}

export const withdraw: Verb<typeof contract.withdraw> = (ctx, { id, auditId }) =>
  ask(ctx, id, 'withdraw', {}, async locked =>
    seen(locked, auditId) !== null
      ? 'OTHER_AUDIT'
      : mayNow(locked).withdraw
        ? refuseWithdrawal(await withdrawalsOf(ctx, locked.code.appid))
        : 'NOT_NOW',
  )

export const speedUp: Verb<typeof contract.speedUp> = (ctx, { id, auditId }) =>
  ask(ctx, id, 'speedUp', {}, locked => {
    if (seen(locked, auditId) !== null) return 'OTHER_AUDIT'
    if (locked.audit?.isSpedUp) return 'SPED_UP_ALREADY'
    if (!mayNow(locked).speedUp) return 'NOT_NOW'
    return unless((locked.code.known?.quota.speedUpsLeft ?? 1) > 0, 'NO_SPEED_UP_LEFT')
  })

export const release: Verb<typeof contract.release> = (ctx, { id, auditId }) =>
  ask(ctx, id, 'release', {}, locked => seen(locked, auditId) ?? unless(mayNow(locked).release, 'NOT_PASSED'))

export const rollBack: Verb<typeof contract.rollBack> = async (ctx, { id, appVersion }) => {
  const { code } = await lockCode(ctx, id)
  const to =
    code.known?.releases.find(one => one.appVersion === appVersion)?.version ??
    (code.args.appVersion === appVersion ? code.args.version : undefined)
  refuse(to === undefined ? 'NOT_A_RELEASE' : null, VERSION_REFUSALS)
  return ask(ctx, id, 'rollBack', { appVersion, version: to ?? '' }, locked =>
    unless(mayNow(locked).rollBack, 'NOT_A_RELEASE'),
  )
}
