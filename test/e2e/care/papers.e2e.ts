// Papers of a shop from their upload to their certificate of erasure, by the people who keep them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { addDays, formatDay } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  toast,
} from '../browser.ts'

const LIST = '/admin/merchant/documents'

let office: BrowserOffice
let shop: { id: string; name: string }
before(async () => {
  office = await openBrowserOffice()
  const [row] = await office.sql<{ id: string; shop_name: string }>(
    `select id, shop_name from merchants m where agent_id = 101 and status = 'normal' and (expires_at is null or expires_at > now() + interval '1 day')
       and not exists (select from documents d where d.merchant_id = m.id) order by id limit 1`,
  )
  assert.ok(row)
  shop = { id: row.id, name: row.shop_name }
})
afterEach(() => office.closePages())
after(() => office.stop())

const picture = (background: string) =>
  sharp({ create: { width: 640, height: 420, channels: 3, background } })
    .png()
    .toBuffer()

const papersOf = (page: Page) => page.getByRole('region', { name: '证件资料' })

async function choose(scope: Locator, label: string, option: string): Promise<void> {
  await scope.getByRole('combobox', { name: label }).click()
  await scope.page().locator('.ant-select-item-option').getByText(option, { exact: true }).click()
}

async function upload(page: Page, dialog: Locator, background: string): Promise<void> {
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'paper.png',
      mimeType: 'image/png',
      buffer: await picture(background),
    })
  await see(dialog.getByRole('button', { name: /^移除/ }))
  await gone(dialog.getByRole('progressbar'))
  await dialog.getByRole('button', { name: '保存资料' }).click()
  await see(toast(page, '资料已保存'))
}

async function saved(page: Page, press: Locator): Promise<{ name: string; bytes: Buffer }> {
  const saving = page.waitForEvent('download')
  await press.click()
  const download = await saving
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('a paper is kept, looked at with a purpose, taken, given its end, replaced, packed and erased', async () => {
  const page = await office.openAs('20001', `/admin/merchant/merchantDetails?user_id=${shop.id}`)
  const papers = papersOf(page)
  await see(papers.getByText('还没有资料'))
  await papers.getByRole('button', { name: '上传资料' }).click()
  const keeping = page.getByRole('dialog', { name: '上传证件资料' })
  await keeping.getByText('营业执照', { exact: true }).click()
  await upload(page, keeping, '#d8e0d0')
  await see(papers.getByText('未填写有效期'))
  await papers.getByRole('button', { name: '查看：营业执照' }).click()
  const looking = page.getByRole('dialog', { name: '营业执照' })
  assert.equal(await looking.getByRole('img').count(), 0)
  await choose(looking, '查看目的', '协助商户')
  const shown = looking.getByRole('img', { name: '营业执照' })
  await see(shown)
  const loaded = () => shown.evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth)
  await eventually(loaded, 640)
  assert.deepEqual(await axeFindings(page), [])
  const taken = await saved(page, looking.getByRole('link', { name: '下载原图' }))
  assert.equal((await sharp(taken.bytes).metadata()).width, 640)
  await looking.getByRole('button', { name: '关闭', exact: true }).last().click()

  await papers.getByRole('button', { name: '有效期：营业执照' }).click()
  const ending = page.getByRole('dialog', { name: '营业执照有效期' })
  const ends = addDays(formatDay(new Date()), 10)
  await ending.getByRole('textbox', { name: '到期日期' }).fill(ends)
  // It picks the day, and sends nothing.
  await page.keyboard.press('Enter')
  await ending.getByRole('button', { name: '保存有效期' }).click()
  await see(toast(page, '有效期已保存'))
  await see(papers.getByText(`有效期至 ${ends}`))

  await papers.getByRole('button', { name: '替换：营业执照' }).click()
  const replacing = page.getByRole('dialog', { name: '替换营业执照' })
  await upload(page, replacing, '#c0d0f0')
  await papers.getByRole('button', { name: '以前的资料（1）' }).click()
  await see(papers.getByText('已替换'))

  await papers.getByRole('button', { name: '打包下载' }).click()
  const packing = page.getByRole('dialog', { name: '打包下载证件资料' })
  await choose(packing, '下载目的', '支付进件')
  assert.deepEqual(await axeFindings(page), [])
  const zip = await saved(page, packing.getByRole('link', { name: '下载 2 份资料' }))
  assert.match(zip.name, new RegExp(`^${shop.id}_证件资料_\\d{4}-\\d\\d-\\d\\d\\.zip$`))
  assert.equal(zip.bytes.readUInt16LE(zip.bytes.length - 22 + 8), 2)
  await packing.getByRole('button', { name: '关闭', exact: true }).last().click()

  await papers.getByRole('button', { name: '销毁：营业执照' }).last().click()
  const erasing = page.getByRole('dialog', { name: '销毁营业执照？' })
  await erasing.getByRole('button', { name: '销毁资料' }).click()
  await see(erasing.getByText('请输入销毁原因').first())
  await erasing.getByRole('textbox', { name: '销毁原因' }).fill('已换新照')
  assert.deepEqual(await axeFindings(page), [])
  await erasing.getByRole('button', { name: '销毁资料' }).click()
  await see(
    toast(page, '资料已销毁，可以下载销毁证明'),
    papers.getByText('已销毁'),
    papers.getByText('已换新照'),
  )
  const certificate = await saved(page, papers.getByRole('button', { name: '销毁证明：营业执照' }))
  assert.match(certificate.name, /^证件资料销毁证明-\d+\.pdf$/)
  assert.equal(certificate.bytes.subarray(0, 5).toString(), '%PDF-')
  const rows = await office.sql<{ title: string }>(
    `select title from operation_logs where merchant_id = $1 and objects::text like '%document:%' order by id`,
    [shop.id],
  )
  assert.deepEqual(
    rows.map(({ title }) => title),
    [
      '上传证件资料',
      '查看证件资料',
      '下载证件资料',
      '修改证件有效期',
      '上传证件资料',
      '销毁证件资料',
      '下载销毁证明',
    ],
  )
})

exhaustive(
  'the list of all shows what ends soon, filters by it, and opens the shop',
  ['features/care/documents/server-erase.test.ts', 'test/e2e/overview/inbox.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', LIST)
    const soon = page.getByRole('list', { name: '即将到期' })
    await soon.getByRole('button', { name: /15 天内到期/ }).click()
    await page.waitForURL(/ends=in15/)
    await gone(page.getByText('还有 41 天'))
    await see(page.getByText('还有 12 天'))
    await soon.getByRole('button', { name: /已到期/ }).click()
    await see(page.getByText('已到期 20 天'))
    assert.deepEqual(await axeFindings(page), [])
    await page.getByRole('button', { name: '营业执照' }).first().click()
    await see(page.getByRole('dialog').getByRole('region', { name: '证件资料' }))
  },
)

exhaustive(
  'staff see the papers of all agents, on a phone as cards',
  ['test/e2e/house/pages.e2e.ts', 'test/tenancy.test.ts'],
  async () => {
    const page = await office.openAs('10090', LIST, { viewport: PHONE })
    await see(page.getByText('还有 6 天'))
    await gone(page.getByRole('dialog'))
  },
)
