// A signature at the SMS services as staff see it: it waits there, is refused or approved by them, and is taken back.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import type { Outside } from '../../outside.ts'
import {
  axeFindings,
  type BrowserOffice,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

const SIGNATURES = '/admin/merchant/smsManage'

let office: BrowserOffice
let shops: { id: number; name: string }[]
before(async () => {
  office = await openBrowserOffice({ outside: true, signatures: true })
  const rows = await office.sql<{ id: string; shop_name: string }>(
    `select id, shop_name from merchants where agent_id = 101 and status = 'normal' and store_kind = 'head' order by id limit 4`,
  )
  shops = rows.map(({ id, shop_name }) => ({ id: Number(id), name: shop_name }))
  await office.sql('delete from shop_signatures')
  await office.sql('delete from approval_requests')
})
afterEach(() => office.closePages())
after(() => office.stop())

async function wait(shop: number, content: string): Promise<void> {
  await office.sql(
    `insert into approval_requests (agent_id, merchant_id, kind, content, content_before, shop_name, state, created_by, created_by_name, created_at)
     values (101, $1, 'signature', $2, '', $3, 'pending', 0, '陈经理', now() - interval '3 hours')`,
    [shops[shop]?.id, content, shops[shop]?.name],
  )
}
const row = (page: Page, content: string) => page.getByRole('row', { name: new RegExp(content) })
async function review(key: string, more: object): Promise<void> {
  const { aliyun, tencent } = (office.outside as Outside).simulators
  for (const { url } of [aliyun, tencent])
    await fetch(`${url}/__sim/review`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'signature', key, ...more }),
    })
}

test('what staff approve is under review, is asked about by hand, and holds once the service has approved it', async () => {
  await wait(0, '老张面馆')
  const page = await office.openAs('10090', `${SIGNATURES}?state=pending`)
  await row(page, '老张面馆').getByRole('button', { name: '通过', exact: true }).click()
  await see(toast(page, '已提交短信服务商审核'))
  await gone(row(page, '老张面馆'))
  await page.goto(`${office.url}${SIGNATURES}?state=reviewing`)
  await see(row(page, '老张面馆').getByText('审核中').first())
  await row(page, '老张面馆').getByRole('button', { name: '老张面馆' }).click()
  const drawer = page.getByRole('dialog', { name: '短信签名申请' })
  const services = drawer.getByRole('region', { name: '短信服务商' })
  await see(services.getByText('阿里云'), services.getByText('腾讯云'), services.getByText('当前发送通道'))
  await see(services.getByRole('listitem', { name: '阿里云' }).getByText('审核中'))
  assert.deepEqual(await axeFindings(page), [])
  await review('老张面馆', { approve: true })
  await services.getByRole('button', { name: '再次查询阿里云' }).click()
  await see(toast(page, '已安排查询，稍后显示结果'))
  await see(services.getByRole('listitem', { name: '阿里云' }).getByText('已通过'))
  await see(services.getByText('移动已报备，联通已报备，电信已报备'), drawer.getByText('老张面馆').first())
  const [kept] = await office.sql<{ signature: string }>('select signature from merchants where id = $1', [
    shops[0]?.id,
  ])
  assert.equal(kept?.signature, '老张面馆')
})

exhaustive(
  'what the services refuse is rejected with an advice, and the agent sees that and not their words',
  ['features/care/approvals/server-services.test.ts'],
  async () => {
    await wait(1, '品牌小铺')
    const page = await office.openAs('10090', `${SIGNATURES}?state=pending`)
    await row(page, '品牌小铺').getByRole('button', { name: '通过', exact: true }).click()
    await see(toast(page, '已提交短信服务商审核'))
    await page.goto(`${office.url}${SIGNATURES}?state=reviewing`)
    await row(page, '品牌小铺').getByRole('button', { name: '品牌小铺' }).click()
    const services = page.getByRole('region', { name: '短信服务商' })
    for (const label of ['阿里云', '腾讯云']) {
      await see(services.getByRole('listitem', { name: label }).getByText('审核中'))
    }
    await review('品牌小铺', { approve: false, reason: '签名涉及他人商标或品牌，请提供授权文件' })
    for (const label of ['阿里云', '腾讯云']) {
      await services.getByRole('button', { name: `再次查询${label}` }).click()
      await see(services.getByRole('listitem', { name: label }).getByText('未通过'))
    }
    await see(services.getByText('签名涉及他人商标或品牌，请提供授权文件').first())
    await see(page.getByRole('button', { name: '重新提交阿里云' }))
    assert.deepEqual(await axeFindings(page), [])
    const agent = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shops[1]?.id}`)
    const part = agent.getByRole('region', { name: '审批申请' })
    await see(part.getByText('已驳回'), part.getByText(/签名涉及他人商标或品牌。请改用自己的店铺名称/))
  },
)

exhaustive(
  'what is taken back is told, handed in again, and fits a phone',
  ['features/care/approvals/server-services.test.ts', 'test/e2e/care/signature-review.e2e.ts'],
  async () => {
    const [shop] = shops
    await review('老张面馆', { approve: false, reason: '超过六个月未使用' })
    await office.sql(
      `update shop_signatures set next_at = now() - interval '1 second' where merchant_id = $1`,
      [shop?.id],
    )
    const page = await office.openAs('10090', `${SIGNATURES}?search=${shop?.id}`, { viewport: PHONE })
    await page.getByRole('button', { name: '老张面馆' }).first().click()
    const aliyun = page.getByRole('region', { name: '短信服务商' }).getByRole('listitem', { name: '阿里云' })
    await see(aliyun.getByText('已被收回').first())
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '重新提交阿里云' }).click()
    await see(toast(page, '已安排重新提交'), aliyun.getByText('审核中'))
    await review('老张面馆', { approve: true })
    await page.getByRole('button', { name: '再次查询阿里云' }).click()
    await see(aliyun.getByText('已通过'))
  },
)
