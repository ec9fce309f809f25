import { firstPrices } from '#features/office/prices/server-first.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { sms as contract } from './contract.ts'
import { SMS_PACKAGES } from './reference.ts'
import { smsRouter as router } from './server.ts'
import { smsPackages, smsRechargePackages } from './tables.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [226, 22, 16, 'sms.buy', '购买短信包', '/admin/merchant/merchantDetails#sms', '1'],
    [229, 22, 17, 'sms.recall', '回收短信', '/admin/merchant/merchantDetails#recall', '1'],
    [220, 22, 24, 'sms.gift', '赠送短信', '/admin/merchant/merchantDetails#gift', '1'],
  ]),
  reference: [
    rowsOf(smsPackages, SMS_PACKAGES),
    firstPrices(
      'sms',
      SMS_PACKAGES.map(({ id: item, priceCents: cents }) => ({ item, part: 'pack', cents })),
    ),
  ],
  configured: [
    {
      key: 'sms-packages',
      title: '短信包',
      table: smsPackages,
      id: smsPackages.id,
      named: 'name',
      leaves: { revision: 1 },
      labels: { pieces: '条数' },
    },
    {
      key: 'recharge-packages',
      title: '短信充值套餐',
      table: smsRechargePackages,
      id: smsRechargePackages.id,
      named: 'name',
      leaves: { revision: 1 },
      labels: { pieces: '条数' },
    },
  ],
} satisfies Feature
