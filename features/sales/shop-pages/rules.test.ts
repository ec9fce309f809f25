// What a home page must hold, what may be offered, and what becomes of a renewal that was paid online.
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type Block,
  type BlockType,
  brokenIn,
  daysLeft,
  emptyContent,
  isSame,
  LIMITS,
  ONLINE_RENEWAL_STEPS,
  type PageContent,
  RENEWAL_STATE_KEYS,
  type RenewalState,
  refuseOffer,
  refuseReason,
  refuseRefund,
  refuseRetry,
  secondsUntilTry,
  tidy,
} from './rules.ts'

type Changed = Partial<Record<BlockType, Partial<Block>>> & { notices?: PageContent['notices'] }

const FILLED: Changed = { manager: { text: '王经理' }, hotline: { text: '400-800-1234' } }

function content({ notices = [], ...changed }: Changed): PageContent {
  const { blocks } = emptyContent()
  return {
    blocks: blocks.map(block => ({ ...block, ...FILLED[block.type], ...changed[block.type] })),
    notices,
  }
}

const long = '字'.repeat(LIMITS.text + 1)
const link = (text: string): Changed => ({ linkOne: { skips: true, link: text } })

const CASES: [what: string, changed: Changed, broken: string[]][] = [
  ['manager and hotline alone', {}, []],
  ['no manager', { manager: { text: ' ' } }, ['manager.text MANAGER_REQUIRED']],
  ['no hotline', { hotline: { text: '' } }, ['hotline.text HOTLINE_REQUIRED']],
  [
    'neither: a warning for each',
    { manager: { text: '' }, hotline: { text: '' } },
    ['manager.text MANAGER_REQUIRED', 'hotline.text HOTLINE_REQUIRED'],
  ],
  [
    'neither, although both are off',
    { manager: { text: '', enabled: false } },
    ['manager.text MANAGER_REQUIRED'],
  ],
  ['a hotline of words', { hotline: { text: '请拨打热线' } }, ['hotline.text HOTLINE_INVALID']],
  ['a hotline of a mobile', { hotline: { text: '13800001234' } }, []],
  ['a text of 100', { linkOne: { text: '字'.repeat(LIMITS.text) } }, []],
  ['a first link of 101', { linkOne: { text: long } }, ['linkOne.text TEXT_TOO_LONG']],
  ['a second link of 101', { linkTwo: { text: long } }, ['linkTwo.text TEXT_TOO_LONG']],
  ['a manager of 101', { manager: { text: long } }, ['manager.text TEXT_TOO_LONG']],
  ['a link that is on without words', { linkTwo: { enabled: true } }, ['linkTwo.text LINK_TEXT_REQUIRED']],
  [
    'a code that is on without a picture',
    { contact: { enabled: true } },
    ['contact.pictureId CONTACT_PICTURE_REQUIRED'],
  ],
  ['a picture that is on and none', { picture: { enabled: true } }, ['picture.pictureId PICTURE_REQUIRED']],
  ['a jump to nowhere', { manager: { skips: true } }, ['manager.link LINK_REQUIRED']],
  ['a jump to a page', link('https://example.com/a?b=c'), []],
  ['a jump to a script', link('javascript:alert(1)'), ['linkOne.link LINK_INVALID']],
  ['a jump to data', link('data:text/html,x'), ['linkOne.link LINK_INVALID']],
  ['a jump with a quote', link('https://example.com/"x'), ['linkOne.link LINK_INVALID']],
  ['a link that is not led to', { linkOne: { link: 'nonsense' } }, []],
  ['four notices', { notices: Array(4).fill({ title: '放假', body: '' }) }, ['notices NOTICES_TOO_MANY']],
  [
    'a notice without a title',
    { notices: [{ title: '', body: 'x' }] },
    ['notices.0.title NOTICE_TITLE_REQUIRED'],
  ],
  [
    'a notice too long',
    { notices: [{ title: '放假', body: '字'.repeat(LIMITS.noticeBody + 1) }] },
    ['notices.0.body NOTICE_BODY_TOO_LONG'],
  ],
]
for (const [what, changed, broken] of CASES)
  test(`a page with ${what}`, () => {
    assert.deepEqual(
      brokenIn(content(changed)).map(({ field, code }) => `${field} ${code}`),
      broken,
    )
  })

