// The documents' client against the program: what the documents have it do, by their names alone.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import type { Office } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { startOutside } from '#test/outside.ts'
import { soon } from '#test/walk.ts'
import { type Answer, type CompatClient, compatClient } from './client.ts'
import { openCompatOffice, signedIn } from './office.ts'

let office: Office
let outside: Awaited<ReturnType<typeof startOutside>>
let agent: MadeAgent
let partner: CompatClient
let staff: CompatClient

before(async () => {
  outside = await startOutside({})
  office = await openCompatOffice({ providers: outside.providers })
  agent = await makeAgent(office, { tokens: 10_000, sms: 1_000 })
  const operator = await makeAgent(office, { operator: true, tokens: 10_000, sms: 1_000 })
  partner = await signedIn(office, agent.loginName)
  staff = await signedIn(office, operator.loginName)
})
after(async () => {
  await office.stop()
  await outside.stop()
})

/** What succeeded, or why not. */
function done(answer: Answer) {
  assert.equal(answer.ok, true, answer.error)
  return answer.value
}
function refused(answer: Answer, words: string | RegExp) {
  assert.equal(answer.ok, false)
  assert.match(answer.error, words instanceof RegExp ? words : new RegExp(`^${words}$`))
  assert.equal(answer.status, 200)
}

const NEW_SHOP = {
  sv_versionid: 12,
  term: 3,
  order_count: 1,
  sv_us_shortname: '老张面馆',
  sv_us_name: '深圳老张面馆',
  sv_ul_name: '张三',
  sv_ul_loginpwd: 'shop-2026',
  sv_us_district: '440305',
  sv_us_address: '科技路 1 号',
  sv_us_industrytype: 2,
  sv_SmsNumber: 0,
}
let account = 13_900_000_000
const newShop = async (more: object = {}) =>
  done(
    await partner.post('/UserInfo/SaveTheChanges', { ...NEW_SHOP, sv_ul_mobile: String(++account), ...more }),
  ).user_id as number

async function photo(): Promise<Blob> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const bytes = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#456', noise } })
    .jpeg({ quality: 80 })
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}

test('who signs in gets a token, the type of user and the menu; the token goes with every call', async () => {
  const client = compatClient(office.url)
  refused(await client.signIn(agent.loginName, 'not-the-password'), '账号或密码错误')
  refused(await client.get('/UserInfo/PTGetUserList'), '登录已失效，请重新登录')
  const { usertype, sv_d_role_config } = done(await client.signIn(agent.loginName, 'secret-2026'))
  assert.equal(usertype, 0)
  const menu = JSON.parse(sv_d_role_config) as { page_name: string; children: unknown[] }[]
  assert.ok(menu.some(({ children }) => children.length > 0))
  const byHeader = await fetch(`${office.url}/UserInfo/PTGetUserList`, { headers: { key: client.token } })
  assert.equal(((await byHeader.json()) as { succeed: boolean }).succeed, true)
  assert.match(byHeader.headers.get('deprecation') ?? '', /^@\d+$/)
})

test('the start page: one’s company with its balances, the figures, the notices', async () => {
  const info = done(await partner.get('/UserInfo/PTTheUserBasicInformation'))
  assert.equal(info.distributor_id, agent.id)
  assert.equal(info.sv_dw_balance, 10_000)
  assert.equal(typeof done(await partner.get('/UserInfo/GetPTYesterdayTotal')).u_todaytotal, 'number')
})

test('amounts have two decimals in the text of the answer', async () => {
  const key = partner.token
  const raw = await (await fetch(`${office.url}/UserInfo/PTTheUserBasicInformation?key=${key}`)).text()
  assert.match(raw, /"sv_dw_balance":\d+\.\d\d[,}]/)
})

