// What each call is asked with where it succeeds, by the documents' names; what is made for them stands in the scene.
import { makeAcquirerOnboarding, offerMethod } from '#features/acquiring/acquirer-onboardings/walk.ts'
import {
  makeApplication as makePaymentApplication,
  makePapers as makePaymentPapers,
  WHOLE as PAYMENT,
} from '#features/acquiring/payment-applications/walk.ts'
import { makeApplication as makeProgram } from '#features/programs/program-applications/walk.ts'
import { makeWorkOrder } from '#features/support/work-orders/walk.ts'
import type { Office } from '#test/app.ts'
import { type MadeAgent, makeMerchant } from '#test/make.ts'
import { nodeId } from '#test/make-api-keys.ts'
import { makeOrder as makeHardwareOrder } from '#test/make-hardware.ts'
import { MARK, PIXEL } from '#test/walk-types.ts'
import type { CompatClient } from './client.ts'

type Of = { agent: MadeAgent; operator: MadeAgent; partner: CompatClient; staff: CompatClient }

export type CompatScene = Of & {
  office: Office
  /** A fresh shop of the partner. */
  shop(columns?: Record<string, unknown>): Promise<number>
  accountOf(shop: number): Promise<string>
  /** A number that no shop has. */
  freeAccount(): string
  picture(): Blob
  /** What of the partner a stranger must not change. */
  fingerprint(): Promise<string>
}

type Params = Record<string, unknown>
export type Valid = {
  by: 'partner' | 'staff'
  params(scene: CompatScene): Params | Promise<Params>
  /** Whoever asks with it has made a thing of their own by it: it cannot be asked twice. */
  isOnce?: true
  /** It is answered so, where nothing more can be reached: a person is asked for, or an outside service that tests have none of. */
  refused?: RegExp
}

let numbers = 13_600_000_000

export async function makeCompatScene(office: Office, of: Of): Promise<CompatScene> {
  const query = office.owner.query.bind(office.owner)
  return {
    ...of,
    office,
    shop: columns => makeMerchant(office, of.agent.id, { shop_name: MARK, ...columns }),
    async accountOf(shop) {
      const { rows } = await query<{ account: string }>('select account from merchants where id = $1', [shop])
      return rows[0]?.account ?? ''
    },
    freeAccount: () => String(++numbers),
    picture: () => new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' }),
    async fingerprint() {
      const { rows } = await query<{ rows: string }>(
        `select md5(string_agg(t::text, '|' order by id)) as rows from merchants t where agent_id = $1`,
        [of.agent.id],
      )
      return rows[0]?.rows ?? ''
    },
  }
}

/** A merchant number that no other onboarding has. */
const code = () => `8000${++numbers}`
const nothing = () => ({})
const list = () => ({ page: 1, pagesize: 10 })
const partner = (params: Valid['params'] = nothing, refused?: RegExp): Valid => ({
  by: 'partner',
  params,
  ...(refused && { refused }),
})
const staff = (params: Valid['params'] = nothing, refused?: RegExp): Valid => ({
  ...partner(params, refused),
  by: 'staff',
})
const onShop =
  (more: Params = {}) =>
  async (scene: CompatScene): Promise<Params> => ({ user_id: await scene.shop(), ...more })

/** A person is asked for, or the operation is none of programs. */
const BY_PERSON = /需要本人当场验证|不能通过旧接口完成/

/** The platform, or the acquirer, is asked only once the shop is further on. */
const NOT_YET = /^(?!.*(参数有误|缺少参数|没有操作权限|不能通过旧接口|需要本人|数据不存在|服务器繁忙)).+/

const NEW_SHOP = {
  sv_versionid: 12,
  term: 3,
  order_count: 1,
  sv_us_shortname: '新店',
  sv_us_name: '新店面馆',
  sv_ul_name: '李四',
  sv_ul_loginpwd: 'shop-2026',
  sv_us_district: '440305',
  sv_us_address: '科技路 2 号',
  sv_us_industrytype: 2,
}

