// What of a file a request asks for (RFC 9110, section 14).
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Asking, askedPart } from './parts.ts'

const WHOLE = { byteSize: 100, tag: '"a"' }

const CASES: readonly [name: string, asking: Asking, part: ReturnType<typeof askedPart>][] = [
  ['nothing', {}, null],
  ['from a byte on', { range: 'bytes=40-' }, { from: 40, to: 99 }],
  ['a part', { range: 'bytes=0-9' }, { from: 0, to: 9 }],
  ['one byte', { range: 'bytes=99-99' }, { from: 99, to: 99 }],
  ['more than there is', { range: 'bytes=90-500' }, { from: 90, to: 99 }],
  ['the last bytes', { range: 'bytes=-10' }, { from: 90, to: 99 }],
  ['more last bytes than there are', { range: 'bytes=-500' }, { from: 0, to: 99 }],
  ['no last bytes', { range: 'bytes=-0' }, 'beyond'],
  ['what lies behind the end', { range: 'bytes=100-' }, 'beyond'],
  ['an end before its beginning', { range: 'bytes=9-3' }, null],
  ['several parts', { range: 'bytes=0-1,5-6' }, null],
  ['another unit', { range: 'lines=0-1' }, null],
  ['no range at all', { range: 'bytes=-' }, null],
  ['a number without end', { range: `bytes=${'9'.repeat(40)}-` }, null],
  ['a part of the same bytes', { range: 'bytes=40-', ifRange: '"a"' }, { from: 40, to: 99 }],
  ['a part of other bytes', { range: 'bytes=40-', ifRange: '"b"' }, null],
  ['a part of bytes that are weakly the same', { range: 'bytes=40-', ifRange: 'W/"a"' }, null],
  ['a part since a day', { range: 'bytes=40-', ifRange: 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
  ['a part unless it is known', { range: 'bytes=40-', ifNoneMatch: '"a"' }, null],
]

for (const [name, asking, part] of CASES)
  test(`asks for ${name}`, () => assert.deepEqual(askedPart(asking, WHOLE), part))

test('of an empty file nothing can be asked for but all', () => {
  assert.equal(askedPart({ range: 'bytes=0-' }, { byteSize: 0, tag: '"a"' }), 'beyond')
  assert.equal(askedPart({}, { byteSize: 0, tag: '"a"' }), null)
})
