// What is read of tables as people's programs write them, and why others are refused: the reader itself, in this process.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { describe } from 'node:test'
import * as library from '@e965/xlsx'
import { headKey } from '#kit/words/heads.ts'
import { NO_RESULT, sheetNotes } from '#kit/words/sheet.ts'
import {
  archive,
  CSV,
  formatted,
  HEADS,
  LINE,
  row,
  TABLE,
  table,
  workbook,
  written,
  writtenInGbk,
} from './corpus.ts'
import { tableOf } from './sheet-child.ts'
import type { SheetLimits, SheetProblem } from './sheet-order.ts'

const LIMITS: SheetLimits = { rows: 200, columns: 20, cell: 100, unpackedBytes: 30 * 1024 * 1024, readMs: 0 }
const KNOWN = [...HEADS, '店铺名称', '生产日期'].map(headKey)

type Made = Buffer | Promise<Buffer>
type Right = (readonly string[])[] | SheetProblem
type Case = [what: string, make: () => Made, right: Right, notes?: RegExp[]]

async function check(bytes: Buffer, right: Right, notes: RegExp[] = []): Promise<void> {
  const answer = await tableOf({ bytes, limits: LIMITS, heads: KNOWN })
  if ('problem' in answer) return assert.equal(answer.problem, right)
  assert.deepEqual(
    answer.lines.map(({ cells }) => cells),
    right,
  )
  const told = sheetNotes(answer.told)
  assert.equal(told.length, notes.length, told.join(' '))
  notes.forEach((note, at) => {
    assert.match(told[at] ?? '', note)
  })
}

const all = (title: string, cases: readonly Case[]) =>
  describe(title, () => {
    for (const [what, make, right, notes] of cases) test(what, async () => check(await make(), right, notes))
  })

