// The parts of the start page: what each leads to, what it says where there is nothing, and that it fails alone.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import Carousel from '#features/office/content/Carousel.tsx'
import { content } from '#features/office/content/contract.ts'
import { inbox } from '#features/overview/inbox/contract.ts'
import { answer, NO_ANSWER } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { dashboard } from './contract.ts'
import HomeCharts from './HomeCharts.tsx'
import { CHART_DAYS, TILE_LISTS, TILES } from './rules.ts'
import { TodayTiles } from './TodayTiles.tsx'
import { TodoBand } from './TodoBand.tsx'

const [TODAY, YESTERDAY] = ['2026-03-02', '2026-03-01']

const addressOf = (link: HTMLElement) => {
  const { pathname, search } = new URL((link as HTMLAnchorElement).href)
  return [pathname, Object.fromEntries(new URLSearchParams(search))]
}

test('what waits says what hangs on it and leads to its rows; a morning with nothing to do says so kindly', async () => {
  answer(dashboard.todo, {
    today: TODAY,
    isFresh: false,
    items: [{ key: 'expiring', count: 2, capped: false, cents: 59_600, oldestAt: null }],
  })
  show(<TodoBand />)
  const link = await screen.findByRole('link', { name: /联系续费：7天内到期/ })
  expect(link.textContent).toContain('续费一年 596.00 代币')
  expect(addressOf(link)).toEqual(['/admin/merchant/renewals', { window: '7' }])
  answer(dashboard.todo, { today: TODAY, isFresh: false, items: [] })
  answer(inbox.count, { waiting: 0, capped: false })
  show(<TodoBand />)
  await screen.findByText(/都处理好了，今天没有等您办的事/)
})

test('a morning with nothing to do that leaves something in the inbox says so, too', async () => {
  answer(dashboard.todo, { today: TODAY, isFresh: false, items: [] })
  answer(inbox.count, { waiting: 2, capped: false })
  show(<TodoBand />)
  const link = await screen.findByRole('link', { name: '2 项待办' })
  expect(addressOf(link)).toEqual(['/admin/inbox', {}])
  expect(screen.queryByText(/没有等您办的事/)).toBeNull()
})

test('before there ever was a shop nothing is said to be done', async () => {
  answer(dashboard.todo, { today: TODAY, isFresh: true, items: [] })
  show(<TodoBand />)
  await screen.findByText(/还没有商户/)
  expect(screen.queryByText(/都处理好了/)).toBeNull()
})

function tiles(may: readonly string[]) {
  answer(dashboard.figures, {
    today: TODAY,
    yesterday: YESTERDAY,
    tiles: {
      sms: { today: 3, yesterday: 1 },
      merchants: { today: 1, yesterday: 1 },
      versions: { today: 0, yesterday: 2 },
      services: { today: 0, yesterday: 0 },
    },
  })
  return show(<TodayTiles />, { may })
}

test('each count of today and of yesterday leads to its list of that day, with the difference in words', async () => {
  tiles(Object.values(TILE_LISTS).map(({ permission }) => permission))
  await screen.findByRole('link', { name: '今日短信订单 3 笔，查看列表' })
  for (const tile of TILES)
    for (const [when, day] of [
      ['今日', TODAY],
      ['昨日', YESTERDAY],
    ] as const) {
      const { name, path, filters } = TILE_LISTS[tile]
      const link = screen.getByRole('link', { name: new RegExp(`^${when}${name} `) })
      expect(addressOf(link)).toEqual([path, filters(day)])
    }
  for (const words of ['比昨日多 2', '比昨日少 2']) expect(screen.getByText(words)).toBeDefined()
  expect(screen.getAllByText('与昨日持平')).toHaveLength(2)
})

test('who may see the figures alone reads them and is led nowhere', async () => {
  tiles([])
  await screen.findByText('今日软件订单（笔）')
  await waitFor(() => expect(screen.getByText('比昨日多 2')).toBeDefined())
  expect(screen.queryByRole('link')).toBeNull()
})

test('charts that fail say so in their place, and are asked for again', async () => {
  const asked = answer(dashboard.charts, () => {
    throw NO_ANSWER
  })
  const person = show(<HomeCharts />)
  await screen.findByRole('alert')
  const first = asked.length
  await person.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(asked.length).toBeGreaterThan(first))
})

test('a chart without any number says so in its place', async () => {
  const none = Array.from({ length: CHART_DAYS }, () => 0)
  answer(dashboard.charts, {
    today: TODAY,
    versionCents: none,
    serviceCents: none,
    smsCents: none,
    rechargeFen: none,
    registered: none,
    segments: none,
    expiring: none,
  })
  show(<HomeCharts />)
  for (const words of ['近30天没有销售', '近30天没有新增商户', '近30天没有发送短信'])
    expect(await screen.findByText(words)).toBeDefined()
})

const card = (id: number, title: string, link: string) => ({ id, title, link, body: '', pictureId: null })

test('a card is for who may open its page, and a closed line is seen again once there is another card', async () => {
  const cards = [
    card(1, '硬件商城', '/admin/index/hardwareShop'),
    card(2, '续费工作台', '/admin/merchant/renewals'),
  ]
  const shown = (carousel: typeof cards) =>
    answer(content.shown, { carousel, notices: { rows: [], total: 0, totalCapped: false } })
  shown(cards)
  const person = show(<Carousel />, { may: ['renewals.desk'] })
  await screen.findByText('续费工作台')
  expect(screen.queryByText('硬件商城')).toBeNull()
  await person.click(screen.getByRole('button', { name: '不再显示' }))
  expect(screen.queryByRole('region', { name: '推荐' })).toBeNull()
  show(<Carousel />, { may: ['renewals.desk'] })
  await waitFor(() => expect(screen.queryByRole('status', { name: '加载中' })).toBeNull())
  expect(screen.queryByRole('region', { name: '推荐' })).toBeNull()
  shown([...cards, card(3, '短信群发', '')])
  show(<Carousel />, { may: ['renewals.desk'] })
  await screen.findByText('短信群发')
})
