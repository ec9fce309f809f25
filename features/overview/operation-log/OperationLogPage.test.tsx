// What stands over the list of what was done: the days that are asked for most.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, formatDay } from '#kit/time.ts'
import { answer } from '#test/components/answers.tsx'
import { NO_LIST_SERVICES } from '#test/components/list-services.ts'
import { show } from '#test/components/show.tsx'
import { ListServicesContext } from '#web/list/list-services.ts'
import { operationLog } from './contract.ts'
import OperationLogPage from './OperationLogPage.tsx'

test('yesterday is one press away, and a second press asks for all again', async () => {
  const asked = answer(operationLog.list, { rows: [], total: 0, totalCapped: false })
  const person = show(
    <ListServicesContext value={NO_LIST_SERVICES}>
      <OperationLogPage />
    </ListServicesContext>,
  )
  const button = await screen.findByRole('button', { name: '昨天' })
  await person.click(button)
  const day = addDays(formatDay(new Date()), -1)
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ from: day, to: day }))
  expect(button.getAttribute('aria-pressed')).toBe('true')
  expect(screen.getByRole('button', { name: '今天' }).getAttribute('aria-pressed')).toBe('false')
  await person.click(button)
  await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('false'))
})
