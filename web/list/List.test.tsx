// The one list: its search, its keys, its chosen rows, its columns, and it on paper.
import { useLocation } from '@tanstack/react-router'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import { list } from '#kit/declare/list.ts'
import { listInput } from '#kit/declare/list-input.ts'
import { type In, op } from '#kit/declare/op.ts'
import { pageOf } from '#kit/declare/page.ts'
import { answer } from '#test/components/answers.tsx'
import { type Around, show } from '#test/components/show.tsx'
import { api } from '../client/api.ts'
import { toastStore } from '../controls/toast.ts'
import { Drawer } from '../form/Drawer.tsx'
import { keysNow } from '../keys/keys.ts'
import { SkipLinks } from '../keys/SkipLinks.tsx'
import { List } from './List.tsx'
import { type ListServices, ListServicesContext } from './list-services.ts'

const STATES = { sold: '在售', off: '停售' }
const FIELDS = {
  id: { kind: 'id', label: '编号' },
  name: { kind: 'text', label: '名称' },
  state: { kind: 'word', label: '状态', words: STATES },
  stock: { kind: 'count', label: '库存' },
} as const
const WARES = list({
  key: 'wares.list',
  title: '商品',
  fields: FIELDS,
  columns: { name: { opens: true, fixed: 'start' }, id: {}, state: {}, stock: {} },
  search: '名称',
  filters: { state: { kind: 'word', label: '商品状态', chip: '状态', words: STATES } },
  sorts: ['id', 'stock'],
  empty: '还没有商品',
})
const wares = {
  list: op({ permission: 'session' }, { method: 'GET', path: '/wares', summary: 'Wares' })
    .input(z.object(listInput(WARES)))
    .output(
      pageOf(
        z.object({ id: z.number(), name: z.string(), state: z.enum(['sold', 'off']), stock: z.number() }),
      ),
    ),
}
type Asked = In<typeof wares.list>

const ALL = Array.from({ length: 45 }, (_, i) => ({
  id: 45 - i,
  name: `商品${45 - i}`,
  state: i % 3 === 0 ? ('off' as const) : ('sold' as const),
  stock: i,
}))

function pageFor({ page, size, state, search }: Asked) {
  const found = ALL.filter(row => (!state || row.state === state) && row.name.includes(search ?? ''))
  return { rows: found.slice((page - 1) * size, page * size), total: found.length, totalCapped: false }
}

/** What is kept of the columns, as the server keeps it. */
let kept: readonly ColumnSetting[] = []

function useColumns() {
  const [settings, setSettings] = useState(kept)
  const save = (next: readonly ColumnSetting[]) => {
    kept = next
    setSettings(next)
  }
  return { settings, save }
}

const useViews = () => ({
  rows: [],
  error: null,
  shareRefusal: null,
  nameMax: 20,
  refuseName: () => null,
  save: async () => undefined,
  change: async () => undefined,
  remove: async () => undefined,
})

const SERVICES: ListServices = { useColumns, useViews, startExport: async () => undefined }

type Props = { bulk?: () => ReactNode; summary?: () => ReactNode; main?: ReactNode; emptyAction?: ReactNode }

/** The list, past the link to it; what a row opens is a drawer over it. */
function Wares(props: Props) {
  const [open, setOpen] = useState<{ id: number; name: string } | null>(null)
  const { pathname } = useLocation()
  return (
    <ListServicesContext value={SERVICES}>
      <SkipLinks />
      {pathname === '/admin/wares' ? (
        <List
          {...props}
          of={WARES}
          from={api<typeof wares>('wares', { list: 'GET /wares' }).list}
          onOpen={setOpen}
          openKey={open?.id ?? null}
          selectable={row => (row.stock === 7 ? '没有这件商品' : null)}
        />
      ) : (
        <h1>别处</h1>
      )}
      {open && (
        <Drawer title="商品详情" onClose={() => setOpen(null)}>
          {open.name}
        </Drawer>
      )}
    </ListServicesContext>
  )
}

