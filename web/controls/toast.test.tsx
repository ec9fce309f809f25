// Short messages: the same one comes at most once per second, by whatever the clock says.
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'
import { dismissToast, toast, toastStore } from './toast.ts'

const texts = () => toastStore.read().map(({ text }) => text)

function dismissAll() {
  for (const { id } of toastStore.read()) dismissToast(id)
}

test('the same message comes once in a second, and again after it or once the clock was put back', () => {
  const begun = Date.now()
  toast.success('已保存')
  dismissAll()
  toast.success('已保存')
  expect(texts()).toEqual([])
  toast.error('已保存')
  expect(texts()).toEqual(['已保存'])
  dismissAll()
  vi.setSystemTime(begun + 1_500)
  toast.success('已保存')
  expect(texts()).toEqual(['已保存'])
  dismissAll()
  vi.setSystemTime(begun - 3_600_000)
  toast.success('已保存')
  expect(texts()).toEqual(['已保存'])
})

test('it stands below the bars that stand over the page', async () => {
  show(<main>内容</main>)
  const main = await screen.findByRole('main')
  vi.spyOn(main, 'getBoundingClientRect').mockReturnValue({ top: 152 } as DOMRect)
  toast.success('已停用')
  const layer = await screen.findByRole('status')
  await waitFor(() => expect([layer.textContent, layer.style.top]).toEqual(['已停用', '160px']))
})