test('what is kept has no blanks around it, no link that is not led to, and the fixed order', () => {
  const { blocks } = content({ manager: { text: ' 王经理 ' }, linkOne: { link: 'https://a.b' } })
  const kept = tidy({ blocks: blocks.toReversed(), notices: [{ title: ' 放假 ', body: ' ' }] })
  assert.deepEqual(
    kept.blocks.map(({ type }) => type),
    emptyContent().blocks.map(({ type }) => type),
  )
  assert.equal(kept.blocks[0]?.text, '王经理')
  assert.equal(kept.blocks[3]?.link, '')
  assert.deepEqual(kept.notices, [{ title: '放假', body: '' }])
  assert.ok(isSame(content({ manager: { text: '王经理 ' } }), content({})))
  assert.ok(!isSame(content({ manager: { enabled: false } }), content({})))
})

const price = (priceFen: number, years = 1) => ({ versionId: 12, years, priceFen })
const OFFERS: [what: string, enabled: boolean, prices: ReturnType<typeof price>[], code: string | null][] = [
  ['nothing, switched off', false, [], null],
  ['nothing, switched on', true, [], 'PRICE_NONE'],
  ['a fen', true, [price(1)], null],
  ['nothing for a year', true, [price(0)], 'PRICE_INVALID'],
  ['less than nothing', false, [price(-1)], 'PRICE_INVALID'],
  ['half a fen', true, [price(1.5)], 'PRICE_INVALID'],
  ['no number', true, [price(Number.NaN)], 'PRICE_INVALID'],
  ['more than a million', true, [price(LIMITS.priceFenMax + 1)], 'PRICE_INVALID'],
  ['six years', true, [price(100, 6)], 'YEARS_INVALID'],
  ['the same twice', true, [price(100), price(200)], 'PRICE_TWICE'],
]
for (const [what, enabled, prices, code] of OFFERS)
  test(`an offer of ${what}`, () => assert.equal(refuseOffer({ enabled, prices })?.code ?? null, code))

const REFUNDS: Record<RenewalState, [standing: string | null, undone: string | null]> = {
  waiting: ['REFUND_NOT_PAID', 'REFUND_NOT_PAID'],
  expired: ['REFUND_NOT_PAID', 'REFUND_NOT_PAID'],
  refunded: ['REFUND_NOT_PAID', 'REFUND_NOT_PAID'],
  paid: [null, null],
  short: [null, null],
  stuck: [null, null],
  renewed: ['REFUND_RENEWED', null],
}
test('money goes back where nothing was given for it, or that was taken back', () => {
  for (const state of RENEWAL_STATE_KEYS)
    assert.deepEqual(
      [refuseRefund({ state, isUndone: false }), refuseRefund({ state, isUndone: true })],
      REFUNDS[state],
      state,
    )
  assert.deepEqual(
    RENEWAL_STATE_KEYS.filter(state => refuseRetry(state) === null),
    ['short', 'stuck'],
  )
})

test('no step leaves what was refunded, and nothing that was paid is forgotten', () => {
  for (const [action, { from }] of Object.entries(ONLINE_RENEWAL_STEPS))
    assert.ok(!(from as readonly string[]).includes('refunded'), action)
  const expire: readonly string[] = ONLINE_RENEWAL_STEPS.expire.from
  assert.deepEqual(expire, ['waiting'])
})

test('a reason is asked for and is short; tries come further and further apart', () => {
  assert.equal(refuseReason(' '), 'REASON_REQUIRED')
  assert.equal(refuseReason('字'.repeat(51)), 'REASON_TOO_LONG')
  assert.equal(refuseReason('商户要求'), null)
  assert.deepEqual([1, 2, 3, 20].map(secondsUntilTry), [2, 4, 8, 300])
})

test('a day that has begun is a day left', () => {
  const now = new Date('2026-11-23T00:00:00Z')
  assert.equal(daysLeft('2026-11-24T00:00:00Z', now), 1)
  assert.equal(daysLeft('2026-11-24T00:00:01Z', now), 2)
  assert.equal(daysLeft('2026-11-22T00:00:00Z', now), 0)
})
