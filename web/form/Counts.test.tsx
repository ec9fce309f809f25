// Counts as they are typed: what is none, or too much, stays, is said in words, and never becomes another number.
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { FormBody } from './Form.tsx'
import { NumberField } from './NumberField.tsx'
import { Stepper } from './Stepper.tsx'
import { useForm } from './useForm.ts'

type Shops = { shops: number | null }
const sent: (number | null)[] = []

function ShopsForm() {
  const form = useForm<Shops>({
    initial: { shops: 1 },
    judge: ({ shops }) => (shops === null ? { field: 'shops', message: '请输入订购数量' } : null),
    send: ({ shops }) => sent.push(shops),
  })
  return (
    <FormBody form={form as never} actions={<button type="submit">购买</button>}>
      <NumberField form={form} name="shops" label="订购数量" />
    </FormBody>
  )
}

const TYPED: [typed: string, message: string | null, count: number | null][] = [
  ['3', null, 3],
  ['1,200', null, 1_200],
  ['99999', null, 99_999],
  ['2.5', '订购数量须为整数', null],
  ['-1', '订购数量不能为负数', null],
  ['三', '订购数量须为整数', null],
]
for (const [typed, message, count] of TYPED)
  test(`a number "${typed}" is ${message ?? `sent as ${count}`}`, async () => {
    sent.length = 0
    const person = show(<ShopsForm />)
    const input = await screen.findByRole<HTMLInputElement>('textbox', { name: '订购数量' })
    await person.clear(input)
    await person.click(input)
    await person.paste(typed)
    await person.click(screen.getByRole('button', { name: '购买' }))
    if (message === null) return waitFor(() => expect(sent).toEqual([count]))
    expect([input.value, screen.getByText(message).id, sent]).toEqual([typed, `${input.id}-note`, []])
    await person.clear(input)
    await person.type(input, '2{Enter}')
    await waitFor(() => expect(sent).toEqual([2]))
  })

function Years({ late, changed }: { late?: boolean; changed: number[] }) {
  const [years, setYears] = useState(1)
  const take = (next: number) => {
    changed.push(next)
    setYears(next)
  }
  return (
    <Stepper label="年数" value={years} max={5} maxReason="最多 5 年" late={late ?? false} onChange={take} />
  )
}

const STEPS: [typed: string, message: string | null, years: number[]][] = [
  ['3', null, [3]],
  ['0', null, [0]],
  ['2.5', '年数须为整数', []],
  ['-1', '年数不能为负数', []],
  ['12', '最多 5 年', []],
]
for (const late of [false, true])
  for (const [typed, message, years] of STEPS)
    test(`a counter that takes what is typed ${late ? 'once it is left' : 'at once'}, given "${typed}", ${message ?? 'takes it'}`, async () => {
      const changed: number[] = []
      const person = show(<Years late={late} changed={changed} />)
      const input = await screen.findByRole<HTMLInputElement>('textbox', { name: '年数' })
      await person.tripleClick(input)
      await person.paste(typed)
      await person.tab()
      expect([input.value, screen.queryByRole('alert')?.textContent ?? null, changed]).toEqual([
        typed,
        message,
        years,
      ])
      if (message === null) return
      await person.click(screen.getByRole('button', { name: '增加 年数' }))
      expect([input.value, screen.queryByRole('alert'), changed]).toEqual(['2', null, [2]])
    })
