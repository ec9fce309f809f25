import { randomBytes, randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import sharp from 'sharp'
import { PAPERS, type PaperName, papersFor } from '#features/acquiring/payment-applications/rules.ts'
import { maskNumber } from '#features/care/documents/rules.ts'
import { makeDocument, makeDocumentFile, type Uploader } from '#features/care/documents/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { connectSms } from '#test/silent-sms.ts'
import { type Desk, type FeatureWalk, MARK, PIXEL } from '#test/walk-types.ts'
import { ownerSessions, ownerPapers as table } from './tables.ts'

type Row = typeof table.$inferInsert
type By = Uploader & { merchantId: number }

/** Everything that is asked for but pictures; numbers that pass their checks and are nobody's. */
export const WHOLE = {
  payType: 'corporate',
  company: '深圳市南山区老张面馆',
  creditCode: '91350100M000100Y43',
  legalPerson: '张三',
  personInCharge: '张三',
  email: 'zhang@example.com',
  bankName: '招商银行',
  branchName: '招商银行深圳科技园支行',
} as const
export const NUMBERS = { idNumber: '11010519491231002X', accountNumber: '755912345678901' } as const
export const OWNER_PHONE = '13800138000'

/** A link of a shop as its agent made it; answers the code of its address. */
export async function makeOwnerLink(
  office: Office,
  { id: agentId, accountId, merchantId }: By,
  given: Partial<Row> = {},
): Promise<{ id: number; code: string }> {
  const code = randomBytes(24).toString('base64url')
  const now = Date.now()
  const [made] = await drizzle(office.owner)
    .insert(table)
    .values({
      ...{ agentId, merchantId, createdBy: accountId, createdByName: '王小明' },
      tokenHash: office.app.services.secrets.digest(`owner link ${code}`),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 7 * 86_400_000).toISOString(),
      ...given,
    })
    .returning({ id: table.id })
  return { id: made?.id as number, code }
}

/** The cookie of a phone that has proven itself at a link. */
export async function makeInside(office: Office, { id: agentId, merchantId }: By, ownerPapersId: number) {
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  await drizzle(office.owner)
    .insert(ownerSessions)
    .values({
      ...{ agentId, merchantId, ownerPapersId, createdAt: new Date(now).toISOString() },
      tokenHash: office.app.services.secrets.digest(`owner session ${token}`),
      expiresAt: new Date(now + 3_600_000).toISOString(),
    })
  return `owner=${token}`
}

/** All that is asked for, with its pictures. */
export async function wholeForm(office: Office, by: By): Promise<Partial<Row>> {
  const papers: Partial<Record<PaperName, number>> = {}
  for (const name of papersFor('corporate'))
    papers[name] = await makeDocument(office, {
      ...{ by, merchantId: by.merchantId, kind: PAPERS[name], state: 'offered' },
    })
  const { encrypt } = office.app.services.secrets
  return {
    ...{ ...WHOLE, ...papers, phone: OWNER_PHONE },
    ...{ idNumber: encrypt(NUMBERS.idNumber), idNumberMasked: maskNumber(NUMBERS.idNumber) },
    ...{ accountNumber: encrypt(NUMBERS.accountNumber), accountNumberMasked: '***********8901' },
  }
}

/** One that was signed and handed in. */
export async function makeHandedIn(office: Office, by: By, given: Partial<Row> = {}) {
  return makeOwnerLink(office, by, {
    ...(await wholeForm(office, by)),
    ...{ state: 'submitted', revision: 2, submittedAt: new Date().toISOString(), ...given },
  })
}

/** A code that came to a phone. */
export async function makeKnownCode(
  office: Office,
  { id: agentId, merchantId }: By,
  purpose: 'ownerEntry' | 'ownerSignature',
  phone = OWNER_PHONE,
): Promise<string> {
  const code = '246813'
  await office.owner.query(
    `insert into verification_codes (agent_id, merchant_id, purpose, phone, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, now() - interval '2 minutes', now() + interval '8 minutes')`,
    [
      ...[agentId, merchantId, purpose, phone],
      office.app.services.secrets.digest(`code ${purpose} ${merchantId} ${phone} ${code}`),
    ],
  )
  return code
}