async function quoted(scene: CompatScene): Promise<{ user_id: number; ordercode: string }> {
  const user_id = await scene.shop()
  const { value } = await scene.partner.post('/UserInfo/PTPackageVersion_newV2', {
    user_id,
    sv_salesversionid: 12,
    IsAddShop: 1,
  })
  return { user_id, ordercode: value.ordercode }
}

async function bought(scene: CompatScene): Promise<{ user_id: number; order_id: string }> {
  const { user_id, ordercode } = await quoted(scene)
  await scene.partner.post('/UserInfo/PTPackageVersion_newV2', { user_id, ordercode })
  return { user_id, order_id: ordercode }
}

async function request(scene: CompatScene, kind: 'signature' | 'shopName' | 'memberTitle'): Promise<Params> {
  const merchantId = await scene.shop()
  const cookie = await scene.office.login(scene.agent.loginName)
  const content = kind === 'memberTitle' ? '贵宾' : `老张${++numbers % 1_000}`
  const { id } = await scene.office.as(cookie).approvals.request({ merchantId, kind, content })
  return { id, approval_status: 1 }
}

const onboarding =
  (given: object, more: Params = {}) =>
  async (scene: CompatScene): Promise<Params> => ({
    id: await makeAcquirerOnboarding(scene.office, {
      agentId: scene.agent.id,
      merchantId: await scene.shop(),
      channel: 'xl',
      ...given,
    }),
    ...more,
  })

const program =
  (given: object = {}, more: Params = {}) =>
  async (scene: CompatScene): Promise<Params> => {
    const merchantId = await scene.shop()
    const id = await makeProgram(scene.office, {
      agentId: scene.agent.id,
      merchantId,
      companyName: MARK,
      state: 'pending',
      ...given,
    })
    return { sv_wxapp_application_id: id, uid: merchantId, ...more }
  }
const approved = (more: Params = {}) => program({ state: 'approved' }, more)

const payment =
  (given: object = {}, more: Params = {}) =>
  async (scene: CompatScene): Promise<Params> => {
    const id = await makePaymentApplication(scene.office, {
      agentId: scene.agent.id,
      merchantId: await scene.shop(),
      email: MARK,
      state: 'pending',
      ...given,
    })
    return { sv_wxapp_application_id: id, sv_alipayinfo_id: id, ...more }
  }

async function demand(scene: CompatScene): Promise<Params> {
  const form = {
    sv_title: '扫码加菜',
    user_id: await scene.shop(),
    sv_master_id: scene.operator.accountId,
    sv_priority: 1,
    sv_type: 1,
    sv_client_type: 1,
    sv_industry_type_id: 2,
  }
  const { value } = await scene.staff.post('/UserInfo/addDemand', form)
  return { sv_id: value.sv_id }
}

async function thread(scene: CompatScene): Promise<Params> {
  const { rows } = await scene.office.owner.query<{ id: string }>(
    `insert into threads (agent_id, merchant_id, kind, title, last_text, shop_name, account, created_by_name, state, desk, created_at, last_at, words)
     values ($1, $2, 'shop', $3, $3, $3, '', '店长', 'awaiting', 'agent', now(), now(), $3) returning id`,
    [scene.agent.id, await scene.shop(), MARK],
  )
  return { id: Number(rows[0]?.id) }
}

async function workOrder(scene: CompatScene): Promise<Params> {
  const merchantId = await scene.shop()
  const id = await makeWorkOrder(scene.office, {
    agentId: scene.agent.id,
    merchantId,
    shopName: MARK,
    title: MARK,
    createdBy: scene.agent.accountId,
  })
  return { id }
}

async function consultation(scene: CompatScene): Promise<Params> {
  const { rows } = await scene.office.owner.query<{ id: string }>(
    `insert into consultations (name, mobile, address, content, ip_hash, created_at)
     values ('访客', '13700000000', '', '', 'x', now()) returning id`,
  )
  return { id: Number(rows[0]?.id) }
}

const LABEL_ITEM = {
  PriceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0001',
  Name: '商品名称',
  Left: 10,
  Top: 10,
  FontSize: 9,
  ItemType: 1,
}
const LABEL = { TemplateName: '价签', Width: 60, Height: 40, IndustryIds: [2], PricesTagItems: [LABEL_ITEM] }

