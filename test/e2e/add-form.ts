// The form of a new shop, as people fill it in.
import type { Page } from 'playwright-core'

export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByTitle(option, { exact: true }).click()
}

export async function chooseDivision(page: Page, names: readonly string[], label = '省市区'): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  for (const name of names)
    await page
      .getByRole('menuitemcheckbox')
      .and(page.getByTitle(name, { exact: true }))
      .click()
}

type Shop = { account: string; shopName: string; version?: string; term?: string }

/** A form that breaks no rule. */
export async function fillForm(page: Page, shop: Shop): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${shop.version ?? '高级版'}`) }).check()
  if (shop.term) await page.getByRole('radio', { name: shop.term, exact: true }).check()
  await choose(page, '行业类型', '餐饮美食')
  await page.getByRole('textbox', { name: '店铺简称' }).fill('南山面馆')
  await page.getByRole('textbox', { name: '店铺名称' }).fill(shop.shopName)
  await page.getByRole('textbox', { name: '商户姓名' }).fill('李小明')
  await page.getByRole('textbox', { name: '账号' }).fill(shop.account)
  await page.getByLabel(/^密码/).fill('secret-2026')
  await chooseDivision(page, ['广东省', '深圳市', '南山区'])
}
