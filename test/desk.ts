// Who acts in the walks over everything that changes something, and by operation one accepted and one refused call.
import type { Office } from './app.ts'
import { makeAgent, makeMerchant, newMerchantForm } from './make.ts'
import { editOf } from './tenancy-scene.ts'
import type { Change, Desk, Prepared } from './walk-types.ts'
import { WALKS } from './walks.ts'

const UNKNOWN = 99_999_999

/** A partner with money and a shop's makings, and the operator, both signed in. */
export async function makeDesk(office: Office): Promise<Desk> {
  const partner = await makeAgent(office, { tokens: 100_000, sms: 1_000 })
  const operator = await makeAgent(office, { operator: true })
  const partnerCookie = await office.login(partner.loginName)
  const operatorCookie = await office.login(operator.loginName)
  const asPartner = (input: Record<string, unknown>, subject: string): Prepared => ({
    cookie: partnerCookie,
    input,
    subject,
  })
  return {
    ...{ office, partner, operator, partnerCookie, operatorCookie, asPartner },
    mine: () => office.as(partnerCookie),
    asOperator: (input, subject) => ({ cookie: operatorCookie, input, subject, account: operator }),
    async onShop(more = {}, columns = {}) {
      const id = await makeMerchant(office, partner.id, columns)
      return asPartner({ id, ...more }, `测试店铺 (${id})`)
    },
  }
}

/** By operation; those that are missing here have no entry in the walk.ts of their feature. */
export function changesOf(desk: Desk): Record<string, Change> {
  const { office, partner, asPartner, onShop, mine } = desk
  return {
    'ledger.credit': {
      accepted: async () =>
        desk.asOperator(
          { agentId: partner.id, asset: 'token', amount: 500, reason: '预付' },
          `代理商${partner.id} (${partner.id})`,
        ),
      refused: {
        input: () => ({ agentId: UNKNOWN, asset: 'token', amount: 500, reason: '预付' }),
        code: 'AGENT_UNKNOWN',
      },
    },
    'selling.quote': {
      accepted: async () => asPartner(newMerchantForm(), ''),
      refused: { input: () => newMerchantForm({ shortName: '' }), code: 'SHORT_NAME_REQUIRED' },
    },
    'selling.add': {
      accepted: async () => {
        const quote = await mine().selling.quote(newMerchantForm({ smsCount: 3 }))
        return asPartner({ orderNo: quote.orderNo }, '深圳老张面馆')
      },
      refused: { input: () => ({ orderNo: '1'.repeat(22) }), code: 'QUOTE_UNKNOWN' },
    },
    'merchants.edit': {
      accepted: async () => {
        const id = await makeMerchant(office, partner.id)
        const shop = await mine().merchants.details({ id })
        return asPartner({ ...editOf(shop), address: '新址1号' }, `测试店铺 (${id})`)
      },
      refused: {
        input: async () => {
          const shop = await mine().merchants.details({ id: await makeMerchant(office, partner.id) })
          return { ...editOf(shop), revision: 7 }
        },
        code: 'STALE',
      },
    },
    'merchants.setSignature': {
      accepted: async () => {
        const { input, subject } = await onShop({ signature: '签名' })
        return desk.asOperator(input, subject)
      },
      refused: {
        input: async () => (await onShop({ signature: '' })).input,
        code: 'SIGNATURE_REQUIRED',
      },
    },
    'merchants.setRemark': {
      accepted: () => onShop({ remark: '备注' }),
      refused: {
        input: async () => (await onShop({ remark: '长'.repeat(51) })).input,
        code: 'REMARK_TOO_LONG',
      },
    },
    'merchants.enable': {
      accepted: () => onShop({}, { status: 'disabled' }),
      refused: { input: async () => (await onShop()).input, code: 'STATUS_UNCHANGED' },
    },
    'merchants.disable': {
      accepted: () => onShop(),
      refused: {
        input: async () => (await onShop({}, { status: 'disabled' })).input,
        code: 'STATUS_UNCHANGED',
      },
    },
    'merchants.source (file)': {
      accepted: async () => desk.asOperator({ source: 'import' }, '商户来源'),
      refused: { input: () => ({ source: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'merchants.overdue (file)': {
      accepted: async () => asPartner({}, '过期商户'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'agentDesk.secondary (file)': {
      accepted: async () => asPartner({}, '下级商户'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'merchants.list (file)': {
      accepted: async () => asPartner({ status: 'normal' }, '商户'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
    'ledger.changes (file)': {
      accepted: async () => asPartner({}, '余额变动'),
      refused: { input: () => ({ from: 'yesterday' }), code: 'INPUT_INVALID' },
    },
    ...Object.assign({}, ...WALKS.map(walk => walk.changes(desk))),
  }
}