const SAME = [[...HEADS], [...LINE]]
const values = (...cells: Parameters<typeof row>[1]) => workbook([table(row(1, HEADS) + row(2, cells))])
const shown = (...cells: string[]) => [[...HEADS], cells]
const NAME = '茉莉花茶'
const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return big ? bytes.swap16() : bytes
}
/** 品名,条形码,零售价 and a line below, in bytes. */
const gb18030 = Buffer.concat([
  Buffer.from('c6b7c3fb2cccf5d0cec2eb2cc1e3cadbbcdb0d0a', 'hex'),
  Buffer.from('dcd4c0f2bba8b2e8', 'hex'),
  Buffer.from(',6901234567892,19.90\r\n'),
])
/** 品名,條碼,零售價 and 綠茶 below. */
const big5 = Buffer.concat([
  Buffer.from('ab7ea6572cb1f8bd582cb973b0e2bbf90d0a', 'hex'),
  Buffer.from('baf1aff9', 'hex'),
  Buffer.from(',6901234567892,19.90\r\n'),
])
const html = (body: string, head = '') => `<html><head>${head}</head><body>${body}</body></html>`
const cellsOf = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
const HTML = `<table>${cellsOf(HEADS, 'th')}${cellsOf(LINE)}</table>`
const xml2003 = (rows: string, more = '') => `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Styles><Style ss:ID="z"><NumberFormat ss:Format="0000000000000"/></Style><Style ss:ID="p"><NumberFormat ss:Format="0.00"/></Style></Styles>
<Worksheet ss:Name="商品"><Table>${rows}</Table>${more}</Worksheet></Workbook>`
const row2003 = (cells: string[], more = '') => `<Row${more}>${cells.join('')}</Row>`
const text2003 = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`
const number2003 = (value: number, style: string) =>
  `<Cell ss:StyleID="${style}"><Data ss:Type="Number">${value}</Data></Cell>`
const container = (streams: Readonly<Record<string, string>>) => {
  const made: unknown = library.CFB.utils.cfb_new()
  for (const [name, content] of Object.entries(streams))
    library.CFB.utils.cfb_add(made, name, Buffer.from(content))
  return Buffer.from(library.CFB.write(made, { type: 'buffer' }) as Uint8Array)
}
const ods = (rows: string) =>
  archive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="商品">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
const odsRow = (cells: readonly string[], more = '') =>
  `<table:table-row${more}>${cells.map(cell => `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`

all('a number reads as it is shown', [
  [
    'with the zeros of its format',
    () => values(NAME, formatted(690123456789, '0000000000000'), formatted(19.9, '0.00')),
    shown(NAME, '0690123456789', '19.90'),
  ],
  [
    'of thirteen digits without a format, which a sheet shows as 6.9E+12',
    () => values(NAME, 6901234567892, 19.9),
    shown(NAME, '6901234567892', '19.9'),
  ],
  [
    'of thirteen digits in a scientific format',
    () => values(NAME, formatted(6901234567892, '0.00E+00'), 1),
    shown(NAME, '6901234567892', '1'),
  ],
  [
    'without what binary fractions leave behind',
    () => values(NAME, null, formatted(0.30000000000000004, 'General')),
    shown(NAME, '', '0.3'),
  ],
  [
    'as a telephone number',
    () => values(NAME, formatted(13800138000, '000-0000-0000'), 1),
    shown(NAME, '138-0013-8000', '1'),
  ],
  [
    'with commas, as money, in percent',
    () => values(formatted(1234.5, '#,##0.00'), formatted(1234.5, '"¥"#,##0.00'), formatted(0.5, '0%')),
    shown('1,234.50', '¥1,234.50', '50%'),
  ],
  ['as a text', () => values(NAME, formatted(13800138000, '@'), 1), shown(NAME, '13800138000', '1')],
  ['hidden by its format', () => values(NAME, formatted(5, ';;;'), 1), shown(NAME, '', '1')],
  [
    'of more than fifteen digits as what it is: no number any more',
    () => values(NAME, formatted('12345678901234567', 'General'), formatted(1000000000000000, '0.00')),
    shown(NAME, '1.2345678901234568E+16', '1E+15'),
  ],
  [
    'of eighteen digits as a text, whole',
    () => values(NAME, '110101199003074258', 1),
    shown(NAME, '110101199003074258', '1'),
  ],
  ['very small', () => values(NAME, 0.0000001, 1), shown(NAME, '0.0000001', '1')],
])

all('a day reads as it is shown, or as one that means the same everywhere', [
  [
    'with its characters',
    () =>
      values(
        formatted(46086, 'yyyy"年"m"月"d"日"'),
        formatted(46086, 'm/d/yy'),
        formatted(46086.5, 'yyyy/m/d h:mm'),
      ),
    shown('2026年3月5日', '2026-03-05', '2026/3/5 12:00'),
  ],
  ['a time of day', () => values(formatted(0.75, 'h:mm'), 'a', 1), shown('18:00', 'a', '1')],
  [
    'counted from 1904',
    () =>
      workbook([table(row(1, HEADS) + row(2, [formatted(44624, 'm/d/yy'), 'a', 1]))], {
        properties: '<workbookPr date1904="1"/>',
      }),
    shown('2026-03-05', 'a', '1'),
  ],
  [
    'written as ISO',
    () => values({ xml: '<c s="6" t="d"><v>2026-03-05T00:00:00</v></c>' }, 'a', 1),
    shown('2026-03-05', 'a', '1'),
  ],
])

all('what a cell holds that is no value is named', [
  [
    'an error',
    () =>
      values(
        { xml: '<c t="e"><f>VLOOKUP(A1,B:B,1)</f><v>#N/A</v></c>' },
        { xml: '<c t="e"><v>#REF!</v></c>' },
        1,
      ),
    shown('#N/A', '#REF!', '1'),
  ],
  [
    'a formula that was never computed',
    () => values({ xml: '<c><f>B2</f></c>' }, { xml: '<c><f>B2</f><v></v></c>' }, 1),
    shown(NO_RESULT, NO_RESULT, '1'),
  ],
  [
    'a formula by what it last showed',
    () => values({ xml: '<c t="str"><f>A1&amp;B1</f><v>茶</v></c>' }, { xml: '<c t="b"><v>1</v></c>' }, 1),
    shown('茶', '是', '1'),
  ],
  [
    'a text that is a formula for other programs, as a text',
    () => values("'=1+1", '=2+2', '-'),
    shown('=1+1', '=2+2', '-'),
  ],
])

const twice = row(1, HEADS) + row(2, ['礼盒', '1', '2']) + row(3, [null, '3', '4'])
all('what stands over several cells, or is not seen', [
  [
    'a text over two rows stands in both',
    () => workbook([{ ...table(twice), after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' }]),
    [[...HEADS], ['礼盒', '1', '2'], ['礼盒', '3', '4']],
    [/合并单元格 A2:A3 .*已填入/],
  ],
  [
    'a text over rows of which nothing else is filled makes no lines',
    () => workbook([{ ...table(), after: '<mergeCells><mergeCell ref="A2:A900000"/></mergeCells>' }]),
    SAME,
  ],
  [
    'a text over two columns is told',
    () =>
      workbook([
        {
          ...table(row(1, HEADS) + row(2, ['礼盒', null, '2'])),
          after: '<mergeCells><mergeCell ref="A2:B2"/></mergeCells>',
        },
      ]),
    [[...HEADS], ['礼盒', '', '2']],
    [/A2:B2 只算作第一列/],
  ],
  [
    'a title above the heads is told of no more',
    () =>
      workbook([
        {
          ...table(row(1, ['商品表']) + row(2, HEADS) + row(3, LINE)),
          after: '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>',
        },
      ]),
    [['商品表', '', ''], ...SAME],
  ],
  [
    'a hidden row is left out and told',
    () => workbook([table(TABLE + row(3, ['藏', '1', '1'], ' hidden="1"'))]),
    SAME,
    [/隐藏或被筛选掉的 1 行没有读取（第 3 行）/],
  ],
  [
    'a row of no height as well',
    () => workbook([table(TABLE + row(3, ['藏', '1', '1'], ' ht="0" customHeight="1"'))]),
    SAME,
    [/第 3 行/],
  ],
  [
    'a hidden column is left out and told',
    () =>
      workbook([
        { ...table(), before: '<cols><col min="2" max="2" width="9" hidden="1" customWidth="1"/></cols>' },
      ]),
    [
      [HEADS[0], '', HEADS[2]],
      [LINE[0], '', LINE[2]],
    ],
    [/隐藏的 B 列没有读取/],
  ],
  [
    'a hidden sheet is left out and told',
    () =>
      workbook([
        table(),
        { name: '字典', rows: TABLE, state: 'hidden' },
        { name: '极隐', rows: TABLE, state: 'veryHidden' },
      ]),
    SAME,
    [/「商品」/, /隐藏的工作表「字典」、「极隐」没有读取/],
  ],
  ['nothing but what is hidden', () => workbook([table(row(1, HEADS, ' hidden="1"'))]), 'hidden'],
])

all('of several sheets the one with the heads', [
  [
    'behind notes',
    () => workbook([{ name: '填写说明', rows: row(1, ['请先阅读']) + row(2, ['不要改表头']) }, table()]),
    SAME,
    [/读取的是工作表「商品」/],
  ],
  ['behind an empty one', () => workbook([{ name: 'Sheet1', rows: '' }, table()]), SAME, [/「商品」/]],
  [
    'below nine lines of notes',
    () => workbook([{ name: '说明', rows: row(1, ['品名']) }, table(row(9, HEADS) + row(10, LINE))]),
    SAME,
    [/「商品」/],
  ],
  [
    'the first of two, and the other is told',
    () => workbook([table(), { name: '二店', rows: TABLE }]),
    SAME,
    [/「商品」/, /「二店」也有表头，没有读取/],
  ],
  [
    'where no heads are known, the first with anything',
    () =>
      workbook([
        { name: '空', rows: '' },
        { name: '甲', rows: row(1, ['x']) },
        { name: '乙', rows: row(1, ['y']) },
      ]),
    [['x']],
    [/「甲」/],
  ],
])

all('workbooks of other programs', [
  ['a main part of another name', () => workbook([table()], { workbook: 'xl/workbook2.xml' }), SAME],
  ['a main part in no folder', () => workbook([table()], { workbook: 'book.xml' }), SAME],
  [
    'styles somewhere else',
    () =>
      workbook([table(row(1, HEADS) + row(2, [NAME, formatted(1, '0000000000000'), 1]))], {
        stylesPart: 'other/look.xml',
      }),
    shown(NAME, '0000000000001', '1'),
  ],
  [
    'elements with a prefix',
    () => workbook([table(row(1, HEADS, '', 'x:') + row(2, LINE, '', 'x:'))], { prefix: 'x:' }),
    SAME,
  ],
  [
    'the strict kind',
    () =>
      workbook([table()], {
        main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
        related: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
      }),
    SAME,
  ],
  [
    'texts in a part of their own, in pieces and with readings',
    () =>
      workbook(
        [
          table(
            row(1, HEADS) + row(2, [{ xml: '<c t="s"><v>0</v></c>' }, { xml: '<c t="s"><v>1</v></c>' }, 1]),
          ),
        ],
        {
          strings:
            '<si><r><t>碧螺</t></r><r><t>春</t></r><rPh sb="0" eb="1"><t>bi</t></rPh></si><si><t xml:space="preserve"> a_x000D_b </t></si>',
        },
      ),
    shown('碧螺春', 'a\rb', '1'),
  ],
  [
    'rows and cells without numbers',
    () =>
      workbook([
        table(
          `<row>${HEADS.map(head => `<c t="inlineStr"><is><t>${head}</t></is></c>`).join('')}</row><row/><row><c t="inlineStr"><is><t>茶</t></is></c></row>`,
        ),
      ]),
    [[...HEADS], ['茶', '', '']],
  ],
  [
    'a million rows in which nothing stands',
    () =>
      workbook([
        table(
          TABLE +
            Array.from(
              { length: 100_000 },
              (_, at) =>
                `<row r="${at + 3}" s="1"><c r="A${at + 3}" s="1"/><c r="B${at + 3}" s="1"></c></row>`,
            ).join(''),
        ),
      ]),
    SAME,
  ],
  ['by the library as xlsm', () => written('xlsm'), SAME],
  ['by the library as xlsb', () => written('xlsb'), SAME],
  ['by the library as xls of 97', () => written('biff8'), SAME],
  [
    'by the library as xls of 95, in the encoding of China',
    () => writtenInGbk('biff5', [/42000200e404/, '42000200a803']),
    SAME,
  ],
  ['by the library as ods', () => written('ods'), SAME],
  ['by the library as fods', () => written('fods'), SAME],
  ['by the library as dBase', () => writtenInGbk('dbf', [/^(.{58})03/, '$14d']), SAME],
  [
    'as SYLK',
    () =>
      Buffer.from(
        `ID;PWXL;N;E\r\n${[HEADS, LINE].map((cells, y) => cells.map((cell, x) => `C;Y${y + 1};X${x + 1};K"${cell}"\r\n`).join('')).join('')}E\r\n`,
      ),
    SAME,
  ],
  [
    'as OpenDocument with a row that is repeated a million times',
    () =>
      ods(
        odsRow(HEADS) +
          odsRow(LINE) +
          '<table:table-row table:number-rows-repeated="1048574"><table:table-cell/></table:table-row>',
      ),
    SAME,
  ],
])

all('pages and XML that are called .xls', [
  ['a page', () => Buffer.from(html(HTML)), SAME],
  [
    'a page that says GB2312',
    () =>
      Buffer.concat([
        Buffer.from('<html><head><meta charset="gb2312"></head><body><table><tr><td>'),
        Buffer.from('c6b7c3fb', 'hex'),
        Buffer.from('</td></tr></table>'),
      ]),
    [['品名']],
  ],
  [
    'a page with a mark and a long head',
    () =>
      Buffer.from(
        `\uFEFF<!DOCTYPE html>${html(HTML, `<style>${'td{mso-number-format:"\\@";}'.repeat(200)}</style>`)}`,
      ),
    SAME,
  ],
  ['a table alone', () => Buffer.from(`\r\n  ${HTML}`), SAME],
  [
    'a page with a frame of layout before the table',
    () => Buffer.from(html(`<table>${cellsOf(['导出时间'])}</table>${HTML}`)),
    SAME,
    [/「Sheet2」/],
  ],
  [
    'zeros, long digits and characters by number',
    () =>
      Buffer.from(
        html(
          `<table>${cellsOf(HEADS)}${cellsOf(['&#33590;&nbsp;&amp;', '0690123456789012345', '007'])}</table>`,
        ),
      ),
    shown('茶 &', '0690123456789012345', '007'),
  ],
  [
    'cells over two rows',
    () =>
      Buffer.from(
        html(
          `<table>${cellsOf(HEADS)}<tr><td rowspan="2">礼盒</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>`,
        ),
      ),
    [[...HEADS], ['礼盒', '1', '2'], ['礼盒', '3', '4']],
    [/A2:A3/],
  ],
  [
    'a workbook of 2003 as XML',
    () =>
      Buffer.from(
        xml2003(
          row2003(HEADS.map(text2003)) +
            row2003([text2003(NAME), number2003(690123456789, 'z'), number2003(19.9, 'p')]),
        ),
      ),
    shown(NAME, '0690123456789', '19.90'),
  ],
  [
    'one in UTF-16',
    () =>
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        utf16(
          xml2003(row2003(HEADS.map(text2003)) + row2003(LINE.map(text2003))).replace(
            '"1.0"',
            '"1.0" encoding="UTF-16"',
          ),
        ),
      ]),
    SAME,
  ],
  [
    'one with a hidden row',
    () =>
      Buffer.from(
        xml2003(
          row2003(HEADS.map(text2003)) +
            row2003(LINE.map(text2003)) +
            row2003([text2003('藏')], ' ss:Hidden="1"'),
        ),
      ),
    SAME,
    [/第 3 行/],
  ],
  [
    'a page in one file with what belongs to it',
    () =>
      Buffer.from(
        `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Location: file:///C:/a.htm\r\nContent-Transfer-Encoding: base64\r\nContent-Type: text/html; charset="utf-8"\r\n\r\n${Buffer.from(html(HTML)).toString('base64')}\r\n\r\n--b--\r\n`,
      ),
    SAME,
  ],
  [
    'XML of something else',
    () => Buffer.from('<?xml version="1.0"?><rss><item>table</item></rss>'),
    'no-table',
  ],
  ['a page without a table', () => Buffer.from(html('<p>请先登录</p>')), 'no-table'],
])

const csv = (text: string) => () => Buffer.from(text)
all('texts with separators', [
  ['lines that end with CR alone', csv(CSV.replaceAll('\r\n', '\r')), SAME],
  ['lines that end with LF', csv(CSV.replaceAll('\r\n', '\n')), SAME],
  [
    'lines that end in several ways',
    csv(`${HEADS.join(',')}\r${LINE.join(',')}\n\r\n甲,1,2\r\n`),
    [...SAME, ['甲', '1', '2']],
  ],
  ['two marks at the beginning', csv(`\uFEFF\uFEFF${CSV}`), SAME],
  ['its separator told in the first line', csv(`sep=;\r\n${CSV.replaceAll(',', ';')}`), SAME],
  [
    'a title with commas above columns by tabs',
    csv(`商品,价格,和别的,很多\r\n${CSV.replaceAll(',', '\t')}`),
    [['商品,价格,和别的,很多', '', ''], ...SAME],
  ],
  ['commas of Chinese', csv(CSV.replaceAll(',', '，')), SAME],
  ['CR inside of quotes', csv(`${HEADS.join(',')}\r"茶\r绿",1,2\r`), [[...HEADS], ['茶\n绿', '1', '2']]],
  [
    'a quote that never ends',
    csv(`${HEADS.join(',')}\r\n"茶,1,2\r\n甲,1,2\r\n`),
    [[...HEADS], ['茶,1,2\n甲,1,2', '', '']],
    [/第 2 行有一个没有配对的引号/],
  ],
  ['UTF-16 without a mark', () => utf16(CSV.replaceAll(',', '\t')), SAME],
  ['UTF-16 of the other kind without a mark', () => utf16(CSV, true), SAME],
  [
    'UTF-16 of the other kind with a mark',
    () => Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(CSV, true)]),
    SAME,
  ],
  ['GB18030', () => gb18030, SAME],
  [
    'Big5',
    () => big5,
    [
      ['品名', '條碼', '零售價'],
      ['綠茶', '6901234567892', '19.90'],
    ],
  ],
  [
    'UTF-8 of which a program has cut a character',
    () =>
      Buffer.concat([
        Buffer.from(`${HEADS.join(',')}\r\n碧螺春`),
        Buffer.from([0xe8, 0x8c]),
        Buffer.from(',1,2'),
      ]),
    [[...HEADS], ['碧螺春\uFFFD', '1', '2']],
  ],
  [
    'what a spreadsheet left behind',
    csv(`${HEADS.join(',')}\r\n#N/A,6.90123E+12,####\r\n`),
    shown('#N/A', '6.90123E+12', '####'),
  ],
])

all('what is no table says so', [
  ['nothing but zeros', () => Buffer.alloc(1_000), 'empty'],
  ['blanks', csv(' \r\n \r\n'), 'empty'],
  ['an empty workbook', () => workbook([table('')]), 'empty'],
  ['a workbook with a password', () => container({ EncryptionInfo: 'x', EncryptedPackage: 'y' }), 'locked'],
  ['a document of old', () => container({ WordDocument: 'x' }), 'no-table'],
  [
    'a document',
    () =>
      archive({
        '_rels/.rels':
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
        'word/document.xml': '<w:document/>',
      }),
    'no-table',
  ],
  [
    'an OpenDocument text',
    () => archive({ 'META-INF/manifest.xml': '<a/>', 'content.xml': '<office:text/>' }),
    'no-table',
  ],
  [
    'an OpenDocument sheet with a password',
    () => archive({ 'META-INF/manifest.xml': '<manifest:encryption-data/>', 'content.xml': 'x' }),
    'locked',
  ],
  ['an archive', () => archive({ 'a.txt': 'a' }), 'no-table'],
  ['RTF', csv('{\\rtf1 a}'), 'no-table'],
  ['a picture', () => Buffer.from('ffd8ffe000104a46494600', 'hex'), 'no-table'],
  ['gzip', () => Buffer.from('1f8b0800000000000003', 'hex'), 'no-table'],
  ['JSON', csv('[{"品名":"茶"}]'), 'no-table'],
  ['a program', () => Buffer.from('7f454c4602010100000000000000000003003e00', 'hex'), 'no-table'],
  ['half a workbook', async () => (await workbook([table()])).subarray(0, 700), 'broken'],
  [
    'a workbook of which a sheet is missing',
    async () =>
      archive({
        'xl/workbook.xml': '<workbook/>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="a" Type="x/worksheet" Target="gone.xml"/></Relationships>',
      }),
    'broken',
  ],
  [
    'more rows than are read',
    () => workbook([table(Array.from({ length: 201 }, (_, at) => row(at + 1, ['a'])).join(''))]),
    'rows',
  ],
  [
    'far more rows than are read',
    () => workbook([table(Array.from({ length: 50_000 }, (_, at) => row(at + 1, ['a'])).join(''))]),
    'rows',
  ],
  [
    'more columns than are read',
    () =>
      workbook([
        table(
          row(
            1,
            Array.from({ length: 21 }, () => 'a'),
          ),
        ),
      ]),
    'columns',
  ],
  [
    'a cell in the last corner of a sheet',
    () => workbook([table('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')]),
    'columns',
  ],
])

/** Of a sheet with this in the place of its rows. */
const hostile = (rows: string, more: Partial<Parameters<typeof workbook>[0][number]> = {}) =>
  workbook([{ ...table(rows), ...more }])
const MUCH = 24 * 1024 * 1024
all('what somebody hostile makes is bounded work', [
  // Less than may be unpacked, out of next to nothing.
  ['24 MB of spaces between rows', () => hostile(TABLE + ' '.repeat(MUCH)), 'swollen'],
  [
    '24 MB of spaces inside of a tag',
    () => hostile(`${TABLE}<row r="3"><c r="A3"${' '.repeat(MUCH)}/></row>`),
    'swollen',
  ],
  ['3 MB of spaces between rows', () => hostile(TABLE + ' '.repeat(MUCH / 8)), SAME],
  ['tags that never end', () => hostile('<row r="1">'.repeat(100_000)), 'empty'],
  ['more than may be unpacked', () => hostile(' '.repeat(40 * 1024 * 1024)), 'swollen'],
  [
    'merged cells without end',
    () =>
      hostile(TABLE, {
        after: `<mergeCells>${'<mergeCell ref="A2:XFD1048576"/>'.repeat(1_000)}</mergeCells>`,
      }),
    'broken',
  ],
  [
    'columns without end',
    () =>
      hostile(TABLE, { before: `<cols>${'<col min="1" max="999999999" hidden="1"/>'.repeat(1_000)}</cols>` }),
    SAME,
  ],
  [
    'formulas of an area for each of many cells',
    () =>
      hostile(
        TABLE +
          Array.from({ length: 700 }, (_, at) => {
            const cell = `<c t="str"><f t="array" ref="A1:T700">A1</f><v></v></c>`
            return row(
              at + 3,
              Array.from({ length: 20 }, () => ({ xml: cell })),
            )
          }).join(''),
      ),
    SAME,
  ],
  [
    'cells over several rows without end',
    () => Buffer.from(`<table>${'<tr><td rowspan="9">a</td></tr>'.repeat(20_000)}</table>`),
    'slow',
  ],
  [
    'entities that name each other',
    () =>
      archive({
        'xl/workbook.xml': '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&b;&b;">]><workbook>&b;</workbook>',
      }),
    'broken',
  ],
  ['a name that every object has', () => workbook([{ name: '__proto__', rows: TABLE }]), 'empty'],
])

describe('tables that other programs have made', () => {
  const DAY = '2026-03-05'
  const heads = [...HEADS, '生产日期']
  const plain = [heads, ['茉莉花茶', '6901234567892', '19.90', DAY]]
  const files: [file: string, right: Right, notes?: RegExp[]][] = [
    ['gnumeric-biff8.xls', plain],
    ['gnumeric.ods', plain],
    ['gnumeric.xlsx', plain],
    ['gnumeric.html', plain],
    // It has no formats.
    ['gnumeric.dif', [heads, ['茉莉花茶', '6901234567892', '19.9', '46086']]],
    ['gnumeric.gnumeric', 'no-table'],
    ['libreoffice.xls', plain],
    ['libreoffice.xlsx', plain],
    ['libreoffice.ods', plain],
    ['libreoffice.html', plain],
    [
      'openpyxl.xlsx',
      [heads, ['茉莉花茶', '0690123456789', '19.90', DAY], ['公式', NO_RESULT, NO_RESULT, NO_RESULT]],
      [/「商品」/, /「字典」/],
    ],
    [
      'xlsxwriter.xlsx',
      [
        ['2026 年商品表', '', '', ''],
        heads,
        ['礼盒', '6901234567892', '2', '2026/3/5'],
        ['礼盒', '6901234567908', '3', ''],
        ['碧螺春', '6901234567915', '4', ''],
        ['龙井', '6901234567939', '#N/A', ''],
      ],
      [/第 6 行/, /A3:A4/],
    ],
    ['xlwt.xls', [heads, ['茉莉花茶', '0690123456789', '19.90', DAY]], [/第 3 行/]],
  ]
  for (const [file, right, notes] of files)
    test(file, async () => check(await readFile(new URL(`corpus/${file}`, import.meta.url)), right, notes))
})
