// The operator brings what everybody chooses from as files: checked line by line, rehearsed, and only then taken over; reads a text as
// it will be sent; and says what staff are called.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { placeholder } from '#kit/words/placeholders.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  fact,
  gone,
  openBrowserOffice,
  type PageOptions,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'
import { flaws, lookWide } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const PAGE = '/admin/operations/reference'
const openTable = (table: string, options?: PageOptions) =>
  office.openAs('10001', `${PAGE}?table=${table}`, options)
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true })

function choose(scope: Locator, name: string, lines: readonly string[]): Promise<void> {
  return scope
    .getByLabel(/选择.*文件/)
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
}

/** Why the button cannot be pressed. */
const refusal = (of: Locator) => of.getAttribute('data-tip')

async function seeNoFlaws(page: Page): Promise<void> {
  assert.deepEqual(await axeFindings(page), [])
}

/** A table's dialog for lines of text. */
async function openImport(page: Page, title: string): Promise<Locator> {
  await button(page, '导入').click()
  const dialog = page.getByRole('dialog', { name: `导入${title}` })
  await see(dialog)
  return dialog
}

describe('another edition of the divisions', () => {
  const panel = (page: Page) => page.getByRole('region', { name: '导入行政区划' })
  const holds = (page: Page, source: string) =>
    eventually(
      () => fact(page.getByRole('region', { name: '行政区划', exact: true }), '现行版本').innerText(),
      source,
    )

  /** The lines of the edition that holds. */
  async function saved(page: Page): Promise<string[]> {
    const saving = page.waitForEvent('download')
    await button(page, '下载现行版本').click()
    const file = await saving
    assert.match(file.suggestedFilename(), /^行政区划-.+\.csv$/)
    return readFileSync(await file.path(), 'utf8')
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\n')
  }

  /** A district with shops, and beside it others of its city. */
  async function sold(lines: readonly string[]): Promise<string> {
    const rows = await office.sql<{ code: string }>(
      'select district_code as code from merchants group by district_code order by count(*) desc',
    )
    const hasNeighbours = ({ code }: { code: string }) =>
      lines.filter(text => /^\d{6}/.test(text) && text.startsWith(code.slice(0, 4))).length > 2
    return rows.find(hasNeighbours)?.code ?? assert.fail('no district with shops')
  }

  test('is refused line by line, then rehearsed with who is concerned, and taken over under its name', async () => {
    const page = await openTable('regions')
    await holds(page, '2025-12-31')
    const lines = await saved(page)
    await button(page, '导入新版本').click()
    await choose(panel(page), 'wrong.csv', [...lines, '449901,新区', '44031,大鹏区', '440399,X'])
    await see(
      panel(page).getByRole('heading', { name: 'wrong.csv：3 处有误，未导入' }),
      panel(page).getByText(`第 ${lines.length + 1} 行 449901 新区 的上级 4499 不在文件里`),
      panel(page).getByText(`第 ${lines.length + 2} 行 代码「44031」须为 2、4 或 6 位数字`),
      panel(page).getByText(`第 ${lines.length + 3} 行 名称「X」须为 2 到 20 个汉字`),
    )
    const bring = button(panel(page), '导入')
    assert.equal(await refusal(bring), '文件有不能导入的项，请先处理')
    await seeNoFlaws(page)

    await choose(panel(page), 'same.csv', lines)
    await see(panel(page).getByRole('heading', { name: /^same\.csv：新增 0，修改 0，停用 0，不变 / }))
    assert.equal(await refusal(bring), '与现有的相同，无需导入')

    const ended = await sold(lines)
    const next = lines.filter(text => !text.startsWith(ended))
    const renamed = next.findIndex(text => /^\d{6}/.test(text) && text.startsWith(ended.slice(0, 4)))
    const [code] = (next[renamed] as string).split(',')
    next[renamed] = `${code},试用新区`
    await choose(panel(page), '2026.csv', [...next, '110199,试用区'])
    await see(
      panel(page).getByRole('heading', { name: /^2026\.csv：新增 1，修改 1，停用 1，不变 / }),
      panel(page).getByText('试用区（110199）'),
      panel(page)
        .getByRole('listitem')
        .filter({ hasText: `试用新区（${code}）` })
        .getByText(/^原名/),
      panel(page)
        .getByRole('listitem')
        .filter({ hasText: `（${ended}）` })
        .getByText(/商户 [\d,]+ 家.*，保留原地区$/),
    )
    assert.equal(await refusal(bring), '请输入版本，不超过40字')
    await panel(page).getByRole('textbox', { name: '版本' }).fill('2026-12-31')
    assert.deepEqual(await flaws(page, 'main'), [])
    await lookWide(page)
    await bring.click()
    await see(toast(page, '行政区划已导入'))
    await holds(page, '2026-12-31')
    await gone(panel(page))

    const partner = await office.openAs('20001', '/admin/merchant/addUser')
    await partner.getByRole('combobox', { name: '省市区' }).fill('试用')
    const offered = partner.locator('.ant-cascader-menu-item:visible')
    await see(offered.filter({ hasText: '试用区' }), offered.filter({ hasText: '试用新区' }))
    assert.equal(await offered.count(), 2)
  })

  exhaustive(
    'is checked on a phone in the dark too',
    ['test/e2e/office/reference-import.e2e.ts'],
    async () => {
      const page = await openTable('regions', { viewport: PHONE, dark: true })
      const lines = await saved(page)
      await button(page, '导入新版本').click()
      await choose(panel(page), 'a-rather-long-name-of-a-file-2026.csv', [...lines, '110198,试用新城区'])
      await see(panel(page).getByText('试用新城区（110198）'))
      assert.equal(await sidewaysScroll(page), 0)
      await seeNoFlaws(page)
    },
  )
})

