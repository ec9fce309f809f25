// Files as people bring them, and files that harm: each ends in the right lines or a clear refusal.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { zip } from '#server/documents/zip.ts'
import { row, workbook as workbookOf } from '#server/sheets/corpus.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { LIMITS } from './rules.ts'
import { sampleCells, sampleCsv } from './sample.ts'

let office: Office
let client: Client

before(async () => {
  office = await openOffice()
  client = office.as(await office.login((await makeAgent(office, { tokens: 100_000 })).loginName))
})
after(() => office.stop())

const upload = (bytes: Buffer, fileName = '店铺.xlsx') =>
  client.shopImport.upload({ fileName, bytes: bytes.toString('base64'), mode: 'charge' })
const read = async (bytes: Buffer, fileName?: string) => {
  const { id } = await upload(bytes, fileName)
  const [{ rows }, details] = [await client.shopImport.rows({ id }), await client.shopImport.details({ id })]
  return { id, rows, details }
}

type Cell = string | number | { date: number } | { formula: string; value: string } | null
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function cellXml(cell: Cell, at: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  if ('date' in cell) return `<c r="${at}" s="1"><v>${cell.date}</v></c>`
  return `<c r="${at}" t="str"><f>${escaped(cell.formula)}</f><v>${escaped(cell.value)}</v></c>`
}

function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}

