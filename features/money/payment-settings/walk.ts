import { SURROUNDINGS } from '#app/providers.ts'
import { makeAlipay } from '#providers/alipay/client.ts'
import { ALIPAY } from '#providers/alipay/room.ts'
import { alipaySettingsFor, makeAlipayKeys } from '#providers/alipay/simulator.ts'
import type { Office } from '#test/app.ts'
import { type Desk, type FeatureWalk, MARK, own, type Prepared } from '#test/walk-types.ts'

const keys = makeAlipayKeys()
const settings = alipaySettingsFor(keys, 'http://127.0.0.1:9')
const ON = { channel: 'alipay' }
const NAME = '支付宝'
const values = (appId: string) => ({
  appId,
  privateKey: keys.appPrivateKey,
  alipayPublicKey: keys.alipayPublicKey,
  signType: 'RSA2',
})
let made = 0
const nextApp = () => String(2021_0000_0000_0000 + ++made)

/** A channel that nobody answers: the walks call nothing outside. */
function openOwn(office: Office): void {
  const reader = { need: () => '', may: () => undefined }
  office.app.services.providers = {
    ...office.app.services.providers,
    own: {
      alipay: given => makeAlipay(ALIPAY.own?.(given, reader, settings) ?? settings, SURROUNDINGS),
    },
  }
}

type Saved = { enabled?: boolean; checked?: boolean; appId?: string }

async function saved(
  office: Office,
  agentId: number,
  { enabled = false, checked = true, appId = nextApp() }: Saved = {},
) {
  openOwn(office)
  await office.owner.query('update agents set pay_enabled = true where id = $1', [agentId])
  await office.owner.query(
    `update payment_settings set replaced_at = now() where agent_id = $1 and channel = 'alipay' and replaced_at is null`,
    [agentId],
  )
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into payment_settings (agent_id, channel, callback_key, enabled, checked_version, checked_at, check_result, created_at, updated_at)
     values ($1, 'alipay', 'key-' || gen_random_uuid(), $2, case when $3 then 1 end, now(), 'right', now(), now()) returning id`,
    [agentId, enabled, checked],
  )
  for (const [name, value] of Object.entries(values(appId))) {
    const isSecret = name === 'privateKey'
    await office.owner.query(
      `insert into payment_setting_values (settings_id, agent_id, name, open, sealed, set_at, set_by_name)
       values ($1, $2, $3, $4, $5, now(), $6)`,
      [
        rows[0]?.id,
        agentId,
        name,
        isSecret ? null : value,
        isSecret ? office.app.services.secrets.encrypt(value) : null,
        MARK,
      ],
    )
  }
  return appId
}

const prepared = async (desk: Desk, state: Saved, more: object = {}): Promise<Prepared> => {
  await saved(desk.office, desk.partner.id, state)
  return desk.asPartner({ ...ON, ...more }, NAME)
}

/** An agent acts on its own accounts alone: none of its operations names another's. */
export const walk: FeatureWalk = {
  ofAgency: ['paymentSettings'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    await saved(office, a.id)
    await office.owner.query(
      `insert into payment_sign_keys (agent_id, sealed, set_at, set_by_name) values ($1, '\\x01', now(), $2)`,
      [a.id, MARK],
    )
    return {}
  },
  attempts: {
    'paymentSettings.settings': [own()],
    'paymentSettings.save': [{ as: () => ({ ...ON, values: values(nextApp()) }), expect: ['PAY_DISABLED'] }],
    'paymentSettings.check': [{ as: () => ON, expect: ['PAY_DISABLED'] }],
    'paymentSettings.switch': [{ as: () => ({ ...ON, enabled: true }), expect: ['PAY_DISABLED'] }],
    'paymentSettings.remove': [{ as: () => ON, expect: ['NOT_SET'] }],
    'paymentSettings.setSignKey': [{ as: () => ({ signKey: 'abcd1234' }), expect: ['PAY_DISABLED'] }],
    'paymentSettings.removeSignKey': [{ as: () => ({}), expect: ['NOT_FOUND'] }],
    'paymentSettings.allow': [{ as: ({ a }) => ({ id: a.id, enabled: false }), expect: ['NOT_FOUND'] }],
  },
  scoped: [],
  changes: desk => {
    return {
      'paymentSettings.save': {
        accepted: () => prepared(desk, {}, { values: values(nextApp()) }),
        refused: {
          input: async () => {
            await saved(desk.office, desk.partner.id)
            return { ...ON, values: { ...values('nonsense') } }
          },
          code: 'VALUE_INVALID',
        },
      },
      'paymentSettings.check': {
        accepted: () => prepared(desk, { checked: false }),
        refused: {
          input: async () => {
            await desk.office.owner.query(
              `update payment_settings set replaced_at = now() where agent_id = $1 and channel = 'alipay' and replaced_at is null`,
              [desk.partner.id],
            )
            return ON
          },
          code: 'NOT_SET',
        },
      },
      'paymentSettings.switch': {
        accepted: () => prepared(desk, {}, { enabled: true }),
        refused: {
          input: async () => (await prepared(desk, { checked: false }, { enabled: true })).input,
          code: 'NOT_CHECKED',
        },
      },
      'paymentSettings.remove': {
        accepted: () => prepared(desk, {}),
        refused: { input: async () => (await prepared(desk, { enabled: true })).input, code: 'SWITCHED_ON' },
      },
      'paymentSettings.setSignKey': {
        accepted: async () => {
          await saved(desk.office, desk.partner.id)
          return desk.asPartner({ signKey: `abcd${1_000 + ++made}` }, '签名密钥')
        },
        refused: { input: () => ({ signKey: 'short' }), code: 'SIGN_KEY_INVALID' },
      },
      'paymentSettings.removeSignKey': {
        accepted: async () => {
          await desk.office.owner.query(
            `insert into payment_sign_keys (agent_id, sealed, set_at, set_by_name) values ($1, '\\x01', now(), '') on conflict do nothing`,
            [desk.partner.id],
          )
          return desk.asPartner({}, '签名密钥')
        },
        refused: {
          input: async () => {
            await desk.office.owner.query('delete from payment_sign_keys where agent_id = $1', [
              desk.partner.id,
            ])
            return {}
          },
          code: 'NOT_FOUND',
        },
      },
      'paymentSettings.allow': {
        accepted: async () => {
          await desk.office.owner.query('update agents set pay_enabled = false where id = $1', [
            desk.partner.id,
          ])
          return desk.asOperator(
            { id: desk.partner.id, enabled: true },
            `代理商${desk.partner.id} (${desk.partner.id})`,
          )
        },
        refused: { input: () => ({ id: 99_999_999, enabled: true }), code: 'NOT_FOUND' },
      },
    }
  },
}
