import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import readXlsxFile from 'read-excel-file/node'
import { until } from '#test/patience.ts'
import { neutralise, writeXlsx, type XlsxColumn, type XlsxLimits } from './xlsx.ts'

type Row = readonly unknown[]

async function* batchesOf(...batches: Row[][]): AsyncGenerator<Row[]> {
  yield* batches
}

function written(columns: readonly XlsxColumn[], rows: Row[], limits?: Partial<XlsxLimits>): Promise<Buffer> {
  return buffer(writeXlsx({ sheetName: '订单', columns, rows: batchesOf(rows), limits }))
}

async function readBack(columns: readonly XlsxColumn[], rows: Row[], limits?: Partial<XlsxLimits>) {
  return readXlsxFile(await written(columns, rows, limits), { trim: false })
}

/** Every value below its header, as one column of the given kind. */
async function columnOf(kind: XlsxColumn['kind'], values: unknown[]) {
  const columns: XlsxColumn[] = [
    { header: '序号', kind: 'integer' },
    { header: '值', kind },
  ]
  const [sheet] = await readBack(
    columns,
    values.map((value, index) => [index, value]),
  )
  return sheet?.data.slice(1).map(row => row[1] ?? null)
}

/** A part's XML by way of the archive's directory. */
function partOf(archive: Buffer, name: string): string {
  let at = archive.readUInt32LE(archive.length - 22 + 16)
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const nameLength = archive.readUInt16LE(at + 28)
    if (archive.toString('latin1', at + 46, at + 46 + nameLength) === name) {
      const start = archive.readUInt32LE(at + 42) + 30 + nameLength
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString()
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30)
  }
  throw new Error(`the archive has no ${name}`)
}

const TEXT: XlsxColumn[] = [{ header: '名称', kind: 'text' }]

test('a table reads back as it was written', async () => {
  const columns: XlsxColumn[] = [
    { header: '商户名称', kind: 'text', width: 30 },
    { header: '数量', kind: 'integer' },
    { header: '金额', kind: 'cents' },
    { header: '下单时间', kind: 'time' },
    { header: '到期日', kind: 'date' },
  ]
  const rows = [
    ['深圳“老王”<快餐> & 饮品店 𠮷野家😀', 12, 123_456_789, '2026-11-20T16:30:05.900Z', '2027-02-28'],
    ['无', null, null, undefined, ''],
  ]
  assert.deepEqual(await readBack(columns, rows), [
    {
      sheet: '订单',
      data: [
        ['商户名称', '数量', '金额', '下单时间', '到期日'],
        [
          '深圳“老王”<快餐> & 饮品店 𠮷野家😀',
          12,
          1_234_567.89,
          new Date('2026-11-21T00:30:05Z'),
          new Date('2027-02-28T00:00:00Z'),
        ],
        ['无', null, null, null, null],
      ],
    },
  ])
})

test('text that a spreadsheet would take for a formula is made plain', async () => {
  assert.equal(neutralise('=1+1'), "'=1+1")
  assert.equal(neutralise('a=1'), 'a=1')
  assert.deepEqual(
    await columnOf('text', [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\u0001=1',
      '_x003D_1',
      '1-1',
      '',
    ]),
    ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\n=1", "'=1", '_x003D_1', '1-1', null],
  )
  const archive = await written([{ header: '=A1', kind: 'text' }], [['=1+1']])
  assert.doesNotMatch(partOf(archive, 'xl/worksheets/sheet1.xml'), /<f>|<t>=/)
})

test('instants show as the wall time of Asia/Shanghai, exact to the second', async () => {
  const instants = [
    '2026-02-28T16:00:00Z',
    new Date('2024-02-29T15:59:59.999Z'),
    Date.UTC(2026, 0, 1),
    '2026-11-20T08:00:00+08:00',
    '2026-11-20 08:00:01.5+00',
  ]
  const wall = [
    '2026-03-01T00:00:00Z',
    '2024-02-29T23:59:59Z',
    '2026-01-01T08:00:00Z',
    '2026-11-20T08:00:00Z',
    '2026-11-20T16:00:01Z',
  ]
  assert.deepEqual(
    await columnOf('time', instants),
    wall.map(text => new Date(text)),
  )
  assert.deepEqual(
    await columnOf('date', instants),
    wall.map(text => new Date(`${text.slice(0, 10)}T00:00:00Z`)),
  )
  const everyHourAndSome = Array.from({ length: 500 }, (_, index) => new Date(1.79e12 + index * 3_601_000))
  assert.deepEqual(
    await columnOf('time', everyHourAndSome),
    everyHourAndSome.map(instant => new Date(instant.getTime() + 8 * 3_600_000)),
  )
  assert.deepEqual(await columnOf('time', ['1900-01-01T00:00:00Z']), ['1900-01-01 08:00:00'])
})

