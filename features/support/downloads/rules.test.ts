// Files to download: what is refused of a form, how versions follow each other, and how sizes are said.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  brokenIn,
  compareVersions,
  type DownloadForm,
  inOrder,
  isFileName,
  refuseWithdrawal,
  sizeWords,
} from './rules.ts'

const FORM: DownloadForm = {
  system: 'windows',
  name: '收银客户端',
  version: '5.2.1',
  notes: '',
  fileId: '11111111-1111-4111-8111-111111111111',
  fileName: '客户端.exe',
  link: '',
}

describe('a form', () => {
  const cases: [string, Partial<DownloadForm>, string | null][] = [
    ['is taken', {}, null],
    [
      'with a link in place of a file is taken',
      { fileId: null, fileName: '', link: 'https://example.com/a' },
      null,
    ],
    ['needs a system', { system: null }, 'SYSTEM_REQUIRED'],
    ['needs a name', { name: ' ' }, 'NAME_REQUIRED'],
    ['has a name of 40 characters', { name: '名'.repeat(40) }, null],
    ['has no longer name', { name: '名'.repeat(41) }, 'NAME_TOO_LONG'],
    ['needs a version', { version: '' }, 'VERSION_REQUIRED'],
    ['takes a version before its time', { version: '5.2.0-beta.1' }, null],
    ['takes no words for a version', { version: '最新' }, 'VERSION_INVALID'],
    ['needs a file or a link', { fileId: null }, 'FILE_REQUIRED'],
    ['has not both', { link: 'https://example.com' }, 'FILE_TWICE'],
    ['needs a name for its file', { fileName: ' ' }, 'FILE_NAME_INVALID'],
    ['takes no link without TLS', { fileId: null, link: 'http://example.com' }, 'LINK_INVALID'],
    ['takes no script for a link', { fileId: null, link: 'javascript:alert(1)' }, 'LINK_INVALID'],
    ['has notes of 500 characters', { notes: '说'.repeat(501) }, 'NOTES_TOO_LONG'],
  ]
  for (const [name, more, code] of cases)
    test(name, () => assert.equal(brokenIn({ ...FORM, ...more })[0]?.code ?? null, code))

  test('takes the names of files that every system keeps', () => {
    for (const name of ['客户端 5.2.exe', 'a.tar.gz', '说明']) assert.ok(isFileName(name), name)
    for (const name of ['', '.hidden', '../x', 'a\\b', 'a\nb', 'a\u202egpj.exe', 'a?', 'x'.repeat(101)])
      assert.ok(!isFileName(name), name)
  })
})

describe('versions', () => {
  const cases: [string, string, number][] = [
    ['2.10', '2.9', 1],
    ['2.0', '2.0.0', 0],
    ['2.0.1', '2.0', 1],
    ['2.0-beta', '2.0', -1],
    ['2.0-beta', '2.0-alpha', 1],
    ['v3', '2.9', 1],
    ['5.2.1', '5.2.1', 0],
  ]
  for (const [a, b, sign] of cases)
    test(`${a} stands to ${b} as ${sign}`, () => {
      assert.equal(Math.sign(compareVersions(a, b)), sign)
      assert.equal(Math.sign(compareVersions(b, a)), sign === 0 ? 0 : -sign)
    })

  test('the latest of each name comes first, whatever came last', () => {
    const file = (id: number, name: string, version: string) => ({
      id,
      system: 'windows' as const,
      name,
      version,
    })
    const files = [
      file(1, '客户端', '2.10'),
      file(2, '客户端', '2.9'),
      file(3, '打印', '1.0'),
      file(4, '客户端', '2.2'),
    ]
    assert.deepEqual(
      inOrder(files).map(({ id, isLatest }) => [id, isLatest]),
      [
        [1, true],
        [3, true],
        [2, false],
        [4, false],
      ],
    )
  })
})

test('a file is withdrawn once, and offered again once', () => {
  assert.deepEqual(
    [
      refuseWithdrawal(null, true),
      refuseWithdrawal('2026-01-01T00:00:00.000Z', true),
      refuseWithdrawal(null, false),
      refuseWithdrawal('2026-01-01T00:00:00.000Z', false),
    ],
    [null, 'WITHDRAWN_ALREADY', 'OFFERED_ALREADY', null],
  )
})

test('sizes are said in words', () => {
  assert.deepEqual([0, 1_023, 1_536, 157_286_400, 5_368_709_120].map(sizeWords), [
    '0 B',
    '1023 B',
    '1.5 KB',
    '150 MB',
    '5.0 GB',
  ])
})