/** A photo of its own. */
export async function makePhoto(width = 320, height = 200): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  return sharp({ create: { width, height, channels: 3, background: '#456', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

const NOBODYS = 'A'.repeat(32)
const nobody = (more: Record<string, unknown> = {}) => [
  { as: () => ({ code: NOBODYS, ...more }), expect: ['NOT_FOUND'] },
]
const theirs = {
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0] }),
  expect: ['NOT_FOUND'],
}
const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.ownerPapers, ...more }),
  expect: ['NOT_FOUND'],
})
const UPLOAD = 'upload-of-a-picture'
const HASH = '0'.repeat(64)

/** A shop of the partner with a link; the subject is the shop. */
async function linked(desk: Desk, given: (by: By) => Promise<Partial<Row>> = async () => ({})) {
  const { input, subject } = await desk.onShop()
  const by = { ...desk.partner, merchantId: Number(input.id) }
  return { by, subject, ...(await makeOwnerLink(desk.office, by, await given(by))) }
}

/** Owners act in the name of their agent's program. */
const asOwner = ({ partner }: Desk, name = '店主') => ({ loginName: '', accountId: 0, id: partner.id, name })

async function handedIn(desk: Desk) {
  const { input, subject } = await desk.onShop()
  const by = { ...desk.partner, merchantId: Number(input.id) }
  return { subject, ...(await makeHandedIn(desk.office, by)) }
}

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const by = { ...a, merchantId: a.shops[0] as number }
    const { id } = await makeHandedIn(office, by, { createdByName: MARK, email: MARK })
    return { ownerPapers: id }
  },
  attempts: {
    'ownerPapers.ofShop': [theirs],
    'ownerPapers.details': [theirOwn()],
    'ownerPapers.makeLink': [{ as: ({ a }) => ({ merchantId: a.shops[1] }), expect: ['NOT_FOUND'] }],
    'ownerPapers.sendLink': [theirOwn({ code: NOBODYS })],
    'ownerPapers.callOff': [theirOwn()],
    'ownerPapers.see': [theirOwn()],
    'ownerPapers.sendBack': [theirOwn({ revision: 2, reasons: { email: '有误' } })],
    'ownerPapers.adopt': [theirOwn({ revision: 2 })],
    'ownerPapers.signature (file)': [theirOwn()],
    // Whoever knows the address is the owner's guest; nobody finds it by trying.
    'ownerPapers.page': nobody(),
    'ownerPapers.sendCode': nobody({ purpose: 'ownerEntry', phone: OWNER_PHONE }),
    'ownerPapers.enter': nobody({ phone: OWNER_PHONE, typed: '123456' }),
    'ownerPapers.save': nobody({ company: '别家' }),
    'ownerPapers.sendPart': nobody({ paper: 'licenceId', upload: UPLOAD, part: 0, body: PIXEL }),
    'ownerPapers.keepPicture': nobody({ paper: 'licenceId', upload: UPLOAD, parts: 1 }),
    'ownerPapers.read': nobody({ paper: 'licenceId' }),
    'ownerPapers.submit': nobody({ typed: '123456', hash: HASH, signature: PIXEL }),
  },
  scoped: [
    'ownerPapers.ofShop',
    'ownerPapers.details',
    'ownerPapers.makeLink',
    'ownerPapers.sendBack',
    'ownerPapers.adopt',
  ],
  reads: desk => ({
    'ownerPapers.ofShop': async () => ({ merchantId: await makeMerchant(desk.office, desk.partner.id) }),
    'ownerPapers.details': async () => ({ id: (await handedIn(desk)).id }),
    'ownerPapers.page': async () => ({ code: (await linked(desk)).code }),
    'ownerPapers.signature (file)': async () => ({ id: (await signed(desk)).id }),
  }),
  changes: desk => ({
    'ownerPapers.makeLink': {
      async accepted() {
        const { input, subject } = await desk.onShop()
        return desk.asPartner({ merchantId: input.id }, subject)
      },
      refused: {
        input: async () => {
          const { input } = await desk.onShop({}, { status: 'disabled' })
          return { merchantId: input.id }
        },
        code: 'MERCHANT_DISABLED',
      },
    },
    'ownerPapers.sendLink': {
      async accepted() {
        connectSms(desk.office)
        const { id, code, subject, by } = await linked(desk)
        await desk.office.owner.query(`update merchants set account = $2 where id = $1`, [
          ...[by.merchantId, `137${String(by.merchantId).padStart(8, '0')}`],
        ])
        return desk.asPartner({ id, code }, subject)
      },
      refused: {
        input: async () => ({ id: (await linked(desk)).id, code: NOBODYS }),
        code: 'LINK_OTHER',
      },
    },
    'ownerPapers.callOff': {
      async accepted() {
        const { id, subject } = await linked(desk)
        return desk.asPartner({ id }, subject)
      },
      refused: { input: async () => ({ id: (await handedIn(desk)).id }), code: 'SUBMITTED_ALREADY' },
    },
    'ownerPapers.sendBack': {
      async accepted() {
        const { id, subject } = await handedIn(desk)
        return desk.asPartner({ id, revision: 2, reasons: { email: '邮箱有误' } }, subject)
      },
      refused: {
        input: async () => ({ id: (await handedIn(desk)).id, revision: 2, reasons: {} }),
        code: 'REASONS_REQUIRED',
      },
    },
    'ownerPapers.adopt': {
      async accepted() {
        const { id, subject } = await handedIn(desk)
        return desk.asPartner({ id, revision: 2 }, subject)
      },
      refused: { input: async () => ({ id: (await linked(desk)).id, revision: 1 }), code: 'NOT_SUBMITTED' },
    },
    'ownerPapers.signature (file)': {
      async accepted() {
        const { id, subject } = await signed(desk)
        return desk.asPartner({ id }, subject)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
    'ownerPapers.sendCode': {
      async accepted() {
        const { code, subject } = await linked(desk)
        connectSms(desk.office)
        const captcha = await makePass(desk.office, 'owner', code)
        const phone = `136${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
        const input = { code, purpose: 'ownerEntry', phone, captcha }
        return { cookie: null, input, subject, account: asOwner(desk) }
      },
      refused: {
        input: async () => ({ code: (await linked(desk)).code, purpose: 'ownerEntry', phone: '1' }),
        code: 'PHONE_WRONG',
      },
    },
    'ownerPapers.enter': {
      async accepted() {
        const { code, subject, by } = await linked(desk)
        const typed = await makeKnownCode(desk.office, by, 'ownerEntry')
        const input = { code, phone: OWNER_PHONE, typed }
        return { cookie: null, input, subject, account: asOwner(desk) }
      },
      refused: {
        input: async () => ({ code: (await linked(desk)).code, phone: OWNER_PHONE, typed: '' }),
        code: 'PHONE_CODE_REQUIRED',
      },
    },
    'ownerPapers.keepPicture': {
      async accepted() {
        const { id, code, subject, by } = await linked(desk)
        const cookie = await makeInside(desk.office, by, id)
        const upload = randomUUID()
        const body = (await makePhoto()).toString('base64')
        await desk.office.as(cookie).ownerPapers.sendPart({ code, paper: 'licenceId', upload, part: 0, body })
        const input = { code, paper: 'licenceId', upload, parts: 1 }
        return { cookie, input, subject, account: asOwner(desk) }
      },
      refused: {
        input: async () => ({
          code: (await linked(desk)).code,
          paper: 'licenceId',
          upload: UPLOAD,
          parts: 1,
        }),
        code: 'SIGNED_OUT',
      },
    },
    'ownerPapers.submit': {
      async accepted() {
        const { id, code, subject, by } = await linked(desk, of => wholeForm(desk.office, of))
        const cookie = await makeInside(desk.office, by, id)
        const typed = await makeKnownCode(desk.office, by, 'ownerSignature')
        const { form } = await desk.office.as(cookie).ownerPapers.page({ code })
        const input = { code, typed, hash: form?.statementHash ?? '', signature: PIXEL }
        return { cookie, input, subject, account: asOwner(desk, `店主 ${WHOLE.personInCharge}`) }
      },
      refused: {
        input: async () => ({ code: (await linked(desk)).code, typed: '', hash: HASH, signature: '' }),
        code: 'SIGNED_OUT',
      },
    },
  }),
}

/** As one that was handed in, with a picture for a signature. */
async function signed(desk: Desk) {
  const { input, subject } = await desk.onShop()
  const by = { ...desk.partner, merchantId: Number(input.id) }
  const { id: signatureId } = await makeDocumentFile(desk.office, by, 'ownerSignature')
  return { subject, ...(await makeHandedIn(desk.office, by, { signatureId })) }
}
