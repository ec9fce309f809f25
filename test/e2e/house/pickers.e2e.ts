// Every kind of choice, open on a page: no serious finding of axe in either theme, wide or on a phone.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import { axeFindings, type BrowserOffice, DESKTOP, openBrowserOffice, PHONE, ready, see } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())
afterEach(() => office.closePages())

type Picker = {
  name: string
  path: string
  login?: string
  /** Its button stands on no phone. */
  onlyWide?: true
  /** Opens it; what it shows once it is open. */
  open: (page: Page) => Promise<Locator>
}

const LIST = '/admin/merchant/myMerchant'

const isPhone = (page: Page) => page.viewportSize()?.width === PHONE.width
/** The choices of more than a dozen, on a phone. */
const sheet = (page: Page) => page.locator('[data-part=choices] li > button')

/** Open once, also where something else was open before. */
async function filters(page: Page): Promise<void> {
  const isOpen = await page.getByRole('combobox', { name: '店铺状态' }).isVisible()
  if (!isOpen) await page.getByRole('button', { name: /^高级筛选/ }).click()
}

async function editing(page: Page): Promise<Locator> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' order by id limit 1`,
  )
  await page.goto(`/admin/merchant/merchantDetails?user_id=${shop?.id}`)
  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await see(page.getByRole('textbox', { name: '店铺名称' }))
  return page.getByRole('main')
}

const PICKERS: Picker[] = [
  {
    name: 'a searched select',
    path: LIST,
    open: async page => {
      await filters(page)
      await page.getByRole('combobox', { name: '代理商' }).click()
      return isPhone(page)
        ? sheet(page)
        : page.locator('.ant-select-dropdown:visible .ant-select-item-option')
    },
  },
  {
    name: 'a select with one chosen',
    path: LIST,
    open: async page => {
      await filters(page)
      await page.getByRole('combobox', { name: '店铺状态' }).click()
      await page.getByTitle('已禁用', { exact: true }).click()
      await page.getByRole('combobox', { name: '店铺状态' }).click()
      return page.locator('.ant-select-dropdown:visible .ant-select-item-option-selected')
    },
  },
  {
    name: 'a range of days',
    path: LIST,
    open: async page => {
      await filters(page)
      await page.getByRole('textbox', { name: '注册时间' }).first().click()
      return page.locator('.ant-picker-dropdown:visible .ant-picker-cell')
    },
  },
  {
    name: 'a range of days, the first chosen',
    path: `${LIST}?registeredFrom=2026-01-05&registeredTo=2026-01-20`,
    open: async page => {
      await filters(page)
      await page.getByRole('textbox', { name: '注册时间' }).first().click()
      return page.locator('.ant-picker-dropdown:visible .ant-picker-cell-in-range')
    },
  },
  {
    name: 'a day in a dialog',
    path: '/admin/merchant/renewals?window=90',
    login: '20001',
    open: async page => {
      const mark = { name: '跟进', exact: true }
      const folded = page.getByRole('button', { name: '更多操作' })
      if (isPhone(page)) {
        await folded.first().click()
        await page.getByRole('menuitem', mark).click()
      } else await page.getByRole('button', mark).first().click()
      await page.getByRole('dialog').getByRole('textbox', { name: '下次跟进日期' }).click()
      return page.locator('.ant-picker-dropdown:visible .ant-picker-cell')
    },
  },
  {
    name: 'an instant in a dialog',
    path: '/admin/operations/content',
    open: async page => {
      await page.getByRole('button', { name: /^新增/ }).first().click()
      await page.getByRole('dialog').getByRole('textbox', { name: '发布时间' }).click()
      return page.locator('.ant-picker-dropdown:visible .ant-picker-cell')
    },
  },
  {
    name: 'an instant to the second',
    path: '/admin/index',
    open: async page => {
      const form = await editing(page)
      await form.getByRole('textbox', { name: '到期时间' }).click()
      return page.locator('.ant-picker-dropdown:visible .ant-picker-cell')
    },
  },
  {
    name: 'a region',
    path: '/admin/merchant/addUser',
    login: '20001',
    open: async page => {
      await page.getByRole('combobox', { name: '省市区' }).click()
      return isPhone(page) ? sheet(page) : page.locator('.ant-cascader-menu-item:visible')
    },
  },
  {
    name: 'a region, searched for',
    path: '/admin/merchant/addUser',
    login: '20001',
    open: async page => {
      const region = page.getByRole('combobox', { name: '省市区' })
      if (!isPhone(page)) {
        await region.fill('西湖')
        return page.locator('.ant-cascader-menu-item:visible').filter({ hasText: '西湖区' })
      }
      await region.click()
      await page.getByRole('searchbox').fill('西湖')
      return sheet(page).filter({ hasText: '浙江省 / 杭州市 / 西湖区' })
    },
  },
  {
    name: 'the menu of the account',
    path: '/admin/index',
    onlyWide: true,
    open: async page => {
      if (isPhone(page)) {
        await page.getByRole('button', { name: '我的', exact: true }).click()
        return page.getByRole('dialog', { name: '我的' })
      }
      await page.getByRole('button', { name: /^账户 / }).click()
      return page.getByRole('menuitem')
    },
  },
  {
    name: 'the menu of a row',
    path: LIST,
    login: '20001',
    open: async page => {
      await page.getByRole('button', { name: '更多操作' }).first().click()
      return page.getByRole('menuitem')
    },
  },
  {
    name: 'the saved views',
    path: LIST,
    login: '20001',
    open: async page => {
      await page.getByRole('button', { name: /^视图/ }).click()
      // Only where there are views, which come after it has opened.
      return page.getByRole('menuitem', { name: '管理视图…' })
    },
  },
]

