// What is written to many shops, while it is written.
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { regions } from '#features/office/regions/contract.ts'
import { merchants } from '#features/shops/merchants/contract.ts'
import { versions } from '#features/shops/versions/contract.ts'
import { placeholder } from '#kit/words/placeholders.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { CampaignEditor } from './CampaignEditor.tsx'
import { campaigns } from './contract.ts'
import { CAMPAIGN_REFUSALS } from './rules.ts'

const TEMPLATES = {
  signature: '海岸',
  rows: [
    {
      ...{ key: 'offer', name: '续费优惠', text: `现在续费可享${placeholder('offer')}`, forCampaigns: true },
      variables: [{ name: 'offer', label: '优惠内容' }],
    },
    { key: 'greeting', name: '节日问候', text: '节日快乐', variables: [], forCampaigns: true },
  ],
}
const WRITTEN = { name: '年末', templateKey: 'offer', params: {}, audience: {}, scheduledAt: null }
const LINK = '详见 https://a.cn'

beforeEach(() => {
  answer(versions.list, { rows: [] })
  answer(merchants.options, { cityCode: '', versions: [], industries: [], paymentMethods: [], managers: [] })
  answer(regions.changes, { source: '', changes: [] })
  answer(campaigns.preview, {
    ...{ shops: 9, disabled: 0, notMobile: 0, segments: 9, segmentsMin: 1, segmentsMax: 1 },
    ...{ balance: 100, reserved: 0, missing: 0, samples: [] },
  })
})

function edit(copy: Partial<typeof WRITTEN> = {}) {
  return show(
    <CampaignEditor
      row={null}
      copy={{ ...WRITTEN, ...copy } as never}
      templates={TEMPLATES}
      dirty={{ current: false }}
      onOpen={() => undefined}
      onClose={() => undefined}
    />,
    { may: ['campaigns.send', 'campaigns.list'] },
  )
}
const field = (name: string) =>
  screen.findByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) })
const press = (name: string) => screen.getByRole('button', { name })

test('all that is wrong is told at its field at once, the first is focused, and nothing is lost', async () => {
  const saved = answer(campaigns.save, { id: 1, revision: 1 })
  const person = edit({ name: '' })
  const [name, offer] = [await field('任务名称'), await field('优惠内容')]
  for (const one of [name, offer]) expect(one.getAttribute('aria-required')).toBe('true')
  await person.click(press('发送'))
  await screen.findByText(CAMPAIGN_REFUSALS.NAME_REQUIRED)
  await screen.findByText(CAMPAIGN_REFUSALS.PARAM_REQUIRED)
  await waitFor(() => expect(document.activeElement).toBe(name))
  await person.type(name, '年末问候')
  await waitFor(() => expect(screen.queryByText(CAMPAIGN_REFUSALS.NAME_REQUIRED)).toBeNull())
  // A draft may be unfinished, but what is in it must be allowed.
  await person.clear(name)
  await person.type(offer, LINK)
  await person.click(press('保存草稿'))
  await screen.findByText(CAMPAIGN_REFUSALS.PARAM_FORBIDDEN)
  expect(offer.value).toBe(LINK)
  expect(saved).toEqual([])
})

test('what was written for another template does not hold it back', async () => {
  const saved = answer(campaigns.save, { id: 1, revision: 1 })
  const person = edit({ templateKey: 'greeting', params: { offer: LINK } })
  await person.type(await field('任务名称'), '换模板')
  await person.click(press('保存草稿'))
  await toasted('已保存草稿')
  expect(saved.map(({ params }) => params)).toEqual([{}])
})

test('what is typed while it is being saved stays, and is saved next', async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  const saved = answer(campaigns.save, async ({ revision = 0 }) => {
    if (revision === 0) await held
    return { id: 1, revision: revision + 1 }
  })
  const person = edit({ params: { offer: '九折' } })
  const name = await field('任务名称')
  await person.type(name, '边存')
  await person.click(press('保存草稿'))
  await waitFor(() => expect(saved).toHaveLength(1))
  await person.type(name, '边写')
  goOn()
  await toasted('已保存草稿')
  expect(name.value).toBe('年末边存边写')
  await person.click(press('保存草稿'))
  await waitFor(() =>
    expect(saved.map(one => [one.id, one.name])).toEqual([
      [undefined, '年末边存'],
      [1, '年末边存边写'],
    ]),
  )
})
