// What stands in the page for who may use it alone.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { Button } from './Button.tsx'
import { Permit } from './Permit.tsx'

const Buttons = () => (
  <>
    <Permit permission="renewals.mark">
      <Button>跟进</Button>
    </Permit>
    <Permit permission="purchases.renew">
      <Button>续费</Button>
    </Permit>
  </>
)

test('a button is shown to who may use it, and to nobody else', async () => {
  show(<Buttons />, { may: ['renewals.mark'] })
  await screen.findByRole('button', { name: '跟进' })
  expect(screen.queryByRole('button', { name: '续费' })).toBeNull()
})
