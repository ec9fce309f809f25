import { expect, test } from 'vitest'
import { cleanPastes } from './clean-paste.ts'

cleanPastes(document)

/** Pastes as a browser does: a box that nobody stops takes the text as it is. */
function paste(box: HTMLInputElement | HTMLTextAreaElement, text: string): boolean {
  const event = new Event('paste', { bubbles: true, cancelable: true })
  Object.assign(event, { clipboardData: { getData: () => text } })
  return box.dispatchEvent(event)
}

function boxOf(inputMode: string): HTMLInputElement {
  const box = document.createElement('input')
  box.inputMode = inputMode
  box.maxLength = 11
  document.body.append(box)
  return box
}

test('a phone that is pasted stands in its box as it is dialled', () => {
  const box = boxOf('tel')
  let told = ''
  box.addEventListener('input', () => {
    told = box.value
  })
  expect(paste(box, '+86 138-0013-8000')).toBe(false)
  expect(told).toBe('13800138000')
})

test('marks that nobody sees are not pasted, and what is clean is left to the box', () => {
  const box = boxOf('text')
  expect(paste(box, '江边\u200b面馆')).toBe(false)
  expect(box.value).toBe('江边面馆')
  expect(paste(box, '江边面馆')).toBe(true)
  expect(paste(boxOf('tel'), '0755-12345678')).toBe(true)
})

test('a password is pasted as it is', () => {
  const box = boxOf('text')
  box.type = 'password'
  expect(paste(box, 'abc\u200b123')).toBe(true)
  box.type = 'text'
  box.dataset.secret = 'true'
  expect(paste(box, 'abc\u200b123')).toBe(true)
})

test('a table is left to the cells that it is pasted into', () => {
  expect(paste(boxOf('numeric'), '１\t２\n３\t４')).toBe(true)
})
