// The browser's own refusal is seen in the browser (test/e2e/house/shell.e2e.ts).
import { expect, test } from 'vitest'
import { trustedMarkup, trustedScript, washMarkupBy } from './trusted.ts'

test('text without a tag passes, markup is refused until somebody washes it', () => {
  expect(trustedMarkup('.a { color: red }')).toBe('.a { color: red }')
  expect(() => trustedMarkup('<b>x</b>')).toThrow(TypeError)
  washMarkupBy(html => html.replaceAll(/<[^>]*>/g, ''))
  expect(trustedMarkup('<b>x</b>')).toBe('x')
})

test.each([
  ['/assets/scan-worker-BvN9EZw8.js', true],
  ['https://office.example/sw.js', true],
  ['/assets/scan-worker.js?x=1', false],
  ['/assets/../api/files/1', false],
  ['/api/files/0197', false],
  ['https://elsewhere.example/assets/a.js', false],
  ['data:text/javascript,alert(1)', false],
  ['blob:https://office.example/1', false],
])('a program of its own beside the page: %s %s', (address, isOwn) => {
  const take = () => trustedScript(address, 'https://office.example/admin/index')
  if (isOwn) expect(take()).toBe(new URL(address, 'https://office.example').href)
  else expect(take).toThrow(TypeError)
})
