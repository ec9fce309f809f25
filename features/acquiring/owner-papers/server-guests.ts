// The owner's own side but for pictures: the page, the code to the phone, what is typed, and what is signed.
import { and, count, desc, eq, gt, inArray, ne } from 'drizzle-orm'
import { maskAccount } from '#features/acquiring/onboardings/rules.ts'
import { gather } from '#features/acquiring/onboardings/server-known.ts'
import { findOpen } from '#features/acquiring/payment-applications/server-rows.ts'
import { maskNumber } from '#features/care/documents/rules.ts'
import { useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { documents } from '#features/care/documents/tables.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { CODE_RESEND } from '#features/shops/messages/rules.ts'
import { lockReceiver, redeemCode, sendCodeTo } from '#features/shops/messages/server-codes.ts'
import { verificationCodes } from '#features/shops/messages/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { cleanCode, lengthOf } from '#kit/words/cleaned.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { keepWritten, type WrittenPicture, writePicture } from '#server/files.ts'
import { settingOf } from '#server/office/settings.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { actForNobody, rehearse } from '#server/system.ts'
import type { ownerPapers as contract } from './contract.ts'
import { OWNER_PAPERS_FIELDS } from './fields.ts'
import {
  brokenOwner,
  GUEST_REFUSALS,
  LIMITS,
  messageOf,
  OWNER_NUMBER_KEYS,
  OWNER_PAPER_NAMES,
  OWNER_PAPERS_STATES,
  OWNER_PAPERS_STEPS,
  OWNER_TEXT_KEYS,
  type OwnerForm,
  type OwnerNumber,
  ownerPapersFor,
  type PermitsAsked,
  REASON_FIELDS,
  refuseOwnerPhone,
  statementText,
} from './rules.ts'
import {
  asOwner,
  inside,
  insideLocked,
  isInside,
  letIn,
  noteOwner,
  type Opened,
  type OwnerPapers,
  openedBy,
  ownerOf,
  refuseHandedIn,
  sha256Of,
  subjectOf,
} from './server-door.ts'
import { ownerPapers as table } from './tables.ts'

/** The purpose of the signature's picture. */
export const SIGNATURE_FILE = 'ownerSignature'
const SHOP = '/admin/merchant/merchantDetails?user_id='

export const readPage: Verb<typeof contract.page> = async (ctx, { code }) => {
  const opened = await openedBy(ctx, code)
  const { row, shopName, agentName } = opened
  return {
    ...{ shopName, agentName, expiresAt: row.expiresAt, hasPhone: row.phone !== '' },
    form: (await isInside(ctx, opened)) ? await formOf(ctx, opened) : null,
  }
}

export const givenOf = (row: OwnerPapers, phone: string) => ({
  ...{ payType: row.payType, company: row.company, creditCode: row.creditCode, legalPerson: row.legalPerson },
  ...{ personInCharge: row.personInCharge, email: row.email, bankName: row.bankName },
  ...{ branchName: row.branchName, phone },
  ...{ idNumberMasked: row.idNumberMasked, accountNumberMasked: row.accountNumberMasked },
})

async function formOf(ctx: Ctx, opened: Opened): Promise<Out<typeof contract.page>['form']> {
  const { row } = opened
  const statement = await statementOf(ctx, opened)
  return {
    ...{ state: row.state, reasons: row.reasons, submittedAt: row.submittedAt },
    given: givenOf(row, maskPhone(row.phone)),
    papers: OWNER_PAPER_NAMES.filter(name => row[name] !== null),
    permits: await permitsAsked(ctx, opened),
    isRead: ctx.services.providers.ocr !== null,
    ...{ statement, statementHash: sha256Of(statement), isSeen: row.seenAt !== null },
  }
}

/** Once the line of business is chosen of the application that stands. */
async function permitsAsked(ctx: Ctx, opened: Opened): Promise<PermitsAsked> {
  const named = asOwner(ctx, opened)
  const application = await findOpen(named, opened.row.merchantId)
  if (!application) return { words: '', areRequired: false }
  const { category, qualifications } = (await gather(named, application)).known
  return {
    words: category?.papers ?? '',
    areRequired: category?.arePapersRequired === true && qualifications === 0,
  }
}

/** What is signed, as it would be now. */
async function statementOf(ctx: Ctx, { row, shopName, agentName }: Opened): Promise<string> {
  const asked = ownerPapersFor(row.payType).filter(name => row[name] !== null)
  const ids = asked.map(name => row[name] as number)
  const rows =
    ids.length === 0
      ? []
      : await ctx.db
          .select({ id: documents.id, sha256: documents.sha256 })
          .from(documents)
          .where(and(inArray(documents.id, ids), eq(documents.agentId, row.agentId)))
  return statementText({
    ...{ ...row, shopName, agentName, phoneMasked: maskPhone(row.phone) },
    papers: asked.flatMap(name =>
      rows.filter(({ id }) => id === row[name]).map(({ sha256 }) => ({ name, sha256 })),
    ),
  })
}

export const sendCode: Verb<typeof contract.sendCode> = async (
  ctx,
  { code, purpose, phone: typed, captcha },
) => {
  const opened = await openedBy(ctx, code)
  const { row } = opened
  if (purpose === 'ownerSignature' && !(await isInside(ctx, opened)))
    throw new Refusal('SIGNED_OUT', GUEST_REFUSALS.SIGNED_OUT)
  // Where a phone was given first, the code goes there, whatever is typed now.
  const phone = row.phone || typed
  refuse(refuseOwnerPhone(phone), GUEST_REFUSALS, { field: 'phone' })
  // Before the puzzle is used up: nobody could ever get the code.
  refuse(ctx.services.providers.sms === null ? 'CODES_NONE' : null, GUEST_REFUSALS)
  await redeemPass(ctx, { scene: 'owner', subject: code, token: captcha })
  const named = asOwner(ctx, opened)
  const receiver = await lockReceiver(named, row.merchantId)
  const [sent] = await ctx.db
    .select({ today: count() })
    .from(verificationCodes)
    .where(
      and(
        eq(verificationCodes.merchantId, row.merchantId),
        inArray(verificationCodes.purpose, ['ownerEntry', 'ownerSignature']),
        gt(verificationCodes.createdAt, new Date(ctx.now.getTime() - 86_400_000).toISOString()),
      ),
    )
  refuse((sent?.today ?? 0) >= LIMITS.codesPerDay ? 'CODES_TOO_MANY' : null, GUEST_REFUSALS)
  await sendCodeTo(named, { ...receiver, account: phone, id: row.merchantId }, purpose)
  noteOwner(ctx, opened, [{ name: '手机号', before: null, after: maskPhone(phone) }])
  return { secondsLeft: await settingOf(ctx, CODE_RESEND), inboxUrl: ctx.services.providers.inboxUrl }
}

export const enter: Verb<typeof contract.enter> = async (ctx, { code, phone: typed, typed: sent }) => {
  const opened = await openedBy(ctx, code)
  const { row } = opened
  const phone = row.phone || typed
  refuse(refuseOwnerPhone(phone), GUEST_REFUSALS, { field: 'phone' })
  const named = asOwner(ctx, opened)
  await redeemCode(named, { merchantId: row.merchantId, purpose: 'ownerEntry', code: sent, phone })
  if (row.phone === '') await takePhone(named, opened, phone)
  noteOwner(ctx, opened, [{ name: '手机号', before: null, after: maskPhone(phone) }])
  return letIn(ctx, opened)
}

/** The first phone that proves itself is the link's; what it had entered at an earlier link of the shop goes on here. */
async function takePhone(ctx: Ctx, { row }: Opened, phone: string): Promise<void> {
  const { id, agentId, merchantId } = row
  const taken = await ctx.db
    .update(table)
    .set({ phone })
    .where(and(eq(table.id, id), eq(table.phone, '')))
    .returning({ id: table.id })
  // Somebody else was first, with another phone.
  refuse(taken.length === 0 ? 'PHONE_WRONG' : null, GUEST_REFUSALS, { field: 'phone' })
  const [earlier] = await ctx.db
    .select()
    .from(table)
    .where(
      and(
        eq(table.merchantId, merchantId),
        eq(table.agentId, agentId),
        eq(table.phone, phone),
        inArray(table.state, ['draft', 'returned']),
        ne(table.id, id),
      ),
    )
    .orderBy(desc(table.id))
    .limit(1)
  if (!earlier) return
  const papers = Object.fromEntries(OWNER_PAPER_NAMES.map(name => [name, earlier[name]]))
  const { phone: _, idNumberMasked, accountNumberMasked, ...texts } = givenOf(earlier, '')
  await ctx.db
    .update(table)
    .set({
      ...texts,
      ...papers,
      ...{ idNumberMasked, accountNumberMasked, idNumber: earlier.idNumber, sent: earlier.sent },
      ...{ accountNumber: earlier.accountNumber, reasons: earlier.reasons },
    })
    .where(eq(table.id, id))
  const ids = OWNER_PAPER_NAMES.flatMap(name => earlier[name] ?? [])
  await takeInUse(ctx, merchantId, { feature: 'ownerPapers', objectId: id }, ids)
  await takeInUse(ctx, merchantId, { feature: 'ownerPapers', objectId: earlier.id }, [])
}

const TEXT_MOST = 100

export const save: Verb<typeof contract.save> = async (ctx, { code, payType, ...given }) => {
  const opened = await insideLocked(ctx, code)
  refuseHandedIn(opened)
  const texts = OWNER_TEXT_KEYS.flatMap(key => {
    const text = given[key]
    if (text === undefined) return []
    refuse(lengthOf(text) > TEXT_MOST ? 'TEXT_TOO_LONG' : null, GUEST_REFUSALS, { field: key })
    return [[key, key === 'creditCode' ? text.toUpperCase() : text]]
  })
  const numbers = OWNER_NUMBER_KEYS.flatMap(key => {
    const text = given[key]
    return text === undefined ? [] : [sealedNumber(ctx, key, text)]
  })
  const set: Partial<OwnerPapers> = Object.assign(
    Object.fromEntries(texts),
    ...numbers,
    payType === undefined ? {} : { payType },
  )
  if (Object.keys(set).length > 0)
    await ctx.db
      .update(table)
      .set({ ...set })
      .where(eq(table.id, opened.row.id))
  const { idNumberMasked, accountNumberMasked } = { ...opened.row, ...set }
  return { idNumberMasked, accountNumberMasked }
}

/** As it lies in the row: encrypted, and masked for who looks. A masked one that comes back is none. */
export function sealedNumber(ctx: Ctx, key: OwnerNumber, text: string): Partial<OwnerPapers> {
  const number = cleanCode(text).toUpperCase()
  refuse(/^[0-9A-Z()-]*$/.test(number) ? null : 'NUMBER_WRONG', GUEST_REFUSALS, { field: key })
  const sealed = number === '' ? null : ctx.services.secrets.encrypt(number)
  if (key === 'idNumber') return { idNumber: sealed, idNumberMasked: number && maskNumber(number) }
  return { accountNumber: sealed, accountNumberMasked: number.length < 4 ? '' : maskAccount(number) }
}

export function openNumber(ctx: Ctx, sealed: Buffer | null): string {
  return sealed === null ? '' : ctx.services.secrets.decrypt(sealed)
}

function ownerForm(ctx: Ctx, row: OwnerPapers): OwnerForm {
  return {
    ...row,
    idNumber: { typed: openNumber(ctx, row.idNumber), kept: false },
    accountNumber: { typed: openNumber(ctx, row.accountNumber), kept: false },
  }
}

type Submission = In<typeof contract.submit>

/** What would be refused is refused before the signature is written; its code is spent with the submission alone. */
export const submit: Verb<typeof contract.submit> = async (ctx, input) => {
  const isIn = await actForNobody(ctx, async one => wasHandedIn(await inside(one, input.code), input))
  if (isIn) return { state: 'submitted' }
  await rehearse(ctx, one => admitted(one, input))
  const signature = await writePicture(ctx.services, {
    bytes: Buffer.from(input.signature, 'base64'),
    limits: { maxBytes: LIMITS.signatureBytes },
    sealed: true,
  })
  try {
    const isFirst = await actForNobody(ctx, one => handIn(one, input, signature))
    if (!isFirst) await signature.forget()
    return { state: 'submitted' }
  } catch (error) {
    await signature.forget()
    throw error
  }
}

/** The same that was signed: pressed twice, or the answer was lost. */
const wasHandedIn = ({ row }: Opened, { hash }: Submission) =>
  row.state === 'submitted' && row.signedHash === hash

/** Spends the code. */
async function admitted(ctx: Ctx, input: Submission): Promise<{ opened: Opened; statement: string }> {
  const opened = await insideLocked(ctx, input.code)
  if (wasHandedIn(opened, input)) return { opened, statement: '' }
  refuseHandedIn(opened)
  const asked = await permitsAsked(ctx, opened)
  const [broken] = brokenOwner(ownerForm(ctx, opened.row), formatDay(ctx.now), asked)
  if (broken) throw new Refusal(broken.code, messageOf(broken), { field: broken.field })
  const statement = await statementOf(ctx, opened)
  refuse(sha256Of(statement) === input.hash ? null : 'TEXT_CHANGED', GUEST_REFUSALS)
  refuse(input.signature === '' ? 'DRAWING_REQUIRED' : null, GUEST_REFUSALS, { field: 'signature' })
  const { merchantId, phone } = opened.row
  await redeemCode(asOwner(ctx, opened), {
    ...{ merchantId, purpose: 'ownerSignature', code: input.typed, phone },
  })
  return { opened, statement }
}

async function handIn(ctx: Ctx, input: Submission, signature: WrittenPicture): Promise<boolean> {
  const { opened, statement } = await admitted(ctx, input)
  if (wasHandedIn(opened, input)) return false
  const { row, shopName } = opened
  const named = asOwner(ctx, opened)
  const { from, to } = OWNER_PAPERS_STEPS.submit
  const signatureId = await keepWritten(ctx, signature, {
    ...{ purpose: SIGNATURE_FILE, agentId: row.agentId, createdBy: ownerOf(opened).accountId },
  })
  await ctx.db
    .update(table)
    .set({
      ...{ state: to, revision: row.revision + 1, reasons: {}, signatureId, signedText: statement },
      ...{ signedHash: input.hash, submittedAt: ctx.now.toISOString(), seenAt: null, seenByName: '' },
    })
    .where(and(eq(table.id, row.id), inArray(table.state, [...from])))
  // What the account does not ask for is let go.
  const unasked = OWNER_PAPER_NAMES.filter(name => !ownerPapersFor(row.payType).includes(name))
  await ctx.db
    .update(table)
    .set(Object.fromEntries(unasked.map(name => [name, null])))
    .where(eq(table.id, row.id))
  await takeInUse(
    named,
    row.merchantId,
    { feature: 'ownerPapers', objectId: row.id },
    ownerPapersFor(row.payType).flatMap(name => row[name] ?? []),
  )
  await notify(named, {
    ...{ accountIds: [row.createdBy], merchantId: row.merchantId, topic: 'OwnerPapers_Notify' },
    title: '店主已提交资料',
    body: shopName,
    link: `${SHOP}${row.merchantId}`,
    args: { merchantId: row.merchantId },
  })
  await logOperation(ctx, {
    operation: '/owner-papers/{code}/submission submit',
    title: '店主提交资料',
    subject: subjectOf(opened),
    objects: [objectKey('merchant', row.merchantId)],
    changes: [
      {
        name: OWNER_PAPERS_FIELDS.state.label,
        before: OWNER_PAPERS_STATES[row.state],
        after: OWNER_PAPERS_STATES[to],
      },
      { name: '签名文本', before: null, after: `SHA-256 ${input.hash}` },
      ...ownerPapersFor(row.payType)
        .filter(name => row[name] !== null)
        .map(name => ({ name: REASON_FIELDS[name], before: null, after: `资料 ${row[name]}` })),
    ],
    ...{ by: ownerOf(opened), merchantId: row.merchantId, aboutAgentId: row.agentId },
  })
  return true
}