function open(at = '/admin/wares', around: Around = {}, more: Props = {}) {
  const asked = answer(wares.list, pageFor)
  return { asked, person: show(<Wares {...more} />, { at, ...around }) }
}

const rows = async () => (await screen.findAllByRole('row')).slice(1)
const shown = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map(row =>
      Number(
        within(row)
          .getAllByRole('cell')
          .find(cell => /^\d+$/.test(cell.textContent))?.textContent,
      ),
    )
const seeIds = (ids: number[]) => waitFor(() => expect(shown()).toEqual(ids))
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)
const seeAddress = (search: string) => waitFor(() => expect(location.search).toBe(search))

test('an empty list offers what it is for once, where its rows would be', async () => {
  const add = <button type="button">新增商品</button>
  const { person } = open('/admin/wares?search=没有', {}, { main: add, emptyAction: add })
  await screen.findByText('没有符合条件的记录')
  within(screen.getByRole('banner', { hidden: true })).getByRole('button', { name: '新增商品' })
  answer(wares.list, { rows: [], total: 0, totalCapped: false })
  await person.click(screen.getAllByRole('button', { name: '清除条件' })[0] as HTMLElement)
  await screen.findByText('还没有商品')
  expect(screen.getAllByRole('button', { name: '新增商品' })).toHaveLength(1)
})

test('an address is a request: its filters are asked for and told in words', async () => {
  const { asked } = open('/admin/wares?state=sold&size=20&sort=stock&order=asc')
  await screen.findByText(/状态：在售/)
  expect(asked).toEqual([{ page: 1, size: 20, state: 'sold', sort: 'stock', order: 'asc' }])
})

test('another number of rows, once chosen, stays, but for an address that names its page', async () => {
  const { person } = open()
  await rows()
  await person.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '20')
  await seeIds(down(45, 26))
  expect(localStorage.getItem('list-size /admin/wares')).toBe('20')
})

test.each([
  ['/admin/wares', 20],
  ['/admin/wares?page=2', 10],
  ['/admin/wares?size=30', 30],
])('after twenty were chosen %s shows %i', async (at, size) => {
  localStorage.setItem('list-size /admin/wares', '20')
  const { asked } = open(at)
  await rows()
  expect(asked.map(one => one.size)).toEqual([size])
})

test('the search asks once a person pauses, and not for pinyin that is no word yet', async () => {
  const { asked, person } = open()
  await rows()
  const box = screen.getByRole('textbox', { name: '搜索：名称' })
  await person.type(box, '品4')
  await seeAddress('?search=%E5%93%814')
  await waitFor(() => expect(asked.at(-1)?.search).toBe('品4'))
  expect(asked.flatMap(({ search }) => search ?? [])).toEqual(['品4'])
  fireEvent.compositionStart(box)
  fireEvent.change(box, { target: { value: 'shangpin' } })
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
  fireEvent.change(box, { target: { value: '商品4' } })
  fireEvent.compositionEnd(box)
  await waitFor(() => expect(asked.at(-1)?.search).toBe('商品4'))
  expect(asked.flatMap(({ search }) => search ?? [])).toEqual(['品4', '商品4'])
})

test('nothing found says so, and the conditions can be cleared', async () => {
  const { person } = open('/admin/wares?search=没有')
  await screen.findByText('没有符合条件的记录')
  await person.click(screen.getByRole('button', { name: '清除条件' }))
  await seeIds(down(45, 36))
})

const focused = () => document.activeElement
const drawer = () => screen.queryByRole('dialog', { name: '商品详情' })
const seeDrawer = (name: string) => waitFor(() => expect(drawer()?.textContent).toContain(name))

