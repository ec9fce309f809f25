// The rules by which the simulated WeChat Pay takes or refuses an application at its door: what a subject must bring, which numbers
// can be, which pictures are there, which banks and rules of settlement exist. [D] the documentation of 提交申请单.
import { isDivision, refuseBank } from './simulator-banks.ts'
import {
  type Counter,
  close,
  fail,
  flag,
  list,
  need,
  object,
  oneOf,
  openPart,
  type Part,
  pathOf,
  picture,
  pictures,
  type Said,
  term,
  text,
  words,
} from './simulator-onboarding-form.ts'
import { isIdNumber, isLicenceNumber } from './simulator-onboarding-numbers.ts'

const LICENSED = ['SUBJECT_TYPE_INDIVIDUAL', 'SUBJECT_TYPE_ENTERPRISE']
const PUBLIC = ['SUBJECT_TYPE_GOVERNMENT', 'SUBJECT_TYPE_INSTITUTIONS']
const CERTIFIED = [...PUBLIC, 'SUBJECT_TYPE_OTHERS']
const CERTIFICATES: Record<string, readonly string[]> = {
  SUBJECT_TYPE_GOVERNMENT: ['2389'],
  SUBJECT_TYPE_INSTITUTIONS: ['2388'],
  SUBJECT_TYPE_OTHERS: ['2389', '2394', '2395', '2396', '2520', '2521', '2522', '2399', '2400'],
}
const ID_CARD = 'IDENTIFICATION_TYPE_IDCARD'
const PASSPORT = 'IDENTIFICATION_TYPE_OVERSEA_PASSPORT'
const ID_TYPES = [
  ID_CARD,
  PASSPORT,
  'IDENTIFICATION_TYPE_HONGKONG_PASSPORT',
  'IDENTIFICATION_TYPE_MACAO_PASSPORT',
  'IDENTIFICATION_TYPE_TAIWAN_PASSPORT',
  'IDENTIFICATION_TYPE_FOREIGN_RESIDENT',
  'IDENTIFICATION_TYPE_HONGKONG_MACAO_RESIDENT',
  'IDENTIFICATION_TYPE_TAIWAN_RESIDENT',
]
const SENSITIVE = ['微信', '腾讯', '支付宝', '赌', '彩票']

/** By rule of settlement: whose it is, and its lines of business; with a star those that bring papers. */
const EVERYDAY =
  '餐饮 电商平台 零售 食品生鲜 咨询/娱乐票务 房产中介 宠物医院* 共享服务* 休闲娱乐/旅游服务 游艺厅/KTV* 网吧* 院线影城* 演出赛事* ' +
  '居民生活服务 景区/酒店 机票/票务代理* 培训机构* 保健器械/医疗器械/非处方药品* 私立/民营医院/诊所* 其他缴费* 停车缴费'
const TELECOM = '婚介平台/就业信息平台/其他信息服务平台 虚拟充值*'
const TRANSPORT = '快递* 物流* 加油/加气*'
const VIRTUAL = '在线图书/视频/音乐* 门户论坛/网络广告及推广/软件开发/其他互联网服务 游戏* 网络直播*'
const SETTLEMENTS: Record<string, readonly [subject: string, lines: string]> = {
  719: ['SUBJECT_TYPE_INDIVIDUAL', EVERYDAY],
  720: ['SUBJECT_TYPE_INDIVIDUAL', TELECOM],
  721: ['SUBJECT_TYPE_INDIVIDUAL', TRANSPORT],
  790: ['SUBJECT_TYPE_INDIVIDUAL', '水电煤气缴费*'],
  746: ['SUBJECT_TYPE_INDIVIDUAL', VIRTUAL],
  716: ['SUBJECT_TYPE_ENTERPRISE', `${EVERYDAY} 旅行社* 城市公共交通* 文物经营/文物复制品销售`],
  728: ['SUBJECT_TYPE_ENTERPRISE', TELECOM],
  717: ['SUBJECT_TYPE_ENTERPRISE', `${TRANSPORT} 民办学校（非全国高等学校）*`],
  730: ['SUBJECT_TYPE_ENTERPRISE', '水电煤气缴费*'],
  711: ['SUBJECT_TYPE_ENTERPRISE', VIRTUAL],
  725: ['SUBJECT_TYPE_INSTITUTIONS', '其他缴费* 景区/酒店 停车缴费'],
  727: ['SUBJECT_TYPE_OTHERS', '其他缴费* 宗教组织* 居民生活服务'],
}

