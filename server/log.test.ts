import assert from 'node:assert/strict'
import test from 'node:test'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import Fastify from 'fastify'
import pg from 'pg'
import { CallbackRejected, ProviderUnknown } from '#kit/ports/providers.ts'
import { addressForLog, logOptions, messageForTerminal, problemLog } from './log.ts'

/** What stands in the log after `work`. */
function logOf(work: (log: ReturnType<typeof Fastify>['log']) => void): string {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  work(Fastify({ logger: { ...logOptions('info'), stream } }).log)
  return lines.join('')
}

test('a statement that fails is told without its values, however deep it lies', () => {
  const refused = Object.assign(new pg.DatabaseError('duplicate key value', 0, 'error'), {
    code: '23505',
    detail: 'Failing row contains (13800000001).',
  })
  const query = new DrizzleQueryError(
    'insert into outbox_messages …',
    ['13800000001', '验证码 482913'],
    refused,
  )
  for (const error of [query, new Error('outer', { cause: query })]) {
    const text = logOf(log => log.error({ err: error }, 'operation failed'))
    assert.match(text, /duplicate key value/)
    assert.match(text, /23505/)
    assert.doesNotMatch(text, /13800000001|482913/)
  }
  assert.equal(messageForTerminal(query), 'duplicate key value')
})

test('a copy of an error, as the queue of jobs tells it, is told like one', () => {
  const query = new DrizzleQueryError('insert …', ['13800000001'], new Error('no connection'))
  for (const error of [new Error('no connection'), query]) {
    const { message, stack } = error
    const text = logOf(log => log.warn({ err: { ...error, message, stack, queue: 'nightly' } }, 'failed'))
    assert.match(text, /no connection/)
    assert.doesNotMatch(text, /object Object|13800000001/)
  }
})

test('an outside call that had no answer is told with what cut it', () => {
  const error = new ProviderUnknown('no answer from pay.example', new TypeError('fetch failed'))
  const text = logOf(log => log.warn({ err: error }, 'failed'))
  assert.match(text, /no answer from pay\.example/)
  assert.match(text, /fetch failed/)
})

test('something that is no error, and a cause without end, are told too', () => {
  const circle = new Error('circle')
  circle.cause = circle
  assert.match(
    logOf(log => log.warn({ err: circle }, 'x')),
    /circle/,
  )
  assert.match(
    logOf(log => log.warn({ err: 'only words' }, 'x')),
    /only words/,
  )
})

const ADDRESSES: [url: string, template: string | undefined, told: string][] = [
  ['/callbacks/sms/aliyun/s3cret', '/callbacks/sms/:provider/:secret', '/callbacks/sms/:provider/:secret'],
  ['/callbacks/sms/s3cret', undefined, '/callbacks/'],
  ['/c/s3cret?code=abc&state=pay', undefined, '/c/…'],
  ['/api/cashier/s3cret/attempts', '/api/*', '/api/cashier/…/attempts'],
  ['/UserInfo/PTGetUserList?key=s3cret', '/UserInfo/PTGetUserList', '/UserInfo/PTGetUserList'],
  ['/api/messages/log?search=13800000001', '/api/*', '/api/messages/log'],
]
for (const [url, template, told] of ADDRESSES)
  test(`${url} is told as ${told}`, () => {
    assert.equal(addressForLog({ url, routeOptions: { url: template } }), told)
  })

test('of callbacks that are forged by the hundred one is told, and of other failures each', () => {
  const lines: unknown[] = []
  const problem = problemLog({ warn: (line: unknown) => void lines.push(line) } as never)
  for (let count = 0; count < 100; count++) problem(new CallbackRejected('the signature is wrong'))
  assert.deepEqual(lines, [{ reason: 'the signature is wrong', passedOver: 0 }])
  for (let count = 0; count < 3; count++) problem(new Error('real'))
  assert.equal(lines.length, 4)
})
