import { eq } from 'drizzle-orm'
import { RECHARGE_ITEM } from '#features/office/prices/rules.ts'
import { firstPrices } from '#features/office/prices/server-first.ts'
import { smsRechargePackages } from '#features/sales/sms/tables.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { payments as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { OFFERED_CHANNELS, PAYMENT_PRICES, RECHARGE_PACKAGES } from './reference.ts'
import { paymentsRouter as router } from './server.ts'
import { ownPayCallback, payCallback, workOnCallbacks } from './server-callbacks.ts'
import { OLDEST_PENDING, PAY_CALLBACKS } from './server-figures.ts'
import { PAID } from './server-orders.ts'
import { setup } from './server-setup.ts'
import { workOnPayments } from './server-work.ts'
import { agentPayChannels } from './tables.ts'

export const feature = {
  setup,
  contract,
  router,
  callbacks: [payCallback, ownPayCallback],
  paid: PAID,
  permissions: permissionNodes([
    [52, 5, 79, 'payments.sms', '短信充值', '/admin/account/msgRecharge', '1'],
    [521, 52, 80, 'payments.tokens', '代币充值', '/admin/account/msgRecharge#tokens', '1'],
  ]),
  reference: [
    rowsOf(smsRechargePackages, RECHARGE_PACKAGES),
    firstPrices('recharge', [
      { item: RECHARGE_ITEM, part: 'token', cents: PAYMENT_PRICES.tokenFen },
      { item: RECHARGE_ITEM, part: 'smsHundred', cents: PAYMENT_PRICES.smsHundredFen },
      ...RECHARGE_PACKAGES.map(({ id: item, priceFen: cents }) => ({ item, part: 'pack', cents })),
    ]),
    rowsOf(agentPayChannels, OFFERED_CHANNELS),
  ],
  configured: [
    {
      key: 'pay-channels',
      title: '默认支付渠道',
      table: agentPayChannels,
      id: agentPayChannels.channel,
      named: 'channel',
      leaves: { agentId: 0 },
      carried: eq(agentPayChannels.agentId, 0),
      left: '单独为某家代理商设置的渠道、渠道的账号和密钥不随文件带出',
      labels: { channel: '渠道' },
      words: { channel: PAY_CHANNELS },
    },
  ],
  jobs,
  loops: {
    payments: { everyMs: 2_000, afterMs: 0, work: workOnPayments },
    callbacks: { everyMs: 2_000, afterMs: 0, work: workOnCallbacks },
  },
  figures: { counted: [PAY_CALLBACKS], read: [OLDEST_PENDING] },
} satisfies Feature
