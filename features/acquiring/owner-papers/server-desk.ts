// The agent's and staff's side: links, what was handed in by them, sending it back, and taking it over by the verbs of those it is for.
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { DETAILS } from '#features/acquiring/onboardings/fields.ts'
import { REFUSALS as ONBOARDING_REFUSALS, refuseCompletion } from '#features/acquiring/onboardings/rules.ts'
import { gather } from '#features/acquiring/onboardings/server-known.ts'
import { complete } from '#features/acquiring/onboardings/server-save.ts'
import { PAPER_NAMES } from '#features/acquiring/payment-applications/rules.ts'
import { ofShop as applicationOf, findOpen } from '#features/acquiring/payment-applications/server-rows.ts'
import { nameOf, save as saveApplication } from '#features/acquiring/payment-applications/server-save.ts'
import { adoptDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { PAPER_SHOWN } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { ofShop as verificationOf } from '#features/care/verification/server-rows.ts'
import { keepProven } from '#features/care/verification/server-save.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { brokenOf } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { isMainlandMobile, maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { inTheNameOf, type Noted } from '#server/system.ts'
import { files } from '#server/tables.ts'
import type { ownerPapers as contract } from './contract.ts'
import { OWNER_PAPERS_FIELDS } from './fields.ts'
import {
  givenReasons,
  LIMITS,
  LINK_DAYS,
  OWNER_PAPER_NAMES,
  OWNER_PAPERS_STATES,
  OWNER_PAPERS_STEPS,
  type OwnerPapersState,
  ownerPapersFor,
  OWNER_PAPERS_REFUSALS as REFUSALS,
  reasonsText,
  refuseReasons,
  takes,
} from './rules.ts'
import { codeHash, newCode, type OwnerPapers } from './server-door.ts'
import { givenOf, openNumber } from './server-guests.ts'
import { ownerPaperParts as parts, ownerSessions as sessions, ownerPapers as table } from './tables.ts'

type Details = NonNullable<Out<typeof contract.ofShop>['standing']>
type Shop = Awaited<ReturnType<typeof lockMerchant>>

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [[shop], rows] = await together([
    ctx.db
      .select({ account: merchants.account, status: merchants.status })
      .from(merchants)
      .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId))),
    ctx.db
      .select()
      .from(table)
      .where(and(eq(table.merchantId, merchantId), ownRows(ctx, table.agentId)))
      .orderBy(desc(table.id))
      .limit(LIMITS.historyShown),
  ])
  const { account, status } = found(shop)
  const [last] = rows
  const standing = rows.find(({ endedAt, state }) => endedAt === null && state !== 'adopted') ?? last
  const code = status === 'disabled' ? 'MERCHANT_DISABLED' : refuseLink(standing)
  const messageCode = refuseMessage(ctx, account)
  return {
    standing: standing ? await shown(ctx, standing) : null,
    history: rows,
    messagePhone: isMainlandMobile(account) ? maskPhone(account) : '',
    messageRefusal: messageCode && REFUSALS[messageCode],
    linkRefusal: code && REFUSALS[code],
  }
}

function refuseMessage(ctx: Ctx, account: string): 'SMS_NONE' | 'PHONE_NOT_MOBILE' | null {
  if (ctx.services.providers.sms === null) return 'SMS_NONE'
  return isMainlandMobile(account) ? null : 'PHONE_NOT_MOBILE'
}

const refuseLink = (standing: OwnerPapers | undefined): 'SUBMITTED_ALREADY' | null =>
  standing?.state === 'submitted' && standing.endedAt === null ? 'SUBMITTED_ALREADY' : null

export const details: Verb<typeof contract.details> = async (ctx, { id }) =>
  shown(ctx, await findRow(ctx, id))

async function findRow(ctx: Ctx, id: number): Promise<OwnerPapers> {
  const [row] = await ctx.db
    .select()
    .from(table)
    .where(and(eq(table.id, id), ownRows(ctx, table.agentId)))
  return found(row)
}

async function shown(ctx: Ctx, row: OwnerPapers): Promise<Details> {
  const ids = OWNER_PAPER_NAMES.flatMap(name => row[name] ?? [])
  const [[shop], papers] = await together([
    ctx.db
      .select({ shopName: merchants.shopName })
      .from(merchants)
      .where(and(eq(merchants.id, row.merchantId), ownRows(ctx, merchants.agentId))),
    ctx.db
      .select(PAPER_SHOWN)
      .from(documents)
      .leftJoin(files, eq(files.id, documents.fileId))
      .where(and(inArray(documents.id, ids), ownRows(ctx, documents.agentId))),
  ])
  // A draft is the owner's own until he hands it in.
  const isHis = row.submittedAt === null
  return {
    ...row,
    shopName: found(shop).shopName,
    given: isHis ? { ...NOTHING, payType: row.payType } : givenOf(row, row.phone),
    papers: isHis
      ? []
      : ownerPapersFor(row.payType).flatMap(name =>
          papers.filter(({ id }) => id === row[name]).map(paper => ({ name, ...paper })),
        ),
  }
}

