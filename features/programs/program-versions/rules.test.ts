import assert from 'node:assert/strict'
import test from 'node:test'
import { PROGRAM_TYPE_KEYS } from '#features/programs/program-applications/rules.ts'
import {
  AUDIT_STATE_KEYS,
  AUDIT_STEPS,
  type AuditStep,
  auditTakes,
  declarationOf,
  domainsWanted,
  domainsWith,
  lacksDomains,
  mayOf,
  preflightOf,
  redText,
  refuseFeedback,
  refuseWithdrawal,
  templatesFor,
  templateTagOf,
  versionsOf,
} from './rules.ts'
import { knownOf } from './walk.ts'

const BASE = 'https://office.example.com'
const wanted = domainsWanted(BASE)

test('each kind has the template that the documents name; chess and cards have none', () => {
  assert.deepEqual(
    PROGRAM_TYPE_KEYS.map(type => templateTagOf(type)),
    ['minApp', 'minApp', 'minApp', 'minApp', 'minApp', 'order', 'scan', 'minApp', 'education', null],
  )
  assert.equal(templateTagOf(null), 'minApp')
})

test('templates of a tag come newest first, and a tag is a whole word', () => {
  const one = (templateId: number, description: string, createdAt: string) => ({
    ...{ templateId, description, createdAt, version: `${templateId}.0` },
  })
  const all = [
    one(1, 'order', '2026-01-01T00:00:00.000Z'),
    one(2, 'order 2026春季', '2026-02-01T00:00:00.000Z'),
    one(3, 'reorder', '2026-03-01T00:00:00.000Z'),
    one(4, 'scan', '2026-03-01T00:00:00.000Z'),
    one(5, '', '2026-03-01T00:00:00.000Z'),
  ]
  const ids = (tag: Parameters<typeof templatesFor>[1]) =>
    templatesFor(all, tag).map(({ templateId }) => templateId)
  assert.deepEqual([ids('order'), ids('scan'), ids('education')], [[2, 1], [4], []])
  assert.deepEqual(templatesFor(all.slice(0, 4), null), [])
})

test('a declaration covers what is used, and what nobody knows is named', () => {
  assert.deepEqual(declarationOf(['PhoneNumber', 'Nobody', 'toString']), {
    uses: [{ key: 'PhoneNumber', purpose: '用于注册会员与联系取餐、配送' }],
    unknown: ['Nobody', 'toString'],
  })
})

test('domains are ours with TLS, and what the owner set stays', () => {
  assert.deepEqual(domainsWanted('http://127.0.0.1:4630').socket, ['wss://127.0.0.1:4630'])
  const none = { request: [], socket: [], upload: [], download: [] }
  assert.equal(lacksDomains(none, wanted), true)
  const both = domainsWith({ ...none, request: ['https://theirs.example.com'] }, wanted)
  assert.deepEqual(both.request, ['https://theirs.example.com', 'https://office.example.com'])
  assert.equal(lacksDomains(both, wanted), false)
})

test('each miss is red and names the button that mends it', () => {
  const known = knownOf('2.1.0', BASE)
  const { info } = known
  const red = (more: object, version = '2.1.0') =>
    preflightOf({ ...known, ...more }, version, wanted)
      .filter(({ isGreen }) => !isGreen)
      .map(({ key, mend }) => `${key} ${mend}`)
  const privacy = (more: object) => ({ privacy: { ...known.privacy, ...more } })
  assert.deepEqual(red({}), [])
  assert.deepEqual(red({ info: { ...info, nickName: { ...info.nickName, value: '' } } }), ['name profile'])
  assert.deepEqual(red({ info: { ...info, headImage: { ...info.headImage, url: '' } } }), [
    'headImage profile',
  ])
  assert.deepEqual(red({ info: { ...info, signature: { ...info.signature, value: '' } } }), ['intro profile'])
  assert.deepEqual(red({ categories: [] }), ['category profile'])
  assert.deepEqual(red({ trial: null }), ['code code'])
  assert.deepEqual(red({}, ''), ['code code'])
  assert.deepEqual(red({}, '2.2.0'), ['code code'])
  assert.deepEqual(red(privacy({ state: 'none' })), ['privacy code'])
  assert.deepEqual(red(privacy({ state: 'checking' })), ['privacy read'])
  assert.deepEqual(red(privacy({ withoutDeclaration: ['Location'] })), ['privacy privacy'])
  assert.deepEqual(red(privacy({ withoutLeave: ['getLocation'] })), ['privacy read'])
  assert.deepEqual(red({ domains: { ...known.domains, socket: [] } }), ['domains domains'])
  assert.equal(redText(preflightOf(known, '2.1.0', wanted)), null)
  assert.equal(
    redText(preflightOf({ ...known, categories: [] }, '2.1.0', wanted)),
    '自检未通过：类目（类目没有提交审核或者没有审核通过）',
  )
})

