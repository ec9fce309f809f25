import { firstPrices } from '#features/office/prices/server-first.ts'
import { permissionNodes } from '#kit/declare/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { services as contract } from './contract.ts'
import { SERVICES } from './reference.ts'
import { SERVICE_UNITS } from './rules.ts'
import { servicesRouter as router } from './server.ts'
import { serviceOrdersDownload } from './server-export.ts'
import { services } from './tables.ts'

export const feature = {
  contract,
  router,
  downloads: { orders: serviceOrdersDownload },
  permissions: permissionNodes([
    [225, 22, 15, 'services.buy', '增值服务', '/admin/merchant/addedServices', '1', false],
    [32, 3, 35, 'services.orders', '增值订单', '/admin/order/appreciationOrder', '1'],
    [321, 32, 36, 'services.export', '导出增值订单', '/admin/order/appreciationOrder#export', '1'],
  ]),
  reference: [
    rowsOf(services, SERVICES),
    firstPrices(
      'service',
      SERVICES.filter(({ parentId }) => parentId !== null).map(({ id: item, unitCents: cents }) => ({
        item,
        part: 'unit',
        cents,
      })),
    ),
  ],
  configured: [
    {
      key: 'services',
      title: '增值服务',
      table: services,
      id: services.id,
      named: 'name',
      leaves: { revision: 1 },
      labels: {
        parentId: '所属分组',
        unit: '计量单位',
        headOnly: '仅限总店',
        renewable: '停用后可续费',
        renewUntil: '可续费至',
      },
      words: { unit: Object.keys(SERVICE_UNITS) },
    },
  ],
} satisfies Feature