test('the keyboard searches, and moves between rows', async () => {
  const { person } = open()
  const all = await rows()
  await person.keyboard('/')
  expect(focused()).toBe(screen.getByRole('textbox', { name: '搜索：名称' }))
  await person.keyboard('{Escape}')
  expect(focused()).toBe(document.body)
  await person.click(screen.getByRole('button', { name: '跳到列表' }))
  expect(focused()).toBe(all[0])
  await person.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  expect(focused()).toBe(all[1])
  await person.keyboard('{End}')
  expect(focused()).toBe(all.at(-1))
  // One row alone is a stop of the cursor.
  expect(all.filter(({ tabIndex }) => tabIndex === 0)).toEqual([all.at(-1)])
  await person.keyboard('{Home}')
  expect(focused()).toBe(all[0])
})

test('Enter opens the row, arrows go on to the next one’s details, and Esc comes back to the row that was seen last', async () => {
  const { person } = open()
  const all = await rows()
  all[0]?.focus()
  await person.keyboard('{Enter}')
  await seeDrawer('商品45')
  await person.keyboard('{ArrowDown}')
  await seeDrawer('商品44')
  await person.keyboard('{ArrowDown}')
  await seeDrawer('商品43')
  await person.keyboard('{ArrowUp}')
  await seeDrawer('商品44')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(drawer()).toBeNull())
  await waitFor(() => expect(focused()).toBe(all[1]))
})

test('a row that was left for a page has the cursor again on the way back, and only there', async () => {
  const { person } = open()
  const all = await rows()
  all[3]?.focus()
  history.pushState(null, '', '/admin/elsewhere')
  await screen.findByRole('heading', { name: '别处' })
  expect(focused()).toBe(document.body)
  history.back()
  await waitFor(async () => expect(focused()).toBe((await rows())[3]))
  await person.click(screen.getByRole('button', { name: '下一页' }))
  await seeIds(down(35, 26))
  expect((await rows()).includes(focused() as HTMLElement)).toBe(false)
})

test('the keys of the list are listed once, with what they do', async () => {
  open()
  await rows()
  const told = keysNow().flatMap(({ keys }) => keys.map(({ press, does }) => `${press} ${does}`))
  expect(new Set(told).size).toBe(told.length)
  for (const key of ['/ 搜索列表', 'ArrowDown 下一行', 'Enter 打开', 'Ctrl+p 打印列表'])
    expect(told).toContain(key)
})

test.each(['the button', 'Ctrl P'])(
  '%s prints all that is filtered, in its order, with conditions and totals',
  async way => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { person, asked } = open(
      '/admin/wares?state=sold&sort=stock&order=asc',
      {},
      {
        summary: () => '库存 30 种',
      },
    )
    await rows()
    if (way === 'Ctrl P') await person.keyboard('{Control>}p{/Control}')
    else await person.click(screen.getByRole('button', { name: '打印' }))
    const sheet = await screen.findByRole('region', { name: '商品打印稿' })
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
    expect(asked.at(-1)).toEqual({ page: 1, size: 100, state: 'sold', sort: 'stock', order: 'asc' })
    const names = within(sheet)
      .getAllByRole('row')
      .slice(2)
      .map(row => row.querySelector('td')?.textContent)
    expect(names).toEqual(ALL.filter(({ state }) => state === 'sold').map(({ name }) => name))
    for (const words of ['条件：', '状态：在售', '库存 30 种', '打印人：周海燕'])
      expect(sheet.textContent).toContain(words)
    expect(within(sheet).queryByRole('button')).toBeNull()
    act(() => void dispatchEvent(new Event('afterprint')))
    expect(screen.queryByRole('region', { name: '商品打印稿' })).toBeNull()
    vi.unstubAllGlobals()
  },
)

test('an address that asks for paper prints its list once, and no more once it is loaded again', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  open('/admin/wares?state=off#print')
  await screen.findByRole('region', { name: '商品打印稿' })
  await waitFor(() =>
    expect([location.search, location.hash, print.mock.calls.length]).toEqual(['?state=off', '', 1]),
  )
  vi.unstubAllGlobals()
})

