// What the demo's office tells its partners; a fresh office tells nothing until its own staff write it under 内容管理.
import type { Demo } from '#server/demo.ts'
import { insertRows } from '#server/insert-rows.ts'
import { contentItems } from './tables.ts'

type Row = typeof contentItems.$inferInsert

const BY = { createdBy: 0, createdByName: '系统', enabled: true } as const
const FROM = '2026-01-05T01:00:00.000Z'

const entry = (row: Pick<Row, 'id' | 'kind' | 'title' | 'body'> & Partial<Row>): Row => ({
  ...BY,
  link: '',
  position: row.id as number,
  publishedAt: FROM,
  updatedAt: FROM,
  ...row,
})

export const CONTENT_ITEMS: Row[] = [
  entry({
    id: 1,
    kind: 'carousel',
    title: '续费工作台上线',
    body: '快到期的商户按轻重排好，原因一目了然，可批量续费',
    link: '/admin/merchant/renewals',
  }),
  entry({
    id: 2,
    kind: 'carousel',
    title: '短信充值扫码即到',
    body: '微信、支付宝都可以付，到账后立即可用',
    link: '/admin/account/msgRecharge',
  }),
  entry({
    id: 3,
    kind: 'carousel',
    title: '硬件商城',
    body: '收银机、打印机、扫码枪，用代币余额订购',
    link: '/admin/index/hardwareShop',
  }),
  entry({
    id: 11,
    kind: 'notice',
    title: '关于短信签名报备的说明',
    body: '按照运营商要求，短信签名须与商户的营业执照名称或商标一致。\n\n新签名提交后一般在 1 至 3 个工作日内完成审核，审核期间无法使用该签名发送短信，请提前为商户准备资料。',
    publishedAt: '2026-02-10T02:00:00.000Z',
  }),
  entry({
    id: 12,
    kind: 'notice',
    title: '订单撤销期限提醒',
    body: '版本订单、增值订单和短信订单自支付之日起 15 天内可以撤销，超过期限后系统不再受理。\n\n撤销时请先确认商户的使用情况：多笔订单须从最后一笔开始撤销。',
    publishedAt: '2026-01-20T02:00:00.000Z',
  }),
  entry({
    id: 13,
    kind: 'notice',
    title: '请妥善保管账号',
    body: '请不要把登录账号借给他人使用。需要同事协助时，请为其建立子账号并分配角色。\n\n人员离职后请及时停用对应的子账号。',
  }),
]

export async function afterwards({ client }: Demo): Promise<void> {
  await insertRows(client, contentItems, CONTENT_ITEMS)
}
