// What 开始使用 reads of an office: nothing at first, broken set-ups by what is wrong with them, all done; whose it is; what is put off.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectionsOf } from '#app/providers-connections.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeTotp } from '#test/make-factors.ts'
import { newPartner } from '#test/make-partners.ts'
import { connectSms } from '#test/silent-sms.ts'
import type { SetupStepRow } from './contract.ts'
import { noteBackup, readBackupAges } from './server-backups.ts'
import { checkStorage } from './server-storage.ts'

let office: Office
let made: MadeAgent
let cookie: string
let operator: Client
before(async () => {
  office = await openOffice()
  made = await makeAgent(office, { operator: true })
  await sql(`update agents set company_name = '运营中心' where id = $1`, [made.id])
  cookie = await office.login(made.loginName)
  operator = office.as(cookie)
})
after(() => office.stop())

const sql = (text: string, values: unknown[] = []) => office.owner.query(text, values)

/** The office as if it had been started with these settings. */
function connect(outside: Readonly<Record<string, string>>, isSimulated = false): void {
  const { services } = office.app
  services.providers = { ...services.providers, connections: connectionsOf(outside, isSimulated) }
}

const WECHAT = { WECHAT_PAY_MCHID: '1900000109' }
const ALIYUN = { ALIYUN_SMS_ACCESS_KEY_ID: 'x' }
const EVERYTHING = {
  ...WECHAT,
  ...ALIYUN,
  ALIPAY_APP_ID: '2021',
  POS_SERVICE_URL: 'https://pos.example.com',
  GEETEST_CAPTCHA_ID: 'x',
}

async function stepOf(key: string, who = operator): Promise<SetupStepRow> {
  const { steps } = await who.setup.list()
  return steps.find(step => step.key === key) ?? assert.fail(`no step ${key}`)
}

let attempts = 0
/** Somebody tried to pay the vendor by WeChat, and it stands so. */
async function attempt(status: string, words = ''): Promise<number> {
  const id = `setup-${++attempts}`
  const isPaid = status === 'paid'
  await sql(
    `insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
      display_until, status, created_at, expires_at)
     values ($1, $2, 1, '运营', 12, 'token', $1, 1, '代币', $1, now(), $3, now(), now())`,
    [id, made.id, isPaid ? 'paid' : 'expired'],
  )
  const { rows } = await sql(
    `insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, provider_words, paid_at, created_at, updated_at)
     values ($1, $2, 'wechat', $1, 1, $3, $4, case when $3 = 'paid' then now() end, now(), now()) returning id`,
    [id, made.id, status, words],
  )
  return rows[0].id
}

async function refund(attemptId: number, status: string, words = ''): Promise<void> {
  await sql(
    `insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, status, provider_words, created_by, created_by_name,
      created_at, done_at)
     values ($1, $2, $3, 1, 'operator', $4, $5, 1, '运营', now(), case when $4 = 'done' then now() end)`,
    [attemptId, made.id, `R${++attempts}`, status, words],
  )
}

let paid = 0
/** The last test message stands so. */
async function testMessage(status: string, errorCode = '', errorText = ''): Promise<void> {
  await sql(
    `insert into outbox_messages (agent_id, kind, phone, text, status, template, error_code, error_text, created_by, created_by_name, created_at)
     values ($1, 'account-notice', '13800138000', '测试', $2, 'service-test', $3, $4, 1, '运营', clock_timestamp())`,
    [made.id, status, errorCode, errorText],
  )
}

const storage = (problem: string) =>
  sql(
    `insert into service_checks (service, problem, checked_at) values ('storage', $1, now())
     on conflict (service) do update set problem = excluded.problem`,
    [problem],
  )

const noted = (service: string, ago: string) =>
  sql(
    `insert into service_checks (service, problem, checked_at) values ($1, '', now() - $2::interval)
     on conflict (service) do update set checked_at = excluded.checked_at`,
    [service, ago],
  )

let partner = 0
const invitation = (set: string) =>
  sql(`update partner_invitations set ${set} where agent_id = $1`, [partner])

type Case = [
  what: string,
  arrange: () => unknown,
  key: string,
  state: SetupStepRow['state'],
  words: RegExp,
  settings?: string,
]

