// The help centre: what is refused of an article, what a search shows, and what a video is.
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { RELEASES } from './demo.ts'
import { HELP_ARTICLES, HELP_CATEGORIES } from './reference.ts'
import {
  brokenIn,
  excerptOf,
  type HelpForm,
  markedIn,
  refuseBody,
  refuseRemoval,
  refuseStep,
  refuseVote,
  videoTypeOf,
  wordsOf,
} from './rules.ts'

const FORM: HelpForm = {
  ...{ kind: 'flow', title: '如何续费', categoryId: 1, version: '', releasedOn: null },
  ...{ videoId: null, videoUrl: '', pages: ['/admin/merchant/versionUp1'] },
}
const RELEASE: Partial<HelpForm> = {
  ...{ kind: 'release', categoryId: null, version: '2026.4', releasedOn: '2026-04-01', pages: [] },
}
const FILE = '11111111-1111-4111-8111-111111111111'

describe('a form', () => {
  const cases: [string, Partial<HelpForm>, string | null][] = [
    ['is taken', {}, null],
    ['needs a title', { title: ' ' }, 'TITLE_REQUIRED'],
    ['has a title of 60 characters', { title: '题'.repeat(61) }, 'TITLE_TOO_LONG'],
    ['needs a category', { categoryId: null }, 'CATEGORY_REQUIRED'],
    ['of a release note needs none', RELEASE, null],
    ['of a release note needs a version', { ...RELEASE, version: '' }, 'VERSION_REQUIRED'],
    ['has a version of 20 characters', { ...RELEASE, version: '1'.repeat(21) }, 'VERSION_TOO_LONG'],
    ['of a release note needs its day', { ...RELEASE, releasedOn: null }, 'RELEASED_REQUIRED'],
    [
      'of a release note has a day that there is',
      { ...RELEASE, releasedOn: '2026-02-30' },
      'RELEASED_REQUIRED',
    ],
    ['of a video needs one', { kind: 'video' }, 'VIDEO_REQUIRED'],
    ['of a video takes a file', { kind: 'video', videoId: FILE }, null],
    ['of a video takes a link', { kind: 'video', videoUrl: 'https://example.com/v/1' }, null],
    ['has no two videos', { videoId: FILE, videoUrl: 'https://example.com' }, 'VIDEO_TWICE'],
    ['takes no script for a link', { videoUrl: 'javascript:alert(1)' }, 'VIDEO_URL_INVALID'],
    ['takes no link without TLS', { videoUrl: 'http://example.com' }, 'VIDEO_URL_INVALID'],
    ['names pages of ours', { pages: ['https://example.com'] }, 'PAGES_INVALID'],
    ['names few pages', { pages: Array.from({ length: 11 }, () => '/admin/index') }, 'PAGES_TOO_MANY'],
  ]
  for (const [name, more, code] of cases)
    test(name, () => assert.equal(brokenIn({ ...FORM, ...more })[0]?.code ?? null, code))

  test('has a text, of which only a video may be without', () => {
    const none = { text: '', pictures: [] }
    assert.deepEqual(
      [
        refuseBody('flow', none),
        refuseBody('video', none),
        refuseBody('flow', { text: '', pictures: [FILE] }),
        refuseBody('flow', { text: '文'.repeat(5_001), pictures: [] }),
        refuseBody('flow', { text: '文', pictures: Array.from({ length: 21 }, () => FILE) }),
      ],
      ['BODY_REQUIRED', null, null, 'BODY_TOO_LONG', 'PICTURES_TOO_MANY'],
    )
  })
})

test('an article is published once and withdrawn once; what came with the program is not deleted', () => {
  assert.deepEqual(
    [
      refuseStep('publish', 'draft'),
      refuseStep('publish', 'published'),
      refuseStep('withdraw', 'published'),
      refuseStep('withdraw', 'draft'),
      refuseRemoval({ id: 2_000, state: 'draft' }),
      refuseRemoval({ id: 2_000, state: 'published' }),
      refuseRemoval({ id: 1_000, state: 'draft' }),
    ],
    [null, 'PUBLISHED_ALREADY', null, 'DRAFT_ALREADY', null, 'PUBLISHED_STAYS', 'SHIPPED_STAYS'],
  )
})

test('a word to a vote has 200 characters', () => {
  assert.deepEqual([refuseVote('字'.repeat(200)), refuseVote('字'.repeat(201))], [null, 'COMMENT_TOO_LONG'])
})

describe('a search', () => {
  test('is for words, each once and few of them', () => {
    assert.deepEqual(wordsOf('  续费 QR  续费 二维码 '), ['二维码', '续费', 'qr'])
    assert.equal(wordsOf('a b c d e f g').length, 5)
    assert.deepEqual(wordsOf('  '), [])
  })

  const excerpts: [string, string, string[], string][] = [
    ['begins at the beginning without a word', '一\n二', [], '一 二'],
    [
      'shows what stands around the first word',
      `${'前'.repeat(60)}续费${'后'.repeat(200)}`,
      ['续费'],
      '续费',
    ],
    ['finds words whatever their case', 'Scan the QR code', ['qr'], 'Scan the QR code'],
  ]
  for (const [name, text, words, part] of excerpts)
    test(name, () => {
      const excerpt = excerptOf(text, words)
      assert.ok(excerpt.includes(part), excerpt)
      assert.ok([...excerpt].length <= 112)
    })

  test('marks every word and loses no letter', () => {
    const pieces = markedIn('续费后再续费 QR', ['续费', 'qr'])
    assert.equal(pieces.map(({ text }) => text).join(''), '续费后再续费 QR')
    assert.deepEqual(
      pieces.filter(({ found }) => found).map(({ text }) => text),
      ['续费', '续费', 'QR'],
    )
    assert.deepEqual(markedIn('<b>', ['<b']), [
      { text: '<b', found: true },
      { text: '>', found: false },
    ])
    assert.deepEqual(markedIn('', ['x']), [])
    assert.equal(
      markedIn('İİ续费', ['续费']).some(({ found }) => found),
      false,
    )
  })
})

test('a video is known by its bytes, not by its name', () => {
  const of = (text: string) => videoTypeOf(Buffer.from(text, 'latin1'))
  assert.deepEqual(
    [of('\0\0\0\x18ftypmp42'), of('\x1a\x45\xdf\xa3....'), of('<html>ftyp</html>'), of('MZ'), of('')],
    ['video/mp4', 'video/webm', null, null, null],
  )
})

test('what a fresh office begins with, and what the demo adds, passes the rules itself', () => {
  assert.ok(HELP_ARTICLES.every(({ kind }) => kind !== 'release'))
  for (const row of [...HELP_ARTICLES, ...RELEASES]) {
    const { kind, title, categoryId = null, version = '', releasedOn = null, pages = [] } = row
    const form = { ...{ kind, title, categoryId, version, releasedOn, pages }, videoId: null, videoUrl: '' }
    assert.deepEqual(brokenIn(form), [], title)
    assert.equal(refuseBody(kind, { text: row.bodyText ?? '', pictures: [] }), null)
    if (kind !== 'release') assert.ok(HELP_CATEGORIES.some(({ id }) => id === categoryId))
  }
  const pages = HELP_ARTICLES.flatMap(row => row.pages ?? [])
  assert.equal(new Set(pages).size, pages.length, 'two articles open from one page')
})
