import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FAILURES } from '../bridge/bridge.ts'
import { copyAt, NEW_RUN, type Run, type RunEvent, type RunState, sliceOf, stepped } from './run.ts'

const TOTAL = 3
const after = (...events: (RunEvent | RunEvent['type'])[]): Run =>
  events.reduce<Run>(
    (run, event) => stepped(run, typeof event === 'string' ? ({ type: event } as RunEvent) : event, TOTAL),
    NEW_RUN,
  )
const failed = (reason: keyof typeof FAILURES, detail = ''): RunEvent => ({ type: 'failed', reason, detail })
const waits = (reason: 'offline' | 'stalled'): RunEvent => ({ type: 'waiting', reason })

type Case = [name: string, run: Run, state: RunState, printed: number, attempt: number]

describe('a batch on its way', () => {
  test('says what is printed and comes to rest where it should', () => {
    const cases: Case[] = [
      ['one is printed', after('accepted', 'printing', 'done'), 'running', 1, 0],
      ['all are printed', after('done', 'done', 'done'), 'done', 3, 0],
      ['a pause waits for what is under way', after('accepted', 'pause'), 'pausing', 0, 0],
      ['and rests then', after('accepted', 'pause', 'done'), 'paused', 1, 0],
      ['a pause is taken back', after('pause', 'resume', 'done'), 'running', 1, 0],
      ['the last one ends it, paused or not', after('done', 'done', 'pause', 'done'), 'done', 3, 0],
      ['a printer that is away is waited for', after(waits('offline')), 'running', 0, 0],
      ['and goes on', after(waits('offline'), 'printing', 'done'), 'running', 1, 0],
      ['broken off nobody knows', after('printing', failed('broken')), 'unsure', 0, 0],
      ['said to be printed', after('printing', failed('broken'), 'wasPrinted'), 'running', 1, 0],
      ['said not to be: another', after('printing', failed('broken'), 'notPrinted'), 'running', 0, 1],
      ['the next one starts anew', after(failed('interrupted'), 'notPrinted', 'done'), 'running', 1, 0],
      ['it never began: surely not', after('accepted', failed('printer', 'x')), 'halted', 0, 1],
      ['and goes on', after(failed('queue-full'), 'resume'), 'running', 0, 1],
      ['cancelled before it began', after(waits('offline'), failed('cancelled')), 'halted', 0, 1],
      ['cancelled in the middle', after('printing', failed('cancelled')), 'unsure', 0, 0],
      ['cancelled while stalled', after(waits('stalled'), failed('cancelled')), 'unsure', 0, 0],
      ['cancelled while nobody heard', after('accepted', 'lost', failed('cancelled')), 'unsure', 0, 0],
      [
        'heard again before',
        after('printing', 'lost', waits('offline'), failed('cancelled')),
        'halted',
        0,
        1,
      ],
      ['the same id with other bytes', after(failed('id-reused')), 'unsure', 0, 0],
      ['reopened it rests', after('done', 'accepted', 'reopened'), 'paused', 1, 0],
      ['cancelled meanwhile', after('accepted', 'reopened', 'resume', failed('cancelled')), 'unsure', 0, 0],
      ['never taken: it is sent', after('unknown'), 'running', 0, 0],
      ['taken and not known any more', after('accepted', 'reopened', 'resume', 'unknown'), 'unsure', 0, 0],
      ['stopped with nothing under way', after('pause', 'done', 'stop'), 'stopped', 1, 0],
      ['stopped, the last one ends', after('accepted', 'stop', 'done'), 'stopped', 1, 0],
      ['stopped, it never began', after(waits('offline'), 'stop', failed('cancelled')), 'stopped', 0, 1],
      ['stopped after a reload, asked first', after('accepted', 'reopened', 'stop'), 'stopping', 0, 0],
      ['a rest before it was sent', after('pause', { type: 'withheld' }), 'paused', 0, 0],
      ['a stop before it was sent', after('stop', { type: 'withheld' }), 'stopped', 0, 0],
      ['stopped after a reload, asked in any case', after('reopened', 'stop'), 'stopping', 0, 0],
      ['and was not sent', after('reopened', 'stop', 'unknown', { type: 'withheld' }), 'stopped', 0, 0],
      ['unsure is answered before it stops', after(failed('broken'), 'stop'), 'unsure', 0, 0],
      [
        'the page could not make it',
        after({ type: 'broken', said: '没有网络', maybe: false }),
        'halted',
        0,
        0,
      ],
      ['a device broke off', after({ type: 'broken', said: '断开', maybe: true }), 'unsure', 0, 0],
      ['what is over stays over', after('done', 'done', 'done', 'resume', 'stop', 'done'), 'done', 3, 0],
      ['nothing is counted while it rests', after('pause', 'done', 'done', 'wasPrinted'), 'paused', 1, 0],
    ]
    for (const [name, { state, printed, attempt }, ...expected] of cases)
      assert.deepEqual([state, printed, attempt], expected, name)
  })

  test('says why it stands', () => {
    assert.equal(after(failed('printer', '缺纸')).said, '打印机报错（缺纸）')
    assert.equal(after('printing', failed('broken')).said, FAILURES.broken)
    assert.equal(after('printing', failed('broken'), 'notPrinted').said, '')
    assert.equal(after(waits('stalled')).wait, 'stalled')
    assert.equal(after(waits('stalled'), 'printing').wait, null)
  })
})

test('places of a batch belong to rows and copies', () => {
  const copies = [2, 1, 3]
  assert.deepEqual(
    [0, 1, 2, 5].map(at => copyAt(copies, at)),
    [
      { row: 0, copy: 0 },
      { row: 0, copy: 1 },
      { row: 1, copy: 0 },
      { row: 2, copy: 2 },
    ],
  )
  assert.throws(() => copyAt(copies, 6), RangeError)
  assert.deepEqual(sliceOf(copies, 1, 4), [
    { row: 0, copies: 1 },
    { row: 1, copies: 1 },
    { row: 2, copies: 1 },
  ])
  assert.deepEqual(sliceOf(copies, 6, 9), [])
})