const BROKEN: readonly Case[] = [
  [
    'the company has its first name and no region',
    () => connect({}),
    'agent-profile.company',
    'open',
    /公司名称和所在地区.*「运营中心」/,
  ],
  [
    'the company has a name alone',
    () => sql(`update agents set company_name = '云栈软件' where id = $1`, [made.id]),
    'agent-profile.company',
    'open',
    /请填写所在地区/,
  ],
  ['no logo', () => undefined, 'agent-profile.logo', 'open', /没有上传标志/],
  [
    'no help line',
    () => undefined,
    'sign-in.helpLine',
    'open',
    /没有服务热线/,
    "HELP_LINE='400-000-0000（9:00-18:00）'",
  ],
  [
    'shops are told no address',
    () => undefined,
    'shop-access.loginUrl',
    'open',
    /不知道在哪里登录/,
    'SHOP_LOGIN_URL=https://pos.example.com/login',
  ],
  ['no second factor', () => undefined, 'factors.own', 'open', /验证器或通行密钥/],
  ['prices that nobody looked at', () => undefined, 'prices.review', 'open', /示例价格/],
  [
    'no WeChat Pay',
    () => undefined,
    'payments.wechat',
    'open',
    /没有接入.*6 项设置/,
    'WECHAT_PAY_MCHID=1900000109',
  ],
  ['no Alipay', () => undefined, 'payments.alipay', 'open', /没有接入/, 'ALIPAY_APP_ID=2021000000000000'],
  [
    'payments are simulated in a real office',
    () => connect({}, true),
    'payments.alipay',
    'open',
    /模拟支付，收不到真钱.*SIMULATORS/,
  ],
  ['SMS are simulated in a real office', () => undefined, 'messages.service', 'open', /模拟短信，手机收不到/],
  ['the point of sale is simulated', () => undefined, 'table-clearing.pos', 'open', /模拟的收银系统/],
  [
    'no SMS service',
    () => connect({}),
    'messages.service',
    'open',
    /邀请、验证码和提醒都发不出去/,
    'SMS_PROVIDER=aliyun',
  ],
  [
    'no service of the point of sale',
    () => undefined,
    'table-clearing.pos',
    'open',
    /没有接入/,
    'POS_SERVICE_URL=https://pos.example.com',
  ],
  [
    'WeChat Pay was never tried, and no address is known',
    () => connect(EVERYTHING),
    'payments.wechat',
    'open',
    /还没有试过.*0\.01 代币/,
    'PUBLIC_URL=https://partners.example.com',
  ],
  [
    'WeChat Pay refuses the order',
    () => attempt('failed', '签名错误'),
    'payments.wechat',
    'broken',
    /被拒绝：签名错误/,
  ],
  [
    'one fen was ordered, and nothing came',
    () => attempt('waiting'),
    'payments.wechat',
    'open',
    /还没有到账.*外网访问地址/,
  ],
  [
    'paid, and never refunded',
    async () => {
      paid = await attempt('paid')
    },
    'payments.wechat',
    'open',
    /还没有退过/,
  ],
  [
    'the refund fails',
    () => refund(paid, 'failed', '证书错误'),
    'payments.wechat',
    'broken',
    /退款失败：证书错误/,
  ],
  ['the refund is under way', () => refund(paid, 'processing'), 'payments.wechat', 'open', /退款正在处理/],
  ['SMS are connected, and none was tried', () => undefined, 'messages.service', 'open', /发送测试短信/],
  [
    'the SMS service refuses the signature',
    () => testMessage('failed', 'isv.SMS_SIGNATURE_ILLEGAL', '短信签名不合法'),
    'messages.service',
    'broken',
    /短信签名不合法，isv\.SMS_SIGNATURE_ILLEGAL.*核对签名/,
  ],
  [
    'the SMS service does not answer',
    () => testMessage('unknown'),
    'messages.service',
    'broken',
    /没有应答.*外网/,
  ],
  [
    'no receipt comes',
    () => testMessage('submitted'),
    'messages.service',
    'open',
    /还没有送达回执.*回执地址/,
  ],
  ['the storage was not tried yet', () => undefined, 'setup.storage', 'open', /正在检查/],
  [
    'the disk is full',
    () => storage('磁盘已满'),
    'setup.storage',
    'broken',
    /不能保存文件：磁盘已满/,
    'DATA_DIR=/var/lib/partner-office',
  ],
  [
    'there is no backup',
    () => undefined,
    'setup.backup',
    'open',
    /还没有备份.*npm run backup/,
    'BACKUP_FOLDER=/var/backups/partner-office',
  ],
  [
    'no backup was ever restored',
    async () => {
      await noted('files', '1 hour')
      await noted('database', '3 hours')
    },
    'setup.backup',
    'open',
    /最近一次备份是3 小时前，还没有试着恢复过.*npm run restore/,
  ],
  [
    'the last restore is long ago',
    () => noted('restore', '31 days'),
    'setup.backup',
    'broken',
    /上次试着恢复是31 天前，应当每 30 天一次/,
  ],
  [
    'the last backup is too old',
    () => noted('files', '49 hours'),
    'setup.backup',
    'broken',
    /最近一次备份是2 天前，应当每天一次/,
  ],
  ['nobody beside the first person', () => undefined, 'team.staff', 'open', /只有您一个账号/],
  ['no partner', () => undefined, 'partners.first', 'open', /还没有合作伙伴/],
  [
    'a partner was invited and is not here',
    async () => {
      partner = (await operator.partners.takeOn(newPartner({ companyName: '启程科技' }))).id
    },
    'partners.first',
    'open',
    /「启程科技」还没有设置密码.*邀请链接/,
  ],
  [
    'its invitation has expired',
    () => invitation(`expires_at = now() - interval '1 hour'`),
    'partners.first',
    'broken',
    /「启程科技」的邀请已过期.*重发/,
  ],
  [
    'its invitation was revoked',
    () => invitation('revoked_at = now()'),
    'partners.first',
    'broken',
    /邀请已撤回/,
  ],
  ['no shop', () => undefined, 'selling.firstShop', 'open', /还没有商户/],
]

