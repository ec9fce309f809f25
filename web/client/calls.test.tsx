// The page's own way of putting a call on the wire, beside the codec of the library that answers it.
import { createORPCClient } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { expect, test } from 'vitest'
import { op } from '#kit/declare/op.ts'
import { CallError, decodeAnswer, encodeCall, errorOf } from './calls.ts'

type Sent = { path: string; body: string | undefined; type: string | null }

/** What the library sends for the same. */
async function sentByLibrary(method: 'GET' | 'POST', path: `/${string}`, input: unknown): Promise<Sent> {
  const contract = { feature: { call: op({ permission: 'session' }, { method, path, summary: '' }) } }
  const sent: Sent[] = []
  const link = new OpenAPILink(contract, {
    url: 'http://office.test/api',
    fetch: async request => {
      const { pathname, search } = new URL(request.url)
      const text = await request.text()
      sent.push({
        path: pathname + search,
        body: text === '' ? undefined : text,
        type: request.headers.get('content-type'),
      })
      return Response.json({})
    },
  })
  await (createORPCClient(link) as { feature: { call(input: unknown): Promise<unknown> } }).feature.call(
    input,
  )
  return sent[0] as Sent
}

const parts = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://office.test')
  return { pathname, query: [...searchParams] }
}

test.each([
  ['GET', '/merchants', undefined],
  ['GET', '/merchants', { page: 1, search: '福鑫 & 金玉+%', status: undefined, overdue: false }],
  [
    'GET',
    '/merchants/{id}/changes',
    { id: 7, kinds: ['a', 'b'], between: { from: '2026-01-01' }, none: null },
  ],
  ['GET', '/catalogue/{kind}/{id}', { kind: 'a/b?c', id: '福' }],
  [
    'POST',
    '/merchants',
    { name: '福鑫', tags: ['a', undefined], none: null, left: undefined, deep: { at: 1 } },
  ],
  ['POST', '/merchants/{id}', { id: 7 }],
  ['POST', '/merchants/{id}', { id: 7, remark: '' }],
  ['POST', '/merchants/{id}/lines', { id: 7, lines: [{ at: 1 }, { at: 2 }] }],
  ['POST', '/signed-out', undefined],
  ['POST', '/empty', {}],
] as const)('%s %s of %j is sent as the library sends it', async (method, path, input) => {
  const theirs = await sentByLibrary(method, path, input)
  const { address, body } = encodeCall(`${method} ${path}`, input)
  expect(parts(`/api${address}`)).toEqual(parts(theirs.path))
  expect(body).toBe(theirs.body)
  if (body !== undefined) expect(theirs.type).toBe('application/json')
})

test('an answer without a text is nothing', () => {
  expect(decodeAnswer('')).toBeUndefined()
  expect(decodeAnswer('{"id":7}')).toEqual({ id: 7 })
})

test('a refusal has code, words and data; what somebody else on the way answers has none', () => {
  const text = JSON.stringify({ code: 'NAME_TAKEN', message: '名称已被使用', data: { field: 'name' } })
  const refused = errorOf(text, 409) as CallError
  expect(refused).toBeInstanceOf(CallError)
  expect(refused).toMatchObject({
    code: 'NAME_TAKEN',
    status: 409,
    message: '名称已被使用',
    data: { field: 'name' },
  })
  for (const other of ['<html>413</html>', '"no"', 'null', '{"code":1}'])
    expect(errorOf(other, 413)).not.toBeInstanceOf(CallError)
})