const NOTHING = {
  ...{ company: '', creditCode: '', legalPerson: '', personInCharge: '', email: '', bankName: '' },
  ...{ branchName: '', phone: '', idNumberMasked: '', accountNumberMasked: '' },
}

export const makeLink: Verb<typeof contract.makeLink> = async (ctx, { merchantId }) => {
  const shop = await ownShop(ctx, merchantId)
  const [standing] = await ctx.db
    .select()
    .from(table)
    .where(and(eq(table.merchantId, merchantId), stands(), ownRows(ctx, table.agentId)))
  refuse(refuseLink(standing), REFUSALS)
  if (standing) await end(ctx, standing)
  const code = newCode()
  const now = ctx.now.getTime()
  const expiresAt = inDays(now)
  const [made] = await ctx.db
    .insert(table)
    .values({
      ...{ agentId: shop.agentId, merchantId, tokenHash: codeHash(ctx, code) },
      ...{ createdBy: ctx.actor.accountId, createdByName: nameOf(ctx) },
      ...{ createdAt: new Date(now).toISOString(), expiresAt },
    })
    .returning({ id: table.id })
  ctx.note(subjectOf(shop), [
    {
      name: '店主资料链接',
      before: standing ? '原链接' : null,
      after: `${formatDay(expiresAt)}前有效${standing ? '，原链接已失效' : ''}`,
    },
  ])
  return { id: found(made).id, code, url: urlOf(ctx, code), expiresAt }
}

const stands = () => and(isNull(table.endedAt), inArray(table.state, ['draft', 'submitted', 'returned']))
const subjectOf = ({ id, shopName }: Pick<Shop, 'id' | 'shopName'>) => `${shopName} (${id})`
const urlOf = (ctx: Ctx, code: string) => `${ctx.services.baseUrl()}/o/${code}`
const inDays = (fromMs: number) => new Date(fromMs + LINK_DAYS * 86_400_000).toISOString()

/** Locked, so that one is made at a time. */
async function ownShop(ctx: Ctx, merchantId: number): Promise<Shop> {
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  return shop
}

/** Phones that were let in are let out with it. */
async function end(ctx: Ctx, { id }: OwnerPapers): Promise<void> {
  await ctx.db
    .update(table)
    .set({ endedAt: ctx.now.toISOString(), endedByName: nameOf(ctx) })
    .where(and(eq(table.id, id), ownRows(ctx, table.agentId)))
  await ctx.db.delete(sessions).where(and(eq(sessions.ownerPapersId, id), ownRows(ctx, sessions.agentId)))
  await ctx.db.delete(parts).where(and(eq(parts.ownerPapersId, id), ownRows(ctx, parts.agentId)))
}

/** The row of a shop that is locked before it. */
async function lockRow(ctx: Ctx, id: number): Promise<{ shop: Shop; row: OwnerPapers }> {
  const { merchantId } = await findRow(ctx, id)
  const shop = await lockMerchant(ctx, merchantId)
  return { shop, row: await findRow(ctx, id) }
}

export const sendLink: Verb<typeof contract.sendLink> = async (ctx, { id, code }) => {
  const { shop, row } = await lockRow(ctx, id)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const isEnded = row.endedAt !== null || Date.parse(row.expiresAt) <= ctx.now.getTime()
  refuse(isEnded ? 'LINK_ENDED' : null, REFUSALS)
  refuse(codeHash(ctx, code).equals(row.tokenHash) ? null : 'LINK_OTHER', REFUSALS)
  refuse(refuseMessage(ctx, shop.account), REFUSALS)
  refuse(row.messages >= LIMITS.messages ? 'MESSAGES_TOO_MANY' : null, REFUSALS)
  await ctx.db
    .update(table)
    .set({ messages: row.messages + 1 })
    .where(and(eq(table.id, id), ownRows(ctx, table.agentId)))
  await queueMessages(ctx, [
    {
      ...{ agentId: shop.agentId, merchantId: shop.id, kind: 'owner-link', phone: shop.account },
      template: 'owner-link',
      params: { shop: shop.shopName, address: urlOf(ctx, ''), code },
      expiresAt: row.expiresAt,
    },
  ])
  const phone = maskPhone(shop.account)
  ctx.note(subjectOf(shop), [{ name: '手机号', before: null, after: phone }])
  return { phone }
}