async function label(scene: CompatScene): Promise<number> {
  return (await scene.staff.post('/api/PriceTag/AddTemplate', LABEL)).value
}

const GROUP = {
  GroupName: '底部',
  GroupTab: '零售',
  Remarks: '',
  Items: [] as unknown[],
}
async function group(scene: CompatScene): Promise<Params & { group_id: number }> {
  const { value: items } = await scene.staff.get('/api/TicketItem/GetAllTicketItems')
  const Items = items.filter((one: { group: string }) => one.group === '其他信息')
  const form = { ...GROUP, GroupName: `其他 ${++numbers % 10_000}`, Items }
  return { ...form, group_id: (await scene.staff.post('/api/TicketItemGroup/AddGroup', form)).value }
}
async function receipt(scene: CompatScene): Promise<Params> {
  const { group_id } = await group(scene)
  const form = {
    templateName: `小票${++numbers % 10_000}`,
    industryIds: [2],
    ticketItemGroups: [{ groupId: group_id }],
    ticketItemGroups210: [],
    enableMakeUp: false,
  }
  return {
    ...form,
    templateId: (await scene.staff.post('/api/TicketTemplate/AddSystemTemplate', form)).value,
  }
}

async function hardwareOrder(scene: CompatScene): Promise<Params> {
  const cookie = await scene.office.login(scene.agent.loginName)
  return {
    sv_order_number: await makeHardwareOrder(scene.office, scene.office.as(cookie)),
    shipmentsnumber: 'SF1234567890',
  }
}

async function smsOrder(scene: CompatScene): Promise<Params> {
  const merchantId = await scene.shop()
  const cookie = await scene.office.login(scene.agent.loginName)
  const { rows } = await scene.office.as(cookie).sms.packages({ merchantId })
  const [pack] = rows
  if (!pack) throw new Error('there is no package of SMS')
  const { orderNo } = await scene.office
    .as(cookie)
    .sms.buy({ merchantId, packageId: pack.id, totalCents: pack.totalCents })
  return { order: orderNo }
}

async function recharge(scene: CompatScene): Promise<Params> {
  const { value } = await scene.partner.get('/UserInfo/GetPTSMSPackage')
  return { data: JSON.stringify({ id: value[0].id }), money: value[0].sms_mealprice }
}
async function paymentStarted(scene: CompatScene): Promise<Params> {
  const { value } = await scene.partner.post('/UserInfo/PTSaveSns_Dec_Order', {
    ...(await recharge(scene)),
    subject: String(++numbers),
  })
  return { queryId: value.queryId, id: value.queryId, order: value.sms_ordenum }
}

async function identity(scene: CompatScene): Promise<Params> {
  return {
    user_id: await scene.shop(),
    sv_company: '深圳市南山区老张面馆',
    sv_credit_code: '91350100M000100Y43',
    sv_legalperson: '张三',
    sv_credit_username: '李四',
    sv_idcard: '11010519491231002X',
    sv_us_signature: '老张面馆',
    sv_phone: '13800138000',
    sv_creditcode_url: await upload(scene, 'payment'),
    sv_idcard_front: await upload(scene, 'payment'),
    sv_idcard_back: await upload(scene, 'payment'),
  }
}

const read = async (scene: CompatScene): Promise<Params> => ({
  user_id: await scene.shop(),
  img_url: await upload(scene, 'payment'),
})

/** What is typed of a payment application, which has its papers. */
async function applied(scene: CompatScene): Promise<Params> {
  const merchantId = await scene.shop()
  const papers = await makePaymentPapers(scene.office, scene.agent, merchantId)
  await makePaymentApplication(scene.office, { agentId: scene.agent.id, merchantId, ...PAYMENT, ...papers })
  return { pay_accountno: await scene.accountOf(merchantId), pay_type: 0 }
}

const handOver = (channel: 'xl' | 'tianque' | 'lianfu') => async (scene: CompatScene) => {
  await offerMethod(scene.office, scene.agent.id, channel)
  const given = { channel, approvalState: 'approved', state: 'opened', code: code() }
  return onboarding(given, { signKey: 'k'.repeat(32) })(scene)
}

