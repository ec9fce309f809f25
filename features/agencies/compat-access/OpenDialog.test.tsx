// One's own door for old programs is opened with the password, after a warning.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { CompatSection } from './CompatSection.tsx'
import { compatAccess } from './contract.ts'
import OpenDialog from './OpenDialog.tsx'
import { WARNING } from './rules.ts'

test('it warns, asks for the password, and opens for thirty days unless another term is chosen', async () => {
  const opened = answer(compatAccess.open, () => ({ done: true }))
  const person = show(<OpenDialog onClose={() => undefined} />, { may: ['apiKeys.edit'] })
  await screen.findByText(WARNING)
  await person.click(screen.getByRole('button', { name: '开通' }))
  expect(opened).toEqual([])
  await person.type(screen.getByLabelText(/登录密码/), 'secret-2026')
  await person.click(screen.getByRole('button', { name: '开通' }))
  expect(opened).toEqual([{ password: 'secret-2026', days: 'd30' }])
})

test('the section says until when it is open, and that another password has made it void', async () => {
  answer(compatAccess.standing, () => ({
    isOffered: true,
    access: { expiresOn: '2026-12-30', isVoid: false, lastUsedAt: null },
  }))
  show(<CompatSection />, { may: ['apiKeys.edit'] })
  await screen.findByText('已开通，有效至 2026-12-30')
  answer(compatAccess.standing, () => ({
    isOffered: true,
    access: { expiresOn: '2026-12-30', isVoid: true, lastUsedAt: null },
  }))
  show(<CompatSection />, { may: ['apiKeys.edit'] })
  await screen.findByText(/密码已修改/)
})

test('where the office has no old calls, nothing is said of them', async () => {
  const asked = answer(compatAccess.standing, () => ({ isOffered: false, access: null }))
  show(<CompatSection />, { may: ['apiKeys.edit'] })
  await expect.poll(() => asked.length).toBe(1)
  expect(screen.queryByText('旧接口')).toBeNull()
})