/** What the application says, or Refused by its first wrong field. */
export function readApplication(body: unknown, counter: Counter): Said {
  const said: Said = {}
  const whole = openPart(counter, said, body)
  text(whole, 'business_code', '业务申请编号', { max: 124, fits: value => /^\w+$/.test(value) })
  const subjectPart = need(whole, 'subject_info', '主体资料')
  const subject = oneOf(subjectPart, 'subject_type', '主体类型', [...LICENSED, ...CERTIFIED])
  readContact(need(whole, 'contact_info', '超级管理员信息'))
  readSubject(subjectPart, subject)
  readBusiness(need(whole, 'business_info', '经营资料'))
  readSettlement(need(whole, 'settlement_info', '结算规则'), subject)
  readBankAccount(need(whole, 'bank_account_info', '结算银行账户'), subject)
  const additions = object(whole, 'addition_info', '补充材料', false)
  if (additions) {
    pictures(additions, 'business_addition_pics', '补充材料', { optional: true })
    text(additions, 'business_addition_msg', '补充说明', { optional: true, max: 512 })
  }
  close(whole, additions)
  return said
}

function readContact(part: Part): void {
  const isDeputy = oneOf(part, 'contact_type', '超级管理员类型', ['LEGAL', 'SUPER']) === 'SUPER'
  text(part, 'contact_name', '超级管理员姓名', { sealed: true, max: 100, fits: isName })
  if (isDeputy) {
    const type = oneOf(part, 'contact_id_doc_type', '超级管理员证件类型', ID_TYPES)
    idNumber(part, 'contact_id_number', '超级管理员证件号码', type)
    picture(part, 'contact_id_doc_copy', '超级管理员证件正面照片')
    picture(part, 'contact_id_doc_copy_back', '超级管理员证件反面照片', type === PASSPORT)
    term(part, 'contact_period_begin', 'contact_period_end', '超级管理员证件有效期')
    picture(part, 'business_authorization_letter', '业务办理授权函')
  }
  text(part, 'mobile_phone', '联系手机', { sealed: true, fits: value => /^1[3-9]\d{9}$/.test(value) })
  text(part, 'contact_email', '联系邮箱', {
    sealed: true,
    fits: value => /^[^@\s]+@[^@\s]+\.\w+$/.test(value),
  })
  close(part)
}

const isName = (value: string) => value.length >= 2 && !/\d/.test(value)

function idNumber(part: Part, name: string, label: string, type: string): void {
  text(part, name, label, {
    sealed: true,
    fits: value =>
      type === ID_CARD ? isIdNumber(value, part.counter.today) : /^[A-Za-z0-9()]{5,20}$/.test(value),
    why: '证件号码有误',
  })
}

function readSubject(part: Part, subject: string): void {
  flag(part, 'finance_institution', '是否金融机构', false)
  if (LICENSED.includes(subject)) readLicence(need(part, 'business_license_info', '营业执照'), subject)
  else readCertificate(need(part, 'certificate_info', '登记证书'), subject)
  const identity = need(part, 'identity_info', '经营者/法人身份证件')
  if (PUBLIC.includes(subject)) oneOf(identity, 'id_holder_type', '证件持有人类型', ['LEGAL'])
  const type = oneOf(identity, 'id_doc_type', '证件类型', ID_TYPES)
  const isEnterprise = subject === 'SUBJECT_TYPE_ENTERPRISE'
  if (type === ID_CARD) readIdCard(need(identity, 'id_card_info', '身份证信息'), isEnterprise)
  else readIdPaper(need(identity, 'id_doc_info', '其他类型证件信息'), type, isEnterprise)
  const isOwner = isEnterprise ? flag(identity, 'owner', '经营者/法人是否为受益人', true) : null
  const owners = isEnterprise ? list(part, 'ubo_info_list', '最终受益人信息列表', 4) : []
  if (isOwner === false && owners.length === 0)
    fail('subject_info.ubo_info_list', '最终受益人信息列表', '必填性规则校验失败，此字段为必填项')
  const numbers = owners.map(readOwner)
  const legal = part.said['subject_info.identity_info.id_card_info.id_card_number']
  if (new Set(numbers).size < numbers.length || (isOwner && numbers.includes(String(legal))))
    fail('subject_info.ubo_info_list', '最终受益人信息列表', 'UBO信息重复提交，请修改')
  close(part, identity)
}