/**
 * axe does not know that a menu on a phone lies on the browser's own layer, over the bar that it measures it against, and takes what an
 * open calendar hides of the reasons below it for their size.
 */
const isOverBar = (finding: string) => /^target-size: .*(role="menuitem"|aria-pressed=)/.test(finding)

/** Of each kind one, at the size where it has more to go wrong. */
const STAYS: readonly (readonly [name: string, viewport: typeof PHONE])[] = [
  ['a searched select', DESKTOP],
  ['a range of days, the first chosen', DESKTOP],
  ['an instant in a dialog', PHONE],
  ['a region, searched for', PHONE],
  ['the menu of a row', PHONE],
]

async function assertOpensWell(
  { path, login = '10001', open }: Picker,
  viewport: typeof PHONE,
): Promise<void> {
  const found: string[] = []
  const page = await office.openAs(login, path, { viewport })
  const shown = await open(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await see(shown)
    await ready(page)
    const colours = colorScheme === 'dark'
    for (const finding of await axeFindings(page, { colours }))
      if (!isOverBar(finding)) found.push(`${colorScheme}: ${finding}`)
  }
  assert.deepEqual(found, [])
}

describe('no serious finding of axe on an open choice:', () => {
  for (const picker of PICKERS)
    for (const viewport of picker.onlyWide ? [DESKTOP] : [DESKTOP, PHONE]) {
      const title = `${picker.name}, at ${viewport.width}`
      const look = () => assertOpensWell(picker, viewport)
      if (STAYS.some(([name, size]) => name === picker.name && size === viewport)) test(title, look)
      else exhaustive(title, ['test/e2e/house/pickers.e2e.ts'], look)
    }
})

exhaustive(
  'a new shop’s region opens at the districts of the agent’s own city, and none is chosen',
  ['test/e2e/house/jobs.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/merchant/addUser')
    const region = page.getByRole('combobox', { name: '省市区' })
    await region.click()
    await see(page.locator('.ant-cascader-menu').nth(2))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '下一步' }).click()
    await see(page.getByText('请选择省市区'))
    await region.click()
    const district = page.locator('.ant-cascader-menu').nth(2).getByRole('menuitemcheckbox').first()
    const name = await district.innerText()
    await district.click()
    await see(page.locator('.ant-cascader').getByText(name))
  },
)