async function upload(scene: CompatScene, uploadFileType: string): Promise<string> {
  return (await scene.partner.upload('/api/UploadImg/CommonImg', 'file', scene.picture(), { uploadFileType }))
    .value
}

const role = async (scene: CompatScene): Promise<Params> => {
  const { rows } = await scene.office.owner.query<{ id: string }>(
    `insert into roles (agent_id, name, remark, node_ids, created_at) values ($1, $2, '', $3, now()) returning id`,
    [scene.agent.id, `角色${++numbers % 100_000}`, [nodeId('merchants.list')]],
  )
  return { sv_d_role_id: Number(rows[0]?.id), sv_d_role_name: '店长', sv_enabled: true }
}

/** What templates are saved with. */
export const BODIES: Params = {
  ...LABEL,
  ...GROUP,
  templateName: '小票',
  industryIds: [2],
  ticketItemGroups: [],
  ticketItemGroups210: [],
}

/** By the names of the rows. */
export const VALID: Readonly<Record<string, Valid>> = {
  AppLogin: partner(
    () => ({ userName: 'x', timestamp: String(Date.now()), nonce: 'n', signature: 's' }),
    /账号或密码错误/,
  ),
  PTTheUserBasicInformation: partner(),
  GetPTYesterdayTotal: partner(),
  getNoticeList: partner(list),
  PTUpdateUserInfo: partner(() => ({ d: 'secret-2026', xinpwd: 'Other-2026', con: 'Other-2026' }), BY_PERSON),
  PTGetDistributorRoleList: partner(list),
  PTAddDistributorRole: partner(() => ({ sv_d_role_name: '店长' }), BY_PERSON),
  PTOpterDistributorRole: partner(role, BY_PERSON),
  PTDelDistributorRole: partner(role, BY_PERSON),
  PTUpdateDistributorRoleConfig: partner(
    async scene => ({ ...(await role(scene)), sv_d_role_config: '[{"id":22}]' }),
    BY_PERSON,
  ),
  PTGetDistributorUserList: partner(() => ({ page: 1, pagesize: 100 })),
  PTAddDistributorUser: partner(
    () => ({ sv_d_user_name: '小王', sv_d_user_account_no: '70001234', sv_d_user_pwd: 'Staff-2026' }),
    BY_PERSON,
  ),
  CheckAddDistributorUserAccountExist: partner(() => ({ account: '70001234' })),
  PTOpterDistributorUser: partner(
    scene => ({ sv_d_user_id: scene.agent.accountId, sv_enabled: false }),
    BY_PERSON,
  ),
  PTDelDistributorUser: partner(scene => ({ sv_d_user_id: scene.agent.accountId }), BY_PERSON),
  PTGetDistributorOptLog: partner(list),
  PTUpdateDistributorPayConfig: partner(() => ({ type: 'wechat', config: '{"Appid":"wx1"}' }), BY_PERSON),
  PTGetCustom_config: partner(),
  PTUpdateCustom_config: partner(async scene => {
    const { value } = await scene.partner.get('/UserInfo/PTGetCustom_config')
    return { custom_config: value.custom_config.replace(/"data":""/g, '"data":"400-800-1234"') }
  }),
  PTUploadLogoFilesAjax: partner(),
  PTUploadCustomFilesAjax: staff(),
  CommonImg: partner(() => ({ uploadFileType: 'payment' })),
  PTGetUserList: partner(() => ({ page: 1, pagesize: 10, status: -2, lastloginday: -1 })),
  PTGetUserList_excle: partner(),
  PTGetUserDetail: partner(onShop()),
  PTSaveOrder: {
    ...partner(scene => ({ ...NEW_SHOP, sv_ul_mobile: scene.freeAccount() })),
    isOnce: true,
  },
  PTProhibit: partner(onShop()),
  PTEnable: partner(async scene => ({ user_id: await scene.shop({ status: 'disabled' }) })),
  PTOperate: partner(onShop({ sv_staff_remarks: '常客' })),
  PTGetStorelist: partner(onShop()),
  getManagerData: partner(),
  PTGetIndustryType: partner(() => ({ version_name: '' })),
  PTGteStoreVersion: partner(() => ({ ids: '1,3,12' })),
  PTPackageVersion_newV2: partner(quoted),
  postMerchantId: staff(async scene => ({ user_id: await scene.shop(), sv_ul_mobile: scene.freeAccount() })),
  ResetMerchantPassword: partner(onShop({ sv_ul_loginpwd: 'New-2026-shop' })),
  PostMsreg: partner(onShop({ phone: '13800138000' }), BY_PERSON),
  GetSmsRecoveryCode: partner(onShop({ phone: '13800138000' }), BY_PERSON),
  PTGetDistributorList: staff(() => ({ search: '' })),
  GetPTSMSPackage: partner(),
  PTInsertSns_orderByDistributor: partner(onShop({ sms_mealnum: 5, type: 0 })),
  PTSaveSns_Dec_Order: partner(recharge),
  getConvergePayResult: partner(paymentStarted),
  GetPayOrder: partner(paymentStarted),
  'ShowPayLinkBy{product}': partner(nothing, /PTSaveSns_Dec_Order/),
  GetDecSMSorderstate: partner(paymentStarted),
  PTGetValuesRecordPageListByUserId: partner(list),
  PTGetGiftsmsRecordPageListByUserId: partner(list),
  GeEnumMealpayment: partner(),
  PTSns_orderCancelByDistributor: partner(smsOrder),
  PTGetSnsCancelOrderList: partner(list),
  GetMemberSate: partner(),
  GetSmsSendList: partner(list),
  SmsReSend: partner(() => ({ sms_guid: '999999' }), /数据不存在/),
  PTSendSms: staff(onShop()),
  getSignatureApprovalList: staff(() => ({ ...list(), approval_status: 0 })),
  getUserNameApprovalList: staff(() => ({ ...list(), approval_status: 0 })),
  getCallNameApprovalList: staff(() => ({ ...list(), approval_status: 0 })),
  approvalSignature: staff(scene => request(scene, 'signature')),
  approvalUserName: staff(scene => request(scene, 'shopName')),
  approvalCallName: staff(scene => request(scene, 'memberTitle')),
  SaveSignatureByDistributor: partner(onShop({ sv_us_signature: '老张面馆' })),
  GetSignatureIdentification: partner(onShop()),
  SaveSignatureIdentification: partner(identity),
  SaveIdentificationByDistributor: partner(identity),
  PTGetDealerRecordPageList: partner(list),
  PTGetOrderList: partner(() => ({ ...list(), sv_orderstatus: 2 })),
  PTUpdateOrderRemark: partner(async scene => ({ ...(await bought(scene)), remark: '已开票' })),
  PTGetOrderList_Printing: partner(),
  PTGetOrderList_File: partner(),
  PTHardwareShipments: staff(hardwareOrder),
  getHardwareOrderList: partner(list),
  getAppreciationOrderData: partner(() => ({ pageIndex: 1, pageSize: 10, state: -1 })),
  GetPTValueAddedPackage: partner(onShop()),
  PTDistributorBuyFuncList: partner(async scene => {
    const user_id = await scene.shop()
    const { value } = await scene.partner.get('/UserInfo/GetPTValueAddedPackage', { user_id })
    const [service] = value.dataList
      .flatMap((one: { childDetailList: unknown[] }) => one.childDetailList)
      .filter((one: { sv_code_type: number }) => one.sv_code_type === 1)
    const services = JSON.stringify([{ sv_id: service.sv_id, sv_number: 1, years: 1 }])
    return { user_id, services, sv_totalprice: service.sv_unitprice * value.discount }
  }),
  PTmoney: partner(list),
  PTGetDistributorWalletCostList: partner(list),
  PTOrderRecove: partner(bought),
  GetGroupingInfo: staff(onShop()),
  relation_store: staff(async scene => ({
    user_id: await scene.shop({ version_id: 3 }),
    head_id: await scene.shop({ version_id: 3, store_kind: 'head', shops_bought: 5 }),
    desc: '同一老板',
  })),
  cancel_store: staff(async scene => {
    const head = await scene.shop({ version_id: 3, store_kind: 'head', shops_bought: 5 })
    return {
      user_id: await scene.shop({ version_id: 3, store_kind: 'branch', head_id: head }),
      desc: '分开经营',
    }
  }),
  GetUserinfoByUser_id: staff(onShop()),
  OrderRecove: staff(bought, BY_PERSON),
  FreeAdmissionUpdateUserYears: staff(async scene => ({
    uid: await scene.shop(),
    day: 7,
    desc: '系统故障补偿',
  })),
  ClearTable: staff(async scene => ({ uid: await scene.shop(), table: 'goods' }), BY_PERSON),
  GetUserShopByacountno: staff(async scene => ({ account: await scene.accountOf(await scene.shop()) })),
  ChangeDistributor: staff(async scene => ({
    user_id: await scene.shop(),
    distributor_id: scene.operator.id,
    reason: '区域调整',
  })),
  PTGetStoreVersion: staff(onShop()),
  PTUpdateStoreVersion: staff(async scene => ({
    user_id: await scene.shop({ version_id: 4 }),
    orgVersionid: 4,
    newVersionid: 3,
    reason: '连锁经营',
  })),
  GetMerchantImportList: staff(list),
  MerchantStatistics: staff(),
  GetMerchantImport: staff(onboarding({})),
  UpdateStatus: staff(onboarding({ approvalState: 'approved' }, { status: 1 })),
  UpdateApprovalStatus: staff(onboarding({ approvalState: 'pending' }, { approval_status: 1 })),
  UpdateCode: staff(scene =>
    onboarding({ approvalState: 'approved', state: 'sent' }, { code: code() })(scene),
  ),
  DPayConfig_XL: staff(handOver('xl')),
  DPayConfig_TianQue: staff(handOver('tianque')),
  UpdateMerchantLianfutech: staff(handOver('lianfu')),
  UpdateMerchantImportActive: staff(onboarding({}, { is_active: false })),
  UpdateMerchantRemark: staff(onboarding({}, { remark: '等资料' })),
  UpdateMerchantStatus: staff(scene =>
    onboarding({ approvalState: 'approved', state: 'opened', code: code() }, { status: 2 })(scene),
  ),
  MerchantInfoQuery: staff(onboarding({}), NOT_YET),
  businessLicense: partner(read),
  idcard: partner(read),
  api_wxa_checkwxverifynickname: partner(() => ({ nick_name: '老张面馆' })),
  wxapp_getaccountbasicinfo: partner(approved()),
  wxapp_getqueryfastregisterweapp: partner(approved(), NOT_YET),
  wxapp_fastregisterweapp: partner(approved({ legal_persona_wechat: 'zhang_88' })),
  wxapp_setnicknameV2: partner(approved({ setnickname: '老张面馆' }), NOT_YET),
  addcategoryV2: partner(approved({ categories: '[{"first":1,"second":2}]' }), NOT_YET),
  gettemplatelist: partner(approved(), NOT_YET),
  set_apptemid: partner(approved({ template_id: 1 }), NOT_YET),
  bind_tester: partner(approved({ wechatid: 'zhang_88' }), NOT_YET),
  get_qrcode: partner(approved(), NOT_YET),
  getwxacode: partner(approved(), NOT_YET),
  get_category: partner(approved()),
  wxapp_submit_audit: partner(approved({ feedback_info: '' }), NOT_YET),
  get_auditstatus: partner(approved()),
  api_wxa_querynickname: partner(approved()),
  OpenApiRequest: partner(async scene => {
    const { uid } = await approved()(scene)
    return { Method: 'GET', Name: 'get_category', UrlParm: `uid=${uid}`, BodyContent: '{}' }
  }),
  RegisterWechat: partner(async scene => ({
    reg_accountno: await scene.accountOf(await scene.shop()),
    reg_wxapp_regflowstatus: 9,
    reg_category: 6,
  })),
  RegisterPay: partner(applied),
  PTGetWxAppApplicationPageListByDistributorId: partner(() => ({ pageIndex: 1, pageSize: 10, type: 0 })),
  PTGetWxAppApplicationDetail: partner(program()),
  PTApproveWxAppApplication: staff(program({}, { status: 2 })),
  PTApprovePayApplication: staff(payment({}, { status: 2 })),
  PTApproveWxAppRegSteps: staff(program({}, { step: 2 })),
  PTUpdateWxAppApplicationSubmitStatus: partner(approved({ status: 1 }), NOT_YET),
  PTUpdateWxAppApplicationDetailRemark: partner(approved({ remark: '等法人' })),
  PTChangeWxAppApplicationDistributorId: partner(approved(), /ChangeDistributor/),
  PTGetChatComponentLogs: partner(async scene => {
    const { uid } = await approved()(scene)
    return { account: await scene.accountOf(uid as number) }
  }),
  PTGetWxAppApplicationRegEvent: partner(approved()),
  OptAppDetail: partner(program()),
  wxsetprivacysetting: partner(approved(), NOT_YET),
  PTGetAlipayApplicationList: staff(list),
  PTOpAlipayApplication: staff(
    payment({ state: 'approved', reviewState: 'waiting' }, { sv_state: 1, remarks: '在办' }),
  ),
  downloadInformation: partner(program()),
  downloadInformationFile: partner(program(), BY_PERSON),
  getDemandList: staff(() => ({ Page: 1, PageSize: 10 })),
  getStateCountStatistics: staff(),
  deleteDemandOrder: staff(demand),
  getDemandDetail: staff(demand),
  addDemand: staff(async scene => ({ ...(await demand(scene)), sv_status: 3 })),
  PTGetPageUserFeedbackList: staff(() => ({ pageIndex: 1, pageSize: 10 })),
  UserFeedBack_Message: partner(() => ({ ...list(), state: -1 })),
  'UserFeedBack_Message record info': partner(thread),
  'UserFeedBack_Message add record': partner(async scene => ({
    ...(await thread(scene)),
    title: '{"text":"已修复","imgs":[]}',
  })),
  'UserFeedBack_Message update state': partner(async scene => ({ ...(await thread(scene)), state: 300 })),
  'WorkOrder Query': partner(list),
  'WorkOrder Get': partner(workOrder),
  'WorkOrder Update': partner(() => ({ kind: 1, urgency: 1, title: '打印机离线', text: '换了网线也不行' })),
  'WorkOrder Delete': partner(workOrder),
  'WorkOrder GetStatusTotal': partner(),
  GetClientInformation: staff(list),
  UpdateContacted: staff(consultation),
  'PriceTag GetAllTemplates': staff(),
  'PriceTag GetTemplateById': staff(async scene => ({ tmpl_id: await label(scene) })),
  'PriceTag AddTemplate': staff(() => LABEL),
  'PriceTag UpdateTemplate': staff(async scene => ({ ...LABEL, TemplateId: await label(scene) })),
  'PriceTag DeleteTemplate': staff(async scene => ({ tmpl_id: await label(scene) })),
  PriceTagItem: staff(),
  'TicketItemGroup GetAllGroups': staff(),
  'TicketItemGroup GetGroup': staff(async scene => ({ group_id: (await group(scene)).group_id })),
  'TicketItemGroup AddGroup': staff(async scene => {
    const { group_id: _, ...form } = await group(scene)
    return { ...form, GroupName: `另一 ${++numbers % 10_000}` }
  }),
  'TicketItemGroup UpdateGroup': staff(async scene => {
    const { group_id, ...form } = await group(scene)
    return { ...form, GroupId: group_id, Remarks: '新' }
  }),
  'TicketItemGroup DeleteGroup': staff(async scene => ({ group_id: (await group(scene)).group_id })),
  'TicketItem GetAllTicketItems': staff(),
  'TicketTemplate GetSystemTemplates': staff(),
  'TicketTemplate GetTemplate': staff(async scene => ({ tmpl_id: (await receipt(scene)).templateId })),
  'TicketTemplate AddSystemTemplate': staff(async scene => {
    const { templateId: _, ...form } = await receipt(scene)
    return form
  }),
  'TicketTemplate UpdateSystemTemplate': staff(receipt),
  'TicketTemplate DeleteSystemTemplate': staff(async scene => ({
    tmpl_id: (await receipt(scene)).templateId,
  })),
}
