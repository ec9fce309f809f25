// A key is shown once, with a first call that runs as it stands there.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import TokenDialog from './TokenDialog.tsx'

test('the command beside a new key has the whole key, for whoever selects it by hand', async () => {
  const token = `pok_${'Ab3'.repeat(14)}x`
  const given = { name: '收银', token, firstCall: '/pos/v1/shops?size=10', isNew: true }
  show(<TokenDialog given={given} onClose={() => undefined} />)
  const command = await screen.findByText(/^curl/)
  expect(command.textContent).toBe(
    `curl -H 'Authorization: Bearer ${token}' '${location.origin}/pos/v1/shops?size=10'`,
  )
})
