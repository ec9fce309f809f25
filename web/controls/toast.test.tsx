// Short messages: the same one comes at most once per second, by whatever the clock says.
import { expect, test, vi } from 'vitest'
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