test('of a fresh office nothing is done but what needs nothing', async () => {
  connect({})
  const { steps } = await operator.setup.list()
  assert.deepEqual(
    steps.filter(({ state }) => state === 'done').map(({ key }) => key),
    ['captcha.puzzle'],
  )
  const { settings, path } = await stepOf('payments.wechat')
  assert.equal(path, null)
  assert.deepEqual(
    settings.map(({ name }) => name),
    [
      'WECHAT_PAY_MCHID',
      'WECHAT_PAY_APPID',
      'WECHAT_PAY_SERIAL',
      'WECHAT_PAY_PRIVATE_KEY_FILE',
      'WECHAT_PAY_API_V3_KEY',
      'PUBLIC_URL',
    ],
  )
})

test(`${BROKEN.length} broken set-ups are named in words, each with its settings or its page`, async t => {
  for (const [what, arrange, key, state, words, setting] of BROKEN)
    await t.test(what, async () => {
      await arrange()
      const step = await stepOf(key)
      assert.equal(step.state, state)
      assert.match(step.words, words)
      if (setting)
        assert.ok(
          step.settings.some(({ line }) => line === setting),
          JSON.stringify(step.settings),
        )
      assert.ok(step.path !== null || step.settings.length > 0 || key.startsWith('setup.'), 'no way on')
    })
})

test('the storage is tried by the program: what works is said, and what does not by its reason', async () => {
  await checkStorage(office.app.services)
  assert.equal((await stepOf('setup.storage')).state, 'done')
  const { storage: home } = office.app.services
  office.app.services.storage = {
    ...home,
    put: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
  }
  await checkStorage(office.app.services)
  assert.match((await stepOf('setup.storage')).words, /磁盘已满/)
  office.app.services.storage = home
  await checkStorage(office.app.services)
  assert.equal((await stepOf('setup.storage')).state, 'done')
})

test('how old backups are is told to whoever watches, and never is infinitely long', async () => {
  const figures = async () => {
    const { body } = await office.app.http.inject({ url: '/metrics' })
    return Object.fromEntries(
      [...body.matchAll(/^backup_age_seconds\{what="(\w+)"\} (\S+)$/gm)].map(([, what, value]) => [
        what,
        value,
      ]),
    )
  }
  await sql(`delete from service_checks where service in ('files', 'database', 'changes', 'restore')`)
  assert.deepEqual(await readBackupAges(office.owner), {
    backup: Number.POSITIVE_INFINITY,
    changes: Number.POSITIVE_INFINITY,
    restore: Number.POSITIVE_INFINITY,
  })
  assert.equal((await figures()).restore, '+Inf')
  await noteBackup(office.owner, 'files', new Date('2026-01-02').toISOString())
  await noteBackup(office.owner, 'files', new Date('2026-01-01').toISOString())
  const { rows } = await sql(
    `select checked_at::date::text as day from service_checks where service = 'files'`,
  )
  assert.equal(rows[0].day, '2026-01-02')
})

