// Tokens in the browser: the operator credits an agent, who sees it; staff look over all agents (D3 §2, §9; D1 §6).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { formatCents } from '#kit/money.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  menuLink,
  openBrowserOffice,
  rowOf,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const CHANGES = '/admin/detail/personalDetails'

async function balance(agentId: number, asset: 'token' | 'sms'): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = $2`,
    [agentId, asset],
  )
  return Number(account?.balance)
}

async function agentName(agentId: number): Promise<string> {
  const [agent] = await office.sql<{ company_name: string }>(
    'select company_name from agents where id = $1',
    [agentId],
  )
  return agent?.company_name ?? assert.fail('no such agent')
}

function rows(page: Page): Locator {
  return page.getByRole('table').locator('tbody').getByRole('row')
}

/** Cells of a row by the first characters of their head. */
async function cellsOf(page: Page, row: Locator, ...heads: string[]): Promise<(string | undefined)[]> {
  const names = await page.getByRole('columnheader').allInnerTexts()
  const cells = await row.getByRole('cell').allInnerTexts()
  return heads.map(head => cells[names.findIndex(name => name.startsWith(head))])
}

async function openCredit(page: Page, company: string): Promise<Locator> {
  await rows(page).filter({ hasText: company }).getByRole('button', { name: '充值' }).click()
  const dialog = page.getByRole('dialog', { name: `充值：${company}` })
  await see(dialog.getByRole('textbox', { name: '数额' }))
  return dialog
}

describe('crediting an agent', () => {
  test('the operator gives tokens with a reason, and the agent alone sees them', async () => {
    const company = await agentName(102)
    const before = await balance(102, 'token')
    const others = await balance(101, 'token')
    const page = await office.openAs('10001', '/admin/operations/agents')
    const dialog = await openCredit(page, company)
    const submit = dialog.getByRole('button', { name: '充值', exact: true })
    await submit.click()
    await see(dialog.getByText('请输入大于0的数额'))
    await dialog.getByRole('textbox', { name: '数额' }).fill('1,234.5')
    await submit.click()
    await see(dialog.getByText('请输入充值原因'))
    await dialog.getByRole('textbox', { name: '充值原因' }).fill('线下汇款 2026-11')
    await submit.click()
    const question = page.getByRole('alertdialog', { name: /充值 1,234\.50 代币？$/ })
    const outcome = `余额将由 ${formatCents(before)} 变为 ${formatCents(before + 123_450)} 代币`
    await see(question.getByText(outcome))
    await question.getByRole('button', { name: '取消' }).click()
    assert.equal(await balance(102, 'token'), before)
    await submit.click()
    await question.getByRole('button', { name: '确认充值' }).dblclick()
    await see(toast(page, '充值成功'))
    await gone(dialog)
    const agentRow = rows(page).filter({ hasText: company })
    await eventually(() => cellsOf(page, agentRow, '余额（代币）'), [formatCents(before + 123_450)])
    assert.equal(await balance(102, 'token'), before + 123_450)
    assert.equal(await balance(101, 'token'), others)

    const agent = await office.openAs('20002', CHANGES)
    await see(agent.getByRole('link', { name: `余额 ${formatCents(before + 123_450)} 代币` }))
    await eventually(
      () =>
        cellsOf(
          agent,
          rowOf(agent, '线下汇款 2026-11'),
          '变动金额',
          '变动前',
          '变动后',
          '支付方式',
          '费用备注',
        ),
      ['+1,234.50', formatCents(before), formatCents(before + 123_450), '免费赠送', '线下汇款 2026-11'],
    )
    const other = await office.openAs('20001', CHANGES)
    await see(rows(other))
    assert.equal(await other.getByText('线下汇款 2026-11').count(), 0)
  })

  exhaustive(
    'SMS credit comes in whole pieces',
    ['features/money/ledger/rules.test.ts', 'features/money/ledger/server.test.ts'],
    async () => {
      const company = await agentName(102)
      const before = await balance(102, 'sms')
      const page = await office.openAs('10001', '/admin/operations/agents')
      const dialog = await openCredit(page, company)
      await dialog.getByRole('radio', { name: '短信' }).check()
      await dialog.getByRole('textbox', { name: '充值原因' }).fill('短信赠送')
      const submit = dialog.getByRole('button', { name: '充值', exact: true })
      await dialog.getByRole('textbox', { name: '数额' }).fill('10.5')
      await submit.click()
      await see(dialog.getByText('请输入大于0的数额'))
      await dialog.getByRole('textbox', { name: '数额' }).fill('500')
      await submit.click()
      await page.getByRole('alertdialog').getByRole('button', { name: '确认充值' }).click()
      await see(toast(page, '充值成功'))
      assert.equal(await balance(102, 'sms'), before + 500)
      const agent = await office.openAs('20002', '/admin/index')
      await eventually(
        () => fact(agent, '短信余额（条）').innerText(),
        (before + 500).toLocaleString('en-US'),
      )
    },
  )

  exhaustive(
    'staff who are not the operator see the agents but credit nobody',
    ['features/money/ledger/server.test.ts', 'test/e2e/overview/dashboard.e2e.ts'],
    async () => {
      const page = await office.openAs('10090', '/admin/operations/agents')
      await see(rows(page).filter({ hasText: await agentName(102) }))
      assert.equal(await page.getByRole('button', { name: '充值' }).count(), 0)
    },
  )
})

describe('looking over all agents', () => {
  exhaustive(
    'the operator finds any agent’s shop and filters by agent',
    ['features/shops/merchants/server-list.test.ts', 'web/list/ListAddress.test.tsx'],
    async () => {
      const [shop] = await office.sql<{ id: string; account: string }>(
        'select id, account from merchants where agent_id = 102 order by id limit 1',
      )
      assert.ok(shop)
      const company = await agentName(102)
      const [all] = await office.sql<{ count: number }>('select count(*)::int from merchants')
      const page = await office.openAs('10001', '/admin/merchant/myMerchant')
      await see(page.getByText(`共 ${all?.count} 条`, { exact: true }))
      const box = page.getByRole('textbox', { name: /^搜索：/ })
      await box.fill('1')
      await see(page.getByText('搜索全部代理商时请至少输入2个字').first())
      await box.fill(shop.account)
      await see(page.getByText('共 1 条', { exact: true }))
      assert.deepEqual(await cellsOf(page, rowOf(page, shop.account), '代理商'), [`${company}（102）`])
      await box.fill('')
      await page.getByRole('button', { name: /^高级筛选/ }).click()
      await page.getByRole('combobox', { name: '代理商' }).fill('102')
      await page.getByTitle(`${company}（102）`, { exact: true }).click()
      await see(page.getByText('共 35 条', { exact: true }), page.getByText(`代理商：${company}`))
      assert.equal(new URL(page.url()).search, '?agentId=102')
      const names = await Promise.all((await rows(page).all()).map(row => cellsOf(page, row, '代理商')))
      assert.deepEqual([...new Set(names.flat())], [`${company}（102）`])
      await page.reload()
      await see(page.getByText('共 35 条', { exact: true }), page.getByText(`代理商：${company}`))
    },
  )
})

describe('balance changes', () => {
  exhaustive(
    'a sub-user sees them, with totals that agree with the ledger',
    ['features/money/ledger/server.test.ts'],
    async () => {
      const page = await office.openAs('2000101', '/admin/index')
      const tokens = formatCents(await balance(101, 'token'))
      await eventually(() => fact(page, '余额（代币）').first().innerText(), tokens)
      await (await menuLink(page, '余额变动')).click()
      await see(rows(page))
      const [sums] = await office.sql<{ income: string; spent: string; n: string }>(
        `select sum(amount) filter (where amount > 0) as income, -sum(amount) filter (where amount < 0) as spent, count(*) as n
       from ledger_entries where account_id =
         (select id from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = 'token')`,
      )
      assert.ok(sums)
      await see(
        page.getByText(`收入 ${formatCents(Number(sums.income))} 代币`),
        page.getByText(`支出 ${formatCents(Number(sums.spent))} 代币`),
        page.getByText(`笔数 ${sums.n}`, { exact: true }),
      )
      const [latest] = await Promise.all((await rows(page).all()).map(row => cellsOf(page, row, '变动后')))
      assert.deepEqual(latest, [tokens])
      assert.equal(await page.getByRole('main').getByRole('link', { name: '导出' }).count(), 0)
    },
  )

  exhaustive(
    'they filter by method and search, and export what is filtered',
    ['features/money/ledger/server.test.ts', 'web/list/ListAddress.test.tsx', 'kit/declare/list.test.ts'],
    async () => {
      const page = await office.openAs('20001', CHANGES)
      await page.getByRole('button', { name: /^高级筛选/ }).click()
      await page.getByRole('combobox', { name: '支付方式' }).click()
      await page.getByTitle('免费赠送', { exact: true }).click()
      const given = await office.sql<{ cents: number; after: number }>(
        `select amount::int as cents, balance_after::int as after from ledger_entries
       where pay_method = 'gift' and account_id =
         (select id from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = 'token')
       order by created_at desc`,
      )
      await see(
        page.getByText(`共 ${given.length} 条`, { exact: true }),
        page.getByText('支付方式：免费赠送'),
      )
      const [{ cents, after }] = given as [{ cents: number; after: number }]
      assert.deepEqual(await cellsOf(page, rowOf(page, formatCents(after)), '说明', '变动金额', '变动前'), [
        '运营充值',
        `+${formatCents(cents)}`,
        formatCents(after - cents),
      ])
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: '导出' }).click(),
      ])
      const [sheet] = await readXlsxFile(await download.path())
      const [head = [], ...body] = sheet?.data ?? []
      const cell = (name: string) => body.map(cells => cells[head.indexOf(name)])
      assert.deepEqual(
        [cell('说明'), cell('变动金额（代币）'), cell('变动后（代币）')],
        [
          given.map(() => '运营充值'),
          given.map(entry => entry.cents / 100),
          given.map(entry => entry.after / 100),
        ],
      )
      await page.getByRole('button', { name: '移除条件 支付方式' }).click()
      const [shop] = await office.sql<{ id: string }>(
        `select merchant_id as id from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
       where e.account_id = (select id from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = 'token')
         and merchant_id is not null
       group by merchant_id having count(*) = 1 order by merchant_id limit 1`,
      )
      await page.getByRole('textbox', { name: /^搜索：/ }).fill(String(shop?.id))
      await eventually(
        () => cellsOf(page, rowOf(page, String(shop?.id)), '商户ID', '支付方式'),
        [shop?.id, '余额'],
      )
      await see(page.getByText('共 1 条', { exact: true }))
    },
  )
})
