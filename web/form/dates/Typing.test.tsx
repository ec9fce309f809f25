// What is typed in a picker: read as people write it, or kept and refused in words; never replaced by what was picked before.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Fields } from '#kit/declare/fields.ts'
import { show } from '#test/components/show.tsx'
import { Field } from '../Field.tsx'
import { FormDialog, FormNote } from '../FormDialog.tsx'
import { FormFields } from '../FormFields.tsx'
import { DateRange } from './DateRange.tsx'
import { Day } from './Day.tsx'
import { ExactInstantPicker, InstantPicker } from './InstantPicker.tsx'

const SALE = {
  name: { kind: 'text', label: '名称', control: { as: 'text' } },
} as const satisfies Fields
type Dates = { startsAt: string; endsAt: string | null; day: string | null }
const DATES: Dates = { startsAt: '2099-01-05T01:00:00.000Z', endsAt: null, day: '2099-01-05' }

function sale() {
  const sent: Dates[] = []
  const person = show(
    <FormDialog<typeof SALE, Dates>
      title="促销"
      submitText="保存"
      of={SALE}
      more={DATES}
      send={({ startsAt, endsAt, day }) => sent.push({ startsAt, endsAt, day })}
      onDone={() => undefined}
      onClose={() => undefined}
    >
      {form => (
        <>
          <FormNote>何时</FormNote>
          <FormFields form={form} />
          <Field form={form} name="startsAt" label="开始">
            {control => (
              <InstantPicker
                {...control}
                value={form.draft.startsAt}
                firstDay="2099-01-03"
                lastDay="2099-12-31"
                onChange={startsAt => form.change({ startsAt })}
              />
            )}
          </Field>
          <Field form={form} name="endsAt" label="结束">
            {control => (
              <ExactInstantPicker
                {...control}
                value={form.draft.endsAt}
                allowClear
                placeholder="长期"
                onChange={endsAt => form.change({ endsAt })}
              />
            )}
          </Field>
          <Field form={form} name="day" label="日子">
            {control => (
              <Day
                {...control}
                value={form.draft.day}
                onChange={day => form.change({ day })}
                first="2099-01-03"
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>,
  )
  return { person, sent }
}

// By its label: asked for by its role, each cell of the calendars is asked whether it can be seen.
const box = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const told = async (label: string) => document.getElementById(`${(await box(label)).id}-note`)?.textContent
const save = () => screen.getByText('保存')

const REFUSED: [label: string, pasted: string, message: string][] = [
  ['开始', '2099-02-30 09:00', '时间格式不对，应如 2026-12-01 09:00'],
  ['开始', '下周一', '时间格式不对，应如 2026-12-01 09:00'],
  ['开始', '2099-02-01', '时间格式不对，应如 2026-12-01 09:00'],
  ['开始', '2020-02-01 09:00', '不得早于 2099-01-03'],
  ['开始', '2100-01-01 00:00', '不得晚于 2099-12-31'],
  ['结束', '2099-02-01 9点', '时间格式不对，应如 2026-12-01 09:00'],
  ['日子', '2099-13-01', '日期格式不对，应如 2026-12-01'],
  ['日子', '2099-01-02', '不得早于 2099-01-03'],
]
for (const [label, pasted, message] of REFUSED)
  test(`"${pasted}" as ${label} stays as it is typed, is refused in words, and nothing is sent until it is mended`, async () => {
    const { person, sent } = sale()
    const input = await box(label)
    await person.clear(input)
    await person.click(input)
    await person.paste(pasted)
    await person.keyboard('{Enter}')
    await person.click(save())
    expect([(await box(label)).value, await told(label), sent]).toEqual([pasted, message, []])
    await person.clear(input)
    await person.paste(label === '日子' ? '2099-02-03' : '2099-02-03 08:00')
    if (label !== '日子') await person.keyboard('{Enter}')
    expect(await told(label)).toBe('')
    expect(sent).toEqual([])
    await person.click(save())
    await waitFor(() => expect(sent).toHaveLength(1))
  })

const READ: [label: keyof Dates, typed: string, value: string][] = [
  ['startsAt', '2099/2/1 8:30', '2099-02-01T00:30:00.000Z'],
  ['startsAt', '2099年2月1日 08:30', '2099-02-01T00:30:00.000Z'],
  ['endsAt', '2099-02-01 08:30:15', '2099-02-01T00:30:15.000Z'],
  ['endsAt', '2099.2.1 8:30', '2099-02-01T00:30:00.000Z'],
  ['day', '2099/2/1', '2099-02-01'],
]
const LABELS = { startsAt: '开始', endsAt: '结束', day: '日子' }
for (const [name, typed, value] of READ)
  test(`"${typed}" is read as people write it, by whoever presses the button without Enter`, async () => {
    const { person, sent } = sale()
    const input = await box(LABELS[name])
    await person.clear(input)
    await person.paste(typed)
    await person.click(save())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.[name]).toBe(value)
  })

test('a moment that is taken away is none where there may be none, and asked for where there must be one', async () => {
  const { person, sent } = sale()
  await person.clear(await box('日子'))
  await person.clear(await box('开始'))
  await person.click(save())
  expect([await told('开始'), await told('日子'), sent]).toEqual(['请选择时间', '', []])
  await person.type(await box('开始'), '2099-02-01 08:30')
  await person.click(save())
  await waitFor(() =>
    expect(sent).toEqual([{ startsAt: '2099-02-01T00:30:00.000Z', endsAt: null, day: null }]),
  )
})

test('days from and to that are none are said below them, and the list is not asked for others', async () => {
  const asked: (string | undefined)[][] = []
  const person = show(
    <DateRange label="下单" from="2099-01-05" to={undefined} onChange={(...days) => asked.push(days)} />,
  )
  const from = await screen.findByPlaceholderText<HTMLInputElement>('开始日期')
  await person.clear(from)
  asked.length = 0
  await person.type(from, '昨天')
  await person.tab()
  expect([from.value, screen.getByRole('alert').textContent, asked]).toEqual([
    '昨天',
    '日期格式不对，应如 2026-12-01',
    [],
  ])
})
