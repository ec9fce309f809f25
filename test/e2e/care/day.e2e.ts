// A partner's morning: the renewal desk, what is agreed with shops, one price for many, and its undo (D2 §2.2, §9; D3 §9).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCents } from '#kit/money.ts'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import {
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  ready,
  see,
  toast,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
  await leaveFiveDue()
})
afterEach(() => office.closePages())
after(() => office.stop())

const DESK = '/admin/merchant/renewals'

type Shop = { id: string; shop_name: string; expires_at: Date; shops_bought: number; status: string }
/** Shops of 20001 by what they are here; nothing else of theirs is due. */
const due: Record<'big' | 'soon' | 'later' | 'last' | 'lapsed', Shop> = {} as never

/** A big shop due in 28 days, one in use due in 5, two due later, one that has ended 10 days ago; no marks. */
async function leaveFiveDue(): Promise<void> {
  await office.sql('delete from renewal_marks')
  await office.sql(
    `update merchants set expires_at = now() + interval '500 days' where agent_id = 101 and expires_at is not null`,
  )
  const shops = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and version_id = 12 and store_kind = 'head' and status = 'normal'
     order by id limit 5`,
  )
  assert.equal(shops.length, 5)
  const wanted: [name: keyof typeof due, days: number, bought: number, login: string][] = [
    ['big', 28, 5, 'null'],
    ['soon', 5, 1, 'now()'],
    ['later', 40, 1, `now() - interval '45 days'`],
    ['last', 80, 1, 'now()'],
    ['lapsed', -10, 1, 'null'],
  ]
  for (const [i, [name, days, bought, login]] of wanted.entries()) {
    const [shop] = await office.sql<Shop>(
      `update merchants set shops_bought = $3, last_login_at = ${login}, expires_at =
         (date_trunc('day', now() at time zone 'Asia/Shanghai') + $2 * interval '1 day' + interval '12 hours')
           at time zone 'Asia/Shanghai'
       where id = $1 returning *`,
      [shops[i]?.id, days, bought],
    )
    due[name] = shop ?? assert.fail('no shop')
  }
}

async function shopNow(name: keyof typeof due): Promise<Shop> {
  const [shop] = await office.sql<Shop>('select * from merchants where id = $1', [due[name].id])
  return shop ?? assert.fail('the shop is gone')
}

async function tokens(): Promise<number> {
  const [account] = await office.sql<{ balance: string }>(
    `select balance from ledger_accounts where owner_kind = 'agent' and owner_id = 101 and asset = 'token'`,
  )
  return Number(account?.balance)
}

function rows(page: Page): Locator {
  return page.getByRole('table').locator('tbody').getByRole('row')
}

function rowOf(page: Page, name: keyof typeof due): Locator {
  return rows(page).filter({ has: page.getByRole('cell', { name: due[name].id }) })
}

/** The shops that the list shows, in its order. */
async function listed(page: Page): Promise<(string | undefined)[]> {
  const texts = await rows(page).allInnerTexts()
  return texts.map(text => Object.keys(due).find(name => text.includes(due[name as keyof typeof due].id)))
}

async function cellsOf(page: Page, row: Locator, ...heads: string[]): Promise<(string | undefined)[]> {
  const names = await page.getByRole('columnheader').allInnerTexts()
  const cells = await row.getByRole('cell').allInnerTexts()
  const shown = (head: string) => cells[names.findIndex(name => name.startsWith(head))]?.replace(/\s+/g, ' ')
  // Below the days stands when exactly.
  return heads.map(head => (head === '到期' ? shown(head)?.replace(/ \d{4}-.*$/, '') : shown(head)))
}

function windows(page: Page): Locator {
  return page.getByRole('navigation', { name: '到期范围' }).getByRole('button')
}

async function openDesk(query = ''): Promise<Page> {
  const page = await office.openAs('20001', DESK + query)
  await see(page.getByRole('heading', { name: '续费工作台' }), rows(page))
  return page
}

describe('the renewal desk', () => {
  exhaustive(
    'counts each window and ranks its shops, with the reason beside each',
    ['features/care/renewals/server.test.ts', 'features/care/renewals/rules.test.ts'],
    async () => {
      const page = await openDesk('?orderBy=rank')
      await eventually(
        async () =>
          (
            await windows(page)
              .filter({ hasNotText: /^[本下]月/ })
              .allInnerTexts()
          ).map(text => text.replace(/\s+/g, ' ')),
        ['7天内到期 1', '15天内到期 1', '30天内到期 2', '60天内到期 3', '90天内到期 4', '近90天已过期 1'],
      )
      await eventually(() => listed(page), ['big', 'soon'])
      assert.deepEqual(await cellsOf(page, rowOf(page, 'big'), '到期', '优先原因', '跟进'), [
        '28 天',
        '5家店、高金额、从未登录',
        '未跟进',
      ])
      assert.deepEqual(await cellsOf(page, rowOf(page, 'soon'), '到期', '优先原因'), ['5 天', '近7天在用'])
      await windows(page).filter({ hasText: '90天内到期' }).last().click()
      await page.waitForURL('**/renewals?window=*')
      await windows(page).filter({ hasText: '近90天已过期' }).click()
      await eventually(() => listed(page), ['lapsed'])
      assert.deepEqual(await cellsOf(page, rowOf(page, 'lapsed'), '到期'), ['过期 10 天'])
      await page.reload()
      await eventually(() => listed(page), ['lapsed'])
      await windows(page).filter({ hasText: '60天内到期' }).click()
      await eventually(() => listed(page), ['big', 'soon', 'later'])
      assert.deepEqual(await cellsOf(page, rowOf(page, 'later'), '优先原因'), ['45天未登录'])
    },
  )

  test('M on the row with the cursor notes what was agreed, which moves the shop and can be filtered by; N leads to its renewal, and back', async () => {
    const page = await openDesk('?orderBy=rank')
    await eventually(() => listed(page), ['big', 'soon'])
    await rowOf(page, 'big').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: `续费跟进：${due.big.shop_name}` })
    await see(dialog)
    const save = dialog.getByRole('button', { name: '保存跟进' })
    await dialog.getByText('已流失', { exact: true }).click()
    await save.click()
    await see(dialog.getByText('请输入流失原因', { exact: true }))
    await dialog.getByText('已承诺续费', { exact: true }).click()
    await dialog.getByRole('textbox', { name: '跟进说明' }).fill('老板同意，等财务付款')
    await dialog.getByRole('textbox', { name: '下次跟进日期' }).click()
    await page.getByText('3 天后', { exact: true }).click()
    await save.click()
    await see(toast(page, '跟进已保存'))
    await gone(dialog)
    const day = addDays(formatDay(new Date()), 3)
    const [mark] = await office.sql<{ state: string; note: string; next: string; by: string }>(
      `select state, note, to_char(next_on, 'YYYY-MM-DD') as next, created_by_name as by from renewal_marks
       where merchant_id = $1`,
      [due.big.id],
    )
    assert.deepEqual([mark?.state, mark?.note, mark?.next], ['promised', '老板同意，等财务付款', day])
    await eventually(() => listed(page), ['soon', 'big'])
    assert.deepEqual(await cellsOf(page, rowOf(page, 'big'), '优先原因', '跟进'), [
      `5家店、高金额、从未登录、${day} 再跟进、已承诺`,
      `已承诺续费 ${day} 再跟进`,
    ])
    await rowOf(page, 'soon').focus()
    await page.keyboard.press('n')
    await see(page.getByRole('heading', { name: '版本购买' }), page.getByText(due.soon.shop_name).first())
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, '/admin/merchant/versionUp1')
    assert.deepEqual([searchParams.get('user_id'), searchParams.get('sv_versionid')], [due.soon.id, '12'])
    assert.equal(await page.getByRole('radio', { name: /^高级版\s*当前版本/ }).isChecked(), true)
    await page.goBack()
    await see(page.getByRole('heading', { name: '续费工作台' }))
    await eventually(() => listed(page), ['soon', 'big'])

    await page.getByRole('button', { name: /^高级筛选/ }).click()
    await page.getByRole('combobox', { name: '跟进状态' }).click()
    await page.getByTitle('已承诺续费', { exact: true }).click()
    await eventually(() => listed(page), ['big'])
    await see(page.getByText('跟进：已承诺续费'))
    await page.getByRole('button', { name: '移除条件 跟进' }).click()
    await eventually(() => listed(page), ['soon', 'big'])
  })
})

describe('a bulk renewal', () => {
  const BIG_CENTS = 89_400
  const SOON_CENTS = 17_880

  function lineOf(scope: Locator, name: keyof typeof due): Locator {
    return scope.getByRole('row').filter({ hasText: `ID ${due[name].id}` })
  }

  test('says who cannot and why, pays the others once, and is undone as one', async () => {
    const before = await tokens()
    const ends = { big: (await shopNow('big')).expires_at, soon: (await shopNow('soon')).expires_at }
    const page = await openDesk('?window=90')
    await eventually(async () => (await listed(page)).length, 4)
    await page.getByRole('checkbox', { name: '选择本页' }).check()
    await see(page.getByText('已选 4 项'))
    await office.sql(`update merchants set status = 'disabled' where id = $1`, [due.later.id])
    await page.getByRole('button', { name: '批量续费' }).click()
    const quote = page.getByRole('dialog', { name: '批量续费（4 家）' })
    await see(quote.getByText('合计（代币）'))
    await quote.getByRole('radio', { name: '2 年', exact: true }).check()
    await quote.getByRole('radio', { name: '1 年', exact: true }).check()
    await quote.getByRole('textbox', { name: '订单备注' }).fill('年终一起续')
    await see(quote.getByText('请启用后再进行操作'))
    await see(lineOf(quote, 'later').getByText('请启用后再进行操作'))
    const total = BIG_CENTS + SOON_CENTS * 2
    assert.deepEqual(
      await Promise.all(
        ['合计（代币）', '当前余额', '续费后余额'].map(name => fact(quote, name).innerText()),
      ),
      [formatCents(total), formatCents(before), formatCents(before - total)],
    )
    const after = new Date(ends.big)
    after.setUTCFullYear(after.getUTCFullYear() + 1)
    await see(
      lineOf(quote, 'big').getByText(formatInstant(ends.big)),
      lineOf(quote, 'big').getByText(formatInstant(after)),
      lineOf(quote, 'big').getByText(formatCents(BIG_CENTS)),
    )
    await quote.getByText('不能续费 1', { exact: true }).click()
    await gone(lineOf(quote, 'big'))
    await see(lineOf(quote, 'later'))
    assert.equal(await tokens(), before)
    // Between the quote, with the remark, and its confirm somebody disables another one.
    await ready(page)
    await office.sql(`update merchants set status = 'disabled' where id = $1`, [due.last.id])
    await quote.getByRole('button', { name: '确认续费 3 家' }).dblclick()
    await see(toast(page, '购买成功！'))
    const result = page.getByRole('dialog', { name: '续费结果' })
    await see(result.getByText(/已续费 2 家，共 1,072\.80 代币/), result.getByText(/1 家未续费/))
    await see(lineOf(result, 'last').getByText('请启用后再进行操作'))
    assert.equal(await lineOf(result, 'later').count(), 0)
    const paid = BIG_CENTS + SOON_CENTS
    assert.equal(await tokens(), before - paid)
    assert.equal((await shopNow('big')).expires_at.getTime(), after.getTime())
    const orders = await office.sql<{
      order_no: string
      merchant_id: string
      status: string
      remark: string
    }>(
      `select order_no, merchant_id, status, remark from version_orders where status = 'paid' and batch_no is not null
       and created_at > now() - interval '1 hour' order by total_cents desc`,
    )
    assert.deepEqual(
      orders.map(order => [order.merchant_id, order.remark]),
      [
        [due.big.id, '年终一起续'],
        [due.soon.id, '年终一起续'],
      ],
    )
    for (const [i, name] of (['big', 'soon'] as const).entries())
      await see(lineOf(result, name).getByText(orders[i]?.order_no.slice(-8) ?? assert.fail('no order')))
    await see(
      page.getByRole('link', { name: `余额 ${formatCents(before - paid)} 代币`, includeHidden: true }),
    )

    await result.getByRole('button', { name: '撤销本次续费' }).click()
    const undo = page.getByRole('dialog', { name: '撤销订单' })
    await see(undo.getByText(`共退回 ${formatCents(paid)} 代币`))
    assert.equal(await undo.getByRole('article').count(), 2)
    await undo.getByRole('button', { name: '撤销订单' }).click()
    await see(undo.getByText('请输入撤销原因'))
    assert.equal(await tokens(), before - paid)
    await undo.getByRole('textbox', { name: '撤销原因' }).fill('商户改为下月续费')
    await undo.getByRole('button', { name: '撤销订单' }).dblclick()
    await see(toast(page, '撤销成功！'))
    const undone = page.getByRole('dialog', { name: '撤销结果' })
    await eventually(() => undone.getByText('已撤销', { exact: true }).count(), 2)
    await undone.getByRole('button', { name: '完成' }).click()
    await gone(undone, result)
    assert.equal(await tokens(), before)
    for (const name of ['big', 'soon'] as const)
      assert.equal((await shopNow(name)).expires_at.getTime(), ends[name].getTime(), name)
    const left = await office.sql(
      `select 1 from version_orders where batch_no is not null and status = 'paid' and created_at > now() - interval '1 hour'`,
    )
    assert.equal(left.length, 0)
    await see(page.getByRole('link', { name: `余额 ${formatCents(before)} 代币` }))
    await eventually(() => listed(page), ['soon', 'big'])
    await gone(page.getByText(/^已选/))
    await office.verifyLedger()
  })
})
