import { codeOfPhone, makePass } from '#test/make-codes.ts'
import { type Desk, type FeatureWalk, own } from '#test/walk-types.ts'
import { phoneSubject } from './rules.ts'

const PROFILE = {
  contactName: '走查',
  telephone: '',
  districtCode: '',
  address: '',
  domainLabel: '',
  hotline: '',
  qq: '',
  wechat: '',
  logoId: null,
} as const
const PHONE = { phone: '13900009999', oldCode: '000000', newCode: '000000' }

const pass = (desk: Desk, step: 'old' | 'new') =>
  makePass(desk.office, 'code', phoneSubject(desk.partner.accountId, step))

/** Numbers get a code once in a minute and a few times in an hour. */
async function ageCodes({ office }: Desk): Promise<void> {
  const { owner } = office
  await owner.query(`update phone_change_codes set created_at = created_at - interval '2 days'`)
}

async function sendOld(desk: Desk) {
  await ageCodes(desk)
  return { step: 'old', captcha: await pass(desk, 'old') } as const
}

async function codes(desk: Desk, phone: string) {
  await desk.mine().agentProfile.sendPhoneCode(await sendOld(desk))
  const oldCode = await codeOfPhone(desk.office, null)
  await desk.mine().agentProfile.sendPhoneCode({ step: 'new', phone, captcha: await pass(desk, 'new') })
  return { phone, oldCode, newCode: await codeOfPhone(desk.office, phone) }
}

let changed = 0

/** An agency's data is its own: no input names another's, but for a domain, of which yes or no is told. */
export const walk: FeatureWalk = {
  ofAgency: ['agentProfile'],
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'agentProfile.find': [own()],
    'agentProfile.change': [own(PROFILE)],
    'agentProfile.domain': [own({ label: 'walked' })],
    'agentProfile.sendPhoneCode': [{ as: () => ({ step: 'old' }), expect: ['CAPTCHA_REQUIRED'] }],
    'agentProfile.changePhone': [{ as: () => PHONE, expect: ['CODE_WRONG'] }],
  },
  scoped: [],
  reads: () => ({ 'agentProfile.domain': async () => ({ label: 'walked' }) }),
  changes: desk => ({
    'agentProfile.change': {
      accepted: async () =>
        desk.asPartner({ ...PROFILE, contactName: `走查${++changed}` }, String(desk.partner.id)),
      refused: { input: () => ({ ...PROFILE, domainLabel: 'www' }), code: 'DOMAIN_RESERVED' },
    },
    'agentProfile.sendPhoneCode': {
      accepted: async () => desk.asPartner(await sendOld(desk), desk.partner.loginName),
      refused: { input: () => ({ step: 'new', phone: '123' }), code: 'PHONE_FORMAT' },
    },
    'agentProfile.changePhone': {
      accepted: async () =>
        desk.asPartner(await codes(desk, `1390000${8_000 + ++changed}`), desk.partner.loginName),
      refused: {
        async input() {
          const { oldCode } = await codes(desk, PHONE.phone)
          return { ...PHONE, oldCode: oldCode === PHONE.oldCode ? '000001' : PHONE.oldCode }
        },
        code: 'CODE_WRONG',
        logged: true,
      },
    },
  }),
}