function readLicence(part: Part, subject: string): void {
  picture(part, 'license_copy', '营业执照照片')
  text(part, 'license_number', '注册号/统一社会信用代码', {
    fits: isLicenceNumber,
    why: '注册号或统一社会信用代码有误',
  })
  text(part, 'merchant_name', '商户名称', {
    fits: name => name.length >= 2 && (subject !== 'SUBJECT_TYPE_INDIVIDUAL' || !name.endsWith('公司')),
    why: '个体工商户的商户名称不能以“公司”结尾',
  })
  text(part, 'legal_person', '个体户经营者/法人姓名', { max: 100 })
  text(part, 'license_address', '注册地址', { optional: true })
  term(part, 'period_begin', 'period_end', '有效期限', true)
  close(part)
}

function readCertificate(part: Part, subject: string): void {
  picture(part, 'cert_copy', '登记证书照片')
  oneOf(
    part,
    'cert_type',
    '登记证书类型',
    (CERTIFICATES[subject] ?? []).map(type => `CERTIFICATE_TYPE_${type}`),
  )
  text(part, 'cert_number', '证书号', { max: 32 })
  text(part, 'merchant_name', '商户名称')
  text(part, 'company_address', '注册地址')
  text(part, 'legal_person', '法定代表人', { max: 100 })
  term(part, 'period_begin', 'period_end', '有效期限')
  close(part)
}

function readIdCard(part: Part, isEnterprise: boolean): void {
  picture(part, 'id_card_copy', '身份证人像面照片')
  picture(part, 'id_card_national', '身份证国徽面照片')
  text(part, 'id_card_name', '身份证姓名', { sealed: true, max: 100, fits: isName })
  idNumber(part, 'id_card_number', '身份证号码', ID_CARD)
  text(part, 'id_card_address', '身份证居住地址', { sealed: true, optional: !isEnterprise })
  term(part, 'card_period_begin', 'card_period_end', '身份证有效期')
  close(part)
}

function readIdPaper(part: Part, type: string, isEnterprise: boolean): void {
  picture(part, 'id_doc_copy', '证件正面照片')
  picture(part, 'id_doc_copy_back', '证件反面照片', type === PASSPORT)
  text(part, 'id_doc_name', '证件姓名', { sealed: true, max: 100 })
  idNumber(part, 'id_doc_number', '证件号码', type)
  text(part, 'id_doc_address', '证件居住地址', { sealed: true, optional: !isEnterprise })
  term(part, 'doc_period_begin', 'doc_period_end', '证件有效期')
  close(part)
}

function readOwner(part: Part): string {
  const type = oneOf(part, 'ubo_id_doc_type', '受益人证件类型', ID_TYPES)
  picture(part, 'ubo_id_doc_copy', '受益人证件正面照片')
  picture(part, 'ubo_id_doc_copy_back', '受益人证件反面照片', type === PASSPORT)
  text(part, 'ubo_id_doc_name', '受益人证件姓名', { sealed: true, max: 100 })
  idNumber(part, 'ubo_id_doc_number', '受益人证件号码', type)
  text(part, 'ubo_id_doc_address', '受益人证件居住地址', { sealed: true })
  term(part, 'ubo_period_begin', 'ubo_period_end', '受益人证件有效期')
  close(part)
  return String(part.said[`${part.path}.ubo_id_doc_number`])
}

const SCENES: Record<string, (sales: Part) => Part> = {
  SALES_SCENES_STORE(sales) {
    const store = need(sales, 'biz_store_info', '线下场所场景')
    text(store, 'biz_store_name', '线下场所名称')
    text(store, 'biz_address_code', '线下场所省市编码', {
      fits: isDivision,
      why: '省市编码有误，至少精确到市',
    })
    text(store, 'biz_store_address', '线下场所地址')
    pictures(store, 'store_entrance_pic', '线下场所门头照片')
    pictures(store, 'indoor_pic', '线下场所内部照片')
    text(store, 'biz_sub_appid', '线下场所对应的商家APPID', { optional: true })
    return store
  },
  SALES_SCENES_MP: sales => readApp(sales, 'mp_info', 'mp', '公众号'),
  SALES_SCENES_MINI_PROGRAM: sales => readApp(sales, 'mini_program_info', 'mini_program', '小程序'),
  SALES_SCENES_APP: sales => readApp(sales, 'app_info', 'app', 'APP'),
  SALES_SCENES_WEB(sales) {
    const web = need(sales, 'web_info', '互联网网站场景')
    text(web, 'domain', '互联网网站域名', { max: 1024, fits: value => /^https?:\/\/[\w.-]+/.test(value) })
    picture(web, 'web_authorisation', '网站授权函', true)
    text(web, 'web_appid', '互联网网站对应的商家APPID', { optional: true })
    return web
  },
}