test('amounts keep every cent, and numbers beyond 15 digits every digit', async () => {
  assert.deepEqual(
    await columnOf('cents', [0, 1, -5, 10, 99_999, -123_456n, '29800', 100_000_000_000_001]),
    [0, 0.01, -0.05, 0.1, 999.99, -1234.56, 298, 1_000_000_000_000.01],
  )
  assert.deepEqual(await columnOf('cents', [9_007_199_254_740_991n]), ['90071992547409.91'])
  assert.deepEqual(await columnOf('integer', [0, -7, '42', 12n, '4200001234567890123']), [
    0,
    -7,
    42,
    12,
    '4200001234567890123',
  ])
})

test('a value that does not fit its kind fails instead of being written wrong', async () => {
  const unfit: [XlsxColumn['kind'], unknown][] = [
    ['integer', 1.5],
    ['integer', 'abc'],
    ['integer', '007'],
    ['cents', Number.NaN],
    ['cents', '12.50'],
    ['time', '2026-11-20'],
    ['time', '2026-11-20T08:00:00'],
    ['time', new Date(Number.NaN)],
    ['date', '2026-02-30'],
    ['date', '2026-13-01'],
    ['text', { name: '张三' }],
  ]
  for (const [kind, value] of unfit) {
    await assert.rejects(columnOf(kind, [value]), { name: 'TypeError', message: /^column "值" of kind / })
  }
})

test('characters XML forbids are dropped, spaces and line breaks stay, and long text is cut', async () => {
  assert.deepEqual(
    await columnOf('text', ['a\u0000b\u001f\ufffec\uffff', '\ud800左\udc00', '  两\r\n行\r', 7, true]),
    ['abc', '左', '  两\n行\n', '7', 'true'],
  )
  assert.deepEqual(await columnOf('text', [`${'长'.repeat(32_766)}😀`, '<'.repeat(40_000)]), [
    '长'.repeat(32_766),
    '<'.repeat(32_767),
  ])
})

test('an empty table is its header', async () => {
  assert.deepEqual(await readBack(TEXT, []), [{ sheet: '订单', data: [['名称']] }])
})

test('the header is bold and frozen, and each kind has its format', async () => {
  const kinds = ['text', 'integer', 'cents', 'time', 'date'] as const
  const columns = kinds.map(kind => ({ header: kind, kind, width: 33 }))
  const archive = await written(columns, [['a', 1, 1, 0, 0]])
  const sheet = partOf(archive, 'xl/worksheets/sheet1.xml')
  const styles = partOf(archive, 'xl/styles.xml')
  assert.match(sheet, /<pane ySplit="1" [^>]*state="frozen"\/>/)
  assert.match(sheet, /<col min="5" max="5" width="33" customWidth="1"\/><\/cols>/)
  assert.match(sheet, /<autoFilter ref="A1:E2"\/>/)
  const formats = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/<xf numFmtId="(\d+)" fontId="(\d)"/g)]
  const formatOf = (cell: string) => {
    const style = Number(sheet.match(new RegExp(`<c r="${cell}" s="(\\d+)"`))?.[1])
    return [Number(formats[style]?.[1]), Number(formats[style]?.[2])]
  }
  assert.deepEqual(formatOf('A1'), [49, 1])
  assert.deepEqual(['A2', 'B2', 'C2', 'D2', 'E2'].map(formatOf), [
    [49, 0],
    [1, 0],
    [4, 0],
    [164, 0],
    [165, 0],
  ])
  assert.match(styles, /<fonts count="2"><font>(?!<b\/>).*?<\/font><font><b\/>/)
  assert.match(styles, /numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/)
})

test('more rows than a sheet takes continue on further sheets, each with the header', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => [`第${index}行`])
  const sheets = await readBack(TEXT, rows, { rowsPerSheet: 3 })
  assert.deepEqual(
    sheets.map(sheet => [sheet.sheet, sheet.data.map(row => row[0])]),
    [
      ['订单', ['名称', '第0行', '第1行', '第2行']],
      ['订单 2', ['名称', '第3行', '第4行', '第5行']],
      ['订单 3', ['名称', '第6行']],
    ],
  )
  assert.equal((await readBack(TEXT, rows.slice(0, 6), { rowsPerSheet: 3 })).length, 2)
})

test('a sheet is closed before it outgrows what a part of the archive may have', async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => [`${index} ${'x'.repeat(100)}`])
  const sheets = await readBack(TEXT, rows, { bytesPerSheet: 200_000 })
  assert.ok(sheets.length > 2, `${sheets.length} sheets`)
  assert.deepEqual(
    sheets.flatMap(sheet => sheet.data.slice(1)),
    rows,
  )
})

test('an archive beyond 4 GiB is found by its 64-bit directory', async () => {
  const archive = await written(TEXT, [['甲'], ['乙']], { zip64FromByte: 0 })
  assert.equal(archive.readUInt32LE(archive.length - 22 + 16), 0xffff_ffff)
  const [sheet] = await readXlsxFile(archive)
  assert.deepEqual(sheet?.data, [['名称'], ['甲'], ['乙']])
})

