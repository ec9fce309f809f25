import { permissionNodes } from '#kit/declare/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { aftersales as contract } from './contract.ts'
import { VERSION_ADJUSTMENTS } from './reference.ts'
import { aftersalesRouter as router } from './server.ts'
import { versionAdjustments } from './tables.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [71, 7, 61, 'aftersales.cancel', '撤销订单', '/admin/tool/order', '888'],
    [72, 7, 62, 'aftersales.chain', '连锁关联', '/admin/tool/version', '888'],
    [73, 7, 63, 'aftersales.adjust', '商户调整', '/admin/tool/merchantsToAdjust', '888'],
    [731, 73, 64, 'aftersales.provider', '调整服务商', '/admin/tool/merchantsToAdjust#provider', 'none'],
    [74, 7, 65, 'aftersales.extend', '账户延期', '/admin/tool/delay', '888'],
  ]),
  reference: [rowsOf(versionAdjustments, VERSION_ADJUSTMENTS)],
  configured: [
    {
      key: 'version-adjustments',
      title: '版本调整',
      table: versionAdjustments,
      id: [versionAdjustments.fromVersionId, versionAdjustments.toVersionId],
      named: ({ fromVersionId, toVersionId }, nameIn) =>
        `${nameIn('versions', fromVersionId)} → ${nameIn('versions', toVersionId)}`,
      leaves: {},
      labels: { fromVersionId: '原版本', toVersionId: '调整为' },
    },
  ],
} satisfies Feature
