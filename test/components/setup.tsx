import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { questionStore } from '#web/controls/confirm.ts'
import { dismissToast, toastStore } from '#web/controls/toast.ts'
import { closeServer, listen } from './answers.tsx'
import { behaveAsBrowser } from './browser.tsx'
import { nextMoment } from './clock.ts'

behaveAsBrowser()
// Whoever waits goes on as soon as it has come, and the machine may be busy.
configure({ asyncUtilTimeout: 60_000 })

const complaints: unknown[][] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nextMoment(), shouldAdvanceTime: true })
  vi.spyOn(console, 'error').mockImplementation((...said) => void complaints.push(said))
  listen()
})

afterEach(() => {
  questionStore.read()?.answer(false)
  cleanup()
  for (const { id } of toastStore.read()) dismissToast(id)
  localStorage.clear()
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  closeServer()
  // What React complains of, and what threw while it drew.
  const said = complaints.splice(0)
  if (said.length > 0) throw new Error(said.map(words => words.map(String).join(' ')).join('\n'))
})