export const callOff: Verb<typeof contract.callOff> = async (ctx, { id }) => {
  const { shop, row } = await lockRow(ctx, id)
  refuse(refuseLink(row), REFUSALS)
  refuse(row.endedAt !== null || row.state === 'adopted' ? 'LINK_ENDED' : null, REFUSALS)
  await end(ctx, row)
  ctx.note(subjectOf(shop), [{ name: '店主资料链接', before: '有效', after: '已作废' }])
  return { id }
}

export const see: Verb<typeof contract.see> = async (ctx, { id }) => {
  await ctx.db
    .update(table)
    .set({ seenAt: ctx.now.toISOString(), seenByName: nameOf(ctx) })
    .where(
      and(eq(table.id, id), eq(table.state, 'submitted'), isNull(table.seenAt), ownRows(ctx, table.agentId)),
    )
  await findRow(ctx, id)
  return { id }
}

/** Refuses whoever comes second, or looked at what was handed in before. */
async function lockSubmitted(ctx: Ctx, id: number, revision: number) {
  const { shop, row } = await lockRow(ctx, id)
  refuse(row.endedAt !== null || !takes(row.state, 'adopt') ? 'NOT_SUBMITTED' : null, REFUSALS)
  if (row.revision !== revision) refuseCommon('STALE')
  return { shop, row }
}

const stateChange = (before: OwnerPapersState, after: OwnerPapersState) => ({
  name: OWNER_PAPERS_FIELDS.state.label,
  before: OWNER_PAPERS_STATES[before],
  after: OWNER_PAPERS_STATES[after],
})

export const sendBack: Verb<typeof contract.sendBack> = async (ctx, { id, revision, reasons: said }) => {
  const { shop, row } = await lockSubmitted(ctx, id, revision)
  refuse(refuseReasons(said), REFUSALS, { field: 'reasons' })
  const reasons = givenReasons(said)
  const { from, to } = OWNER_PAPERS_STEPS.sendBack
  const now = ctx.now.toISOString()
  await ctx.db
    .update(table)
    .set({
      ...{ state: to, revision: revision + 1, reasons, expiresAt: inDays(ctx.now.getTime()) },
      ...{ handledByName: nameOf(ctx), handledAt: now },
    })
    .where(and(eq(table.id, id), inArray(table.state, [...from]), ownRows(ctx, table.agentId)))
  const isTold = ctx.services.providers.sms !== null
  if (isTold)
    await queueMessages(ctx, [
      {
        ...{ agentId: shop.agentId, merchantId: shop.id, kind: 'shop-notice', phone: row.phone },
        template: 'owner-papers-returned',
        params: { shop: shop.shopName, day: formatDay(inDays(ctx.now.getTime())) },
      },
    ])
  ctx.note(subjectOf(shop), [
    stateChange(row.state, to),
    { name: '退回原因', before: null, after: reasonsText(reasons) },
    ...(isTold ? [] : [{ name: '短信通知', before: null, after: '未发送：未开通短信服务' }]),
  ])
  return { id, state: to, isTold }
}

export const adopt: Verb<typeof contract.adopt> = async (ctx, { id, revision }) => {
  const { shop, row } = await lockSubmitted(ctx, id, revision)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  const papers = ownerPapersFor(row.payType).flatMap(name => row[name] ?? [])
  await adoptDocuments(ctx, shop.id, papers)
  const noted: Noted[] = []
  const hasPermits = row.tradePermitId !== null || row.certificateId !== null
  const outcomes = [
    ...[await intoVerification(ctx, row, noted), await intoApplication(ctx, row, noted)],
    ...(hasPermits ? ['行业资质已存入证件资料，提交支付服务时一并使用'] : []),
  ]
  const outcome = outcomes.join('；')
  const { from, to } = OWNER_PAPERS_STEPS.adopt
  await ctx.db
    .update(table)
    .set({
      ...{ state: to, revision: revision + 1, outcome },
      ...{ handledByName: nameOf(ctx), handledAt: ctx.now.toISOString() },
    })
    .where(and(eq(table.id, id), inArray(table.state, [...from]), ownRows(ctx, table.agentId)))
  // Who took it over uses them from now on.
  await takeInUse(ctx, shop.id, { feature: 'ownerPapers', objectId: id }, [])
  for (const { objects } of noted)
    for (const object of objects) {
      const [kind = '', of = ''] = object.split(':')
      ctx.object(kind as Parameters<Ctx['object']>[0], Number(of))
    }
  ctx.about(shop.agentId, shop.id)
  ctx.note(subjectOf(shop), [
    stateChange(row.state, to),
    { name: '采用结果', before: null, after: outcome },
    ...noted.flatMap(({ changes }) => changes),
  ])
  return { id, outcome }
}

