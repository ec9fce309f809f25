// Also of features/shops/messages, whose rows these are.
import type { Office } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { codeInput, sendCode } from '#test/make-codes.ts'
import { connectSms } from '#test/silent-sms.ts'
import { byAgent, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

type Input = Record<string, unknown>

/** A campaign's message to a shop that stands like this, paid by the vendor. */
async function messageOf(
  office: Office,
  agentId: number,
  merchantId: number,
  status: string,
): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, template, params, created_by,
       created_by_name, created_at)
     select $1, id, 'campaign', account, shop_name, $3, 'maintenance', jsonb_build_object('shop', shop_name, 'time', '今晚'), 1, $4, now()
     from merchants where id = $2 returning id`,
    [agentId, merchantId, status, MARK],
  )
  return Number(rows[0]?.id)
}

/** Credit of a shop of which some was used. */
async function makeUse(office: Office, agentId: number, merchantId: number): Promise<void> {
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-open',
        asset: 'sms',
        amount: 5,
        from: { kind: 'vendor', book: 'sms-supplier' },
        to: { kind: 'merchant', id: merchantId },
        document: `OPEN${merchantId}`,
        merchantId,
        payMethod: 'gift',
        agentId,
        actorId: 1,
        actorName: '测试',
        description: '开店短信',
      },
    ]),
  ])
  await office.owner.query(
    `insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
       values ('merchant', $1, shanghai_day(now()), $2, 30, 30), ('agent', $2, shanghai_day(now()), $2, 30, 30)`,
    [merchantId, agentId],
  )
}

export const walk: FeatureWalk = {
  sessionOnly: ['messages.sendCode'],
  movesMoney: ['messageDesk.resend', 'messageDesk.settleUnknown'],
  async scene({ office, a, cookieA }) {
    // A is below another agent, so that A's shops would show in a list of sub-agents' shops that anyone may read.
    const parent = await makeAgent(office)
    await office.owner.query('update agents set parent_id = $2 where id = $1', [a.id, parent.id])
    await sendCode(office, office.as(cookieA), a.shops[0] as number)
    const shop = a.shops[2] as number
    await makeUse(office, a.id, a.shops[0] as number)
    return {
      failedMessage: await messageOf(office, a.id, a.shops[0] as number, 'failed'),
      unknownMessage: await messageOf(office, a.id, a.shops[0] as number, 'unknown'),
      codeAttempts: [await codeInput(office, shop, 'phone'), await codeInput(office, shop, 'recovery')],
    }
  },
  attempts: {
    'messages.sendCode': [
      { as: ({ extra }) => (extra.codeAttempts as Input[])[0] as Input, expect: ['NOT_FOUND'] },
      { as: ({ extra }) => (extra.codeAttempts as Input[])[1] as Input, expect: ['NOT_FOUND'] },
    ],
    'messageDesk.reminderText': [own()],
    'messageDesk.remind': [
      { as: ({ a }) => ({ merchantIds: [a.shops[0]] }), expect: ['NOT_FOUND'] },
      { as: ({ a, b }) => ({ merchantIds: [b.shop, a.shops[0]] }), expect: 'own' },
    ],
    'messageDesk.sendTest': [{ as: () => ({}), expect: ['FORBIDDEN'] }],
    'messageDesk.outbox': [
      own(),
      own({ kind: 'phone-code' }),
      search(({ a }) => a.shop.account),
      search(({ a }) => a.shops[0]),
    ],
    'messages.templates': [own()],
    'messageDesk.log': [
      own(),
      byAgent,
      own({ status: 'failed' }),
      own({ kind: 'campaign' }),
      search(({ a }) => a.shop.account),
      search(({ a }) => a.shops[0]),
      search(() => MARK),
    ],
    'messageDesk.log (file)': [own(), byAgent, search(() => MARK)],
    'messageDesk.resend': [{ as: ({ extra }) => ({ ids: [extra.failedMessage] }), expect: ['NOT_FOUND'] }],
    'messageDesk.abnormal': [own(), byAgent, own({ status: 'unknown' }), search(() => MARK)],
    'messageDesk.settleUnknown': [
      {
        as: ({ extra }) => ({ id: extra.unknownMessage, outcome: 'delivered', note: '试' }),
        expect: ['NOT_FOUND'],
      },
    ],
    'messageDesk.forecast': [
      own(),
      own({ of: 'agent' }),
      byAgent,
      search(() => MARK),
      search(({ a }) => a.shops[0]),
    ],
  },
  scoped: [
    'messages.sendCode',
    'messageDesk.remind',
    'messageDesk.outbox',
    'messageDesk.log',
    'messageDesk.log (file)',
    'messageDesk.resend',
    'messageDesk.abnormal',
    'messageDesk.settleUnknown',
    'messageDesk.forecast',
  ],
  changes: desk => ({
    'messages.sendCode': {
      async accepted() {
        const { input, subject } = await desk.onShop()
        return desk.asPartner(await codeInput(desk.office, Number(input.id), 'phone'), subject)
      },
      refused: {
        async input() {
          const { input } = await desk.onShop({}, { status: 'disabled' })
          return codeInput(desk.office, Number(input.id), 'phone')
        },
        code: 'MERCHANT_DISABLED',
      },
    },
    'messageDesk.remind': {
      async accepted() {
        const id = await makeMerchant(desk.office, desk.partner.id)
        return desk.asOperator({ merchantIds: [id] }, `测试店铺 (${id})`)
      },
      refused: { input: () => ({ merchantIds: [99_999_999] }), code: 'NOT_FOUND' },
    },
    'messageDesk.sendTest': {
      async accepted() {
        connectSms(desk.office)
        await desk.office.owner.query(`delete from outbox_messages where template = 'service-test'`)
        return desk.asOperator({}, '测试短信')
      },
      refused: {
        async input() {
          connectSms(desk.office)
          await desk.office.owner.query(
            `insert into outbox_messages (agent_id, kind, phone, text, status, template, created_by, created_by_name, created_at)
             values (1, 'account-notice', '13800138000', '测试', 'queued', 'service-test', 1, '运营', now())`,
          )
          return {}
        },
        code: 'TEST_TOO_SOON',
      },
    },
    'messageDesk.resend': {
      async accepted() {
        const shop = await makeMerchant(desk.office, desk.partner.id)
        const id = await messageOf(desk.office, desk.partner.id, shop, 'failed')
        return desk.asPartner({ ids: [id] }, '1 条短信')
      },
      refused: {
        async input() {
          const shop = await makeMerchant(desk.office, desk.partner.id)
          return { ids: [await messageOf(desk.office, desk.partner.id, shop, 'delivered')] }
        },
        code: 'NONE_RESENDABLE',
      },
    },
    'messageDesk.settleUnknown': {
      async accepted() {
        const shop = await makeMerchant(desk.office, desk.partner.id)
        const id = await messageOf(desk.office, desk.partner.id, shop, 'unknown')
        const { rows } = await desk.office.owner.query('select phone from outbox_messages where id = $1', [
          id,
        ])
        return desk.asOperator({ id, outcome: 'failed', note: '未收到' }, `${rows[0].phone} (${id})`)
      },
      refused: {
        async input() {
          const shop = await makeMerchant(desk.office, desk.partner.id)
          const id = await messageOf(desk.office, desk.partner.id, shop, 'delivered')
          return { id, outcome: 'failed', note: '未收到' }
        },
        code: 'NOT_UNKNOWN',
      },
    },
    'messageDesk.log (file)': {
      accepted: async () => desk.asPartner({ kind: 'campaign' }, '短信发送记录'),
      refused: { input: () => ({ kind: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