test('a partner’s owner has its own steps, read from its own agency alone; its people and other staff have none', async () => {
  const agent = await makeAgent(office)
  const owner = office.as(await office.login(agent.loginName))
  const { steps } = await owner.setup.list()
  assert.deepEqual(
    steps.map(({ key, state }) => [key, state]),
    [
      ['agent-profile.partner', 'open'],
      ['team.people', 'open'],
      ['payment-settings.account', 'open'],
      ['selling.ownShop', 'open'],
      ['notices.alerts', 'open'],
    ],
  )
  const person = await makeAccount(office, agent.id)
  assert.equal((await stepOf('team.people', owner)).state, 'done')
  const staff = await makeAgent(office, { staff: true })
  for (const { loginName } of [person, staff])
    assert.deepEqual(await office.as(await office.login(loginName)).setup.list(), { steps: [] })
  await makeMerchant(office, agent.id)
  await sql(`update agents set district_code = '440305', address = '科苑路 1 号' where id = $1`, [agent.id])
  assert.deepEqual((await owner.setup.list()).steps, [])
})

test('an optional step is put off by an account for itself and fetched back; a necessary one and somebody else’s are not', async () => {
  const agent = await makeAgent(office)
  const owner = office.as(await office.login(agent.loginName))
  const put = (key: string, isPutOff: boolean, who = owner) => who.setup.putOff({ key, isPutOff })
  await put('team.people', true)
  await put('team.people', true)
  assert.equal((await stepOf('team.people', owner)).isPutOff, true)
  const { rows } = await sql(
    `select count(*)::int as n from operation_logs where title = '设置开始使用' and account_id = $1`,
    [agent.accountId],
  )
  assert.equal(rows[0].n, 1, 'what stands already leaves no row')
  await put('team.people', false)
  assert.equal((await stepOf('team.people', owner)).isPutOff, false)
  assert.equal(await refusalOf(put('selling.ownShop', true)), 'STEP_NECESSARY')
  assert.equal(await refusalOf(put('team.staff', true)), 'STEP_UNKNOWN')
})

test('a test SMS goes to who asks for it, once a minute, and not without a service', async () => {
  await sql(`delete from outbox_messages where template = 'service-test'`)
  assert.equal(await refusalOf(operator.messageDesk.sendTest()), 'SMS_NOT_CONNECTED')
  connectSms(office)
  const { phone } = await operator.messageDesk.sendTest()
  assert.match(phone, /^1\d{2}\*{4}\d{4}$/)
  assert.equal(await refusalOf(operator.messageDesk.sendTest()), 'TEST_TOO_SOON')
  const { rows } = await sql(`select text, agent_id from outbox_messages where template = 'service-test'`)
  assert.equal(rows.length, 1)
  assert.match(rows[0].text, /测试短信.*发送时间：20\d\d-/)
})

test('once what is necessary is done the office is set up and asked for no more, whatever else is left', async () => {
  await sql(`update agents set district_code = '440305' where id = $1`, [made.id])
  await operator.priceDesk.review()
  await makeMerchant(office, partner)
  await sql('update accounts set last_login_at = now() where agent_id = $1', [partner])
  await refund(paid, 'done')
  await testMessage('delivered')
  await noted('files', '1 hour')
  await noted('database', '1 hour')
  await noted('restore', '1 hour')
  // Staff were made above.
  for (const key of [
    'payments.wechat',
    'messages.service',
    'table-clearing.pos',
    'captcha.puzzle',
    'team.staff',
    'setup.backup',
  ])
    assert.equal((await stepOf(key)).state, 'done', key)
  const { steps } = await operator.setup.list()
  assert.deepEqual(
    steps.filter(({ isOptional, state }) => !isOptional && state !== 'done').map(({ key }) => key),
    ['factors.own'],
  )
  await makeTotp(office, cookie)
  assert.deepEqual((await operator.setup.list()).steps, [])
})
