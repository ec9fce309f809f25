import assert from 'node:assert/strict'
import test from 'node:test'
import { csvLine, csvLines, csvText } from './csv.ts'

const CASES: [what: string, text: string, lines: [number, ...string[]][]][] = [
  [
    'plain',
    'a,b\n1,2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'no last line break',
    'a,b\n1,2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'a mark at the beginning, other line breaks',
    '\uFEFFa,b\r\n1,2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'CR alone, and several ways in one text',
    'a,b\r1,2\n\r\n3,4\r',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
      [4, '3', '4'],
    ],
  ],
  ['blanks around', ' a , b \n', [[1, 'a', 'b']]],
  [
    'blank lines',
    'a\n\n,\n b\n',
    [
      [1, 'a'],
      [4, 'b'],
    ],
  ],
  [
    'quotes',
    '"a,b","say ""x"""\nc',
    [
      [1, 'a,b', 'say "x"'],
      [2, 'c'],
    ],
  ],
  [
    'a line break inside',
    '"a\nb",c\nd',
    [
      [1, 'a\nb', 'c'],
      [3, 'd'],
    ],
  ],
  ['a quote that never ends', '"a,b\nc', [[1, 'a,b\nc']]],
  ['a quote within', 'a"b,c', [[1, 'a"b', 'c']]],
  ['nothing', '', []],
]
for (const [what, text, lines] of CASES)
  test(`a text of lines: ${what}`, () =>
    assert.deepEqual(
      [...csvLines(text)].map(({ line, cells }) => [line, ...cells]),
      lines,
    ))

test('a line is written so that it is read again', () => {
  const cells = ['a,b', 'say "x"', '', 'c\nd']
  assert.deepEqual([...csvLines(csvLine(cells))][0]?.cells, cells)
  assert.equal(csvLine(['=1+1', 'x']), "'=1+1,x")
})

test('lines are written so that each stands at its own number', () => {
  const lines = [
    { line: 2, cells: ['a,b', '=1'] },
    { line: 5, cells: ['c\nd', '"'] },
  ]
  assert.deepEqual([...csvLines(csvText(lines))], [lines[0], { line: 5, cells: ['c d', '"'] }])
})
