// What every list does with its address and its pages, whatever it lists: said of one list.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { show, toasted } from '#test/components/show.tsx'
import { CallError } from '../client/calls.ts'
import { List } from './List.tsx'
import { type ListServices, ListServicesContext } from './list-services.ts'

const FIELDS = {
  name: { kind: 'text', label: '名称' },
  state: { kind: 'word', label: '成色', words: { sound: '完好', worn: '旧' } },
  bought: { kind: 'day', label: '进货日期' },
} as const satisfies Fields

const GOODS = list({
  key: 'goods.list',
  title: '商品',
  fields: FIELDS,
  columns: { name: { opens: true }, state: {} },
  filters: {
    state: byWord(FIELDS.state),
    bought: { kind: 'days', label: '进货日期', clears: ['until'] },
  },
  sorts: ['name'],
  file: { path: '/goods.xlsx', permission: 'goods.export', log: '导出商品', name: '商品' },
})

type Good = { id: number; name: string; state: 'sound' | 'worn' }
type Asked = { page: number; size: number; state?: string; sort?: string; order?: string }
type Page = { rows: Good[]; total: number; totalCapped: boolean }

const ALL = Array.from({ length: 45 }, (_, at) => ({
  id: at + 1,
  name: `商品${at + 1}`,
  state: at % 2 === 0 ? ('sound' as const) : ('worn' as const),
}))

const SERVICES: ListServices = {
  useColumns: () => ({ settings: [], save: () => undefined }),
  useViews: () => ({
    rows: [],
    error: null,
    shareRefusal: null,
    nameMax: 20,
    refuseName: () => null,
    save: async () => undefined,
    change: async () => undefined,
    remove: async () => undefined,
  }),
  startExport: async () => undefined,
}

const pageOf = ({ page, size, state }: Asked): Page => {
  const found = ALL.filter(good => !state || good.state === state)
  return { rows: found.slice((page - 1) * size, page * size), total: found.length, totalCapped: false }
}

function goods(at = '', from: (asked: Asked) => Promise<Page> = async asked => pageOf(asked)) {
  return show(
    <ListServicesContext value={SERVICES}>
      <List of={GOODS} from={from} />
    </ListServicesContext>,
    { at: `/admin/test${at}`, may: ['goods.export'] },
  )
}

const names = () =>
  [...document.querySelectorAll('tbody tr')].map(row => row.querySelector('td')?.textContent)
const wanted = (from: number, to: number) => ALL.slice(from - 1, to).map(({ name }) => name)
const shows = (expected: (string | undefined)[]) => waitFor(() => expect(names()).toEqual(expected))
const address = (expected: string) =>
  waitFor(() => expect(decodeURIComponent(location.search)).toBe(expected))
const button = (name: string) => screen.findByRole('button', { name })

test('a turn of the page keeps the old rows until the new ones are there, and back leads back', async () => {
  const held = Promise.withResolvers<void>()
  const person = goods('', async asked => {
    if (asked.page === 2) await held.promise
    return pageOf(asked)
  })
  await shows(wanted(1, 10))
  await person.click(await button('下一页'))
  await address('?page=2')
  await waitFor(() => expect(document.querySelector('[aria-busy=true] table')).not.toBeNull())
  expect(names()).toEqual(wanted(1, 10))
  expect(screen.queryByRole('status', { name: '加载中' })).toBeNull()
  held.resolve()
  await shows(wanted(11, 20))
  history.back()
  await shows(wanted(1, 10))
})

test('sizes and the jumper lead to what they say, and no further than the last page', async () => {
  const person = goods()
  await shows(wanted(1, 10))
  await person.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '20')
  await address('?size=20')
  await shows(wanted(1, 20))
  for (const typed of ['3', '99']) {
    await person.type(screen.getByRole('textbox', { name: '前往页码' }), `${typed}{Enter}`)
    await address('?size=20&page=3')
    await shows(wanted(41, 45))
  }
  expect((await button('下一页')).hasAttribute('disabled')).toBe(true)
})

test('what is filtered stands in the address, is taken out by its chip, and the list begins at its first page then', async () => {
  const person = goods('?page=2&state=worn')
  const worn = ALL.filter(({ state }) => state === 'worn').map(({ name }) => name)
  await shows(worn.slice(10, 20))
  expect(screen.getByText('成色：旧')).toBeDefined()
  await person.click(await button('移除条件 成色'))
  await address('')
  await shows(wanted(1, 10))
})

test('a chip takes away all that it stands for, and nothing else', async () => {
  const person = goods('?state=worn&boughtFrom=2026-01-01&boughtTo=2026-01-31&until=2026-02-28')
  await person.click(await button('移除条件 进货日期'))
  await address('?state=worn')
})

test('a head sorts by its column, first downwards, then upwards, then not at all, and says so', async () => {
  const asked: Asked[] = []
  const person = goods('?page=2', async one => {
    asked.push(one)
    return pageOf(one)
  })
  const head = await screen.findByRole('columnheader', { name: '名称' })
  const sort = within(head).getByRole('button')
  for (const [order, said, at] of [
    ['desc', 'descending', '?sort=name&order=desc'],
    ['asc', 'ascending', '?sort=name&order=asc'],
    [undefined, null, ''],
  ] as const) {
    await person.click(sort)
    await address(at)
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ page: 1, ...(order && { sort: 'name', order }) }),
    )
    expect(head.getAttribute('aria-sort')).toBe(said)
  }
})

test('a list that cannot be loaded says so and is tried again; where its conditions are refused, they are taken out', async () => {
  const from = vi.fn(async (asked: Asked) => pageOf(asked))
  from.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  from.mockRejectedValueOnce(new CallError('INPUT_INVALID', { status: 400, message: '状态不正确' }))
  const person = goods('?state=nonsense&page=7', from)
  await screen.findByText('列表没有加载出来')
  await person.click(await button('重试'))
  await screen.findByText('状态不正确')
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
  await person.click(await button('清除条件'))
  await address('')
  await shows(wanted(1, 10))
})

test('a double click copies the cell', async () => {
  const person = goods()
  await person.dblClick(await screen.findByText('商品3'))
  await toasted('复制成功')
  expect(await navigator.clipboard.readText()).toBe('商品3')
})

test('the file is asked for with what is filtered, in the order and with the columns that are shown', async () => {
  goods('?page=2&state=worn&sort=name&order=asc')
  const { href } = (await screen.findByRole('link', { name: '导出' })) as HTMLAnchorElement
  const { pathname, searchParams } = new URL(href)
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/api/goods.xlsx',
    { state: 'worn', sort: 'name', order: 'asc', columns: 'name,state' },
  ])
})