test('the tools are one stop, and arrows go on among them', async () => {
  const { person } = open()
  await rows()
  const tool = (name: string) => screen.getByRole('button', { name })
  tool('刷新').focus()
  await person.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(tool('列设置'))
  await person.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(document.activeElement).toBe(tool('视图'))
  expect(tool('刷新').tabIndex).toBe(-1)
})

const pick = (id: number) => screen.getByRole('checkbox', { name: `选择 商品${id}` })
const seePicked = (count: number) =>
  waitFor(() =>
    expect(screen.getByRole('region', { name: '批量操作' }).textContent).toContain(`已选 ${count} 项`),
  )

test('with Shift all rows from the last one are chosen, or taken out; one that may not be chosen stays out', async () => {
  const { person } = open('/admin/wares', {}, { bulk: () => null })
  await rows()
  await person.click(pick(40))
  await person.keyboard('{Shift>}')
  await person.click(pick(36))
  await person.keyboard('{/Shift}')
  // 38 may not be chosen.
  await seePicked(4)
  await person.keyboard('{Shift>}')
  await person.click(pick(37))
  await person.keyboard('{/Shift}')
  await seePicked(2)
})

test('rows stay chosen over pages and searches, by mouse and by space bar', async () => {
  const { person } = open('/admin/wares', {}, { bulk: () => null })
  const all = await rows()
  await person.click(pick(44))
  all[0]?.focus()
  await person.keyboard(' ')
  await seePicked(2)
  await person.keyboard('{ArrowDown} ')
  await seePicked(1)
  await person.click(screen.getByRole('button', { name: '第 2 页' }))
  await seeIds(down(35, 26))
  await person.click(screen.getByRole('checkbox', { name: '选择本页' }))
  await seePicked(11)
  await person.click(screen.getByRole('button', { name: '清空' }))
  expect(screen.queryByRole('region', { name: '批量操作' })).toBeNull()
})

test('all of a page are chosen once its rows are there, never those of the page before', async () => {
  const { person } = open('/admin/wares', {}, { bulk: () => null })
  await rows()
  const held = Promise.withResolvers<void>()
  answer(wares.list, async asked => {
    await held.promise
    return pageFor(asked)
  })
  await person.click(screen.getByRole('button', { name: '第 3 页' }))
  await seeAddress('?page=3')
  const all = screen.getByRole('checkbox', { name: '选择本页' })
  expect(all.getAttribute('aria-disabled')).toBe('true')
  await person.click(all)
  expect(screen.queryByRole('region', { name: '批量操作' })).toBeNull()
  held.resolve()
  await seeIds(down(25, 16))
  await person.click(screen.getByRole('checkbox', { name: '选择本页' }))
  await seePicked(10)
})

test('columns are hidden, moved and widened, and kept', async () => {
  kept = []
  const { person } = open()
  await rows()
  const heads = () => screen.getAllByRole('columnheader').map(head => head.textContent)
  expect(heads()).toEqual(['名称', '编号', '状态', '库存'])
  await person.click(screen.getByRole('button', { name: '列设置' }))
  await person.click(await screen.findByRole('checkbox', { name: '状态' }))
  await person.click(screen.getByRole('button', { name: '上移 库存' }))
  await person.click(screen.getByRole('button', { name: '上移 库存' }))
  // Fixed.
  expect(screen.getByRole('checkbox', { name: /^名称/ }).getAttribute('aria-disabled')).toBe('true')
  await person.click(screen.getByRole('button', { name: '完成' }))
  await waitFor(() => expect(heads()).toEqual(['名称', '库存', '编号']))
  expect(kept.filter(({ hidden }) => hidden).map(({ key }) => key)).toEqual(['state'])
  await person.click(screen.getByRole('button', { name: '列设置' }))
  await person.click(await screen.findByRole('button', { name: '恢复默认' }))
  await waitFor(() => expect(heads()).toEqual(['名称', '编号', '状态', '库存']))
  expect(toastStore.read()).toEqual([])
})