test('a merchant is added, found, changed, switched off and on', async () => {
  const id = await newShop()
  const found = done(
    await partner.get('/UserInfo/PTGetUserList', { page: 1, pagesize: 10, name: String(id) }),
  )
  assert.equal(found.total, 1)
  const [row] = found.dataList
  assert.deepEqual([row.user_id, row.sv_us_name, row.sv_ul_status], [id, '深圳老张面馆', 0])
  assert.match(row.sv_ul_regdate, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  done(
    await partner.post('/UserInfo/SaveTheChanges', {
      user_id: id,
      sv_us_name: '老张新店',
      sv_staff_remarks: '常客',
    }),
  )
  const shop = done(await partner.get('/UserInfo/PTGetUserDetail', { user_id: id }))
  assert.deepEqual(
    [shop.sv_us_name, shop.sv_staff_remarks, shop.sv_us_shortname, shop.sv_us_address],
    ['老张新店', '常客', '老张面馆', '科技路 1 号'],
  )
  refused(
    await partner.post('/UserInfo/SaveTheChanges', { user_id: id, sv_us_shortname: '一个太长的店铺简称啊' }),
    '店铺简称长度不得超过8字符',
  )
  assert.equal(done(await partner.get('/UserInfo/PTProhibit', { user_id: id })), -1)
  refused(
    await partner.post('/UserInfo/SmsHandle', { user_id: id, sms_mealnum: 5, type: 0 }),
    /请启用后再进行操作/,
  )
  assert.equal(done(await partner.form('/UserInfo/PTEnable', { user_id: id, acountno: '' })), 0)
})

test('another price than the client has shown is not paid', async () => {
  refused(
    await partner.post('/UserInfo/SaveTheChanges', {
      ...NEW_SHOP,
      sv_ul_mobile: String(++account),
      sv_do_price: 1,
    }),
    '价格已变化，请重新确认',
  )
})

test('a version is quoted, confirmed and taken back; what is not there is refused in words', async () => {
  const id = await newShop()
  const quote = done(
    await partner.post('/UserInfo/versionUpgradeRenewal', {
      user_id: id,
      ordercode: '',
      order: JSON.stringify({ sv_salesversionid: 12, IsAddShop: 1, sv_versionunit: '年', order_count: 1 }),
    }),
  )
  assert.equal(quote.result, 1)
  const bought = done(
    await partner.post('/UserInfo/versionUpgradeRenewal', { user_id: id, ordercode: quote.ordercode }),
  )
  assert.equal(bought.ordercode, quote.ordercode)
  const orders = done(
    await partner.get('/UserInfo/getVersionOrderData', { keywards: quote.ordercode, sv_orderstatus: 2 }),
  )
  assert.equal(orders.dataList[0].sv_salestype, 1)
  const remarked = await partner.post('/UserInfo/PTUpdateOrderRemark', {
    order_id: quote.ordercode,
    remark: '已开票',
  })
  assert.equal(remarked.envelope, 'data')
  assert.equal(done(remarked), '已开票')
  const back = await partner.get('/UserInfo/PTOrderRecove', { user_id: id, order_id: quote.ordercode })
  assert.match(done(back), /撤销成功|已提交审批/)
  refused(await partner.get('/UserInfo/PTOrderRecove', { user_id: id, order_id: 'nothing' }), /./)
})

test('SMS are given and recalled, and what is sent twice at once is given once', async () => {
  const id = await newShop()
  const gift = { user_id: id, sms_mealnum: 40, sms_remark: '开业', type: 0 }
  const twice = await Promise.all([
    partner.post('/UserInfo/SmsHandle', gift),
    partner.post('/UserInfo/SmsHandle', gift),
  ])
  assert.equal(done(twice[0] as Answer).sms_ordenum, done(twice[1] as Answer).sms_ordenum)
  const back = done(await partner.post('/UserInfo/SmsHandle', { user_id: id, sms_mealnum: 15, type: 1 }))
  assert.deepEqual([back.sms_beforenum, back.sms_afternum], [40, 25])
  const changes = done(await partner.get('/UserInfo/getMsmChangesOrderData', { pageIndex: 1, pageSize: 10 }))
  assert.ok(changes.dataList.some((row: { user_id: number }) => row.user_id === id))
  refused(
    await partner.post('/UserInfo/SmsHandle', { user_id: id, sms_mealnum: 1, type: 7 }),
    '参数有误：type',
  )
})

test('one’s own SMS are recharged by a code that is paid on a phone, and asked after until it is', async () => {
  const [pack] = done(await partner.get('/UserInfo/getSmsPackage'))
  const started = done(
    await partner.post('/UserInfo/postConvergePay', {
      data: JSON.stringify({ id: pack.id, order_type: 1, sms_mealname: pack.sms_mealname }),
      money: pack.sms_mealprice,
      isMvc: false,
      businessType: 11,
      subject: pack.sms_mealname,
    }),
  )
  assert.match(started.payUrl, /\/c\//)
  assert.equal(started.expired, 30)
  const { action, status } = done(
    await partner.get('/UserInfo/getConvergePayResult', { queryId: started.queryId }),
  )
  assert.deepEqual([action, status], [0, 0])
  const asked = done(await partner.get('/UserInfo/querySmsOrderUnfinished', { order: started.sms_ordenum }))
  assert.equal(asked.result, 0)
  const byId = await partner.get(`/UserInfo/GetPayOrder/${started.queryId}`)
  assert.equal(byId.envelope, 'data')
  done(byId)
  refused(
    await partner.post('/UserInfo/postConvergePay', { data: JSON.stringify({ id: pack.id }), money: '0.01' }),
    /./,
  )
})

test('applications for payments and mini programs, with pictures by their paths', async () => {
  const id = await newShop()
  const pay_accountno = String(account)
  const picture = async (uploadFileType: string) =>
    done(
      await partner.upload('/api/UploadImg/CommonImg', 'file', await photo(), {
        userId: agent.id,
        uploadFileType,
        isCompress: false,
      }),
    )
  const config: Record<string, string> = {}
  for (const name of ['id_card', 'id_card1', 'license', 'pay', 'shop_head', 'checkstand', 'shop'])
    config[name] = await picture('payment')
  const handedIn = done(
    await partner.post('/WechatApply/RegisterPay', {
      pay_type: 0,
      pay_accountno,
      pay_phoneno: '13800138000',
      pay_email: 'shop@example.com',
      pay_info_add3: '440305',
      bank_name: '招商银行',
      pay_info_bank: '招商银行深圳科技园支行',
      branch_number: '308584001234',
      pay_info_config: JSON.stringify(config),
    }),
  )
  assert.equal(handedIn.pay_info_status, 0)
  done(await staff.get('/UserInfo/paymentApplicationAudit', { application_id: handedIn.id, status: 1 }))
  const listed = done(
    await partner.get('/UserInfo/getAppletApplicationList', { pageIndex: 1, pageSize: 10, type: 1 }),
  )
  assert.deepEqual([listed.dataList[0].member_userid, listed.dataList[0].pay_info_status], [id, 1])
  const program = done(
    await partner.post('/UserInfo/submitAppletInformation', {
      reg_accountno: pay_accountno,
      reg_wxapp_regflowstatus: 9,
      reg_category: 6,
    }),
  )
  const flow = done(
    await partner.get('/UserInfo/getAppletApplicationList', { pageIndex: 1, pageSize: 10, type: 2 }),
  )
  assert.equal(flow.dataList[0].sv_wxapp_application_id, program.sv_wxapp_application_id)
  assert.equal(flow.dataList[0].reg_category, 6)
})

test('services are shown in groups and bought at the price that is shown', async () => {
  const id = await newShop()
  const shown = done(await partner.get('/UserInfo/GetPTValueAddedPackage', { user_id: id }))
  const service = shown.dataList
    .flatMap((group: { childDetailList: { sv_code_type: number }[] }) => group.childDetailList)
    .find((one: { sv_code_type: number }) => one.sv_code_type === 1)
  const sv_totalprice = service.sv_unitprice * shown.discount
  const bought = await partner.post('/UserInfo/purchaseValueAdded', {
    user_id: id,
    services: JSON.stringify([{ sv_id: service.sv_id, sv_number: 1, years: 1 }]),
    sv_totalprice,
  })
  assert.equal(done(bought).dataList.length, 1)
  const orders = done(
    await partner.get('/UserInfo/getAppreciationOrderData', { pageIndex: 1, pageSize: 10, state: -1 }),
  )
  assert.equal(orders.dataList[0].sv_user_id, id)
})

test('staff approve and reject what shops ask for, one by one', async () => {
  const cookie = await office.login(agent.loginName)
  const id = await newShop()
  for (const content of ['老张鲜面', '老张拉面']) {
    const { id: request } = await office
      .as(cookie)
      .approvals.request({ merchantId: id, kind: 'shopName', content })
    const list = done(
      await staff.get('/UserInfo/getUserNameApprovalList', { page: 1, pagesize: 10, approval_status: 0 }),
    )
    assert.ok(list.dataList.some((row: { id: number }) => row.id === request))
    const approval_status = content === '老张鲜面' ? 2 : 1
    done(await staff.get('/UserInfo/approvalUserName', { id: request, approval_status }))
    refused(await staff.get('/UserInfo/approvalUserName', { id: request, approval_status }), /./)
  }
  refused(await partner.get('/UserInfo/approvalUserName', { id: 1, approval_status: 1 }), '您没有操作权限!')
})

test('labels are added, loaded as they were, changed and deleted', async () => {
  const item = {
    PriceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0001',
    Name: '商品名称',
    Title: '品名',
    Left: 10,
    Top: 10,
    FontSize: 9,
    FontStyle: 1,
    DisplayModel: 1,
    ItemType: 1,
  }
  const template = {
    TemplateName: '价签',
    IsCustom: false,
    Width: 60,
    Height: 40,
    IndustryIds: [2],
    PricesTagItems: [item],
  }
  const id = done(await staff.post('/api/PriceTag/AddTemplate', template))
  const loaded = done(await staff.get('/api/PriceTag/GetTemplateById', { tmpl_id: id }))
  assert.deepEqual([loaded.templateName, loaded.width, loaded.pricesTagItems[0].left], ['价签', 60, 10])
  done(
    await staff.post('/api/PriceTag/UpdateTemplate', { ...template, TemplateId: id, TemplateName: '新价签' }),
  )
  const all = done(await staff.get('/api/PriceTag/GetAllTemplates'))
  assert.ok(all.some((one: { templateName: string }) => one.templateName === '新价签'))
  done(await staff.post('/api/PriceTag/DeleteTemplate', { tmpl_id: id }))
  refused(await staff.post('/api/PriceTag/AddTemplate', { TemplateName: '' }), /./)
})

test('receipt groups and templates, groups named alone', async () => {
  const items = done(await staff.get('/api/TicketItem/GetAllTicketItems'))
  const group = {
    GroupName: '基本信息',
    GroupTab: '餐饮,零售',
    Remarks: '',
    Items: items.filter((one: { group: string }) => one.group === '基本信息').slice(0, 8),
  }
  const groupId = done(await staff.post('/api/TicketItemGroup/AddGroup', group))
  const kept = done(await staff.get('/api/TicketItemGroup/GetGroup', { group_id: groupId }))
  assert.equal(kept.groupTab, '餐饮,零售')
  const templateId = done(
    await staff.post('/api/TicketTemplate/AddSystemTemplate', {
      templateName: '堂食小票',
      industryIds: [2],
      ticketItemGroups: [{ groupId }],
      ticketItemGroups210: [],
      enableMakeUp: true,
    }),
  )
  done(
    await staff.post('/api/TicketTemplate/UpdateSystemTemplate', {
      templateId,
      templateName: '外卖小票',
      industryIds: [2],
      ticketItemGroups: [{ groupId, templateId }],
      ticketItemGroups210: [],
      enableMakeUp: true,
    }),
  )
  const loaded = done(await staff.get('/api/TicketTemplate/GetTemplate', { tmpl_id: templateId }))
  assert.deepEqual([loaded.templateName, loaded.enableMakeUp], ['外卖小票', true])
  assert.ok(loaded.ticketItemGroups[0].items.length > 0)
  done(await staff.post('/api/TicketTemplate/DeleteSystemTemplate', { tmpl_id: templateId }))
})

test('a demand is written, read, counted, changed and deleted', async () => {
  const user_id = await newShop()
  const owners = done(await staff.get('/UserInfo/PTGetDistributorUserList', { page: 1, pagesize: 100 }))
  const form = {
    sv_title: '支持扫码加菜',
    user_id,
    sv_master_id: owners.dataList[0].sv_d_user_id,
    sv_priority: 3,
    sv_type: 3,
    sv_client_type: 6,
    sv_industry_type_id: 2,
    sv_end_time: '2027-06-30 18:00:00',
    sv_description: '<p>堂食</p>',
  }
  refused(await staff.post('/UserInfo/addDemand', { ...form, sv_title: '' }), '请输入任务标题')
  const { sv_id } = done(await staff.post('/UserInfo/addDemand', form))
  done(await staff.post('/UserInfo/addDemand', { sv_id, sv_status: 3 }))
  const task = done(await staff.get('/UserInfo/getDemandDetail', { sv_id }))
  assert.deepEqual(
    [task.sv_status, task.sv_priority, task.sv_end_time, task.user_id],
    [3, 3, '2027-06-30 18:00:00', user_id],
  )
  assert.equal(done(await staff.get('/UserInfo/getStateCountStatistics')).开发中, 1)
  done(await staff.get('/UserInfo/deleteDemandOrder', { sv_id }))
  assert.equal(done(await staff.get('/UserInfo/getDemandList', { Page: 1, PageSize: 10 })).total, 0)
})

test('what asks a person for themselves is refused in words, and no token opens it', async () => {
  refused(
    await partner.post('/UserInfo/PTAddDistributorRole', { sv_d_role_name: '店长' }),
    '此操作需要本人当场验证，请登录后台操作',
  )
  refused(
    await partner.form('/UserInfo/PTUpdateUserInfo', { d: 'secret-2026', xinpwd: 'x', con: 'x' }),
    '此操作不能通过旧接口完成，请登录后台操作',
  )
})

test('the list goes out as a file, and orders by a link that bears the client’s own key', async () => {
  const file = await partner.get('/UserInfo/PTGetUserList_excle')
  assert.deepEqual([file.envelope, file.ok], ['file', true])
  const link = done(await partner.get('/UserInfo/getOrderListPrinting', { sv_orderstatus: 2 }))
  const taken = await fetch(`${office.url}${link}`)
  assert.match(taken.headers.get('content-type') ?? '', /spreadsheet/)
})

test('a call that the operator has closed is closed for everybody, and says so', async () => {
  const operator = await office.login((await makeAgent(office, { operator: true })).loginName)
  done(await partner.get('/UserInfo/getManagerData'))
  await office.as(operator).compatAccess.setCall({ call: 'AppLogin', closed: true })
  refused(await compatClient(office.url).signIn(agent.loginName, 'secret-2026'), '此接口已停用，请联系管理员')
  await office.as(operator).compatAccess.setCall({ call: 'AppLogin', closed: false })
})

test('a session’s cookie opens nothing here, whatever page sends it', async () => {
  const cookie = await office.login(agent.loginName)
  const answer = await fetch(`${office.url}/UserInfo/PTProhibit?user_id=1`, {
    method: 'POST',
    headers: { cookie, origin: 'https://elsewhere.example.com' },
  })
  const { succeed, errmsg } = (await answer.json()) as { succeed: boolean; errmsg: string }
  assert.deepEqual([succeed, errmsg], [false, '登录已失效，请重新登录'])
})

test('who calls too often is told by the status too, and when to come again', async () => {
  const busy = await makeAgent(office)
  const client = await signedIn(office, busy.loginName)
  await office.owner.query('update api_keys set per_minute = 60 where account_id = $1', [busy.accountId])
  await office.owner.query(
    'update api_key_uses set tokens = 0 where key_id in (select id from api_keys where account_id = $1)',
    [busy.accountId],
  )
  let answer = await client.get('/UserInfo/getManagerData')
  assert.ok(
    await soon(async () => {
      answer = await client.get('/UserInfo/getManagerData')
      return answer.status === 429
    }),
  )
  assert.equal(answer.error, '操作过于频繁，请稍后再试')
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
})

test('the token stands in no row of the database', async () => {
  const { rows: tables } = await office.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const token = partner.token.slice('pot_'.length)
  for (const { name } of tables) {
    const { rows } = await office.owner.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [
      `%${token}%`,
    ])
    assert.equal(rows.length, 0, name)
  }
})
