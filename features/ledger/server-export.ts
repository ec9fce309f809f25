import { serveDownload } from '#server/export.ts'
import { ledgerDownloads } from './contract.ts'
import { PAY_METHODS, type PayMethod } from './rules.ts'
import { changesForExport } from './server-changes.ts'

export const changesDownload = serveDownload(ledgerDownloads.changes, (ctx, filters) => ({
  columns: [
    { header: '订单号', kind: 'text', width: 24 },
    { header: '代理商', kind: 'text', width: 24 },
    { header: '商户ID', kind: 'integer', width: 12 },
    { header: '说明', kind: 'text', width: 32 },
    { header: '支付方式', kind: 'text', width: 12 },
    { header: '变动金额', kind: 'cents', width: 14 },
    { header: '变动前', kind: 'cents', width: 14 },
    { header: '变动后', kind: 'cents', width: 14 },
    { header: '操作人', kind: 'text', width: 12 },
    { header: '备注', kind: 'text', width: 28 },
    { header: '时间', kind: 'time', width: 20 },
  ],
  statement: changesForExport(ctx, filters),
  values: {},
  cells: ([
    ,
    orderNo,
    ,
    agentName,
    merchantId,
    description,
    method,
    amount,
    before,
    after,
    actor,
    remark,
    at,
  ]) => [
    orderNo,
    agentName,
    merchantId,
    description,
    PAY_METHODS[method as PayMethod],
    amount,
    before,
    after,
    actor,
    remark,
    at,
  ],
}))