/** A workbook as Excel writes one, as far as it matters. */
async function workbook(rows: readonly (readonly Cell[])[], merged: readonly string[] = []): Promise<Buffer> {
  const sheet = rows
    .map(
      (cells, r) =>
        `<row r="${r + 1}">${cells.map((cell, c) => cellXml(cell, `${columnName(c)}${r + 1}`)).join('')}</row>`,
    )
    .join('')
  const merges =
    merged.length > 0
      ? `<mergeCells>${merged.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
      : ''
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts: [string, string][] = [
    [
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${related}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${related}"><sheets><sheet name="店铺" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${related}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${related}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
    [
      'xl/worksheets/sheet1.xml',
      `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData>${merges}</worksheet>`,
    ],
  ]
  async function* pieces() {
    for (const [name, xml] of parts) yield { name, bytes: Buffer.from(xml) }
  }
  const bytes: Buffer[] = []
  for await (const piece of zip(pieces())) bytes.push(Buffer.from(piece))
  return Buffer.concat(bytes)
}

const HEADS = [
  '门店名称',
  '简称',
  '老板',
  '手机号码',
  '套餐',
  '开通年限',
  '业态',
  '省份',
  '城市',
  '区',
  '地址',
]
const line = (account: string, changes: readonly Cell[] = []): Cell[] => {
  const cells: Cell[] = [
    '深圳老张面馆',
    '老张面馆',
    '张三',
    account,
    '高级版',
    '1年',
    '餐饮美食',
    '广东省',
    '深圳市',
    '南山区',
    '科技园1号',
  ]
  return [...cells, ...changes]
}
const textsOf = (cells: readonly Cell[]) => cells.map(cell => String(cell ?? ''))
let accounts = 0
const nextAccount = () => `16${String(++accounts).padStart(9, '1')}`

describe('a file as people bring it', () => {
  test('in GB18030 with semicolons', async () => {
    const account = nextAccount()
    // 店铺名称;店铺简称;商户姓名;账号 and one line below, as a spreadsheet of China saves it.
    const heads = Buffer.from('b5eac6ccc3fbb3c63bb5eac6ccbcf2b3c63bc9ccbba7d0d5c3fb3bd5cbbac50d0a', 'hex')
    const below = Buffer.concat([
      Buffer.from('c9eedbdac0cfd5c5c3e6b9dd3bc0cfd5c5c3e6b9dd3bd5c5c8fd3b', 'hex'),
      Buffer.from(`${account}\r\n`),
    ])
    const { rows } = await read(Buffer.concat([heads, below]), '店铺.csv')
    assert.deepEqual(rows[0]?.cells, {
      shopName: '深圳老张面馆',
      shortName: '老张面馆',
      personName: '张三',
      account,
    })
  })

  for (const [what, prefix] of [
    ['plain UTF-8', ''],
    ['a mark at its beginning', '\uFEFF'],
  ] as const)
    test(`in ${what}, quoted, with a line break in a cell`, async () => {
      const account = nextAccount()
      const text = prefix + sampleCsv([sampleCells(account, { remark: '第一行\n第二行,还有' })])
      const { rows, details } = await read(Buffer.from(text), '店铺.csv')
      assert.equal(rows[0]?.cells.remark, '第一行\n第二行,还有')
      assert.equal(details.counts.fine, 1)
    })

  test('in UTF-16 with tabs', async () => {
    const text = sampleCsv([sampleCells(nextAccount())]).replaceAll(',', '\t')
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    assert.equal((await read(bytes, '店铺.txt')).details.counts.fine, 1)
  })

  test('a workbook with a title over merged heads of two lines', async () => {
    const [title, upper, lower] = [
      ['2026年店铺迁移表', ...Array(10).fill(null)],
      ['门店名称', '简称', '老板', '手机号码', '套餐', '开通年限', '业态', '所在地址', null, null, null],
      [null, null, null, null, null, null, null, '省', '市', '区', '详细地址'],
    ] as Cell[][]
    const bytes = await workbook(
      [title ?? [], upper ?? [], lower ?? [], line(nextAccount())],
      ['A1:K1', 'H2:K2', 'A2:A3'],
    )
    const { rows, details } = await read(bytes)
    assert.equal(details.counts.fine, 1)
    assert.equal(rows[0]?.line, 4)
    assert.deepEqual(
      details.heads.map(({ column }) => column),
      [
        'shopName',
        'shortName',
        'personName',
        'account',
        'version',
        'term',
        'industry',
        'province',
        'city',
        'district',
        'address',
      ],
    )
  })

  test('numbers for accounts, dates as text, as dates and as bare numbers', async () => {
    const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
    const partner = await makeAgent(office)
    const dated = (...dates: Cell[]) =>
      line(nextAccount(), dates).map((cell, at) => (at === 3 ? Number(cell) : cell))
    const rows: Cell[][] = [
      [...HEADS, '开通日期', '到期日'],
      dated('2023年1月5日', '2031/6/30'),
      dated({ date: 44931 }, { date: 48029 }),
      dated(44931, '48029'),
    ]
    const bytes = (await workbook(rows)).toString('base64')
    const { id } = await operator.shopImport.upload({
      fileName: '接管.xlsx',
      bytes,
      mode: 'takeover',
      agentId: partner.id,
      reason: '迁移',
    })
    assert.equal((await operator.shopImport.details({ id })).counts.fine, 3)
    const { rows: forms } = await office.owner.query<{ at: string; ends: string }>(
      `select form->>'registeredAt' as at, form->>'expiresAt' as ends from shop_import_rows where import_id = $1`,
      [id],
    )
    assert.equal(new Set(forms.map(({ at, ends }) => `${at} ${ends}`)).size, 1)
    assert.equal(forms[0]?.at, '2023-01-04T16:00:00.000Z')
  })

  test('columns without a name that is known are told by their content, and remembered as somebody says', async () => {
    const heads = [
      ...HEADS.slice(0, 3),
      '联络方式',
      'SKU',
      '年',
      '类',
      '一级',
      '二级',
      '三级',
      '门牌',
      '会员数',
    ]
    const bytes = await workbook([heads, line(nextAccount(), [328]), line(nextAccount(), [12])])
    const { id, details } = await read(bytes)
    const found = Object.fromEntries(details.heads.map(({ name, column }) => [name, column]))
    assert.deepEqual(
      [found.联络方式, found.SKU, found.类, found.一级, found.二级, found.三级, found.会员数],
      ['account', 'version', 'industry', 'province', 'city', 'district', null],
    )
    const columns = details.heads.map(({ name, column }) =>
      name === '年' ? 'term' : name === '门牌' ? 'address' : column,
    )
    const guessed = details.heads.flatMap(({ name, guessed: is }) => (is ? name : []))
    assert.deepEqual(guessed, ['联络方式', 'SKU', '类', '一级', '二级', '三级'])
    const begin = async () =>
      client.shopImport.start({ id, token: (await client.shopImport.rehearse({ id })).token })
    assert.equal(await refusalOf(begin()), 'COLUMNS_GUESSED', 'nobody has said that it is so')
    await client.shopImport.map({ id, columns })
    const confirmed = await client.shopImport.details({ id })
    assert.deepEqual([confirmed.counts.fine, confirmed.heads.some(head => head.guessed)], [2, false])
    const again = await read(await workbook([heads, line(nextAccount(), [7])]))
    assert.deepEqual(
      again.details.heads.map(({ column }) => column),
      columns,
    )
    assert.equal(again.details.counts.fine, 1)
    assert.equal(
      again.details.heads.some(head => head.guessed),
      false,
      'what was said is no guess',
    )
  })

  test('what one of an agency has said of its columns holds for its colleagues, and for no other agency', async () => {
    const agent = await makeAgent(office, {})
    const [first, colleague, other] = [
      agent.loginName,
      (await makeAccount(office, agent.id, { nodeIds: [2, 78, 780, 781] })).loginName,
      (await makeAgent(office, {})).loginName,
    ]
    const bytes = await workbook([
      ['甲', '店铺名', '全称'],
      ['老张面馆', '深圳老张面馆', ''],
    ])
    const readBy = async (loginName: string) => {
      const by = office.as(await office.login(loginName))
      const { id } = await by.shopImport.upload({
        fileName: '店.xlsx',
        bytes: bytes.toString('base64'),
        mode: 'charge',
      })
      return { by, id, columns: (await by.shopImport.details({ id })).heads.map(({ column }) => column) }
    }
    const { by, id } = await readBy(first)
    await by.shopImport.map({ id, columns: ['shortName', 'shopName', null] })
    assert.deepEqual((await readBy(colleague)).columns, ['shortName', 'shopName', null])
    assert.deepEqual((await readBy(other)).columns, [null, null, 'shopName'])
  })

  test('of several numbers the one that is best called an account is it, wherever it stands', async () => {
    const bytes = await workbook([
      ['老板姓名', '全称', '联系人电话', '手机号', '法人'],
      ['张三', '深圳老张面馆', '13900000000', nextAccount(), '李四'],
    ])
    const { details } = await read(bytes)
    assert.deepEqual(
      details.heads.map(({ column }) => column),
      ['personName', 'shopName', null, 'account', null],
    )
  })

  test('formulas are read as what they last showed or as text, and leave as text', async () => {
    const hostile = '=HYPERLINK("http://evil.example","点我")'
    const cells = line(nextAccount(), [hostile, '+1+1', "'@SUM(A1)"])
    cells[0] = { formula: 'CMD|"/c calc"!A1', value: '深圳老张面馆' }
    const bytes = await workbook([[...HEADS, '备注', '推荐人', '业务员'], cells])
    const { id, rows } = await read(bytes)
    assert.equal(rows[0]?.cells.shopName, '深圳老张面馆')
    assert.equal(rows[0]?.cells.remark, hostile)
    assert.equal(rows[0]?.cells.manager, '@SUM(A1)')
    const cookie = await office.login((await makeAgent(office, {})).loginName)
    assert.ok(cookie)
    const { statusCode, rawPayload } = await office.app.http.inject({
      method: 'GET',
      url: `/api/shop-imports/${id}/failed.xlsx`,
      headers: { cookie: await ownerCookie(id) },
    })
    assert.equal(statusCode, 200)
    const { readSheet } = await import('read-excel-file/universal')
    const sheet = await readSheet(new Uint8Array(rawPayload).buffer as ArrayBuffer)
    assert.ok(sheet.flat().every(cell => typeof cell !== 'string' || !/^[=+@]/.test(cell)))
    assert.ok(sheet.flat().includes(`'${hostile}`))
    // The file of what was not imported can be sent again as it is.
    const again = await read(rawPayload)
    assert.equal(again.rows[0]?.cells.remark, hostile)
  })
})

