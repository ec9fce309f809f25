// The demand tracker at 100,000 demands: list, counts and board through the app's role and row-level security against the same
// statements as the owner. npm run bench -- demands [demands]; a database of its own under DATA_DIR.
import { compare, inOwnOffice, wanted } from './office.ts'
import { recordStatements } from './statements.ts'

const DEMANDS = 100_000
const CALLS = 40

const words = (list: readonly string[]) => `(array[${list.map(word => `'${word}'`).join(',')}])`
const FILL = `
  insert into demands (title, path, merchant_id, owner_id, priority, type, client, industry_id, status, description_text, deadline,
      oldest_asked_at, weight_rank, shops, created_by, created_by_name, created_at)
    select '测算需求' || n || substr('收银打印会员库存储值盘点扫码对账报表', n % 14 + 1, 5), '收银/结账/' || n % 97, m.id, o.id,
      ${words(['normal', 'minor', 'major', 'critical'])}[1 + n % 4], ${words(['bug', 'improvement', 'requirement', 'scenario'])}[1 + n / 3 % 4],
      ${words(['pcWeb', 'pcGreen', 'pcBlue', 'android', 'ios', 'miniProgram', 'microMall', 'agentPlatform', 'website', 'academy'])}[1 + n / 7 % 10],
      1 + n % 10,
      ${words(['feedbacked', 'toSchedule', 'developing', 'testing', 'online', 'online', 'postponed', 'rejected'])}[1 + n / 11 % 8],
      '偶尔出现，第' || n || '次反馈', case when n % 3 > 0 then now() + (n % 400 - 200) * interval '1 day' end,
      now() - n * interval '9 minutes', n * 7919 % 1000003, 1 + n % 9, o.id, o.name, now() - n * interval '9 minutes'
    from generate_series(1, $1::int) n
      cross join lateral (select id from merchants order by id offset n % 100 limit 1) m
      cross join lateral (select a.id, a.name from accounts a where a.login_name in ('10001', '10090') order by a.id offset n % 2 limit 1) o`

const ADDRESSES = [
  '/api/demands',
  '/api/demands?page=200&size=50',
  '/api/demands?sort=weight&size=50',
  '/api/demands?sort=deadline&size=50',
  '/api/demands?status=developing&client=ios',
  '/api/demands?priority=critical&type=bug&size=100',
  '/api/demands?search=测算需求777',
  '/api/demands?search=盘点扫码',
  '/api/demands?deadlineFrom=2017-01-01&deadlineTo=2026-01-01',
  '/api/demands/counts',
  '/api/demands/counts?client=ios',
  '/api/demands/board',
  '/api/demands/board?priority=critical',
].map(encodeURI)

export function measureDemands(): Promise<void> {
  return inOwnOffice('demands', async ({ owner, logIn, ask }) => {
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from demands')
    if ((rows[0]?.n ?? 0) < wanted(DEMANDS)) await owner.query(FILL, [wanted(DEMANDS)])
    await owner.query('vacuum analyze demands')
    const cookie = await logIn('10001')
    for (const address of ADDRESSES) {
      const call = () => ask(address, cookie)
      await call()
      const { sent } = await recordStatements(call)
      const plain = async () => {
        for (const { text, values } of sent) await owner.query(text, values)
      }
      await compare(`demands ${decodeURI(address)}`, CALLS, call, plain)
    }
  })
}