describe('rows of a table', () => {
  exhaustive(
    'that are wrong are named by their line, and nothing of the rest is brought',
    ['features/office/reference-data/server.test.ts', 'test/e2e/office/reference-import.e2e.ts'],
    async () => {
      const page = await openTable('business-days')
      const dialog = await openImport(page, '工作日历')
      await see(dialog.getByText('类型为节假日、调休上班'))
      await choose(dialog, 'heads.csv', ['日期,说明', '2031-05-01,劳动节'])
      await see(dialog.getByText('第 1 行 第一行须有「类型」列'))
      await choose(dialog, 'days.csv', [
        '日期,类型,说明',
        '2031-13-01,节假日,元旦',
        '2031-05-01,放假,劳动节',
        '2031-05-02,节假日,',
        '2031-05-03,节假日,劳动节',
        '2031-05-03,调休上班,劳动节',
      ])
      await see(
        dialog.getByRole('heading', { name: 'days.csv：4 处有误，未导入' }),
        dialog.getByText('第 2 行 请选择日期'),
        dialog.getByText('第 3 行 请选择类型'),
        dialog.getByText('第 4 行 请输入说明'),
        dialog.getByText('第 6 行 与前面的行重复'),
      )
      assert.equal(await refusal(button(dialog, '导入')), '文件有不能导入的项，请先处理')
      await seeNoFlaws(page)
      assert.deepEqual(await office.sql(`select 1 from business_days where day >= '2031-01-01'`), [])
    },
  )

  test('are rehearsed, then added and changed, and the others stay', async () => {
    const page = await openTable('business-days')
    const dialog = await openImport(page, '工作日历')
    await choose(dialog, 'days.csv', [
      '说明,日期,类型',
      '"春节，初一",2031-01-23,节假日',
      '补班,2026-02-14,节假日',
      '元旦,2026-01-01,节假日',
    ])
    await see(
      dialog.getByRole('heading', { name: 'days.csv：新增 1，修改 1，停用 0，不变 1' }),
      dialog.getByText('类型 调休上班 → 节假日、说明 春节调休 → 补班'),
    )
    await seeNoFlaws(page)
    await button(dialog, '导入').click()
    await see(toast(page, '工作日历已导入'), line(page, '2031-01-23').getByText('春节，初一'))
    await gone(dialog)
    await see(line(page, '2026-02-14').getByText('补班'), line(page, '2026-10-10').getByText('国庆节调休'))
  })

  exhaustive(
    'that others changed meanwhile are looked at once more',
    ['features/office/reference-data/server.test.ts'],
    async () => {
      const page = await openTable('industries', { viewport: PHONE })
      const dialog = await openImport(page, '行业')
      await choose(dialog, 'industries.csv', ['行业名称', '宠物医院', '餐饮美食'])
      await see(dialog.getByRole('heading', { name: 'industries.csv：新增 1，修改 0，停用 0，不变 1' }))
      assert.equal(await sidewaysScroll(page), 0)
      await office.sql(
        `insert into industries (id, name, position) select max(id) + 1, '宠物医院', 900 from industries`,
      )
      await button(dialog, '导入').click()
      await see(dialog.getByRole('alert').getByText('数据已变动，请重新选择文件'))
      await choose(dialog, 'industries.csv', ['行业名称', '宠物医院', '宠物摄影'])
      await see(dialog.getByRole('heading', { name: 'industries.csv：新增 1，修改 0，停用 0，不变 1' }))
      await button(dialog, '导入').click()
      await see(toast(page, '行业已导入'), line(page, '宠物摄影'))
    },
  )
})