async function ownerCookie(importId: number): Promise<string> {
  const { rows } = await office.owner.query<{ login_name: string }>(
    'select a.login_name from shop_imports i join accounts a on a.id = i.created_by where i.id = $1',
    [importId],
  )
  return office.login(String(rows[0]?.login_name))
}

/** An archive whose directory says what it likes of what is in it. */
function archive(entries: readonly { name: string; bytes: Buffer; says?: number; flags?: number }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, says = bytes.length, flags = 0 } of entries) {
    const packed = deflateRawSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x0403_4b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(says, 22)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x0201_4b50, 0)
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(says, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), packed)
    directory.push(central, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const size = Buffer.concat(directory).length
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

describe('what of a file is not as it seems', () => {
  test('notes before the table, what is hidden and cells over two rows are told and kept with the import', async () => {
    const [first, second] = [nextAccount(), nextAccount()]
    const bytes = await workbookOf([
      { name: '填写说明', rows: row(1, ['请先阅读']) },
      {
        name: '店铺',
        rows:
          row(1, HEADS) +
          row(2, textsOf(line(first))) +
          row(3, [null, ...textsOf(line(second)).slice(1)]) +
          row(4, textsOf(line('16000000000')), ' hidden="1"'),
        after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>',
      },
      { name: '字典', rows: row(1, ['高级版']), state: 'hidden' },
    ])
    const { rows, details } = await read(bytes)
    assert.deepEqual(
      rows.map(({ cells }) => [cells.shopName, cells.account]),
      [
        ['深圳老张面馆', first],
        ['深圳老张面馆', second],
      ],
    )
    assert.deepEqual(
      details.notes.map(note => note.replace(/[；，].*/, '')),
      [
        '读取的是工作表「店铺」',
        '隐藏的工作表「字典」没有读取',
        '隐藏或被筛选掉的 1 行没有读取（第 4 行）',
        '合并单元格 A2:A3 的内容已填入它的每一行',
      ],
    )
  })

  test('a cell that is no value any more is a fault of its own, which no press mends', async () => {
    const spoilt = line(nextAccount(), ['#N/A', '#REF!', '1.38001E+10'])
    const bytes = await workbook([[...HEADS, '备注', '推荐人', '店铺电话'], spoilt])
    const { id, rows, details } = await read(bytes)
    assert.equal(details.counts.faulty, 1)
    assert.deepEqual(
      rows[0]?.faults.map(({ column, fix }) => [column, fix]),
      [
        ['remark', undefined],
        ['referrer', undefined],
        ['shopPhone', undefined],
      ],
    )
    assert.match(rows[0]?.faults[0]?.message ?? '', /公式错误（#N\/A）/)
    const rowId = rows[0]?.id ?? 0
    await client.shopImport.editRow({ id, rowId, cells: { remark: '', referrer: '', shopPhone: '' } })
    assert.equal((await client.shopImport.details({ id })).counts.fine, 1)
  })

  test('counts with commas are counts', async () => {
    const bytes = await workbook([[...HEADS, '短信条数'], line(nextAccount(), ['1,200'])])
    assert.equal((await read(bytes)).details.counts.fine, 1)
  })

  test('several files of one agency at once are read one after the other', async () => {
    const files = await Promise.all([1, 2, 3].map(() => workbook([HEADS, line(nextAccount())])))
    const done = await Promise.all(files.map(file => upload(file)))
    assert.equal(new Set(done.map(({ id }) => id)).size, 3)
  })
})

describe('a file that is refused', () => {
  const zeros = Buffer.alloc(200 * 1024 * 1024, 0x20)
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const sheet = { name: 'xl/worksheets/sheet1.xml', bytes: zeros }
  const around = [
    { name: 'xl/workbook.xml', bytes: Buffer.from('<workbook><sheets/></workbook>') },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: Buffer.from(
        `<Relationships><Relationship Id="r1" Type="${related}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
    },
  ]
  const cases: [what: string, code: string, bytes: () => Buffer | Promise<Buffer>][] = [
    ['nothing', 'FILE_EMPTY', () => Buffer.alloc(0)],
    ['a picture', 'FILE_NO_TABLE', () => Buffer.from('89504e470d0a1a0a0000000d4948445200000000', 'hex')],
    ['a PDF', 'FILE_NO_TABLE', () => Buffer.from('%PDF-1.7\n1 0 obj')],
    [
      'an archive that is no workbook',
      'FILE_NO_TABLE',
      () => archive([{ name: 'a.txt', bytes: Buffer.from('a') }]),
    ],
    [
      'a workbook with a password',
      'FILE_LOCKED',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4_096)]),
    ],
    [
      'an archive with a password',
      'FILE_LOCKED',
      () => archive([{ name: 'xl/workbook.xml', bytes: Buffer.from('a'), flags: 1 }]),
    ],
    ['half a workbook', 'FILE_BROKEN', async () => (await workbook([HEADS, line('1')])).subarray(0, 900)],
    [
      'a workbook without sheets',
      'FILE_BROKEN',
      () => archive([{ name: 'xl/workbook.xml', bytes: Buffer.from('<workbook>') }]),
    ],
    ['a zip bomb', 'FILE_SWOLLEN', () => archive([...around, sheet])],
    ['a zip bomb that says it is small', 'FILE_SWOLLEN', () => archive([...around, { ...sheet, says: 100 }])],
    [
      '300 columns',
      'FILE_COLUMNS',
      () => workbook([Array.from({ length: 300 }, (_, at) => `列${at}`), line('1')]),
    ],
    [
      '300 columns as a text',
      'FILE_COLUMNS',
      () => Buffer.from(Array.from({ length: 300 }, (_, at) => `列${at}`).join(',')),
    ],
    [
      'no heads',
      'FILE_NO_HEADS',
      () =>
        workbook([
          ['你好', '世界'],
          [1, 2],
        ]),
    ],
    ['heads alone', 'FILE_NO_ROWS', () => workbook([HEADS])],
    [
      '20,001 lines',
      'FILE_ROWS',
      () => Buffer.from(sampleCsv(Array.from({ length: LIMITS.rows + 1 }, () => sampleCells('1')))),
    ],
    ['more bytes than are read', 'FILE_TOO_LARGE', () => Buffer.alloc(LIMITS.fileBytes + 1, 0x61)],
  ]
  for (const [what, code, bytes] of cases)
    test(`${what}: ${code}`, async () => assert.equal(await refusalOf(upload(await bytes())), code))
})