test('an audit goes as its table says and not otherwise', () => {
  const steps = Object.keys(AUDIT_STEPS) as AuditStep[]
  assert.deepEqual(
    Object.fromEntries(AUDIT_STATE_KEYS.map(state => [state, steps.filter(step => auditTakes(state, step))])),
    {
      reviewing: ['delay', 'pass', 'refuse', 'withdraw'],
      delayed: ['pass', 'refuse', 'withdraw'],
      ...{ refused: [], withdrawn: [], passed: ['release'], released: [] },
    },
  )
})

test('what can be pressed', () => {
  const may = (...given: Parameters<typeof mayOf>) =>
    Object.entries(mayOf(...given))
      .filter(([, is]) => is)
      .map(([name]) => name)
  const none = { hasCode: false, releases: 0 }
  const code = { hasCode: true, releases: 0 }
  const audit = (state: (typeof AUDIT_STATE_KEYS)[number], isSpedUp = false) => ({ state, isSpedUp })
  assert.deepEqual(may('profile', null, none), [])
  assert.deepEqual(may('code', null, none), ['setCode'])
  assert.deepEqual(may('code', audit('refused'), code), ['setCode', 'submit'])
  assert.deepEqual(may('inAudit', audit('reviewing'), code), ['withdraw', 'speedUp'])
  assert.deepEqual(may('inAudit', audit('reviewing', true), code), ['withdraw'])
  assert.deepEqual(may('inAudit', audit('delayed'), code), ['withdraw'])
  assert.deepEqual(may('inAudit', audit('passed'), code), ['release'])
  assert.deepEqual(may('released', audit('released'), { hasCode: true, releases: 1 }), [
    'setCode',
    'rollBack',
  ])
})

test('five withdrawals a day and ten a month', () => {
  assert.equal(refuseWithdrawal({ today: 4, thisMonth: 9 }), null)
  assert.equal(refuseWithdrawal({ today: 5, thisMonth: 9 }), 'WITHDRAWN_TODAY')
  assert.equal(refuseWithdrawal({ today: 0, thisMonth: 10 }), 'WITHDRAWN_THIS_MONTH')
})

test('words for the reviewers have 200 characters at most', () => {
  assert.equal(refuseFeedback('字'.repeat(200)), null)
  assert.equal(refuseFeedback('字'.repeat(201)), 'FEEDBACK_TOO_LONG')
})

test('the list tells what users have and what is to come', () => {
  const of = (version: string, description = 'order') => ({
    version,
    description,
    at: '2026-11-30T00:00:00.000Z',
  })
  const told = (live: ReturnType<typeof of> | null, trial: ReturnType<typeof of> | null) =>
    Object.values(versionsOf({ live, trial }))
  assert.deepEqual(told(null, null), ['', ''])
  assert.deepEqual(told(null, of('1.0.0')), ['', '1.0.0 order'])
  assert.deepEqual(told(of('1.0.0'), of('1.0.0')), ['1.0.0 order', ''])
  assert.deepEqual(told(of('1.0.0', ''), of('1.1.0')), ['1.0.0', '1.1.0 order'])
})
