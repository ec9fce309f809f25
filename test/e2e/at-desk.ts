// An office whose pages reach a desk, for the tests of a file, and what they do on many of its pages.
import assert from 'node:assert/strict'
import { after, afterEach, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Bridge, BridgeOptions } from '#bridge/server.ts'
import { freePort } from '#test/free-port.ts'
import { makeDesk, startPrinter, type TestDesk } from '#test/print/desk.ts'
import { axeFindings, type BrowserOffice, openBrowserOffice, see, sidewaysScroll } from './browser.ts'

type Printer = Awaited<ReturnType<typeof startPrinter>>
type DeskSettings = NonNullable<Parameters<typeof makeDesk>[0]>
export type DeskOffice = {
  readonly office: BrowserOffice
  readonly desk: TestDesk
  readonly printer: Printer
  /** The desk's print program, anew where it runs. */
  startProgram(options?: Partial<BridgeOptions>): Promise<void>
  stopProgram(): Promise<void>
}

/** All is there from before the first test until after the last; the program only where it `starts`, outside services where they are asked for. */
export function openDeskOffice(
  settingsFor: (printerPort: number) => DeskSettings,
  { starts = true, outside = false } = {},
): DeskOffice {
  const opened = new AsyncDisposableStack()
  let office: BrowserOffice
  let desk: TestDesk
  let printer: Printer
  let program: Bridge | null = null
  const stopProgram = async () => {
    await program?.stop()
    program = null
  }
  const startProgram = async (options?: Partial<BridgeOptions>) => {
    await stopProgram()
    program = await desk.start(options)
  }
  before(async () => {
    const port = await freePort()
    office = opened.adopt(await openBrowserOffice({ bridgePort: port, outside }), one => one.stop())
    printer = opened.adopt(await startPrinter(), one => one.pull())
    desk = makeDesk({ port, origins: [office.url], ...settingsFor(printer.port) })
    opened.defer(() => desk.remove())
    opened.defer(stopProgram)
    if (starts) await startProgram()
  })
  afterEach(() => office.closePages())
  after(() => opened.disposeAsync())
  return {
    get office() {
      return office
    },
    get desk() {
      return desk
    },
    get printer() {
      return printer
    },
    ...{ startProgram, stopProgram },
  }
}

export const looksWell = async (page: Page) =>
  assert.deepEqual([await axeFindings(page), await sidewaysScroll(page)], [[], 0])

export const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })

export async function pair(scope: Page | Locator, desk: TestDesk): Promise<void> {
  await scope.getByLabel('配对码', { exact: true }).fill(desk.pairingCode())
  await button(scope, '配对').click()
}

export const BATCH = '/admin/template/batch'
/** What is shown of the label that batches of tests are made of. */
export const template = (page: Page) => page.getByRole('button', { name: /^选择\s*条码小标签 40×30/ })

export async function chooseTemplate(page: Page): Promise<void> {
  await see(page.getByRole('heading', { level: 1, name: '批量打印标签' }))
  await template(page).click()
  await see(page.getByText('40 × 30 mm · 显示示例内容'))
}

export const printed = (page: Page, words: string) => page.getByText(new RegExp(`^已打印 ${words}`))

/** A table of rows is brought by a file, all of them. */
export async function bring(page: Page, lines: readonly (readonly string[])[]): Promise<void> {
  const buffer = Buffer.from(lines.map(cells => cells.join(',')).join('\n'))
  await button(page, '从表格读取').click()
  const dialog = page.getByRole('dialog', { name: '从表格读取' })
  await dialog.getByLabel('表格').setInputFiles({ name: '商品.csv', mimeType: 'text/csv', buffer })
  await button(dialog, `放入 ${lines.length - 1} 行`).click()
}
