// A new price is asked about with what it changes before it is written down, and begins at the moment that was meant.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PriceRisk } from '#features/office/prices/rules.ts'
import { formatDay } from '#kit/time.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { priceDesk } from './contract.ts'
import SetPriceDialog from './SetPriceDialog.tsx'

const ROW = {
  ...{ id: 1, book: 'version' as const, item: 1, part: 'lifetime', itemName: '永久版', partName: '永久' },
  ...{ unit: '代币/个店', cents: 198_000, nextCents: null, nextStartsAt: null, minimumCents: null },
}

function dialog(risks: PriceRisk[]) {
  answer(priceDesk.preview, ({ cents = 0 }) => ({
    beforeCents: 198_000,
    risks,
    levels: [
      { name: '普通代理', agents: 2, beforeCents: 138_600, afterCents: cents * 0.7 },
      { name: '银牌代理', agents: 7, beforeCents: 118_800, afterCents: cents * 0.6 },
    ],
    ...{ shops: 12, agents: 3, renewals: null },
  }))
  const set = answer(priceDesk.setPrice, { done: true })
  const person = show(<SetPriceDialog row={ROW} kind="list" onClose={() => undefined} />)
  return { person, set }
}

const price = () => screen.findByRole('textbox', { name: '新价格' })
const submit = () => screen.getByRole('button', { name: '设置新价格' })

test('a price of nothing from now on is asked about: how many partners, and an example before and after', async () => {
  const { person, set } = dialog(['nothing', 'fall', 'now'])
  await person.type(await price(), '0{Enter}')
  const question = await screen.findByRole('alertdialog', { name: '确认新价格：永久版 永久？' })
  const risks = within(question).getAllByRole('listitem')
  expect(risks.map(({ textContent }) => textContent)).toEqual([
    '价格为 0，购买不收费',
    '降价一半或更多',
    '立即生效',
  ])
  expect(question.textContent).toContain(
    '定价由 1,980.00 代币/个店 变为 0.00 代币/个店。影响 9 个代理商、现有 12 家商户的续费，例如银牌代理的 7 个代理商由 1,188.00 变为 0.00 代币/个店。',
  )
  await person.click(within(question).getByRole('button', { name: '取消' }))
  expect(set).toEqual([])
  await person.click(submit())
  await person.click(await screen.findByRole('button', { name: '立即生效' }))
  await toasted('已生效')
  expect(set).toMatchObject([{ cents: 0, startsAt: null, answered: ['nothing', 'fall', 'now'] }])
})

test('a price that changes little and later is set without a question', async () => {
  const { person, set } = dialog([])
  await person.type(await price(), '1900')
  await person.click(screen.getByRole('radio', { name: '指定时间' }))
  await person.click(submit())
  await waitFor(() => expect(set).toMatchObject([{ cents: 190_000, answered: [] }]))
})

test('Enter in the date box sets nothing, the pasted moment is the one that is meant, and a past one is refused', async () => {
  const { person, set } = dialog([])
  await person.type(await price(), '1900')
  await person.click(screen.getByRole('radio', { name: '指定时间' }))
  const startsAt = await screen.findByRole<HTMLInputElement>('textbox', { name: '指定时间' })
  await person.clear(startsAt)
  await person.click(startsAt)
  await person.paste('2020/1/1 8:00')
  await person.keyboard('{Enter}')
  await person.click(submit())
  await screen.findByText(`不得早于 ${formatDay(new Date())}`)
  expect([startsAt.value, set]).toEqual(['2020/1/1 8:00', []])
  const next = `${formatDay(new Date(Date.now() + 40 * 86_400_000))} 08:30`
  await person.clear(startsAt)
  await person.click(startsAt)
  await person.paste(next)
  await person.keyboard('{Enter}')
  expect(set).toEqual([])
  await person.click(submit())
  await waitFor(() =>
    expect(set).toMatchObject([{ startsAt: new Date(`${next.replace(' ', 'T')}:00+08:00`).toISOString() }]),
  )
})
