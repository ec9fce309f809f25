// How a movement of money is coloured.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { Money } from './format.tsx'

test('what came in is marked, and what was spent is no problem', async () => {
  show(
    <>
      <Money cents={50_000} signed />
      <Money cents={-17_880} signed />
    </>,
  )
  expect((await screen.findByText('+500.00')).dataset.sign).toBe('plus')
  expect(screen.getByText('−178.80').dataset.sign).toBeUndefined()
})
