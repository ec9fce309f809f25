import { randomBytes } from 'node:crypto'
import { makeDocumentFile, type Uploader } from '#features/care/documents/walk.ts'
import type { Office } from '#test/app.ts'
import { makePass } from '#test/make-codes.ts'
import { newPartner } from '#test/make-partners.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import { LICENCE_PICTURE } from './rules.ts'

let made = 0
const freshMobile = () => `135${String(++made).padStart(8, '0')}`

/** A row as the form leaves it. */
export async function makeApplication(office: Office, companyName: string): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into partner_applications (company_name, contact_name, mobile, district_code, region_name, sells, ip_hash, state, created_at)
     values ($1, '周经理', $2, '440305', '广东省深圳市南山区', '收银设备', 'x', 'new', now()) returning id`,
    [companyName, freshMobile()],
  )
  return Number(rows[0]?.id)
}

/** One that came with a picture of its licence. */
async function makeLicensed(office: Office, companyName: string, by: Uploader): Promise<number> {
  const [id, { id: fileId }] = await Promise.all([
    makeApplication(office, companyName),
    makeDocumentFile(office, by, LICENCE_PICTURE),
  ])
  await office.owner.query('update partner_applications set licence_id = $2 where id = $1', [id, fileId])
  return id
}

/** A code that was sent to a phone. */
async function makeCode(office: Office, mobile: string): Promise<string> {
  const code = String(randomBytes(2).readUInt16BE()).padStart(6, '0')
  await office.owner.query(
    `insert into partner_application_codes (mobile, code_hash, created_at, expires_at)
     values ($1, $2, now(), now() + interval '10 minutes')`,
    [mobile, office.app.services.secrets.digest(`partner application code ${mobile} ${code}`)],
  )
  return code
}

export const FORM = {
  companyName: '深圳市南山商贸有限公司',
  contactName: '周经理',
  districtCode: '440305',
  address: '科技园1号',
  sells: '收银设备',
  remark: '',
}

/** What whoever has the phone in hand sends. */
export async function applicationOf(office: Office, mobile = freshMobile()) {
  return { ...FORM, mobile, code: await makeCode(office, mobile) }
}

const PROGRAM = { loginName: '', accountId: 0, id: 0, name: '系统' }
const TRIED = ['NOT_FOUND']

/** Applications are of no agent: staff see them all, and nobody else holds the permissions. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['partnerApplications.accept'],
  async scene({ office, a }) {
    return { application: await makeLicensed(office, '甲方专有', a) }
  },
  attempts: {
    'partnerApplications.sendCode': [{ as: () => ({ mobile: '13500000000' }), expect: ['CAPTCHA_REQUIRED'] }],
    'partnerApplications.submit': [
      { as: () => ({ ...FORM, mobile: '13500000000', code: '000000' }), expect: ['CODE_WRONG'] },
    ],
    'partnerApplications.list': [{ as: () => ({}), expect: 'empty' }],
    'partnerApplications.count': [own()],
    'partnerApplications.details': [{ as: ({ extra }) => ({ id: extra.application }), expect: TRIED }],
    'partnerApplications.licence (file)': [{ as: ({ extra }) => ({ id: extra.application }), expect: TRIED }],
    'partnerApplications.contact': [{ as: ({ extra }) => ({ id: extra.application }), expect: TRIED }],
    'partnerApplications.note': [
      { as: ({ extra }) => ({ id: extra.application, text: '已通话' }), expect: TRIED },
    ],
    'partnerApplications.refuse': [
      { as: ({ extra }) => ({ id: extra.application, reason: '区域已有代理' }), expect: TRIED },
    ],
    'partnerApplications.accept': [
      { as: ({ extra }) => ({ id: extra.application, ...newPartner() }), expect: TRIED },
    ],
  },
  scoped: [
    'partnerApplications.list',
    'partnerApplications.details',
    'partnerApplications.contact',
    'partnerApplications.note',
    'partnerApplications.refuse',
  ],
  reads: desk => ({
    'partnerApplications.details': async () => ({ id: await makeApplication(desk.office, '南山商贸') }),
    'partnerApplications.licence (file)': async () => ({
      id: await makeLicensed(desk.office, '南山商贸', desk.operator),
    }),
  }),
  changes: desk => {
    const fresh = async (more: Record<string, unknown> = {}) => {
      const id = await makeApplication(desk.office, '南山商贸')
      return desk.asOperator({ id, ...more }, `南山商贸 (${id})`)
    }
    return {
      'partnerApplications.sendCode': {
        async accepted() {
          const mobile = freshMobile()
          const captcha = await makePass(desk.office, 'partner', mobile)
          return { cookie: null, input: { mobile, captcha }, subject: '135****', account: PROGRAM }
        },
        refused: { input: () => ({ mobile: '123' }), code: 'MOBILE_INVALID' },
      },
      'partnerApplications.submit': {
        async accepted() {
          const input = await applicationOf(desk.office)
          return { cookie: null, input, subject: input.companyName, account: PROGRAM }
        },
        refused: { input: () => ({ ...FORM, mobile: '123', code: '000000' }), code: 'MOBILE_INVALID' },
      },
      'partnerApplications.licence (file)': {
        async accepted() {
          const id = await makeLicensed(desk.office, '南山商贸', desk.operator)
          return desk.asOperator({ id }, `南山商贸 (${id})`)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'partnerApplications.contact': {
        accepted: () => fresh(),
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'partnerApplications.note': {
        accepted: () => fresh({ text: '已通话' }),
        refused: { input: () => ({ id: 1, text: ' ' }), code: 'NOTE_REQUIRED' },
      },
      'partnerApplications.refuse': {
        accepted: () => fresh({ reason: '区域已有代理' }),
        refused: { input: () => ({ id: 1, reason: ' ' }), code: 'REASON_REQUIRED' },
      },
      'partnerApplications.accept': {
        accepted: () => fresh(newPartner()),
        refused: { input: () => ({ id: 99_999_999, ...newPartner() }), code: 'NOT_FOUND' },
      },
    }
  },
}