describe('a text that is sent', () => {
  const preview = (dialog: Locator) => dialog.getByRole('figure', { name: '预览' })

  exhaustive(
    'to a phone is read with its places filled, and is kept only with all of them',
    [
      'features/office/reference-data/server.test.ts',
      'kit/words/placeholders.test.ts',
      'test/e2e/office/reference.e2e.ts',
    ],
    async () => {
      const page = await openTable('sms-templates')
      await button(page, '编辑 续费提醒').click()
      const dialog = page.getByRole('dialog', { name: '编辑短信模板：续费提醒' })
      await see(preview(dialog).getByText('尊敬的商户「【店铺名称】」，您使用的【版本】'))
      await seeNoFlaws(page)
      const text = dialog.getByRole('textbox', { name: '正文' })
      const kept = await text.inputValue()
      await text.fill(kept.replace(placeholder('day'), ''))
      await button(dialog, '保存').click()
      await see(dialog.getByText(`正文缺少占位符 ${placeholder('day')}（到期日期）`))
      await seeNoFlaws(page)
      await text.fill(kept + placeholder('who'))
      await button(dialog, '保存').click()
      await see(dialog.getByText(`正文的占位符 ${placeholder('who')} 无法识别`))
      await text.fill(`贵店${kept}`)
      await see(preview(dialog).getByText('贵店尊敬的商户「【店铺名称】」'))
      await button(dialog, '保存').click()
      await see(toast(page, '修改成功'))
    },
  )

  exhaustive(
    'as a notice is read so on a phone in the dark, and shown as it was kept',
    [
      'features/office/reference-data/server.test.ts',
      'kit/words/placeholders.test.ts',
      'test/e2e/office/reference.e2e.ts',
    ],
    async () => {
      const page = await openTable('notice-texts', { viewport: PHONE, dark: true })
      await button(page, '编辑 代币余额提醒').click()
      const dialog = page.getByRole('dialog', { name: '编辑消息文案：代币余额提醒' })
      await dialog
        .getByRole('textbox', { name: '正文' })
        .fill(`只剩 ${placeholder('balance')} 代币，请尽快充值。`)
      await see(preview(dialog).getByText('只剩 【余额】 代币，请尽快充值。'))
      assert.equal(await sidewaysScroll(page), 0)
      await seeNoFlaws(page)
      await button(dialog, '保存').click()
      await see(
        toast(page, '修改成功'),
        line(page, '代币余额提醒').getByText(`只剩 ${placeholder('balance')} 代币`),
      )
    },
  )
})

exhaustive(
  'what staff are called is brought, given to a person, read beside the name, and retires with its holders',
  ['features/office/reference-data/server.test.ts'],
  async () => {
    const operator = await openTable('manager-labels')
    const dialog = await openImport(operator, '客户经理称谓')
    await choose(dialog, 'labels.csv', ['称谓', '门店顾问', '客服'])
    await see(dialog.getByRole('heading', { name: 'labels.csv：新增 1，修改 0，停用 0，不变 1' }))
    await button(dialog, '导入').click()
    await see(toast(operator, '客户经理称谓已导入'), line(operator, '门店顾问'))
    await seeNoFlaws(operator)

    const owner = await office.openAs('20001', '/admin/account/userControl')
    const edit = async (loginName: string) => {
      await button(owner.getByRole('row').filter({ hasText: loginName }), '编辑').click()
      const form = owner.getByRole('dialog', { name: /^编辑员工/ })
      await form.getByRole('combobox', { name: '称谓' }).click()
      return form
    }
    const form = await edit('2000102')
    await owner.getByTitle('门店顾问', { exact: true }).click()
    await seeNoFlaws(owner)
    await button(form, '保存').click()
    await gone(form)
    const [shop] = await office.sql<{ id: string; name: string }>(
      `select merchants.id, accounts.name from merchants join accounts on accounts.id = manager_id
     where login_name = '2000102' order by merchants.id limit 1`,
    )
    assert.ok(shop)
    const person = await office.openAs('2000102', `/admin/merchant/myMerchant?user_id=${shop.id}`)
    await see(person.getByText(`${shop.name}（门店顾问）`))

    const more = async (action: string) => {
      await line(operator, '门店顾问').getByRole('button', { name: '更多操作' }).click()
      await operator.getByRole('menuitem', { name: action }).click()
    }
    await more('删除')
    const removal = operator.getByRole('dialog', { name: '删除「门店顾问」？' })
    await see(removal.getByText('员工 1 人正在使用，不能删除，可以停用'))
    await button(removal, '取消').click()
    await more('停用')
    await button(operator.getByRole('dialog', { name: '停用「门店顾问」？' }), '停用').click()
    await see(toast(operator, '已停用'), line(operator, '门店顾问').getByText('已停用'))
    await owner.reload()
    await edit('2000103')
    await see(owner.getByTitle('客服', { exact: true }))
    assert.equal(await owner.getByTitle('门店顾问', { exact: true }).count(), 0)
    await person.reload()
    await see(person.getByText(`${shop.name}（门店顾问）`))
  },
)