test('a sheet name Excel would refuse is made to fit', async () => {
  const name = async (sheetName: string) => {
    const [sheet] = await readXlsxFile(
      await buffer(writeXlsx({ sheetName, columns: TEXT, rows: batchesOf() })),
    )
    return sheet?.sheet
  }
  assert.equal(await name("'a/b[1]:*?\\'"), 'a b 1')
  assert.equal(await name('长'.repeat(40)), '长'.repeat(31))
  assert.equal(await name(''), 'Sheet')
  assert.equal(await name('<"&">'), '<"&">')
})

test('columns beyond the 26th have their own letters', async () => {
  const columns = Array.from(
    { length: 703 },
    (_, index): XlsxColumn => ({ header: `列${index}`, kind: 'integer' }),
  )
  const values = columns.map((_, index) => index)
  const archive = await written(columns, [values])
  assert.match(
    partOf(archive, 'xl/worksheets/sheet1.xml'),
    /<c r="AA2"[^>]*><v>26<.*<c r="AAA2"[^>]*><v>702</,
  )
  const [sheet] = await readXlsxFile(archive)
  assert.deepEqual(sheet?.data[1], values)
})

/** Endless rows that hardly compress, counting what was pulled and whether they were closed. */
function endless() {
  const seen = { batches: 0, closed: false }
  async function* rows(): AsyncGenerator<Row[]> {
    try {
      while (true) {
        seen.batches += 1
        yield Array.from({ length: 500 }, () => [crypto.randomUUID() + crypto.randomUUID()])
      }
    } finally {
      seen.closed = true
    }
  }
  return { seen, rows: rows() }
}

async function settled(stream: Readable, seen: { batches: number }) {
  await until(() => stream.readableLength > 0)
  let before = -1
  while (before !== seen.batches) {
    before = seen.batches
    await pause(50)
  }
  return seen.batches
}

test('rows are pulled only as fast as the stream is read', async () => {
  const { seen, rows } = endless()
  const stream = writeXlsx({ sheetName: '订单', columns: TEXT, rows })
  await pause(50)
  assert.equal(seen.batches, 0, 'nothing is pulled before somebody reads')
  stream.read(0)
  const waiting = await settled(stream, seen)
  assert.ok(waiting < 20, `${waiting} batches were pulled for a reader that does not read`)
  for (let taken = 0; taken < 1_000_000; ) {
    const bytes: Buffer | null = stream.read()
    if (bytes === null) await once(stream, 'readable')
    else taken += bytes.length
  }
  assert.ok((await settled(stream, seen)) > waiting)
  stream.destroy()
  await once(stream, 'close')
})

test('destroying the stream closes the rows', async () => {
  const { seen, rows } = endless()
  const stream = writeXlsx({ sheetName: '订单', columns: TEXT, rows })
  await once(stream, 'readable')
  await settled(stream, seen)
  assert.equal(seen.closed, false)
  stream.destroy()
  await once(stream, 'close')
  assert.equal(seen.closed, true)
})

test('rows that were never pulled are closed too, and finished ones are not closed again', async () => {
  let closed = 0
  let left = 1
  const rows = {
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<IteratorResult<Row[]>> {
        left -= 1
        return left < 0 ? { done: true, value: undefined } : { done: false, value: [['甲']] }
      },
      async return(): Promise<IteratorResult<Row[]>> {
        closed += 1
        return { done: true, value: undefined }
      },
    }),
  }
  await buffer(writeXlsx({ sheetName: '订单', columns: TEXT, rows }))
  assert.equal(closed, 0)
  const unread = writeXlsx({ sheetName: '订单', columns: TEXT, rows })
  unread.destroy()
  await once(unread, 'close')
  assert.equal(closed, 1)
})

test('what the rows throw reaches the reader of the stream', async () => {
  const failure = new Error('connection lost')
  async function* rows(): AsyncGenerator<Row[]> {
    yield [['甲']]
    throw failure
  }
  const stream = writeXlsx({ sheetName: '订单', columns: TEXT, rows: rows() })
  await assert.rejects(buffer(stream), error => error === failure)
  assert.equal(stream.destroyed, true)
})

test('a value that fails closes the rows behind it', async () => {
  let closed = false
  async function* rows(): AsyncGenerator<Row[]> {
    try {
      yield [[{}]]
      yield [['甲']]
    } finally {
      closed = true
    }
  }
  await assert.rejects(buffer(writeXlsx({ sheetName: '订单', columns: TEXT, rows: rows() })), TypeError)
  assert.equal(closed, true)
})

test('a sheet without columns is refused at once', () => {
  assert.throws(() => writeXlsx({ sheetName: '订单', columns: [], rows: batchesOf() }), RangeError)
})
