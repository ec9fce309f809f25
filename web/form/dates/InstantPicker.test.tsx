// A moment as people pick and read it: by the clock of Shanghai, wherever their browser is.
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'
import { InstantPicker } from './InstantPicker.tsx'

afterEach(() => vi.unstubAllEnvs())

const picked: string[] = []

function PublishedAt() {
  const [value, setValue] = useState('2099-01-05T01:00:07Z')
  const take = (instant: string) => {
    picked.push(instant)
    setValue(instant)
  }
  return <InstantPicker aria-label="发布时间" value={value} onChange={take} />
}

test('a time is picked and read by the clock of Shanghai wherever the browser is, and is not changed by being looked at', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(new Date('2099-01-05T01:00:07Z').getHours()).toBe(20)
  const person = show(<PublishedAt />)
  const time = await screen.findByRole<HTMLInputElement>('textbox', { name: '发布时间' })
  expect(time.value).toBe('2099-01-05 09:00')
  await person.click(time)
  await person.tab()
  expect(picked).toEqual([])
  await person.clear(time)
  await person.type(time, '2099-02-01 08:30{Enter}')
  await waitFor(() => expect(picked.at(-1)).toBe('2099-02-01T00:30:00.000Z'))
})
