// What partners tell the vendor, and how it is answered (D1 §2, §4 FeedBackUserSendMsg).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { refuseAnswer, refuseFeedback } from './rules.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let operator: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  mine = office.as(await office.login(agent.loginName))
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())

describe('the rules', () => {
  const cases = [
    ['a word is enough', refuseFeedback('好'), null],
    ['blanks are not', refuseFeedback(' \n '), 'CONTENT_REQUIRED'],
    ['500 characters are taken', refuseFeedback('好'.repeat(500)), null],
    ['501 are not', refuseFeedback('好'.repeat(501)), 'CONTENT_TOO_LONG'],
    ['twenty a day are enough', refuseFeedback('好', 20), 'FEEDBACK_TOO_MANY'],
    ['an answer has words', refuseAnswer(' '), 'ANSWER_REQUIRED'],
    ['an answer has at most 500 characters', refuseAnswer('好'.repeat(501)), 'ANSWER_TOO_LONG'],
    ['what is answered is answered', refuseAnswer('好', 'answered'), 'ANSWERED_ALREADY'],
  ] as const
  for (const [name, answered, expected] of cases) test(name, () => assert.equal(answered, expected))
})

test('the operator sees the five latest of all agents, answers once, and the writer is told', async () => {
  const other = await makeAgent(office)
  const theirs = office.as(await office.login(other.loginName))
  const ids: number[] = []
  for (let i = 1; i <= 4; i++) ids.push((await mine.feedback.submit({ content: ` 反馈${i} ` })).id)
  for (let i = 5; i <= 6; i++) ids.push((await theirs.feedback.submit({ content: `反馈${i}` })).id)
  const { rows, open } = await operator.feedback.recent()
  assert.equal(open, 6)
  assert.deepEqual(
    rows.map(row => row.content),
    ['反馈6', '反馈5', '反馈4', '反馈3', '反馈2'],
  )
  assert.deepEqual([rows[0]?.agentId, rows[0]?.createdByName], [other.id, '姓名'])
  const id = ids[3] as number
  const answers = await Promise.all(
    ['好的', '收到'].map(answer => refusalOf(operator.feedback.answer({ id, answer }))),
  )
  assert.deepEqual(answers.sort(), ['ANSWERED_ALREADY', 'accepted'])
  const told = await office.owner.query(
    `select account_id, args from notices where topic = 'FeedBackUserSendMsg'`,
  )
  assert.deepEqual(
    told.rows.map(row => [Number(row.account_id), row.args]),
    [[agent.accountId, { feedbackId: id }]],
  )
  const own = await mine.feedback.mine({})
  assert.equal(own.total, 4)
  const [answered] = own.rows
  assert.deepEqual([answered?.id, answered?.state, answered?.answeredByName], [id, 'answered', '姓名'])
  assert.ok(['好的', '收到'].includes(answered?.answer ?? ''))
  assert.equal((await operator.feedback.recent()).open, 5)
})

test('all feedback is listed with who told it, filtered and searched, with its picture', async () => {
  const far = await makeAgent(office)
  const theirs = office.as(await office.login(far.loginName))
  const picture = await uploaded(far.accountId, far.id)
  for (let i = 1; i <= 7; i++)
    await theirs.feedback.submit({ content: `长城${i}`, pictureId: i === 7 ? picture : null })
  const listed = async (input: Parameters<Client['feedback']['list']>[0]) =>
    (await operator.feedback.list({ agentId: far.id, ...input })).rows
  const rows = await listed({})
  assert.deepEqual(
    rows.map(row => row.content),
    ['长城7', '长城6', '长城5', '长城4', '长城3', '长城2', '长城1'],
  )
  const { rows: people } = await office.owner.query('select mobile from accounts where id = $1', [
    far.accountId,
  ])
  assert.deepEqual(
    [rows[0]?.pictureId, rows[0]?.createdByName, rows[0]?.phone, rows[0]?.agentName, rows[1]?.pictureId],
    [picture, '姓名', people[0].mobile, `代理商${far.id}`, null],
  )
  const oldest = rows.at(-1)?.id as number
  await operator.feedback.answer({ id: oldest, answer: '很早以前的也能回复' })
  assert.deepEqual(
    (await listed({ state: 'answered' })).map(row => [row.id, row.answer]),
    [[oldest, '很早以前的也能回复']],
  )
  assert.equal((await listed({ state: 'open' })).length, 6)
  assert.equal((await listed({ search: '长城3' })).length, 1)
  assert.equal((await listed({ search: people[0].mobile })).length, 7)
  assert.equal((await listed({ search: '没有' })).length, 0)
  assert.equal((await listed({ to: '2026-01-01' })).length, 0)
  assert.equal(await refusalOf(theirs.feedback.list({})), 'FORBIDDEN')
})

test('one feedback is told by its id, to those who may see all', async () => {
  const { id } = await mine.feedback.submit({ content: '希望能批量导入' })
  const { content, agentName, state } = await operator.feedback.details({ id })
  assert.deepEqual([content, agentName, state], ['希望能批量导入', `代理商${agent.id}`, 'open'])
  assert.equal(await refusalOf(operator.feedback.details({ id: 99_999_999 })), 'NOT_FOUND')
  assert.equal(await refusalOf(mine.feedback.details({ id })), 'FORBIDDEN')
})

test('a picture of another agent is not taken', async () => {
  const other = await makeAgent(office)
  const pictureId = await uploaded(other.accountId, other.id)
  assert.equal(await refusalOf(mine.feedback.submit({ content: '好', pictureId })), 'PICTURE_UNKNOWN')
})

/** The row of an uploaded picture. */
async function uploaded(accountId: number, agentId: number): Promise<string> {
  const id = randomUUID()
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, $2, 'feedback', 'image/webp', 1, 1, 1, $3, now())`,
    [id, agentId, accountId],
  )
  return id
}

test('an account sees its own alone, and partners see nobody else’s', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [] })
  const colleague = office.as(await office.login(loginName))
  await colleague.feedback.submit({ content: '同事的反馈' })
  assert.deepEqual(
    (await colleague.feedback.mine({})).rows.map(row => row.content),
    ['同事的反馈'],
  )
  assert.ok(!(await mine.feedback.mine({})).rows.some(row => row.content === '同事的反馈'))
  assert.equal(await refusalOf(mine.feedback.recent()), 'FORBIDDEN')
  assert.equal(await refusalOf(mine.feedback.answer({ id: 1, answer: '好' })), 'FORBIDDEN')
})

test('a double press is one feedback, and the twenty-first of a day is refused', async () => {
  const writer = await makeAgent(office)
  const client = office.as(await office.login(writer.loginName))
  const key = randomUUID()
  const both = await Promise.all(
    [1, 2].map(() => client.feedback.submit({ content: '一次' }, { context: { key } })),
  )
  assert.equal(both[0]?.id, both[1]?.id)
  assert.equal((await client.feedback.mine({})).total, 1)
  await office.owner.query(
    `insert into feedback_messages (agent_id, account_id, created_by_name, content, state, created_at)
       select $1, $2, '姓名', '旧', 'open', now() from generate_series(1, 19)`,
    [writer.id, writer.accountId],
  )
  await assert.rejects(client.feedback.submit({ content: '再来' }), {
    code: 'FEEDBACK_TOO_MANY',
    data: { field: 'content' },
  })
})