function readApp(sales: Part, name: string, prefix: string, label: string): Part {
  const app = need(sales, name, `${label}场景`)
  const isApp = { optional: true, fits: (value: string) => /^wx[0-9a-z]{6,30}$/i.test(value) }
  const own = text(app, `${prefix}_appid`, `服务商${label}APPID`, isApp)
  const sub = text(app, `${prefix}_sub_appid`, `商家${label}APPID`, isApp)
  if ((own === '') === (sub === ''))
    fail(`${app.path}.${prefix}_sub_appid`, `商家${label}APPID`, '与服务商APPID二选一')
  pictures(app, `${prefix}_pics`, `${label}截图`, { optional: prefix === 'mini_program' })
  return app
}

function readBusiness(part: Part): void {
  text(part, 'merchant_shortname', '商户简称', {
    max: 64,
    fits: value => !SENSITIVE.some(word => value.includes(word)),
    why: '商户简称含有敏感词，请修改',
  })
  text(part, 'service_phone', '客服电话', { max: 32, fits: value => /^[\d-]{5,20}$/.test(value) })
  const sales = need(part, 'sales_info', '经营场景')
  const types = words(sales, 'sales_scenes_type', '经营场景类型', Object.keys(SCENES))
  close(part, sales, ...types.map(type => SCENES[type]?.(sales) ?? null))
}

function readSettlement(part: Part, subject: string): void {
  const id = text(part, 'settlement_id', '入驻结算规则ID', {
    fits: value => SETTLEMENTS[value]?.[0] === subject,
    why: '结算规则与主体类型不符',
  })
  const lines = (SETTLEMENTS[id]?.[1] ?? '').split(' ')
  const line = text(part, 'qualification_type', '所属行业', {
    fits: value => lines.some(one => one.replace('*', '') === value),
    why: '所属行业与结算规则不符',
  })
  const papers = pictures(part, 'qualifications', '特殊资质图片', { optional: true })
  if (lines.includes(`${line}*`) && papers.length === 0)
    fail('settlement_info.qualifications', '特殊资质图片', '该行业须上传特殊资质图片')
  close(part)
}

function readBankAccount(part: Part, subject: string): void {
  const isIndividual = subject === 'SUBJECT_TYPE_INDIVIDUAL'
  const type = oneOf(part, 'bank_account_type', '账户类型', [
    'BANK_ACCOUNT_TYPE_CORPORATE',
    ...(isIndividual ? ['BANK_ACCOUNT_TYPE_PERSONAL'] : []),
  ])
  readAccount(part, type === 'BANK_ACCOUNT_TYPE_PERSONAL', true)
}

/** Also of an account that a merchant changes to, in whose form the division is not required. */
function readAccount(part: Part, isPersonal: boolean, isNew: boolean): void {
  text(part, 'account_name', '开户名称', { sealed: true, max: 128, optional: !isNew })
  text(part, 'bank_address_code', '开户银行省市编码', {
    optional: !isNew,
    fits: isDivision,
    why: '省市编码有误，至少精确到市',
  })
  const accountBank = text(part, 'account_bank', '开户银行')
  const number = text(part, 'bank_branch_id', '开户银行联行号', { optional: true, max: 64 })
  const name = text(part, 'bank_name', '开户银行全称（含支行）', { optional: true })
  const flaw = refuseBank({ isPersonal, accountBank, number, name })
  if (flaw) fail(pathOf(part, flaw.name), flaw.name, flaw.says)
  text(part, 'account_number', '银行账号', { sealed: true, fits: value => /^\d{8,30}$/.test(value) })
  close(part)
}

export function readChange(body: unknown, counter: Counter, mayBePersonal: boolean): Said {
  const said: Said = {}
  const part = openPart(counter, said, body)
  text(part, 'modify_mode', '修改模式', { optional: true, fits: value => value === 'MODIFY_MODE_ASYNC' })
  const type = oneOf(part, 'account_type', '账户类型', [
    'ACCOUNT_TYPE_BUSINESS',
    ...(mayBePersonal ? ['ACCOUNT_TYPE_PRIVATE'] : []),
  ])
  readAccount(part, type === 'ACCOUNT_TYPE_PRIVATE', false)
  return said
}
