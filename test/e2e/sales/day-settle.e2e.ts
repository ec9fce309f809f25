// A partner's evening: an order is taken back, above an amount with a second person, and the month adds up (D3 §2, §4, §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Download, Locator, Page } from 'playwright-core'
import readXlsxFile from 'read-excel-file/node'
import { formatCents, parseCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  pressWhere,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const BILLS = '/admin/detail/billingDetails'

type Order = {
  order_no: string
  merchant_id: string
  total_cents: string
  status: string
  expires_before: Date
  expires_after: Date
}

/** Renewals of 20001 that can be undone, the latest first; each is the last order of its shop. */
async function freshRenewals(): Promise<Order[]> {
  return office.sql<Order>(
    `select o.order_no, o.merchant_id, o.total_cents, o.status, e.expires_before, e.expires_after
     from version_orders o join version_order_effects e on e.order_id = o.id
     where o.agent_id = 101 and o.sales_type = 'renew' and o.status = 'paid' and o.paid_at > now() - interval '12 days'
       and not exists (select 1 from undo_requests r where r.order_no = o.order_no)
     order by o.paid_at desc`,
  )
}

async function freshRenewal(): Promise<Order> {
  return (await freshRenewals())[0] ?? assert.fail('no order is left')
}

async function statusOf(order: Order): Promise<string | undefined> {
  const [row] = await office.sql<{ status: string }>(
    'select status from version_orders where order_no = $1',
    [order.order_no],
  )
  return row?.status
}

async function endOf(order: Order): Promise<number | undefined> {
  const [row] = await office.sql<{ expires_at: Date }>('select expires_at from merchants where id = $1', [
    order.merchant_id,
  ])
  return row?.expires_at.getTime()
}

async function balance(asset: 'token' | 'sms' = 'token'): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = $1`,
    [asset],
  )
  return Number(account?.balance)
}

function rows(page: Page): Locator {
  return page.getByRole('table').locator('tbody').getByRole('row')
}

async function openBill(login: string, order: Order): Promise<Page> {
  const page = await office.openAs(login, `${BILLS}?search=${order.order_no}`)
  await see(page.getByText('共 1 条', { exact: true }), rows(page))
  return page
}

function undoButton(page: Page): Locator {
  return rows(page).getByRole('button', { name: '撤销', exact: true })
}

async function openUndo(page: Page): Promise<Locator> {
  await undoButton(page).click()
  const dialog = page.getByRole('dialog', { name: '撤销订单' })
  await see(dialog.getByRole('article'))
  return dialog
}

async function seeDisabled(page: Page, button: Locator, reason: string): Promise<void> {
  await eventually(() => button.getAttribute('aria-disabled'), 'true')
  await button.hover()
  await see(page.getByRole('tooltip').getByText(reason))
}

describe('an undo from the billing details', () => {
  test('shows what it gives back, gives exactly that, and cannot be done twice', async () => {
    const order = await freshRenewal()
    const before = await balance()
    const total = Number(order.total_cents)
    const added = order.expires_after.getTime() - order.expires_before.getTime()
    const end = (await endOf(order)) ?? 0
    const page = await openBill('20001', order)
    const late = await openBill('20001', order)
    const lateDialog = await openUndo(late)
    const dialog = await openUndo(page)
    assert.equal(await fact(dialog, '退回代币').innerText(), formatCents(total))
    const days = Math.floor(added / 86_400_000)
    await see(
      dialog.getByText(`减少 ${days} 天`),
      dialog.getByText(`到期 ${formatDay(new Date(end))}`),
      dialog.getByText(formatDay(new Date(end - added))),
    )
    const submit = dialog.getByRole('button', { name: '撤销订单' })
    await submit.click()
    await see(dialog.getByText('请输入撤销原因'))
    await dialog.getByRole('textbox', { name: '撤销原因' }).fill('商户重复付款')
    await submit.dblclick()
    await see(toast(page, '撤销成功！'))
    await gone(dialog)
    await see(
      rows(page).getByText('已撤销'),
      page.getByRole('link', { name: `余额 ${formatCents(before + total)} 代币` }),
    )
    await seeDisabled(page, undoButton(page), '该订单已撤销，请勿重复操作')
    assert.deepEqual(
      [await balance(), await statusOf(order), await endOf(order)],
      [before + total, 'recycled', end - added],
    )
    await lateDialog.getByRole('textbox', { name: '撤销原因' }).fill('再撤一次')
    await lateDialog.getByRole('button', { name: '撤销订单' }).click()
    await see(lateDialog.getByText('该订单已撤销，请勿重复操作').first())
    assert.equal(await balance(), before + total)
    const [note] = await office.sql<{ n: number }>(
      `select count(*)::int as n from ledger_transfers where document = $1 and reverses_id is not null`,
      [order.order_no],
    )
    assert.equal(note?.n, 1)
    await office.verifyLedger()
  })

  exhaustive(
    'is refused sixteen days after the payment, with its reason',
    ['features/sales/order-details/server.test.ts', 'features/sales/purchases/server-undo.test.ts'],
    async () => {
      const order = await freshRenewal()
      await office.sql(`update version_orders set paid_at = now() - interval '16 days' where order_no = $1`, [
        order.order_no,
      ])
      const page = await openBill('20001', order)
      await seeDisabled(page, undoButton(page), '订单支付已超过15天，不能撤销')
      await pressWhere(undoButton(page))
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await statusOf(order), 'paid')
    },
  )

  test('above the operator’s amount waits for the operator, who approves it', async () => {
    const operator = await office.openAs('10001', `${BILLS}?view=requests`)
    await operator.getByRole('button', { name: '撤销审批设置' }).click()
    const settings = operator.getByRole('dialog', { name: '撤销审批设置' })
    await settings.getByRole('radio', { name: /^退回金额超过限额时/ }).check()
    await settings.getByRole('textbox', { name: '审批限额' }).fill('100')
    await settings.getByRole('button', { name: /^保\s?存$/ }).click()
    await see(toast(operator, '保存成功'))

    const order = await freshRenewal()
    const [waiting] = await office.sql<{ count: number }>(
      `select count(*)::int from undo_requests where agent_id = 101 and state = 'pending'`,
    )
    const before = await balance()
    const end = await endOf(order)
    assert.ok(Number(order.total_cents) > 10_000)
    const page = await openBill('20001', order)
    const dialog = await openUndo(page)
    await see(dialog.getByText('退回金额超过审批限额，提交后由另一人审批，通过后撤销'))
    await dialog.getByRole('textbox', { name: '撤销原因' }).fill('商户停业')
    await dialog.getByRole('button', { name: '提交撤销申请' }).dblclick()
    await see(toast(page, '撤销申请已提交，等待审批'))
    await see(
      rows(page).getByText('撤销待审批'),
      page.getByRole('button', { name: `撤销申请（${(waiting?.count ?? 0) + 1} 待审批）` }),
    )
    await seeDisabled(page, undoButton(page), '该订单的撤销正在等待审批，请勿重复提交')
    assert.deepEqual([await balance(), await statusOf(order)], [before, 'paid'])

    await page.getByRole('button', { name: /^撤销申请/ }).click()
    await see(rows(page).getByText('商户停业'))
    assert.equal(await page.getByRole('button', { name: '审批', exact: true }).count(), 0)
    assert.equal(await page.getByRole('button', { name: '撤销审批设置' }).count(), 0)

    await operator.getByRole('button', { name: '刷新', exact: true }).click()
    const request = rows(operator).filter({ hasText: '商户停业' })
    await see(request.getByText('待审批'))
    await request.getByRole('button', { name: '审批', exact: true }).click()
    const decision = operator.getByRole('dialog', { name: '审批撤销申请' })
    assert.equal(await fact(decision, '撤销原因').innerText(), '商户停业')
    await see(decision.getByText('退回代币'))
    await decision.getByRole('button', { name: '驳回申请' }).click()
    await see(decision.getByText('请输入驳回原因'))
    await decision.getByRole('textbox', { name: /^审批意见/ }).fill('情况属实')
    await decision.getByRole('button', { name: '通过并撤销' }).dblclick()
    await see(toast(operator, '撤销成功！'), request.getByText('已通过'))
    const added = order.expires_after.getTime() - order.expires_before.getTime()
    assert.deepEqual(
      [await balance(), await statusOf(order), await endOf(order)],
      [before + Number(order.total_cents), 'recycled', (end ?? 0) - added],
    )
    await page.getByRole('button', { name: '刷新', exact: true }).click()
    await see(rows(page).getByText('已通过'), rows(page).getByText('情况属实'))
    await office.verifyLedger()
  })
})

describe('the statement of this month', () => {
  type Line = { name: string; income: number; spent: number; balance: number | null }

  /** A section as it stands on screen, in 1/100 token or pieces. */
  async function linesOf(section: Locator, read: (text: string) => number): Promise<Line[]> {
    const found: Line[] = []
    for (const row of await section.getByRole('row').all()) {
      const name = await row.getByRole('rowheader').allInnerTexts()
      if (name.length !== 1) continue
      const cells = await row.getByRole('cell').allInnerTexts()
      const number = (text: string | undefined) => (text === undefined || text === '—' ? 0 : read(text))
      found.push(
        cells.length === 2
          ? { name: name[0] ?? '', income: 0, spent: 0, balance: number(cells[1]) }
          : { name: name[0] ?? '', income: number(cells[1]), spent: number(cells[2]), balance: null },
      )
    }
    return found
  }

  const cents = (text: string) => parseCents(text) ?? assert.fail(text)
  const pieces = (text: string) => Number(text.replaceAll(',', ''))

  async function download(page: Page, name: string): Promise<Download> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ])
    return file
  }

  exhaustive(
    'adds up on screen, to the wallet, and in both files',
    [
      'features/sales/settlement/server-statement.test.ts',
      'test/e2e/house/pages.e2e.ts',
      'features/sales/settlement/StatementPage.test.tsx',
    ],
    async () => {
      const month = formatDay(new Date()).slice(0, 7)
      const page = await office.openAs('20001', '/admin/detail/statement')
      await see(page.getByRole('heading', { name: '月度对账单' }))
      await page.getByRole('button', { name: '下一月' }).click()
      await eventually(() => page.getByRole('combobox', { name: '月份' }).inputValue(), month)
      await see(page.getByText('本月尚未结束，期末余额为截至目前的余额'))
      const [token, sms] = [
        page.getByRole('region', { name: '代币' }),
        page.getByRole('region', { name: '短信额度' }),
      ]
      await see(token.getByText('核对一致'), sms.getByText('核对一致'))
      const shown = { token: await linesOf(token, cents), sms: await linesOf(sms, pieces) }
      for (const asset of ['token', 'sms'] as const) {
        const lines = shown[asset]
        const moved = lines.filter(line => line.balance === null && line.name !== '合计')
        const sum = (key: 'income' | 'spent') => moved.reduce((total, line) => total + line[key], 0)
        const total = lines.find(line => line.name === '合计')
        const [opening, closing] = ['期初余额', '期末余额'].map(
          name => lines.find(line => line.name === name)?.balance ?? assert.fail(name),
        ) as [number, number]
        assert.deepEqual([total?.income, total?.spent], [sum('income'), sum('spent')], asset)
        assert.equal(opening + sum('income') - sum('spent'), closing, asset)
        assert.equal(closing, await balance(asset), asset)
      }
      assert.ok(shown.token.some(line => line.name.includes('撤销') && line.income > 0))

      const excel = await download(page, '导出 Excel')
      assert.match(excel.suggestedFilename(), /\.xlsx$/)
      const [sheet] = await readXlsxFile(await excel.path())
      const [head = [], ...body] = sheet?.data ?? []
      const written = (prefix: string, unit: 1 | 100, columns: [string, string, string]) =>
        body
          // Tokens are named without a prefix; SMS and deposits have one.
          .filter(cells => (/^(短信|押金) /.exec(String(cells[head.indexOf('项目')]))?.[0] ?? '') === prefix)
          .map(cells => {
            const amount = (name: string) => Math.round(Number(cells[head.indexOf(name)] ?? 0) * unit)
            const name = String(cells[head.indexOf('项目')]).slice(prefix.length)
            const isBalance = name.startsWith('期')
            return {
              name,
              income: amount(columns[0]),
              spent: amount(columns[1]),
              balance: isBalance ? amount(columns[2]) : null,
            }
          })
      assert.deepEqual(written('', 100, ['收入（代币）', '支出（代币）', '余额（代币）']), shown.token)
      assert.deepEqual(written('短信 ', 1, ['短信收入（条）', '短信支出（条）', '短信余额（条）']), shown.sms)
      const paper = await download(page, '导出 PDF')
      assert.match(paper.suggestedFilename(), /\.pdf$/)
      const answer = await page.request.get(new URL(paper.url()).pathname + new URL(paper.url()).search)
      assert.match(answer.headers()['content-type'] ?? '', /^application\/pdf/)
      const bytes = await answer.body()
      assert.ok(bytes.length > 5_000, `${bytes.length} bytes`)
      assert.equal(bytes.subarray(0, 5).toString('latin1'), '%PDF-')
      assert.match(bytes.subarray(-1_024).toString('latin1'), /%%EOF\s*$/)
    },
  )
})
