// What the page knows of an address that somebody wrote.
import { screen } from '@testing-library/react'
import { test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { usePageTitle } from './session.ts'

const Leads = ({ to }: { to: string }) => <p>{usePageTitle(to) ?? `没有 ${to}`}</p>

test('an address is called as the page that it leads to, whatever it asks of it', async () => {
  show(
    <>
      <Leads to="/admin/merchant/renewals?days=30" />
      <Leads to="/admin/nowhere" />
    </>,
  )
  await screen.findByText('续费工作台')
  screen.getByText('没有 /admin/nowhere')
})