/** What the owner did not give stays as it is. */
async function intoVerification(ctx: Ctx, row: OwnerPapers, noted: Noted[]): Promise<string> {
  if (!ctx.actor.permissions.has('verification.edit')) return '实名资料未带入：没有填写权限'
  const { merchantId } = row
  const known = await verificationOf(ctx, { merchantId })
  if (known.editRefusal !== null) return `实名资料未带入：${known.editRefusal}`
  const paperOf = (name: (typeof known.papers)[number]['name']) =>
    row[name] ?? known.papers.find(paper => paper.name === name)?.id ?? null
  const named = inTheNameOf(ctx, ctx.actor)
  await keepProven(
    named.ctx,
    {
      ...{ merchantId, revision: known.revision, signature: known.signature, phone: row.phone },
      company: row.company || known.company,
      creditCode: row.creditCode || known.creditCode,
      legalPerson: row.legalPerson || known.legalPerson,
      personInCharge: row.personInCharge || known.personInCharge,
      idNumber: openNumber(ctx, row.idNumber) || null,
      ...{ licenceId: paperOf('licenceId'), idFrontId: paperOf('idFrontId'), idBackId: paperOf('idBackId') },
      explanations: Object.fromEntries(
        known.warnings.filter(({ explanation }) => explanation !== '').map(one => [one.key, one.explanation]),
      ),
      ...{ code: '', requestId: null },
    },
    row.submittedAt,
  )
  noted.push(named.noted)
  return '已带入实名资料'
}

/** With the bank account, which is completed of the application. */
async function intoApplication(ctx: Ctx, row: OwnerPapers, noted: Noted[]): Promise<string> {
  if (!ctx.actor.permissions.has('paymentApplications.edit')) return '支付申请未带入：没有填写权限'
  const { merchantId } = row
  const known = await applicationOf(ctx, { merchantId })
  if (known.editRefusal !== null) return `支付申请未带入：${known.editRefusal}`
  const isSameBank = known.bankName === row.bankName
  const isSameBranch = isSameBank && known.branchName === row.branchName
  const papers = PAPER_NAMES.map(name => [
    name,
    row[name] ?? known.papers.find(paper => paper.name === name)?.id ?? null,
  ])
  const named = inTheNameOf(ctx, ctx.actor)
  await saveApplication(named.ctx, {
    ...{ merchantId, revision: known.revision, payType: row.payType, phone: row.phone },
    ...{ email: row.email, bankRegion: known.bankRegion, bankName: row.bankName },
    ...{ bankCode: isSameBank ? known.bankCode : '', branchName: row.branchName },
    branchNumber: isSameBranch ? known.branchNumber : '',
    ...(Object.fromEntries(papers) as Record<(typeof PAPER_NAMES)[number], number | null>),
  })
  noted.push(named.noted)
  const lost = await intoAccount(ctx, row, noted)
  return lost === null ? '已带入支付申请' : `已带入支付申请，银行账号未带入：${lost}`
}

/** What is completed of the application beside its number stays, or begins as what is known; answers why it cannot be now. */
async function intoAccount(ctx: Ctx, row: OwnerPapers, noted: Noted[]): Promise<string | null> {
  const accountNumber = openNumber(ctx, row.accountNumber)
  if (accountNumber === '') return null
  const application = found(await findOpen(ctx, row.merchantId))
  const { details: known, row: before } = await gather(ctx, application)
  const code = refuseCompletion(before?.state ?? null, application.reviewState)
  if (code !== null) return ONBOARDING_REFUSALS[code]
  // What the shop says of itself may be longer than the service takes it.
  const long = brokenOf(DETAILS, { ...known, accountNumber }).map(({ field }) => [field, ''])
  const { subjectKind, licenceAddress, licenceFrom, licenceTo, isLicenceLongTerm, ...others } = {
    ...known,
    ...(Object.fromEntries(long) as Partial<typeof known>),
  }
  const { idFrom, idTo, isIdLongTerm, idAddress, isOwner, shortName, servicePhone, category } = others
  const named = inTheNameOf(ctx, ctx.actor)
  await complete(named.ctx, {
    ...{ id: application.id, revision: before?.revision ?? 0, accountNumber },
    ...{ subjectKind, licenceAddress, licenceFrom, licenceTo, isLicenceLongTerm },
    ...{ idFrom, idTo, isIdLongTerm, idAddress, isOwner, shortName, servicePhone, category },
  })
  noted.push(named.noted)
  return null
}
