// Somebody asks to be forgotten: the operator looks for the number, sees what is known and what becomes of it, has it erased, and has a certificate.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  axeFindings,
  type BrowserOffice,
  FIRST_OPERATOR,
  goByMenu,
  openBrowserOffice,
  PHONE,
  ready,
  rowOf,
  see,
  sidewaysScroll,
} from '../browser.ts'

const ASKING = { phone: '13987650423', name: '金丝雀' }

let office: BrowserOffice
before(async () => {
  // Its loops find and erase.
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

async function lookFor(page: Page, phone: string): Promise<void> {
  await page.getByRole('button', { name: '查找个人信息' }).click()
  await page.getByLabel('手机号').fill(phone)
  await page.getByLabel('姓名').fill(ASKING.name)
  await page.getByRole('button', { name: '查找', exact: true }).click()
}

async function askToErase(page: Page, done: '开始删除' | '提交复核'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '删除个人信息' })
  await dialog.getByLabel('本人提出日期').fill('2026-11-01')
  await dialog.getByLabel('本人提出日期').press('Enter')
  await dialog.getByText('电话', { exact: true }).click()
  await dialog.getByLabel('原因').fill('本人来电要求删除')
  await dialog.getByRole('button', { name: done }).click()
}

test('what is known of a number is found, erased, and certified', async () => {
  await office.sql(
    `insert into consultations (name, mobile, ip_hash, created_at) values ($1, $2, 'x', now()), ('同号的人', $2, 'x', now())`,
    [ASKING.name, ASKING.phone],
  )
  const page = await office.openAs(FIRST_OPERATOR, '/admin/index')
  await goByMenu(page, '合作申请')
  await page.getByRole('link', { name: '个人信息删除' }).click()
  await ready(page)
  await lookFor(page, ASKING.phone)
  const drawer = page.getByRole('dialog', { name: '个人信息删除' })
  await see(drawer.getByText('139****0423 金*雀'), drawer.getByText('待提交'))
  const found = drawer.getByRole('region', { name: '官网咨询' })
  // Who has the same number is for the operator to say.
  const boxes = await found.getByRole('checkbox').all()
  assert.deepEqual(await Promise.all(boxes.map(box => box.isChecked())), [true, false])
  assert.deepEqual(await axeFindings(page), [])
  await drawer.getByRole('button', { name: '删除个人信息' }).click()
  await askToErase(page, '开始删除')
  await see(drawer.getByText('已完成'), drawer.getByRole('button', { name: '下载删除证明' }))
  const file = page.waitForEvent('download')
  await drawer.getByRole('button', { name: '下载删除证明' }).click()
  assert.match((await file).suggestedFilename(), /^个人信息删除证明.*\.pdf$/)
  await drawer.getByRole('button', { name: '关闭' }).click()
  await see(rowOf(page, '139****0423').getByText('已完成'))
  const left = await office.sql<{ name: string }>('select name from consultations where mobile = $1', [
    ASKING.phone,
  ])
  assert.deepEqual(
    left.map(({ name }) => name),
    ['同号的人'],
  )
})

test('where a colleague may agree it waits for one, who decides on a phone', async () => {
  const phone = '13987650424'
  await office.sql(
    `insert into consultations (name, mobile, ip_hash, created_at) values ($1, $2, 'x', now())`,
    [ASKING.name, phone],
  )
  await office.sql(
    `with role as (
       insert into roles (agent_id, name, node_ids, created_at)
         select agent_id, '复核', array(select id from permission_nodes where key = 'personErasures.manage'), now()
         from accounts where login_name = $1 returning id, agent_id)
     update accounts a set agent_id = role.agent_id, role_id = role.id, is_owner = false from role where login_name = '10090'`,
    [FIRST_OPERATOR],
  )
  const first = await office.openAs(FIRST_OPERATOR, '/admin/operations/person-erasures')
  await lookFor(first, phone)
  const drawer = first.getByRole('dialog', { name: '个人信息删除' })
  await drawer.getByRole('button', { name: '删除个人信息' }).click()
  await askToErase(first, '提交复核')
  await see(drawer.getByText('待复核'))
  await see(drawer.getByRole('button', { name: '同意并删除' }).and(first.locator('[aria-disabled="true"]')))

  const address = first.url().replace(office.url, '')
  const second = await office.openAs('10090', address, { viewport: PHONE })
  const sheet = second.getByRole('dialog', { name: '个人信息删除' })
  await see(sheet.getByText('139****0424 金*雀'), sheet.getByText('本人来电要求删除'))
  assert.equal(await sidewaysScroll(second), 0)
  assert.deepEqual(await axeFindings(second), [])
  await sheet.getByRole('button', { name: '同意并删除' }).click()
  const question = second.getByRole('alertdialog', { name: '删除 139****0424 的个人信息？' })
  await question.getByRole('button', { name: '同意并删除' }).click()
  await see(sheet.getByText('已完成'), sheet.getByRole('button', { name: '下载删除证明' }))
  assert.equal(await sidewaysScroll(second), 0)
})
