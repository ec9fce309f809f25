// A number of the designer, as people type it.
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { LengthEntry } from './Entry.tsx'

const LIMITS = { least: 10_000, most: 300_000 }

function Width() {
  const [value, setValue] = useState(80_000)
  return (
    <>
      <LengthEntry label="宽" value={value} limits={LIMITS} onChange={setValue} />
      <output aria-label="kept">{value}</output>
    </>
  )
}

const box = () => screen.getByRole('textbox') as HTMLInputElement
const kept = () => Number(screen.getByRole('status', { name: 'kept' }).textContent)

async function typed(text: string) {
  const person = show(<Width />)
  await person.clear(await screen.findByRole('textbox'))
  await person.type(box(), text)
  return person
}

test('applies while it is typed, in full width, too', async () => {
  const person = await typed('４２．５')
  expect(kept()).toBe(42_500)
  await person.tab()
  expect([box().value, screen.getByRole('alert').textContent]).toEqual(['42.5', ''])
})

for (const [what, text, words] of [
  ['above the limit', '400', '宽为 10 到 300 mm'],
  ['below it', '4', '宽为 10 到 300 mm'],
  ['that is none', '八十', '宽请输入数字'],
] as const)
  test(`a number ${what} is refused in words at its box, and the one of before stands`, async () => {
    const person = await typed(text)
    if (text !== '4') expect(screen.getByRole('alert').textContent).toBe(words)
    await person.keyboard('{Enter}')
    expect(screen.getByRole('alert').textContent).toBe(`${words}，仍为 80`)
    expect([box().value, kept(), box().getAttribute('aria-invalid')]).toEqual(['80', 80_000, 'true'])
    await person.clear(box())
    await person.type(box(), '60')
    expect([kept(), screen.getByRole('alert').textContent]).toEqual([60_000, ''])
  })

test('an empty box has its number again without a word', async () => {
  const person = show(<Width />)
  await person.clear(await screen.findByRole('textbox'))
  await person.tab()
  expect([box().value, screen.getByRole('alert').textContent]).toEqual(['80', ''])
})
